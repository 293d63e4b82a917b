/** Settings of posts that networks need besides a row, in Postiz and Zernio. */
import { expect, test } from "vitest";
import { row } from "../../support/contract/contract-world.ts";
import { postizWorld, zernioWorld } from "../../support/contract/worlds.ts";
import { makeProject } from "../../support/project.ts";
import { runCommand } from "../../support/run-command.ts";

const TIKTOK = {
  privacy_level: "SELF_ONLY",
  duet: false,
  stitch: false,
  comment: true,
  autoAddMusic: "no",
  brand_content_toggle: false,
  brand_organic_toggle: false,
  content_posting_method: "DIRECT_POST",
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
  integration("x", "brand"),
  integration("x", "founder"),
];

async function postiz(settings: unknown) {
  const { world } = await postizWorld({}, { integrations: INTEGRATIONS });
  await world.project.write(
    "plancast.yaml",
    JSON.stringify({
      timezone: "UTC",
      calendars: ["calendar.csv"],
      service: { type: "postiz", url: world.server.url, post_settings: settings },
      rules: { "media/required": "off" },
    }),
  );
  return world;
}

test("Postiz: plan names the settings that a network lacks, and sends nothing", async () => {
  const world = await postiz({ tiktok: { ...TIKTOK, comment: null }, youtube: { title: " " } });
  await world.write(
    row("a", "01", "youtube", "One"),
    row("b", "02", "pinterest", "Two"),
    row("c", "03", "tiktok", "Three"),
  );
  const planned = await world.run("plan", "--format", "json");
  expect([planned.code, (await world.run("apply", "--yes")).code]).toEqual([1, 1]);
  for (const text of [
    "the settings title, type for youtube",
    "the setting board for pinterest",
    "service.post_settings.pinterest",
    "the setting comment for tiktok",
  ])
    expect(planned.stdout).toContain(text);
  expect(world.server.requests.every(({ method }) => method === "GET")).toBe(true);
});

test("Postiz: the settings of an account have priority over those of its network, and a text can have the first line", async () => {
  const world = await postiz({
    youtube: {
      title: "{first_line} | Garden",
      type: "unlisted",
      tags: [{ value: "a", label: "{first_line}" }],
    },
    pinterest: { board: "board-1" },
    tiktok: TIKTOK,
    x: { who_can_reply_post: "following", community: "https://x.com/i/communities/1" },
    "x/founder": { who_can_reply_post: "verified", __type: "youtube" },
  });
  await world.write(
    row("a", "01", "youtube, pinterest, tiktok, x/brand, x/founder", "\nSpring $& {first_line}\n\nMore"),
  );
  await world.apply();
  const sent = world.server.scheduled().map(({ integration: id, settings }) => [id, settings]);
  const title = "Spring $& {first_line}";
  expect(Object.fromEntries(sent)).toEqual({
    "int-youtube": {
      __type: "youtube",
      title: `${title} | Garden`,
      type: "unlisted",
      tags: [{ value: "a", label: title }],
    },
    "int-pinterest": { __type: "pinterest", board: "board-1" },
    "int-tiktok": { __type: "tiktok", ...TIKTOK },
    "int-brand": { __type: "x", who_can_reply_post: "following", community: "https://x.com/i/communities/1" },
    "int-founder": {
      __type: "x",
      who_can_reply_post: "verified",
      community: "https://x.com/i/communities/1",
    },
  });
  expect(await world.planned()).toEqual({ keep: 5 });
});

