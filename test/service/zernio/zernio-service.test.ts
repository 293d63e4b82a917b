/** Plan and apply with Zernio, written from its published interface. */
import { expect, test } from "vitest";
import { row, sha256 } from "../../support/contract/contract-world.ts";
import type { Fault } from "../../support/foreign/faults.ts";
import { zernioWorld } from "../../support/contract/worlds.ts";
import { tinyPng } from "../../support/tiny-media.ts";

test("a row becomes one post for all its accounts, with media, alt texts and a thread", async () => {
  const picture = tinyPng(1);
  const { world, scheduled } = await zernioWorld({ "a.png": picture });
  await world.configure("rules: { content/html: off }");
  await world.write(
    row("a", "01", "x, bluesky", "Spring & <b>more</b>\n\nhello", "a.png,A rose,second,"),
    row("b", "02", "linkedin/founder", "Mine", ",,,And a link"),
  );
  const { outcomes } = await world.apply();
  expect(outcomes).toEqual(["create a done", "create b done"]);
  expect(scheduled()).toEqual([
    "bsky Spring & <b>more</b>\n\nhello",
    "founder Mine",
    "x Spring & <b>more</b>\n\nhello",
  ]);
  const { server } = world;
  const [first, second] = [false, true].map((isMine) =>
    server.scheduled().find(({ content }) => (content === "Mine") === isMine),
  );
  expect(first?.mediaItems).toMatchObject([{ type: "image", altText: "A rose" }]);
  expect(server.files.get(first?.mediaItems?.[0]?.url ?? "")).toBe(sha256(picture));
  expect(first?.platforms[0]?.platformSpecificData?.threadItems?.map(({ content }) => content)).toEqual([
    "Spring & <b>more</b>\n\nhello",
    "second",
  ]);
  expect(second?.platforms[0]?.platformSpecificData).toEqual({ firstComment: "And a link" });
  expect(await world.planned()).toEqual({ keep: 2 });
  expect(server.storage.requests.map(({ authorization }) => authorization)).toEqual([undefined]);
});

test("an edit changes the post in place, and a removed row cancels", async () => {
  const { world, scheduled, addForeign, isUntouched } = await zernioWorld({ "a.png": tinyPng(1) });
  const foreign = addForeign("Not ours", "2030-02-05T09:00:00.000Z");
  await world.write(row("a", "01", "x", "one"), row("b", "02", "x", "two"));
  await world.apply();
  const [id] = world.server.scheduled().flatMap(({ id: own, content }) => (content === "one" ? own : []));
  await world.write(row("a", "03", "x, bluesky", "one, edited", "a.png,Green,reply,"));
  const { outcomes } = await world.apply();
  expect(outcomes).toEqual(["cancel b done", "replace a done"]);
  expect(scheduled()).toEqual(["brand Not ours", "bsky one, edited", "x one, edited"]);
  expect(world.server.posts.get(id ?? "")).toMatchObject({ scheduledFor: "2030-02-03T09:00:00.000Z" });
  expect(isUntouched(foreign)).toBe(true);
  expect(await world.planned()).toEqual({ keep: 1, unmanaged: 1 });
  // Each part of a post is seen: here somebody removes the reply in Zernio.
  world.server.edit(id ?? "", {
    platforms: [
      { platform: "twitter", accountId: "acc-x" },
      { platform: "bluesky", accountId: "acc-bsky" },
    ],
  });
  expect(await world.planned()).toEqual({ replace: 1, unmanaged: 1 });
});

test("a post with a time for each network only, by somebody else, does not stop a first run", async () => {
  const { world } = await zernioWorld();
  const times = ["2030-02-01T09:00:00.000Z", "2030-02-02T09:00:00.000Z"];
  world.server.addForeignPost({
    content: "one",
    scheduledFor: undefined,
    platforms: times.map((scheduledFor) => ({ platform: "twitter", accountId: "acc-x", scheduledFor })),
  });
  await world.write(row("a", "01", "bluesky", "one"));
  expect(await world.planned()).toEqual({ create: 1, unmanaged: 1 });
});

test("a plan does not change a post whose alt texts Zernio does not keep", async () => {
  const { world } = await zernioWorld({ "a.png": tinyPng(1) }, { dropsAlt: true });
  await world.write(row("a", "01", "linkedin/brand", "one", "a.png,A rose,,"));
  await world.apply();
  expect(await world.planned()).toEqual({ keep: 1 });
});

