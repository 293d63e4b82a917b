/** Plan and apply with a Postiz, written from its published interface. */
import { expect, test } from "vitest";
import { tinyPng } from "../../support/tiny-media.ts";
import { HEAD, row, sha256 } from "../../support/contract/contract-world.ts";
import { postizWorld } from "../../support/contract/worlds.ts";

test("rows become one post for each account, with media, alt texts and a thread", async () => {
  const picture = tinyPng(1);
  const { world, scheduled } = await postizWorld({ "a.png": picture });
  await world.configure("rules: { content/html: off }");
  await world.write(
    row("a", "01", "linkedin/brand, bluesky", "Spring & <b>more</b>\n\nhello", "a.png,A rose,second,bye"),
    row("b", "02", "linkedin/founder", "Mine"),
  );
  const { outcomes } = await world.apply();
  expect(outcomes).toEqual([
    "create a@bluesky done",
    "create a@linkedin/brand done",
    "create b@linkedin/founder done",
  ]);
  expect(scheduled()).toEqual([
    "brand Spring & <b>more</b>\n\nhello",
    "bsky Spring & <b>more</b>\n\nhello",
    "founder Mine",
  ]);
  const { server: postiz } = world;
  // LinkedIn's provider has no alt texts.
  const images = Object.fromEntries(postiz.scheduled().map((post) => [post.integration, post.image]));
  expect(images["int-brand"]?.[0]).not.toHaveProperty("alt");
  const [first] = postiz.scheduled().filter(({ integration }) => integration === "int-bsky");
  if (first === undefined) throw new Error("no post");
  expect(postiz.thread(first).map((each) => postiz.publishedText(each))).toEqual(["second", "bye"]);
  expect(first.image).toMatchObject([{ alt: "A rose" }]);
  expect(postiz.media.get(first.image[0]?.id ?? "")?.sha256).toBe(sha256(picture));
  expect(new Set(postiz.scheduled().map(({ group }) => group)).size).toBe(3);
  expect(await world.planned()).toEqual({ keep: 3 });
  expect(postiz.requests.every(({ authorization }) => authorization === postiz.key)).toBe(true);
});

test("an edit replaces the post, an added account adds one, and a removed row cancels", async () => {
  const { world, scheduled } = await postizWorld();
  const foreign = world.server.addForeignPost({ publishDate: "2030-02-05T09:00:00.000Z" });
  await world.write(row("a", "01", "x", "one"), row("b", "02", "x", "two"));
  await world.apply();
  await world.write(row("a", "01", "x, bluesky", "one, edited"));
  // plancast reads each new post.
  expect((await world.run("plan")).stdout).toContain("Apply will send at least ");
  const { outcomes } = await world.apply();
  expect(outcomes).toEqual(["cancel b@twitter done", "create a@bluesky done", "replace a@twitter done"]);
  expect(scheduled()).toEqual(["brand Not ours", "bsky one, edited", "x one, edited"]);
  expect(world.server.posts.get(foreign)?.isDeleted).toBe(false);
  expect(await world.planned()).toEqual({ keep: 2, unmanaged: 1 });
});

test("if the time of a post passes while its create waits for the limit, the create is not sent", async () => {
  const { world } = await postizWorld();
  await world.write(...Array.from({ length: 91 }, (_, index) => row(`r${index}`, "01", "x", `t${index}`)));
  // 90 creates an hour: the last one must wait until after its time.
  world.clock.advance(Date.parse("2030-02-01T08:30:00Z") - world.clock.now());
  const { outcomes } = await world.apply(1);
  expect(outcomes.filter((each) => each.endsWith("failed"))).toHaveLength(1);
  expect(world.server.posts.size).toBe(90);
});

test("a lost lockfile is rebuilt from the list, without a request that changes something", async () => {
  const { world } = await postizWorld();
  await world.write(row("a", "01", "x", "one\n\ntwo & three"), row("b", "02", "linkedin/brand", "<p>"));
  await world.apply();
  await world.project.remove("plancast.lock.json");
  await world.project.remove(".plancast");
  const before = world.server.requests.length;
  const { outcomes } = await world.apply();
  expect(outcomes).toEqual(["adopt a@twitter done", "adopt b@linkedin/brand done"]);
  expect(world.server.requests.slice(before).filter(({ method }) => method !== "GET")).toEqual([]);
});

