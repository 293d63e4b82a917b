/** What a real Postiz does, as its server was seen to do it, and plancast had wrong before. */
import { expect, test } from "vitest";
import { row } from "../../support/contract/contract-world.ts";
import { postizWorld } from "../../support/contract/worlds.ts";
import type { PostizServer } from "../../support/contract/postiz-server.ts";
import { tinyPng } from "../../support/tiny-media.ts";

function threads(server: PostizServer): readonly (readonly string[])[] {
  return server
    .scheduled()
    .map((post) => [post, ...server.thread(post)].map((each) => server.publishedText(each)));
}

const THREAD = ",,second,comment";

test("a create that stores only the first of its texts is completed in the same run", async () => {
  const { world } = await postizWorld();
  await world.write(row("a", "01", "x", "one", THREAD));
  world.server.failAfter(1);
  const { outcomes } = await world.apply();
  expect(outcomes).toEqual(["create a@twitter done"]);
  expect(threads(world.server)).toEqual([["one", "second", "comment"]]);
  expect(await world.planned()).toEqual({ keep: 1 });
});

test("a post that a later run finds without the texts after it is replaced once", async () => {
  const { world } = await postizWorld();
  await world.write(row("a", "01", "x", "one", THREAD));
  world.server.failAfter(1);
  // The run ends before it looks for the post.
  const { faults } = world.server;
  const run = () => faults.plan(({ method }) => (method === "GET" ? "status-500-before" : undefined));
  faults.at(1, { kind: "run-after", run }, { method: "POST" });
  await world.run("apply", "--yes");
  expect(threads(world.server)).toEqual([["one"]]);
  faults.clear();
  expect((await world.run("plan")).stdout.replaceAll(/\s+/g, " ")).toContain("so plancast replaces it once.");
  await world.apply();
  expect(threads(world.server)).toEqual([["one", "second", "comment"]]);
  expect(await world.planned()).toEqual({ keep: 1 });
});

test("an edit changes the post in place, and an edit that fails half-way is sent again without old replies", async () => {
  const { world } = await postizWorld();
  await world.write(row("a", "01", "x", "one", THREAD));
  await world.apply();
  const [before] = world.server.scheduled();
  await world.write(row("a", "01", "x", "one, edited", ",,other,"));
  world.server.failAfter(1);
  await world.run("apply", "--yes");
  await world.apply();
  expect(threads(world.server)).toEqual([["one, edited", "other"]]);
  expect(world.server.scheduled().map(({ id }) => id)).toEqual([before?.id]);
  expect([...world.server.posts.values()].filter(({ isDeleted }) => !isDeleted)).toHaveLength(2);
  expect(await world.planned()).toEqual({ keep: 1 });
});

test("a post that was published in the meantime is not changed", async () => {
  const { world } = await postizWorld();
  await world.write(row("a", "01", "x", "one"));
  await world.apply();
  const [post] = world.server.scheduled();
  await world.write(row("a", "01", "x", "two"));
  world.server.edit(post?.id ?? "", { state: "PUBLISHED" });
  await world.run("apply", "--yes");
  expect(world.server.scheduled()).toEqual([]);
  expect(world.server.publishedText(world.server.posts.get(post?.id ?? "") ?? failed())).toBe("one");
});

function failed(): never {
  throw new Error("There is no post.");
}

test("a post that somebody made a draft keeps only its own row back", async () => {
  const { world, scheduled } = await postizWorld();
  await world.write(row("a", "01", "x", "one"), row("b", "02", "x", "two"));
  await world.apply();
  const [first] = world.server.scheduled();
  world.server.edit(first?.id ?? "", { state: "DRAFT" });
  await world.write(row("a", "01", "x", "one, edited"), row("b", "02", "x", "two, edited"));
  const planned = await world.run("plan");
  expect((planned.stdout + planned.stderr).replaceAll(/\s+/g, " ")).toContain(
    'has the status "draft" on the',
  );
  const { outcomes } = await world.apply();
  expect(outcomes).toEqual(["replace b@twitter done"]);
  expect(scheduled()).toEqual(["x two, edited"]);
  world.server.edit(first?.id ?? "", { state: "QUEUE" });
  expect((await world.apply()).outcomes).toEqual(["replace a@twitter done"]);
  expect(scheduled()).toEqual(["x one, edited", "x two, edited"]);
});

function rows(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => row(`r${index}`, "01", "x", `post ${index}`));
}

test.each([true, false])(
  "a second run within the hour waits for the limit, and Postiz blocks nothing; headers: %s",
  async (limitHeaders) => {
    const { world, scheduled } = await postizWorld({}, { apiLimit: 90, limitHeaders });
    await world.configure("rules: { row/same-minute: off }");
    await world.write(...rows(90));
    await world.apply();
    world.clock.advance(60_000);
    await world.write(...rows(92));
    await world.apply();
    expect(scheduled()).toHaveLength(92);
    expect(world.server.requests.filter(({ status }) => status === 429)).toEqual([]);
  },
);

test("a server that limits lists, too, does not look like a limit that others use up", async () => {
  const { world } = await postizWorld({}, { apiLimit: 30, limitHeaders: true, limitsAll: true });
  await world.write(row("a", "01", "x", "one"), row("b", "02", "x", "two"));
  await world.apply();
  const before = world.clock.now();
  expect(await world.planned()).toEqual({ keep: 2 });
  expect(world.clock.now() - before).toBeLessThan(10_000);
});

test("plan warns about parts that Postiz would not publish", async () => {
  const { world } = await postizWorld(
    { "a.png": tinyPng(1) },
    {
      integrations: ["pinterest", "tumblr"].map((identifier) => ({
        id: identifier,
        identifier,
        name: identifier,
        profile: identifier,
        disabled: false,
      })),
    },
  );
  await world.configure("options: { pinterest: { board: b1 } }");
  await world.write(
    row("a", "01", "pinterest", "one", "a.png,A rose,second,"),
    row("b", "02", "tumblr", "two", "a.png,A rose,,comment"),
  );
  const { stdout, stderr } = await world.run("plan");
  const shown = (stdout + stderr).replaceAll(/\s+/g, " ");
  expect(shown).toContain("The service publishes no threads on pinterest, but 1 post has one.");
  expect(shown).toContain("The service publishes no alt texts on pinterest, but 1 post has one.");
  expect(shown).toContain("The service publishes no first comments on tumblr, but 1 post has one.");
});

test("plan warns before an edit removes parts of a post that plancast did not send", async () => {
  const { world } = await postizWorld({ "a.png": tinyPng(1) });
  world.server.addForeignPost({
    integration: "int-x",
    content: "<p>By hand</p>",
    publishDate: "2030-02-10T09:00:00.000Z",
    image: [{ id: "m1", path: "https://example.com/a.png" }],
  });
  expect((await world.run("pull", "--out", "pulled.yaml", "--adopt", "--yes")).code).toBe(0);
  expect(await world.planned()).toEqual({ keep: 1 });
  const file = await world.project.read("pulled.yaml");
  await world.project.write("pulled.yaml", file.replace("By hand", "By hand, edited"));
  const codes = async () => {
    const ran = await world.run("plan", "--format", "json");
    const { problems }: { problems: { code: string; message: string }[] } = JSON.parse(ran.stdout);
    return problems.filter(({ code }) => code === "service/unseen-parts").map(({ message }) => message);
  };
  expect(await codes()).toEqual([expect.stringContaining("media, threads, and first comments")]);
  await world.apply();
  await world.project.write("pulled.yaml", file.replace("By hand", "By hand, edited again"));
  expect(await codes()).toEqual([]);
});
