/** Plan and apply with Buffer, written from its public schema and documentation. */
import { expect, test } from "vitest";
import { row } from "../../support/contract/contract-world.ts";
import { BUFFER_CHANNELS, channel } from "../../support/contract/buffer-server.ts";
import { type BufferWorld, bufferWorld } from "../../support/contract/worlds.ts";
import { tinyPng } from "../../support/tiny-media.ts";

/** Rows for one account, on as many days of February as needed. */
function rows(count: number, platform = "x"): readonly string[] {
  return Array.from({ length: count }, (_, index) => {
    const day = String((index % 28) + 1).padStart(2, "0");
    return row(`r${String(index).padStart(4, "0")}`, day, platform, `Text ${index}`);
  });
}

/** How many requests the server gets meanwhile. */
async function requestsDuring({ world }: BufferWorld, work: () => Promise<unknown>): Promise<number> {
  const before = world.server.requests.length;
  await work();
  return world.server.requests.length - before;
}

test("a row becomes one post for each account, with media, alt texts, a thread and a first comment", async () => {
  const picture = tinyPng(1);
  const { world, scheduled, host } = await bufferWorld({ "a.png": picture, "b.png": tinyPng(2) });
  await world.write(
    row("a", "01", "x, bluesky", "Spring & <more>\n\nhello", "a.png,A rose,second,"),
    row("b", "02", "linkedin/founder", "Mine", "b.png,,,And a link"),
  );
  expect((await world.apply()).outcomes).toEqual([
    "create a@bluesky done",
    "create a@twitter done",
    "create b@linkedin/founder done",
  ]);
  expect(scheduled()).toEqual([
    "bsky Spring & <more>\n\nhello",
    "founder Mine",
    "x Spring & <more>\n\nhello",
  ]);
  const image = { image: { url: `${host.origin}/public/a.png`, metadata: { altText: "A rose" } } };
  const thread = [
    { text: "Spring & <more>\n\nhello", assets: [image] },
    { text: "second", assets: [] },
  ];
  const posts = world.server.scheduled();
  expect(posts.find(({ channelId }) => channelId === "ch-x")).toMatchObject({
    assets: [image],
    settings: { thread },
    dueAt: "2030-02-01T09:00:00.000Z",
  });
  expect(posts.find(({ channelId }) => channelId === "ch-founder")).toMatchObject({
    settings: { firstComment: "And a link" },
  });
  expect(await world.planned()).toEqual({ keep: 3 });
});

test("an edit changes the post in place and removes what the row no longer has, and a removed row cancels", async () => {
  const { world, scheduled, addForeign, isUntouched } = await bufferWorld({ "a.png": tinyPng(1) });
  const foreign = addForeign("Not ours", "2030-02-05T09:00:00.000Z");
  await world.write(
    row("a", "01", "x", "one", "a.png,Green,reply,"),
    row("b", "02", "linkedin/brand", "two", ",,,comment"),
    row("c", "03", "x", "three"),
  );
  await world.apply();
  const idOf = (text: string) => world.server.scheduled().find((post) => post.text === text)?.id ?? "";
  const ids = [idOf("one"), idOf("two")];
  await world.write(row("a", "04", "x", "one, edited"), row("b", "02", "linkedin/brand", "two"));
  const { outcomes } = await world.apply();
  expect(outcomes).toEqual([
    "cancel c@twitter done",
    "replace a@twitter done",
    "replace b@linkedin/brand done",
  ]);
  expect(scheduled()).toEqual(["brand Not ours", "brand two", "x one, edited"]);
  expect(ids.map((id) => world.server.posts.get(id))).toMatchObject([
    { dueAt: "2030-02-04T09:00:00.000Z", assets: [], settings: { thread: [] } },
    { settings: { firstComment: "" } },
  ]);
  expect(isUntouched(foreign)).toBe(true);
  expect(await world.planned()).toEqual({ keep: 2, unmanaged: 1 });
  // Each part of a post is seen: here somebody changes the time in Buffer.
  world.server.edit(ids[0] ?? "", { dueAt: "2030-02-09T09:00:00.000Z" });
  expect(await world.planned()).toEqual({ replace: 1, keep: 1, unmanaged: 1 });
});

test("requests are saved: one for a plan without changes, and one for each 25 creates", async () => {
  const started = await bufferWorld();
  const { world, scheduled } = started;
  await world.write(...rows(60));
  const plan = await world.run("plan");
  expect(plan.stdout).toContain("60 to create");
  // The organization and two lists were read, because nobody knows yet that no post is missing.
  const applied = await requestsDuring(started, () => world.apply());
  expect(scheduled()).toHaveLength(60);
  expect(plan.stdout).toMatch(new RegExp(`Apply will send ${applied} requests\\.`));
  expect(applied).toBeLessThanOrEqual(3 + 3);
  expect(await requestsDuring(started, () => world.planned())).toBe(1);
  // Three pages of posts need three requests.
  for (let index = 0; index < 190; index += 1)
    world.server.addForeignPost({ dueAt: `2031-01-01T00:00:${String(index % 60).padStart(2, "0")}.000Z` });
  expect(await requestsDuring(started, () => world.planned())).toBe(3);
});