test.each([
  ["its account", row("a", "02", "linkedin/founder", "one", "a.png,,,hi"), "networks"],
  ["its media", row("a", "02", "linkedin/brand", "one", ",,,hi"), "media"],
  ["its first comment", row("a", "02", "linkedin/brand", "one", "a.png,,,bye"), "first comment"],
])("an update that does not change %s of a post counts as failed", async (_what, edited, part) => {
  const { world, scheduled } = await zernioWorld({ "a.png": tinyPng(1) }, { updatesOnlyText: true });
  await world.write(row("a", "01", "linkedin/brand", "one", "a.png,,,hi"));
  await world.apply();
  await world.write(row("a", "02", "linkedin/brand", "one, edited", "a.png,,,hi"));
  expect((await world.apply()).outcomes).toEqual(["replace a done"]);
  await world.write(edited);
  const failed = await world.run("apply", "--yes");
  expect(failed.code).toBe(1);
  const text = (failed.stdout + failed.stderr).replaceAll(/\s+/g, " ");
  expect(text).toContain("apply/not-updated");
  expect(text).toContain(`it kept the old ${part} → Delete the post on the service`);
  expect(await world.planned()).toEqual({ replace: 1 });
  // What the message says.
  const [{ id } = { id: "" }] = world.server.scheduled();
  expect((await world.run("posts", "cancel", id, "--yes")).code).toBe(0);
  await world.run("apply", "--yes", "--allow-recreates", "1");
  expect(scheduled()).toHaveLength(1);
  expect(await world.planned()).toEqual({ keep: 1 });
});

test("a list of many pages is read to its end, and an incomplete list stops the run", async () => {
  const { world } = await zernioWorld({}, { largestPage: 3, showsAccounts: true });
  await world.write(
    ...Array.from({ length: 10 }, (_, index) => row(`r${index}`, `${10 + index}`, "x", `t${index}`)),
  );
  await world.apply();
  expect(await world.planned()).toEqual({ keep: 10 });
  world.server.faults.plan(({ query }) =>
    query["page"] === "4"
      ? {
          kind: "answer-before",
          answer: { status: 200, body: '{"posts":[],"pagination":{"page":4,"pages":4,"total":10}}' },
        }
      : undefined,
  );
  const ran = await world.run("plan");
  expect(ran.code).toBe(1);
  expect(ran.stderr.replaceAll(/\s+/g, " ")).toContain("its pages do not have as many posts as it says");
});

function emptyList(total: unknown) {
  const body = JSON.stringify({ posts: [], pagination: { page: "1", pages: "0", total } });
  return { kind: "answer-before" as const, answer: { status: 200, body } };
}

test("counts may be texts of digits", async () => {
  const { world } = await zernioWorld();
  let total: unknown = "0";
  world.server.faults.plan(({ path }) => (path.endsWith("/posts") ? emptyList(total) : undefined));
  await world.write(row("a", "01", "x", "one"));
  expect(await world.planned()).toEqual({ create: 1 });
  for (total of ["1", "", "-0", null]) expect((await world.run("plan")).code).toBe(1);
});

test("an account that nobody has turned on gets no posts", async () => {
  const account = { platform: "twitter", displayName: "Garden", isActive: true };
  const accounts = [
    { ...account, _id: "acc-1", username: "garden" },
    { ...account, _id: "acc-2", username: "ads", enabled: false },
  ];
  const { world, scheduled } = await zernioWorld({}, { accounts });
  await world.write(row("a", "01", "twitter/ads", "one"));
  const refused = await world.run("plan");
  expect(refused.code).toBe(1);
  expect(refused.stderr.replaceAll(/\s+/g, " ")).toContain("The account twitter/ads is disabled");
  await world.write(row("a", "01", "twitter/garden", "one"));
  await world.apply();
  expect(scheduled()).toHaveLength(1);
  const doctor = await world.run("doctor");
  expect(doctor.stdout).not.toContain("rate plan");
});

test("a list that repeats one page without end stops the run", async () => {
  const { world } = await zernioWorld();
  await world.write(row("a", "01", "x", "one"));
  await world.apply();
  const post = { _id: "1", status: "scheduled", platforms: [] };
  const body = JSON.stringify({ posts: [post], pagination: { page: 1, pages: 1_000_000, total: 1_000_000 } });
  const before = world.server.requests.length;
  world.server.faults.plan(({ path }) =>
    path.endsWith("/posts") ? { kind: "answer-before", answer: { status: 200, body } } : undefined,
  );
  const ran = await world.run("plan");
  expect([ran.code, ran.stderr.includes("may be incomplete")]).toEqual([1, true]);
  expect(world.server.requests.length - before).toBeLessThan(20);
});

test("a lost lockfile is rebuilt from the list, without a request that changes something", async () => {
  const { world } = await zernioWorld({ "a.png": tinyPng(1) });
  await world.configure("rules: { content/html: off }");
  await world.write(
    row("a", "01", "x, bluesky", "one", "a.png,A rose,second,"),
    row("b", "02", "linkedin/brand", "two"),
  );
  await world.apply();
  await world.project.remove("plancast.lock.json");
  await world.project.remove(".plancast");
  const before = world.server.requests.length;
  const { outcomes } = await world.apply();
  expect(outcomes).toEqual(["adopt a done", "adopt b done"]);
  expect(world.server.requests.slice(before).filter(({ method }) => method !== "GET")).toEqual([]);
});

