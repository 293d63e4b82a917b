/** Options of rows and of plancast.yaml, as Postiz and Zernio get them. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type ContractWorld, row } from "../../support/contract/contract-world.ts";
import { postizWorld, zernioWorld } from "../../support/contract/worlds.ts";
import { makeProject } from "../../support/project.ts";
import { runCommand } from "../../support/run-command.ts";

const TIKTOK = {
  visibility: "private",
  comments: true,
  duet: false,
  stitch: false,
  music: false,
  paid_partnership: false,
  own_brand: false,
  method: "direct",
};

const integration = (identifier: string, profile = identifier, id = `int-${profile}`) => ({
  id,
  identifier,
  name: profile,
  profile,
  disabled: false,
});

const INTEGRATIONS = [
  integration("youtube"),
  integration("pinterest"),
  integration("tiktok"),
  integration("instagram"),
  integration("linkedin"),
  integration("x", "brand"),
  integration("x", "founder"),
];

const OFF = { "media/required": "off", "options/type": "off", "options/story-text": "off" };

/** Writes `options:` of plancast.yaml. */
function configureWith(
  type: "postiz" | "zernio",
  {
    project,
    server,
  }: { readonly project: ContractWorld["project"]; readonly server: { readonly url: string } },
  rules: object = OFF,
) {
  const settings = { timezone: "UTC", calendars: ["calendar.*"], service: { type, url: server.url }, rules };
  return (options: unknown) => project.write("plancast.yaml", JSON.stringify({ ...settings, options }));
}

async function postiz(options: unknown, rules?: object) {
  const { world } = await postizWorld({}, { integrations: INTEGRATIONS });
  const configure = configureWith("postiz", world, rules);
  await configure(options);
  const settings = () =>
    Object.fromEntries(world.server.scheduled().map(({ integration: id, settings }) => [id, settings]));
  return { world, configure, settings };
}

async function problemsOf(world: Pick<ContractWorld, "run">) {
  const ran = await world.run("plan", "--format", "json");
  const { problems }: { problems: readonly { readonly message: string; readonly code: string }[] } =
    JSON.parse(ran.stdout);
  return problems;
}

test("Postiz: plan names the options that a network lacks, and sends nothing", async () => {
  const { comments: _left, ...tiktok } = TIKTOK;
  const { world } = await postiz({ tiktok });
  await world.write(
    row("a", "01", "youtube", "One"),
    row("b", "02", "pinterest", "Two"),
    row("c", "03", "tiktok", "Three"),
  );
  const messages = (await problemsOf(world)).map(({ message }) => message).join("\n");
  expect((await world.run("apply", "--yes")).code).toBe(1);
  for (const text of [
    "the options title, visibility for youtube",
    "the option board for pinterest",
    "`pinterest.board`",
    "below options.pinterest",
    "the option comments for tiktok",
  ])
    expect(messages).toContain(text);
  expect(world.server.requests.every(({ method }) => method === "GET")).toBe(true);
});

test("Postiz: an account has priority over its network, and a text can have the first line", async () => {
  const { world, settings } = await postiz({
    youtube: { title: "{first_line} | Garden", visibility: "unlisted", tags: ["a", "b c"] },
    pinterest: { board: "board-1" },
    tiktok: TIKTOK,
    instagram: { collaborators: "@acme, garden" },
    linkedin: { type: "carousel" },
    x: { replies: "people you follow", community: "https://x.com/i/communities/1" },
    "x/founder": { replies: "verified" },
  });
  await world.write(
    row(
      "a",
      "01",
      "youtube, pinterest, tiktok, instagram, linkedin, x/brand, x/founder",
      "\nSpring $& {first_line}\n\nMore",
    ),
  );
  await world.apply();
  const title = "Spring $& {first_line}";
  expect(settings()).toEqual({
    "int-youtube": {
      __type: "youtube",
      title: `${title} | Garden`,
      type: "unlisted",
      tags: [
        { value: "a", label: "a" },
        { value: "b c", label: "b c" },
      ],
    },
    "int-pinterest": { __type: "pinterest", board: "board-1" },
    "int-tiktok": {
      __type: "tiktok",
      privacy_level: "SELF_ONLY",
      comment: true,
      duet: false,
      stitch: false,
      autoAddMusic: "no",
      brand_content_toggle: false,
      brand_organic_toggle: false,
      content_posting_method: "DIRECT_POST",
    },
    "int-instagram": {
      __type: "instagram",
      post_type: "post",
      collaborators: [{ label: "acme" }, { label: "garden" }],
    },
    "int-linkedin": { __type: "linkedin", post_as_images_carousel: true },
    "int-brand": { __type: "x", who_can_reply_post: "following", community: "https://x.com/i/communities/1" },
    "int-founder": {
      __type: "x",
      who_can_reply_post: "verified",
      community: "https://x.com/i/communities/1",
    },
  });
  expect(await world.planned()).toEqual({ keep: 7 });
});