test("a lost answer leaves all creates of its request pending, and one list settles them", async () => {
  const { world, scheduled } = await bufferWorld();
  await world.write(...rows(20));
  const reads = await bufferWorldReads(world);
  world.server.faults.at(reads + 1, "drop-after");
  await world.apply();
  expect(scheduled()).toHaveLength(20);
  expect(world.server.requests.length - reads).toBeLessThanOrEqual(reads + 2);
  expect(await world.planned()).toEqual({ keep: 20 });
});

/** How many requests come before the first write of an apply. */
async function bufferWorldReads(world: BufferWorld["world"]): Promise<number> {
  const before = world.server.requests.length;
  await world.planned();
  return world.server.requests.length - before;
}

test("a change that fails in an unplanned way does not hide the results of the others", async () => {
  const { world, scheduled } = await bufferWorld({}, { failsAt: "Text 3" });
  await world.write(...rows(8));
  const { outcomes } = await world.apply(3);
  // The first three were made, and nobody knows about the failing one. It was made, too.
  expect(outcomes.filter((each) => each.endsWith("done")).length).toBeGreaterThanOrEqual(4);
  for (let runs = 0; runs < 2; runs += 1) {
    world.clock.advance(300_000);
    await world.run("apply", "--yes");
  }
  expect(scheduled()).toHaveLength(8);
  expect(new Set(scheduled()).size).toBe(8);
  expect(await world.planned()).toEqual({ keep: 8 });
});

test("posts that somebody deleted in Buffer count as gone, and the other changes are made", async () => {
  const { world, scheduled } = await bufferWorld();
  await world.write(...rows(6));
  await world.apply();
  await world.write(...rows(6).slice(0, 2));
  const doomed = world.server.scheduled().find(({ text }) => text === "Text 4");
  const { faults } = world.server;
  // It is deleted between the list and the request that cancels.
  let seen = 0;
  faults.plan(() => {
    seen += 1;
    if (seen === 2 && doomed !== undefined) world.server.remove(doomed.id);
    return undefined;
  });
  await world.apply();
  faults.clear();
  expect(scheduled()).toEqual(["x Text 0", "x Text 1"]);
  expect(await world.planned()).toEqual({ keep: 2 });
});

test("a channel that is full refuses one post, and the others wait", async () => {
  const { world, scheduled } = await bufferWorld({}, { mostPerChannel: 3 });
  await world.write(...rows(6), ...rows(2, "bluesky").map((line) => line.replace("r", "s")));
  const { outcomes } = await world.apply(1);
  const count = (word: string) => outcomes.filter((each) => each.endsWith(word)).length;
  expect([count("done"), count("failed"), count("not_started")]).toEqual([5, 1, 2]);
  expect(scheduled()).toEqual(["bsky Text 0", "bsky Text 1", "x Text 0", "x Text 1", "x Text 2"]);
});

test("a document that is too long for Buffer is sent in parts, and nothing twice", async () => {
  const { world, scheduled } = await bufferWorld({}, { mostAliases: 10 });
  await world.write(...rows(30));
  await world.apply();
  expect(scheduled()).toHaveLength(30);
  expect(await world.planned()).toEqual({ keep: 30 });
});

test("a key with several organizations needs the name of one", async () => {
  const organizations = [
    { id: "org-one", name: "Garden" },
    { id: "org-two", name: "Shop" },
  ];
  const { world } = await bufferWorld({}, { organizations });
  await world.write(row("a", "01", "x", "one"));
  const plan = await world.run("plan");
  expect(plan.code).toBe(1);
  expect(plan.stderr).toContain('service: { type: buffer, organization: "Shop" }');
  const config = await world.project.read("plancast.yaml");
  const named = (name: string) =>
    world.project.write(
      "plancast.yaml",
      config
        .replace("type: buffer", `type: buffer\n  organization: ${name}`)
        .replace('"type":"buffer"', `"type":"buffer","organization":"${name}"`),
    );
  await named("shop");
  await world.apply();
  expect(JSON.parse(await world.project.read("plancast.lock.json")).accounts).toContain(
    "organization:org-two",
  );
  // The lockfile is only a hint: the settings decide.
  await named("Garden");
  const other = await world.run("plan");
  expect(other.stdout + other.stderr).not.toContain("internal/fault");
});