test("a text that the account already has elsewhere is refused, and that post is not touched", async () => {
  const { world, addForeign, isUntouched } = await zernioWorld();
  const foreign = addForeign("Same text", "2030-03-01T09:00:00.000Z");
  await world.write(row("a", "01", "linkedin/brand", "Same text"), row("b", "02", "x", "fine"));
  const { stdout, outcomes } = await world.apply(1);
  expect(outcomes).toEqual(["create a failed", "create b done"]);
  expect(stdout).toContain(foreign);
  expect(isUntouched(foreign)).toBe(true);
});

test("if the list hides a lost create, the refusal of the next create reveals it", async () => {
  const { world, scheduled } = await zernioWorld();
  await world.write(row("a", "01", "x", "one"));
  const hidden = {
    kind: "answer-before",
    answer: { status: 200, body: '{"posts":[],"pagination":{"page":1,"pages":0,"total":0}}' },
  } as const;
  world.server.faults.at(1, "drop-after", { method: "POST" });
  world.server.faults.plan(({ method, path }) =>
    method === "GET" && path.endsWith("/posts") ? hidden : undefined,
  );
  await world.apply(3);
  world.clock.advance(300_000);
  const { outcomes } = await world.apply();
  expect(outcomes).toEqual(["create a done"]);
  expect(scheduled()).toEqual(["x one"]);
  world.server.faults.clear();
  expect(await world.planned()).toEqual({ keep: 1 });
});

test("a post that one network has published no longer changes, and shows each result", async () => {
  const { world } = await zernioWorld();
  await world.write(row("a", "01", "x, bluesky", "one"));
  await world.apply();
  const [post] = world.server.scheduled();
  world.clock.advance(Date.parse("2030-02-01T09:05:00Z") - world.clock.now());
  world.server.edit(post?.id ?? "", {
    status: "partial",
    platforms: [
      { platform: "twitter", accountId: "acc-x", status: "published", platformPostUrl: "https://x.com/1" },
      { platform: "bluesky", accountId: "acc-bsky", status: "failed", errorMessage: "Token expired" },
    ],
  });
  const { stdout } = await world.run("status", "--format", "json");
  expect(stdout).toContain("https://x.com/1");
  expect(stdout).toContain("Token expired");
  await world.write(row("a", "20", "x, bluesky", "one, later"));
  await world.apply();
  expect(world.server.requests.filter(({ method }) => method === "PUT")).toEqual([]);
  expect(world.server.posts.get(post?.id ?? "")?.content).toBe("one");
});

test("a post with a text for one network equals no row", async () => {
  const { world } = await zernioWorld();
  world.server.addForeignPost({
    content: "one",
    scheduledFor: "2030-02-01T09:00:00.000Z",
    platforms: [{ platform: "twitter", accountId: "acc-x", customContent: "other" }],
  });
  await world.write(row("a", "01", "x", "one"));
  expect(await world.planned()).toEqual({ create: 1, unmanaged: 1 });
});

test("a network without threads or comments gets the post without them, with a warning", async () => {
  const { world, scheduled } = await zernioWorld();
  await world.write(
    row("a", "01", "x, linkedin/brand", "one", ",,second,hello"),
    row("b", "02", "x", "two", ",,,hi"),
  );
  const { stdout } = await world.run("plan", "--format", "json");
  await world.apply();
  expect(stdout).toContain("publishes no threads on linkedin/brand, but 1 post has one.");
  expect(stdout).toContain("publishes no first comments on twitter, but 2 posts have one.");
  expect(scheduled()).toEqual(["brand one", "x one", "x two"]);
  const sent = world.server
    .scheduled()
    .flatMap(({ platforms }) =>
      platforms.map(({ accountId, platformSpecificData: own }) => [accountId, own]),
    );
  expect(Object.fromEntries(sent.slice(0, 2))).toMatchObject({
    "acc-x": { threadItems: [{ content: "one" }, { content: "second" }] },
    "acc-brand": { firstComment: "hello" },
  });
  expect(sent.map(([, own]) => Object.keys(own ?? {}))).toEqual([["firstComment"], ["threadItems"], []]);
  expect(await world.planned()).toEqual({ keep: 2 });
  await world.project.remove("plancast.lock.json");
  await world.project.remove(".plancast");
  expect((await world.apply()).outcomes).toEqual(["adopt a done", "adopt b done"]);
  await world.write(row("a", "01", "x, linkedin/brand", "one", ",,third,hello"), row("b", "02", "x", "two"));
  expect((await world.apply()).outcomes).toEqual(["replace a done"]);
});