test("after a lost lockfile, a post whose list lacks its picture and thread is replaced once", async () => {
  const { world, scheduled } = await postizWorld({ "a.png": tinyPng(1) });
  await world.write(row("a", "01", "bluesky", "one", "a.png,A rose,reply,"), row("b", "02", "x", "two"));
  await world.apply();
  await world.project.remove("plancast.lock.json");
  await world.project.remove(".plancast");
  expect((await world.run("plan")).stdout.replaceAll(/\s+/g, " ")).toContain(
    "does not show media, alt texts, and threads, so the next apply replaces it once.",
  );
  expect((await world.apply()).outcomes).toEqual(["adopt a@bluesky done", "adopt b@twitter done"]);
  // Nobody knows which parts the post has, so an edit in the meantime replaces it, too.
  await world.write(row("a", "01", "bluesky", "one"), row("b", "02", "x", "two"));
  expect((await world.run("plan")).stdout.replaceAll(/\s+/g, " ")).toContain("so plancast replaces it once.");
  expect((await world.apply()).outcomes).toEqual(["replace a@bluesky done"]);
  const [first] = world.server.scheduled().filter((post) => world.server.publishedText(post) === "one");
  expect([first?.image, first && world.server.thread(first)]).toEqual([[], []]);
  expect(scheduled()).toEqual(["bsky one", "x two"]);
  expect(await world.planned()).toEqual({ keep: 2 });
});

test("a group that holds another post is never deleted", async () => {
  const { world, scheduled } = await postizWorld();
  await world.write(row("a", "01", "x", "one"));
  await world.apply();
  const [own] = world.server.scheduled();
  // Somebody dragged the other one to another month.
  const other = world.server.addForeignPost({
    group: own?.group ?? "",
    publishDate: "2031-05-05T09:00:00.000Z",
  });
  await world.project.write("calendar.csv", HEAD);
  const ran = await world.run("apply", "--yes", "--allow-cancels", "1", "--format", "json");
  expect(ran.code).toBe(1);
  expect(ran.stdout).toContain("postiz/shared-group");
  expect(world.server.posts.get(other)?.isDeleted).toBe(false);
  expect(scheduled()).toHaveLength(2);
});

test("a post in a group with another post is not replaced, so nothing is published twice", async () => {
  const { world, scheduled } = await postizWorld();
  await world.write(row("a", "01", "x", "one"), row("b", "02", "x", "two"));
  await world.apply();
  const own = world.server.scheduled().find(({ content }) => content.includes("one"));
  world.server.addForeignPost({ group: own?.group ?? "", publishDate: "2031-05-05T09:00:00.000Z" });
  await world.write(row("a", "01", "x", "one, changed"), row("b", "02", "x", "two"));
  const before = scheduled();
  const planned = await world.run("plan", "--format", "json");
  expect([planned.code, JSON.parse(planned.stdout).problems]).toMatchObject([
    1,
    [{ code: "service/cannot-replace", file: "calendar.csv", line: 2 }],
  ]);
  await world.apply(1);
  expect(scheduled()).toEqual(before);
});

test("the plan stops at a disabled account, and at a network with several accounts if the row names none of them", async () => {
  const { world } = await postizWorld();
  await world.write(row("a", "01", "mastodon", "one"), row("b", "02", "linkedin", "two"));
  const ran = await world.run("plan");
  expect(ran.code).toBe(1);
  const shown = (ran.stdout + ran.stderr).replaceAll(/\s+/g, " ");
  expect(shown).toContain("several accounts on linkedin. Name one of them: linkedin/brand, linkedin/founder");
  // Not "Did you mean …?": another account must not get the post.
  expect(shown).toContain("The account mastodon is disabled or has lost its connection to the service");
  expect(shown).not.toContain("Did you mean");
});

test("platforms list marks a disabled account, and plan warns if posts are scheduled there", async () => {
  const account = { identifier: "linkedin", disabled: false };
  const integrations = [
    { ...account, id: "int-one", name: "one", profile: "one" },
    { ...account, id: "int-two", name: "two", profile: "two" },
  ];
  const { world } = await postizWorld({}, { integrations });
  await world.write(row("a", "01", "linkedin/one", "one"), row("b", "02", "linkedin/two", "two"));
  await world.apply();
  expect((await world.run("platforms", "list")).stdout).not.toContain("disabled");
  for (const each of integrations.slice(1)) each.disabled = true;
  const planned = await world.run("plan", "--format", "json");
  expect([planned.code, JSON.parse(planned.stdout)]).toMatchObject([
    0,
    {
      summary: { keep: 2 },
      problems: [
        { code: "platform/disabled", line: 3, message: expect.stringContaining("linkedin/two is disabled") },
      ],
    },
  ]);
  expect((await world.run("platforms", "list")).stdout).toMatch(/linkedin\/two .* disabled/);
  const listed = JSON.parse((await world.run("platforms", "list", "--format", "json")).stdout);
  expect(listed.platforms).toMatchObject([{ platform: "linkedin/one" }, { disabled: true }]);
});

test("a refused post says why, and the others are created", async () => {
  const { world } = await postizWorld();
  await world.write(row("a", "01", "bluesky", "one"), row("b", "02", "x", "fine"));
  // As class-validator says it: one text for each fault.
  const body = JSON.stringify({
    statusCode: 400,
    message: ["posts.0.value is odd", "tags must be an array"],
  });
  world.server.faults.at(1, { kind: "answer-before", answer: { status: 400, body } }, { method: "POST" });
  const { stdout, outcomes } = await world.apply(1);
  expect(outcomes).toEqual(["create a@bluesky failed", "create b@twitter done"]);
  expect(stdout).toContain("posts.0.value is odd; tags must be an array");
});