const titled = (title: string) =>
  `id,scheduled_at,platforms,content,all.visibility,youtube.title,pinterest.board\n` +
  `a,2037-03-01T10:00:00Z,youtube,One,Not listed,${title},\n` +
  `b,2037-03-02T10:00:00Z,pinterest,Two,,,board-9\n`;

test("Postiz: columns of a row have priority, and a changed option replaces the post", async () => {
  const { world, settings } = await postiz({ youtube: { visibility: "public" }, pinterest: { board: "b" } });
  await world.project.write("calendar.csv", titled("First"));
  await world.apply();
  expect(settings()).toEqual({
    "int-youtube": { __type: "youtube", title: "First", type: "unlisted" },
    "int-pinterest": { __type: "pinterest", board: "board-9" },
  });
  await world.project.write("calendar.csv", titled("Second"));
  const planned = await world.run("plan");
  expect(planned.stdout).toContain("youtube.title: Second");
  await world.apply();
  expect(settings()["int-youtube"]).toMatchObject({ title: "Second" });
  expect(await world.planned()).toEqual({ keep: 2 });
});

test("Postiz: a default of plancast.yaml is a part of the posts", async () => {
  const { world, configure, settings } = await postiz({ pinterest: { board: "one" } });
  await world.write(row("a", "01", "pinterest", "One"));
  await world.apply();
  await configure({ pinterest: { board: "two" } });
  expect(await world.planned()).toEqual({ replace: 1 });
  await world.apply();
  expect(settings()).toEqual({ "int-pinterest": { __type: "pinterest", board: "two" } });
});

test.each([
  [
    "x/fonder",
    { replies: "verified" },
    ["It has twitter/brand, twitter/founder.", "Did you mean `twitter/founder`?"],
  ],
  ["youtube/brand", { title: "A" }, ["It has youtube."]],
])("Postiz: plan refuses options for the unknown account %s", async (name, options, texts) => {
  const { world } = await postiz({ [name]: options });
  await world.write(row("a", "01", "x/brand", "One"));
  const problems = await problemsOf(world);
  expect(problems).toMatchObject([{ code: "platform/settings", file: "plancast.yaml" }]);
  for (const text of [`options.${name} has no effect`, ...texts])
    expect(problems[0]?.message).toContain(text);
});

test("Postiz: what it has no field for is an error of the row, or a warning if the project says so", async () => {
  const calendar =
    "id,scheduled_at,platforms,content,linkedin.title,instagram.type\n" +
    "a,2037-03-01T10:00:00Z,linkedin,One,A title,\n" +
    "b,2037-03-02T10:00:00Z,instagram,Two,,Story\n";
  const { world } = await postiz({});
  await world.project.write("calendar.csv", calendar);
  expect(await problemsOf(world)).toMatchObject([
    {
      code: "options/unsupported",
      severity: "error",
      line: 2,
      column: 37,
      message: expect.stringContaining("The service has no field for `linkedin.title`."),
    },
  ]);
  const other = await postiz({}, { ...OFF, "options/unsupported": "warning" });
  await other.world.project.write("calendar.csv", calendar);
  await other.world.apply();
  expect(other.settings()).toEqual({
    "int-linkedin": { __type: "linkedin" },
    "int-instagram": { __type: "instagram", post_type: "story" },
  });
  expect(await other.world.planned()).toEqual({ keep: 2 });
});

test("Postiz: a title that is too long is an error of its row", async () => {
  const { world } = await postiz({ youtube: { title: "{first_line}", visibility: "public" } });
  await world.write(row("a", "01", "youtube", "é".repeat(101)), row("b", "02", "youtube", "é".repeat(100)));
  expect(await problemsOf(world)).toMatchObject([
    { code: "options/too-long", line: 2, message: expect.stringContaining("has 101 characters") },
  ]);
});

const ACCOUNTS = ["tiktok", "bluesky", "instagram", "facebook", "youtube", "pinterest"].map((platform) => ({
  _id: `acc-${platform}`,
  platform,
  username: platform,
  displayName: platform,
  isActive: true,
}));

async function zernio(options: unknown) {
  const { world } = await zernioWorld({}, { accounts: ACCOUNTS });
  const configure = configureWith("zernio", world);
  await configure(options);
  return { world, configure };
}

