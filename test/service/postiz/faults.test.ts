/** Every fault at every request of a run with all kinds of changes, then runs until one ends with 0. */
import { expect, test } from "vitest";
import { tinyPng } from "../../support/tiny-media.ts";
import { ALL_FAULTS, isLyingList } from "../../chaos/all-faults.ts";
import type { Fault } from "../../support/foreign/faults.ts";
import { type PostizWorld, row, startPostizWorld } from "./postiz-world.ts";

const WANTED = ["int-brand Not ours", "int-bsky two, edited", "int-founder new", "int-x one", "int-x two, edited"];

async function start(): Promise<{ readonly world: PostizWorld; readonly foreign: string }> {
  const world = await startPostizWorld({}, { "a.png": tinyPng(1), "b.png": tinyPng(2) });
  const foreign = world.postiz.addForeignPost({ publishDate: "2030-02-02T09:00:00.000Z" });
  await world.project.write(
    "plancast.yaml",
    (await world.project.read("plancast.yaml")).replace("type: postiz", "type: postiz\n  timeout: 250ms"),
  );
  await world.write(
    row("one", "01", "x", "one", "a.png,A rose,"),
    row("two", "02", "x, bluesky", "two", "a.png,,reply"),
    row("gone", "03", "linkedin/brand", "gone"),
  );
  await world.apply();
  await world.write(
    row("one", "01", "x", "one", "a.png,A rose,"),
    row("two", "02", "x, bluesky", "two, edited", "b.png,,reply"),
    row("new", "04", "linkedin/founder", "new"),
  );
  // The cancelled and new posts are old enough for every guard.
  world.clock.advance(300_000);
  return { world, foreign };
}

/** Gives what went wrong. */
async function faultAt(n: number, fault: Fault): Promise<string | undefined> {
  const { world, foreign } = await start();
  const { postiz, clock } = world;
  postiz.faults.at(n, fault);
  const first = await world.run("apply", "--yes", "--format", "json");
  postiz.faults.clear();
  if (/internal\/fault/.test(first.stdout + first.stderr)) return first.stderr;
  for (let runs = 0; ; runs += 1) {
    await postiz.whenQuiet();
    clock.advance(121_000);
    const ran = await world.run("apply", "--yes", "--format", "json");
    if (ran.code === 0) break;
    if (runs === 3) return `no run ended with 0:\n${ran.stderr}\n${ran.stdout}`;
  }
  const found = JSON.stringify(world.scheduled());
  if (found !== JSON.stringify(WANTED)) return `scheduled: ${found}`;
  if (postiz.posts.get(foreign)?.isDeleted !== false) return "a foreign post was deleted";
  const next = JSON.stringify(await world.planned());
  return next === JSON.stringify({ keep: 4, unmanaged: 1 }) ? undefined : `then plans ${next}`;
}

/** A Postiz never shows these: they are about lists with pages and another key. */
const FAULTS = ALL_FAULTS.filter((fault) => !isLyingList(fault) && fault !== "unauthorized-from-now-on");
const LONG = process.env["PLANCAST_LONG"] !== undefined;

async function requestsOfRun(): Promise<number> {
  const { world } = await start();
  const before = world.postiz.requests.length;
  await world.apply();
  return world.postiz.requests.length - before;
}

test("nothing is published twice or lost after a fault at any request", { timeout: 600_000 }, async () => {
  const requests = await requestsOfRun();
  const all = Array.from({ length: requests }, (_, index) =>
    FAULTS.map((fault) => ({ n: index + 1, fault })),
  ).flat();
  // Primes, so that every fault meets every request over time.
  const tried = all.filter((_, index) => LONG || index % 23 === 0);
  const wrong: string[] = [];
  for (const { n, fault } of tried) {
    const what = await faultAt(n, fault);
    if (what !== undefined) wrong.push(`${JSON.stringify(fault)} at request ${n} of ${requests}: ${what}`);
  }
  expect(wrong).toEqual([]);
});

test("a create whose answer is lost is found in the list, and never sent again", async () => {
  const world = await startPostizWorld();
  await world.write(row("a", "01", "x", "one"));
  world.postiz.faults.at(1, "drop-after", { method: "POST" });
  await world.apply();
  expect(world.scheduled()).toEqual(["int-x one"]);
  expect(world.postiz.requests.filter(({ method }) => method === "POST")).toHaveLength(1);
});

test("a lost create whose text Postiz changed waits for a person", async () => {
  const world = await startPostizWorld({ stripsLinks: true });
  await world.write(row("a", "01", "x", "Read https://example.com/a now"));
  world.postiz.faults.at(1, "drop-after", { method: "POST" });
  await world.apply(3);
  world.clock.advance(300_000);
  await world.apply(3);
  expect(world.scheduled()).toHaveLength(1);
});

test("a delete whose answer is lost counts as done when the post is gone", async () => {
  const world = await startPostizWorld();
  await world.write(row("a", "01", "x", "one"), row("b", "02", "x", "two"));
  await world.apply();
  await world.write(row("a", "01", "x", "one"));
  world.postiz.faults.at(1, "status-500-after", { method: "DELETE" });
  const { outcomes } = await world.apply();
  expect(outcomes).toEqual(["cancel b@twitter done"]);
  expect(world.scheduled()).toEqual(["int-x one"]);
});