test.each([
  // Optional settings, so that nothing is missing without them.
  ["twiter", ["not a network that plancast or the service knows", "Did you mean `twitter`?"]],
  ["x/fonder", ["It has twitter/brand, twitter/founder.", "Did you mean `twitter/founder`?"]],
  ["youtube/brand", ["It has youtube."]],
  ["quux", ["Correct the name, or remove it."]],
])("Postiz: plan refuses settings for the unknown name %s", async (name, texts) => {
  const world = await postiz({ [name]: { who_can_reply_post: "verified" } });
  await world.write(row("a", "01", "x/brand", "One"));
  const ran = await world.run("plan", "--format", "json");
  const { problems }: { problems: readonly { readonly message: string }[] } = JSON.parse(ran.stdout);
  expect([ran.code, problems.length]).toEqual([1, 1]);
  expect(problems).toMatchObject([{ code: "platform/settings", file: "plancast.yaml" }]);
  for (const text of [`service.post_settings.${name} has no effect`, ...texts])
    expect(problems[0]?.message).toContain(text);
  await world.apply(1);
  expect(world.server.posts.size).toBe(0);
});

test("Postiz: shared settings may name networks without an account", async () => {
  const names = ["instagram", "facebook/brand", "mewe", "twitter", "X / Twitter", "youtube"];
  const world = await postiz(Object.fromEntries(names.map((name) => [name, { a: "b" }])));
  await world.write(row("a", "01", "x/brand", "One"));
  await world.apply();
  expect(world.server.posts.size).toBe(1);
});

test("Postiz: a title that is too long is an error of its row", async () => {
  const world = await postiz({ youtube: { title: "{first_line}", type: "public" } });
  await world.write(row("a", "01", "youtube", "é".repeat(101)), row("b", "02", "youtube", "é".repeat(100)));
  const ran = await world.run("plan", "--format", "json");
  expect(ran.code).toBe(1);
  const { problems }: { problems: readonly object[] } = JSON.parse(ran.stdout);
  expect(problems).toMatchObject([
    {
      code: "platform/settings",
      file: "calendar.csv",
      line: 2,
      message: expect.stringContaining("has 101 characters"),
    },
  ]);
  await world.apply(1);
  expect(world.server.posts.size).toBe(0);
});

test("Zernio: TikTok needs the consent of the team, and settings never replace parts of the row", async () => {
  const accounts = ["tiktok", "bluesky"].map((platform) => ({
    _id: `acc-${platform}`,
    platform,
    username: platform,
    displayName: platform,
    isActive: true,
  }));
  const { world } = await zernioWorld({}, { accounts });
  const configure = (settings: object) =>
    world.project.write(
      "plancast.yaml",
      JSON.stringify({
        timezone: "UTC",
        calendars: ["calendar.csv"],
        service: { type: "zernio", url: world.server.url, post_settings: settings },
        rules: { "media/required": "off" },
      }),
    );
  await world.write(row("a", "01", "tiktok, bluesky", "One", ",,second,"));
  await configure({ tiktok: { allowComment: false } });
  const refused = await world.run("plan", "--format", "json");
  expect(refused.code).toBe(1);
  expect(refused.stdout).toContain("the settings contentPreviewConfirmed, expressConsentGiven for tiktok");
  const consent = { contentPreviewConfirmed: true, expressConsentGiven: true, allowComment: false };
  await configure({ tiktok: consent, bluesky: { threadItems: [{ content: "other" }] } });
  await world.apply();
  const [post] = world.server.scheduled();
  expect(post?.platforms.map(({ platformSpecificData }) => platformSpecificData)).toEqual([
    { threadItems: [{ content: "One", mediaItems: [] }, { content: "second" }] },
    consent,
  ]);
  expect(await world.planned()).toEqual({ keep: 1 });
  // Settings are not a part of the post.
  await configure({ tiktok: { ...consent, allowComment: true } });
  expect(await world.planned()).toEqual({ keep: 1 });
});

test.each([
  [{ url: "https://example.com", post_settings: { youtube: {} } }, "without service.type"],
  [
    { type: "postiz", url: "https://example.com", post_settings: { youtube: "public" } },
    "post_settings.youtube",
  ],
])("the settings %j are refused", async (service, why) => {
  const project = await makeProject({ config: { service } });
  const ran = await runCommand(["validate"], { cwd: project.root });
  expect(ran.code).toBe(1);
  expect((ran.stdout + ran.stderr).replaceAll(/\s+/g, " ")).toContain(why);
});