test("Zernio: TikTok needs the consent of the team, and a changed option changes the post in place", async () => {
  const { world, configure } = await zernio({ tiktok: { comments: false } });
  await world.write(row("a", "01", "tiktok, bluesky", "One", ",,second,"));
  expect((await problemsOf(world)).map(({ message }) => message).join()).toContain(
    "the options preview_confirmed, consent for tiktok",
  );
  const consent = { comments: "no", preview_confirmed: true, consent: "yes" };
  await configure({ tiktok: consent });
  await world.apply();
  const [post] = world.server.scheduled();
  expect(post?.platforms.map(({ platformSpecificData }) => platformSpecificData)).toEqual([
    { threadItems: [{ content: "One", mediaItems: [] }, { content: "second" }] },
    { contentPreviewConfirmed: true, expressConsentGiven: true, allowComment: false },
  ]);
  expect(await world.planned()).toEqual({ keep: 1 });
  await configure({ tiktok: { ...consent, visibility: "friends" } });
  expect(await world.planned()).toEqual({ replace: 1 });
  await world.apply();
  expect(world.server.scheduled()[0]?.platforms[1]?.platformSpecificData).toMatchObject({
    privacyLevel: "MUTUAL_FOLLOW_FRIENDS",
  });
  expect(await world.planned()).toEqual({ keep: 1 });
});

const typed = (platforms: string) =>
  `id,scheduled_at,platforms,content,media,type\n` +
  `a,2037-03-01T10:00:00Z,"${platforms}",One,clip.mp4,Story\n` +
  `b,2037-03-02T10:00:00Z,"instagram, facebook, youtube",Two,clip.mp4,Reel\n`;

test("Zernio: the type of a row is sent where Zernio has types, and refused elsewhere", async () => {
  const { world } = await zernio({ youtube: { title: "{first_line}", visibility: "unlisted" } });
  await world.project.write("clip.mp4", Buffer.from("00000018667479706d70343200000000", "hex"));
  await world.project.write("calendar.csv", typed("instagram, bluesky"));
  const refused = await problemsOf(world);
  expect(refused.filter(({ code }) => code === "row/type")).toMatchObject([
    { message: expect.stringContaining('cannot publish "Story" on Bluesky') },
  ]);
  await world.project.write("calendar.csv", typed("instagram, facebook"));
  await world.run("apply", "--yes");
  const sent = world.server
    .scheduled()
    .map(({ content, platforms }) => [content, ...platforms.map((each) => each.platformSpecificData)]);
  expect(sent).toEqual([
    ["One", { contentType: "story" }, { contentType: "story" }],
    ["Two", { contentType: "reel" }, {}, { title: "Two", visibility: "unlisted" }],
  ]);
  expect(await world.planned()).toEqual({ keep: 2 });
});

test("Zernio: an option that somebody changes there is put back, and pull writes it", async () => {
  const { world } = await zernio({});
  await world.project.write(
    "calendar.yaml",
    "- id: a\n  scheduled_at: 2037-03-01T10:00:00Z\n  platforms: [youtube, pinterest]\n  content: One\n  options:\n    youtube: { title: 'Spring: a film', visibility: Unlisted, ai: true }\n    pinterest: { board: b1 }\n",
  );
  await world.apply();
  const [post] = world.server.scheduled();
  const fields = () =>
    Object.fromEntries(post?.platforms.map((each) => [each.platform, each.platformSpecificData]) ?? []);
  expect(fields()).toEqual({
    youtube: { title: "Spring: a film", visibility: "unlisted", containsSyntheticMedia: true },
    pinterest: { boardId: "b1" },
  });
  Object.assign(post?.platforms.find((each) => each.platform === "youtube")?.platformSpecificData ?? {}, {
    visibility: "public",
  });
  expect(await world.planned()).toEqual({ replace: 1 });
  for (const file of ["calendar.yaml", "plancast.lock.json"]) await rm(join(world.project.root, file));
  await world.run("pull", "--adopt", "--out", "calendar.yaml");
  expect(await world.project.read("calendar.yaml")).toContain(
    `  options:
    pinterest:
      board: b1
    youtube:
      ai: "yes"
      title: "Spring: a film"
      visibility: public
`,
  );
  expect(await world.planned()).toEqual({ keep: 1 });
});

test.each([
  [
    {
      service: { url: "https://example.com" },
      accounts: {
        m: { network: "mastodon", server: "https://a.example", token_env: "M_TOKEN", visibility: "public" },
      },
    },
    "below `options:`",
  ],
  [{ options: { youtube: "public" } }, "options.youtube"],
  [
    { options: { youtube: { titel: "A" } } },
    "There is no option `youtube.titel`. Did you mean `youtube.title`?",
  ],
  [{ options: { quux: { title: "A" } } }, "There is no option `quux.title`."],
  [
    { options: { mastodon: { visibility: "unliste" } } },
    '"unliste" is not a value of `mastodon.visibility`. Did you mean `unlisted`? It can be public, unlisted, private.',
  ],
  [{ options: { bluesky: { labels: ["porn", "nude"] } } }, "It can be sexual, nudity, porn, graphic-media."],
  [{ options: { tiktok: { consent: "perhaps" } } }, "Write yes or no."],
])("the settings %j are refused", async (config, why) => {
  const project = await makeProject({ config });
  const ran = await runCommand(["validate"], { cwd: project.root });
  expect(ran.code).toBe(1);
  expect((ran.stdout + ran.stderr).replaceAll(/\s+/g, " ")).toContain(why);
});