test.each([
  ["http://10.0.0.1/a?X-Signature=secret", "plain http"],
  ["ftp://storage.example.com/a", "not on the public web"],
])("a file is not sent to %s", async (uploadUrl) => {
  const { world } = await zernioWorld({ "a.png": tinyPng(1) }, { uploadUrl });
  await world.write(row("a", "01", "x", "one", "a.png,,,"));
  const { outcomes } = await world.apply(1);
  expect(outcomes).toEqual(["create a failed"]);
  expect(world.server.posts.size).toBe(0);
});

test.each<[string, Fault, string]>([
  ["redirects", { kind: "redirect", to: "http://127.0.0.1:9" }, "redirects to another address"],
  [
    "repeats the permission",
    {
      kind: "answer-before",
      answer: { status: 403, body: '{"message":"\\u001b[2J X-Signature=secret is c2VjcmV0"}' },
    },
    "does not take the file",
  ],
])("a storage that %s is not asked again, and other posts continue", async (_name, fault, why) => {
  const { world, scheduled } = await zernioWorld({ "a.png": tinyPng(1) });
  await world.write(row("a", "01", "x", "one", "a.png,,,"), row("b", "02", "x", "two"));
  world.server.storage.faults.plan(() => fault);
  const { stdout, stderr, code } = await world.run("apply", "--yes", "--verbose");
  expect(code).toBe(1);
  expect((stdout + stderr).replaceAll(/\s+/g, " ")).toContain(why);
  for (const text of ["secret", "c2VjcmV0", "\u001b"]) expect(stdout + stderr).not.toContain(text);
  expect(scheduled()).toEqual(["x two"]);
  world.server.storage.faults.clear();
  await world.apply();
  expect(scheduled()).toEqual(["x one", "x two"]);
});

test.each<Fault>(["drop-after", "status-500-before", "hang-before"])(
  "a file is sent again after the fault %s of the storage",
  async (fault) => {
    const { world, scheduled } = await zernioWorld({ "a.png": tinyPng(1) });
    await world.write(row("a", "01", "x", "one", "a.png,,,"));
    world.server.storage.faults.at(1, fault);
    await world.apply();
    expect(scheduled()).toEqual(["x one"]);
    expect(world.server.storage.requests).toHaveLength(2);
  },
);

test("a file that the storage no longer has is sent again, and its scheduled posts get the new one", async () => {
  const { world, scheduled } = await zernioWorld({ "a.png": tinyPng(1), "b.png": tinyPng(2) });
  const first = [row("a", "01", "x", "one", "a.png,A rose,,"), row("b", "02", "x", "two", "b.png,A tree,,")];
  await world.write(...first);
  await world.apply();
  const [gone = ""] = world.server.files.keys();
  world.server.files.delete(gone);
  // Nothing is to be sent, so nothing is asked.
  expect(await world.planned()).toEqual({ keep: 2 });
  await world.write(
    ...first,
    row("c", "03", "x", "three", "a.png,A rose,,"),
    row("d", "04", "x", "four", "b.png,A tree,,"),
  );
  world.server.storage.faults.plan(({ method }) => (method === "HEAD" ? "status-500-before" : undefined));
  expect(await world.planned()).toEqual({ create: 2, keep: 2 });
  world.server.storage.faults.clear();
  await world.apply();
  await world.apply();
  expect(scheduled()).toEqual(["x four", "x one", "x three", "x two"]);
  const used = world.server.scheduled().flatMap(({ mediaItems = [] }) => mediaItems.map(({ url }) => url));
  expect(used.every((url) => world.server.files.has(url))).toBe(true);
  expect(world.server.files.size).toBe(2);
  expect(world.server.storage.requests.every(({ authorization }) => authorization === undefined)).toBe(true);
  expect(await world.planned()).toEqual({ keep: 4 });
});

test("creates keep the limit that the headers show", async () => {
  const { world, scheduled } = await zernioWorld(
    {},
    { limit: { perWindow: 60, windowMs: 60_000, resetUnit: "epoch" } },
  );
  await world.configure("rules: { row/same-minute: off }");
  await world.write(
    ...Array.from({ length: 150 }, (_, index) => row(`r${index}`, "01", "x", `post ${index}`)),
  );
  await world.apply();
  expect(scheduled()).toHaveLength(150);
  expect(world.server.requests.filter(({ status }) => status === 429)).toEqual([]);
});

test("the log of requests hides the permission to write into the storage", async () => {
  const { world } = await zernioWorld({ "a.png": tinyPng(1) });
  await world.write(row("a", "01", "x", "one", "a.png,,,"));
  const { stdout, stderr } = await world.run("apply", "--yes", "--verbose");
  expect(stderr).toContain("PUT /temp/");
  expect(stdout + stderr).not.toContain("secret");
  expect(stdout + stderr).not.toContain(world.server.key);
});