test("paused queues, locked channels and full days are shown", async () => {
  const channels = BUFFER_CHANNELS.map((each) =>
    each.id === "ch-x" ? { ...each, isQueuePaused: true } : each,
  );
  const { world } = await bufferWorld({}, { channels, dailyLimit: 5 });
  await world.write(
    row("a", "01", "x", "one"),
    ...Array.from({ length: 6 }, (_, index) => row(`b${index}`, "02", "bluesky", `Text ${index}`)),
  );
  const plan = await world.run("plan");
  const shown = (plan.stdout + plan.stderr).replaceAll(/\s+/g, " ");
  expect(plan.code).toBe(0);
  expect(shown).toContain("The queue of twitter is paused in Buffer");
  expect(shown).toContain("bluesky has 6 posts on 2030-02-02, and the network accepts 5 a day.");
  await world.write(row("a", "01", "threads", "one"));
  const locked = await world.run("plan");
  expect(locked.code).toBe(1);
  expect(locked.stdout + locked.stderr).toContain("threads");
});

test("options of networks go into Buffer's metadata", async () => {
  const channels = [
    channel("ch-ig", "instagram", "garden"),
    channel("ch-yt", "youtube", "garden"),
    channel("ch-pin", "pinterest", "garden"),
    channel("ch-ma", "mastodon", "garden"),
    channel("ch-gb", "googlebusiness", "garden"),
  ];
  const { world } = await bufferWorld({ "a.png": tinyPng(1) }, { channels });
  await world.configure(
    'options: { youtube: { title: "{first_line}", category: 22, ai: yes }, pinterest: { board: "7" }, mastodon: { content_warning: Plants }, instagram: { type: story } }',
  );
  await world.configure("rules: { media/required: off, options/story-text: off, options/type: off }");
  await world.write(
    row("a", "01", "instagram, youtube, pinterest, mastodon, googlebusiness", "Hello", "a.png,,,"),
  );
  await world.apply();
  const settings = Object.fromEntries(
    world.server.scheduled().map(({ channelId, settings: own }) => [channelId, own]),
  );
  expect(settings).toEqual({
    "ch-ig": { type: "story", shouldShareToFeed: true },
    "ch-yt": { title: "Hello", categoryId: "22", isAiGenerated: true },
    "ch-pin": { boardServiceId: "7" },
    "ch-ma": { spoilerText: "Plants" },
    "ch-gb": { type: "whats_new" },
  });
  expect(await world.planned()).toEqual({ keep: 5 });
  // A lost lockfile is rebuilt from the posts.
  await world.project.remove("plancast.lock.json");
  expect(await world.planned()).toEqual({ adopt: 5 });
});

test("status shows what went out and what failed, in few requests", async () => {
  const started = await bufferWorld();
  const { world } = started;
  await world.write(...rows(30));
  await world.apply();
  const [first, second] = world.server
    .scheduled()
    .toSorted((one, other) => ((one.dueAt ?? "") < (other.dueAt ?? "") ? -1 : 1));
  world.server.edit(first?.id ?? "", { status: "sent", externalLink: "https://x.com/garden/1" });
  world.server.edit(second?.id ?? "", { status: "error", error: { message: "The token has expired" } });
  world.clock.advance(33 * 86_400_000);
  const requests = await requestsDuring(started, async () => {
    const { stdout } = await world.run("status");
    expect(stdout).toContain("https://x.com/garden/1");
    expect(stdout).toContain("The token has expired");
  });
  expect(requests).toBeLessThanOrEqual(2);
});

test("a post that is published in the meantime is neither cancelled nor changed", async () => {
  const { world } = await bufferWorld();
  await world.write(...rows(3));
  await world.apply();
  const idOf = (text: string) =>
    [...world.server.posts.values()].find((post) => post.text === text)?.id ?? "";
  const ids = [idOf("Text 0"), idOf("Text 1")];
  // Ten minutes before the first post is due, and a day before the second.
  world.clock.advance(Date.parse("2030-02-01T08:50:00Z") - world.clock.now());
  await world.write(row("r0001", "02", "x", "Text 1, edited"), row("r0002", "03", "x", "Text 2"));
  let seen = 0;
  world.server.faults.plan(() => {
    seen += 1;
    if (seen === 2) for (const id of ids) world.server.edit(id, { status: "sent" });
    return undefined;
  });
  const { outcomes } = await world.apply(1);
  world.server.faults.clear();
  expect(outcomes).toEqual(["cancel r0000@twitter failed", "replace r0001@twitter failed"]);
  expect(ids.map((id) => world.server.posts.get(id)?.text)).toEqual(["Text 0", "Text 1"]);
});