test.each([false, true])("creates keep the limit of an hour; headers: %s", async (limitHeaders) => {
  const { world, scheduled } = await postizWorld({}, { apiLimit: 90, limitHeaders });
  const start = world.clock.now();
  const rows = Array.from({ length: 95 }, (_, index) => row(`r${index}`, "01", "x", `post ${index}`));
  await world.configure("rules: { row/same-minute: off }");
  await world.write(...rows);
  await world.apply();
  expect(scheduled()).toHaveLength(95);
  expect(world.server.requests.filter(({ status }) => status === 429)).toEqual([]);
  expect(world.clock.now() - start).toBeGreaterThan(3_500_000);
  expect(world.clock.now() - start).toBeLessThan(3_700_000);
});

test("a text that Postiz stores in another form does not count as a change", async () => {
  const { world, scheduled } = await postizWorld({}, { stripsLinks: true });
  await world.write(row("a", "01", "x", "Read https://example.com/a now"));
  await world.apply();
  expect(scheduled()).toEqual(["x Read  now"]);
  expect(await world.planned()).toEqual({ keep: 1 });
});

test("the limit of the user's plan ends the creates, and cancels go on", async () => {
  const { world, scheduled } = await postizWorld({}, { postLimit: 2 });
  await world.write(row("y", "27", "x", "first"), row("z", "28", "x", "last"));
  await world.apply();
  const early = Array.from({ length: 20 }, (_, index) => row(`r${index}`, "01", "x", `t${index}`));
  await world.configure("rules: { row/same-minute: off }");
  const before = world.server.requests.length;
  await world.write(row("y", "27", "x", "first, edited"), ...early);
  const { stdout, outcomes } = await world.apply(1);
  // Once at the beginning, and perhaps once more after the cancel made room for a post.
  const failed = outcomes.filter((each) => each.endsWith("failed")).length;
  expect([1, 2]).toContain(failed);
  expect(stdout).toContain("postiz/post-limit");
  expect(stdout).toContain("Postiz accepts no more posts on your plan");
  expect(outcomes).toContain("cancel z@twitter done");
  // Those that were under way when the first was refused.
  const refused = world.server.requests.slice(before).filter(({ status }) => status === 402);
  expect(refused.length).toBeLessThan(13);
  expect(scheduled().some((each) => each.startsWith("x first"))).toBe(true);
});

test("what the list does not show of a post is sent again after the lockfile was lost", async () => {
  const { world } = await postizWorld({ "a.png": tinyPng(1) });
  const plain = row("c", "03", "x", "three");
  await world.write(
    row("a", "01", "x", "one", ",,old reply,"),
    row("b", "02", "bluesky", "two", "a.png,Old alt,,"),
    plain,
  );
  await world.apply();
  await world.project.remove("plancast.lock.json");
  await world.project.remove(".plancast");
  await world.write(
    row("a", "01", "x", "one", ",,new reply,"),
    row("b", "02", "bluesky", "two", "a.png,New alt,,"),
    plain,
  );
  await world.apply();
  const { outcomes } = await world.apply();
  expect(outcomes).toEqual(["replace a@twitter done", "replace b@bluesky done"]);
  const replies = world.server.scheduled().flatMap((post) => world.server.thread(post));
  expect(replies.map((each) => world.server.publishedText(each))).toEqual(["new reply"]);
  expect(world.server.scheduled().flatMap(({ image }) => image.map(({ alt }) => alt))).toEqual(["New alt"]);
  expect(await world.planned()).toEqual({ keep: 3 });
});

test("a post that repeats, or that somebody made a draft, is not touched", async () => {
  const { world } = await postizWorld();
  world.server.addForeignPost({ publishDate: "2030-01-05T09:00:00.000Z", intervalInDays: 7 });
  world.server.addForeignPost({ publishDate: "2030-02-01T09:00:00.000Z", state: "DRAFT" });
  await world.write(row("a", "01", "x", "one"));
  await world.apply();
  expect(await world.planned()).toEqual({ keep: 1, unmanaged: 1 });
});

test("after an account is disconnected, its rows do not count as rows of the other account", async () => {
  const integrations = ["one", "two"].map((id) => ({
    id: `int-${id}`,
    identifier: "linkedin",
    name: id,
    profile: id,
    disabled: false,
  }));
  const { world } = await postizWorld({}, { integrations });
  await world.write(row("a", "01", "linkedin/one", "one"), row("b", "02", "linkedin/two", "two"));
  await world.apply();
  integrations.pop();
  const ran = await world.run("plan");
  expect(ran.code).toBe(1);
  const shown = (ran.stdout + ran.stderr).replaceAll(/\s+/g, " ");
  expect(shown).toContain('If you mean that account, write "linkedin" instead of "linkedin/two".');
});
