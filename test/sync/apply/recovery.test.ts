/**
 * Failures that once broke "never twice, never lost": pending creates, late lists, and answers about somebody else's
 * posts.
 */

import { expect, test } from "vitest";
import { type ModelRow, calendarFiles, wantedOf } from "../../chaos/calendar-model.ts";
import { type ChaosOptions, ChaosWorld, SETTLE_MS } from "../../chaos/chaos-world.ts";
import { checkNone, violations } from "../../chaos/invariants.ts";
import { SHAPES } from "../../support/foreign/shapes.ts";
import { tinyPng } from "../../support/tiny-media.ts";

const ROW: ModelRow = {
  id: "launch",
  file: "calendars/a.csv",
  content: "We are open",
  platforms: ["linkedin"],
  scheduledAt: "2036-03-01T09:00:00Z",
  media: [],
};
const OTHER: ModelRow = { ...ROW, id: "other", content: "Another row", scheduledAt: "2036-03-02T09:00:00Z" };
const { id: _id, ...WITHOUT_ID } = ROW;

async function start(rows: readonly ModelRow[], options: ChaosOptions = {}): Promise<ChaosWorld> {
  const world = await ChaosWorld.start({ ...options, files: calendarFiles(rows) });
  expect((await world.apply()).code).toBe(0);
  world.clock.advance(60_000);
  return world;
}

async function write(world: ChaosWorld, rows: readonly ModelRow[]): Promise<void> {
  for (const [path, contents] of Object.entries(calendarFiles(rows))) {
    await world.project.write(path, contents);
  }
}

async function comesToRest(world: ChaosWorld, rows: readonly ModelRow[]): Promise<void> {
  world.clock.advance(SETTLE_MS);
  await world.converge();
  checkNone(violations(world.service, wantedOf(rows), []), "at rest");
  expect(await world.planned()).toEqual({ keep: rows.length });
}

/** The next create is handled, its answer is lost, and lists show the post late. */
function loseNextCreate({ service }: ChaosWorld): void {
  service.faults.at(1, "drop-after", { method: "POST", path: "/v1/posts" });
}

const LATE = { listLagMs: 30_000 };

test("a pending replacement is not sent again before its waiting time is over", async () => {
  const world = await start([ROW, OTHER], { service: LATE });
  const changed = [{ ...ROW, content: "We are open now" }, OTHER];
  await write(world, changed);
  loseNextCreate(world);
  expect((await world.apply()).code).toBe(3);
  expect((await world.apply()).code).toBe(3);
  await comesToRest(world, changed);
  expect(world.service.counters.creates).toBe(3);
});

test("a row with a new id waits for its pending create without an id", async () => {
  const world = await start([OTHER], { service: LATE });
  await write(world, [OTHER, WITHOUT_ID]);
  loseNextCreate(world);
  expect((await world.apply()).code).toBe(3);
  await write(world, [OTHER, ROW]);
  expect((await world.apply()).code).toBe(3);
  await comesToRest(world, [OTHER, ROW]);
  expect(world.service.counters.creates).toBe(2);
});

test("an edit that is reverted while its create is pending leaves no stray post", async () => {
  const world = await start([ROW, OTHER], { service: LATE });
  await write(world, [{ ...ROW, content: "A bad idea" }, OTHER]);
  loseNextCreate(world);
  expect((await world.apply()).code).toBe(3);
  await write(world, [ROW, OTHER]);
  expect((await world.apply()).code).toBe(3);
  await comesToRest(world, [ROW, OTHER]);
  // The row's post existed all the time.
  expect(world.service.counters).toMatchObject({ creates: 3, cancels: 1 });
});

test("if the row is reverted in the middle of a replacement, the old post stays", async () => {
  const world = await start([ROW, OTHER]);
  const [old] = world.service.scheduled();
  await write(world, [{ ...ROW, content: "A bad idea" }, OTHER]);
  world.service.faults.at(1, { kind: "refused", code: "forbidden" }, { method: "DELETE" });
  expect((await world.apply()).code).toBe(1);
  await write(world, [ROW, OTHER]);
  await comesToRest(world, [ROW, OTHER]);
  expect(world.service.posts.get(old?.id ?? "")?.status).toBe("scheduled");
  expect(world.service.counters.creates).toBe(3);
});

test("a sign-in page as the answer to a cancel does not count as done", async () => {
  const world = await start([ROW, OTHER]);
  await write(world, [OTHER]);
  const answer = { status: 200, body: "<html>Sign in</html>", type: "text/html" };
  world.service.faults.at(1, { kind: "answer-before", answer }, { method: "DELETE" });
  expect((await world.apply()).code).toBe(3);
  await comesToRest(world, [OTHER]);
});

test("a cancel that the service answers with not_found is not done while the post is still scheduled", async () => {
  const world = await start([ROW, OTHER]);
  await write(world, [OTHER]);
  world.service.faults.at(1, { kind: "refused", code: "not_found" }, { method: "DELETE" });
  expect((await world.apply()).code).toBe(1);
  await comesToRest(world, [OTHER]);
});

test("a cancel that a service without statuses answers with not_found is not done", async () => {
  const world = await start([ROW, OTHER], { service: { shape: SHAPES["windows text"] } });
  await write(world, [OTHER]);
  world.service.faults.at(1, { kind: "refused", code: "not_found" }, { method: "DELETE" });
  expect((await world.apply()).code).toBe(3);
  await comesToRest(world, [OTHER]);
});

test("apply cancels the posts of a deleted calendar file", async () => {
  const world = await start([ROW, { ...OTHER, file: "calendars/b.csv" }]);
  await world.project.remove("calendars/b.csv");
  await comesToRest(world, [ROW]);
});

test.each(["constructor", "toString", "valueOf"])("a row may have the id %s", async (id) => {
  const rows = [{ ...ROW, id }, OTHER];
  const world = await start(rows);
  await comesToRest(world, rows);
  await write(world, [{ ...ROW, id, content: "Changed" }, OTHER]);
  await comesToRest(world, [{ ...ROW, id, content: "Changed" }, OTHER]);
  expect(world.service.counters).toMatchObject({ creates: 3, cancels: 1 });
});

test("a cancelled post that an old list still shows is not adopted", async () => {
  const world = await start([ROW, OTHER]);
  const changed = [{ ...ROW, content: "We are open now" }, OTHER];
  await write(world, changed);
  expect((await world.apply()).code).toBe(0);
  await write(world, [ROW, OTHER]);
  world.service.faults.at(1, { kind: "stale-list", writesAgo: 1 });
  expect((await world.apply()).code).toBe(0);
  checkNone(violations(world.service, wantedOf([ROW, OTHER]), []), "after the old list");
});

test("a post that lists show late is not created again on a service without statuses", async () => {
  const world = await ChaosWorld.start({
    service: { listLagMs: 5_000, shape: SHAPES["windows text"] },
    files: calendarFiles([ROW, OTHER]),
  });
  expect((await world.apply()).code).toBe(0);
  expect((await world.apply()).code).toBe(0);
  checkNone(violations(world.service, wantedOf([ROW, OTHER]), []), "after the late list");
});

test("plancast does not send a pending create again because a single list lacks it", async () => {
  const world = await start([OTHER]);
  await write(world, [OTHER, ROW]);
  world.service.faults.at(1, "drop-after", { method: "POST", path: "/v1/posts" });
  // A new row: two lists begin the run. The last list of this run and the first of the next show the state before the
  // create.
  world.service.faults.at(3, { kind: "stale-list", writesAgo: 1 }, { method: "GET", path: "/v1/posts" });
  world.service.faults.at(4, { kind: "stale-list", writesAgo: 1 }, { method: "GET", path: "/v1/posts" });
  expect((await world.apply()).code).toBe(3);
  world.clock.advance(SETTLE_MS + 1_000);
  expect((await world.apply()).code).toBe(0);
  expect(world.service.counters.creates).toBe(2);
  await comesToRest(world, [OTHER, ROW]);
});

test("a cancelled post is never adopted, however long lists show it", async () => {
  const world = await start([ROW, OTHER]);
  await write(world, [{ ...ROW, content: "We are open now" }, OTHER]);
  expect((await world.apply()).code).toBe(0);
  await write(world, [ROW, OTHER]);
  const lists = { method: "GET", path: "/v1/posts" };
  for (const nth of [1, 2, 3, 4]) world.service.faults.at(nth, { kind: "stale-list", writesAgo: 1 }, lists);
  expect((await world.apply()).code).toBe(0);
  checkNone(violations(world.service, wantedOf([ROW, OTHER]), []), "after the old lists");
});

test("a picture that changed after the lockfile was lost is uploaded for a new row", async () => {
  const world = await start([{ ...ROW, media: [1] }]);
  await world.project.remove("plancast.lock.json");
  await write(world, [
    { ...ROW, media: [1] },
    { ...OTHER, media: [1] },
  ]);
  await world.project.write("media/1.png", tinyPng(2));
  expect((await world.apply()).code).toBe(0);
  const made = world.service.scheduled().find((post) => post.content === OTHER.content);
  expect(made?.media_ids).not.toEqual(
    world.service.scheduled().find((post) => post.content === ROW.content)?.media_ids,
  );
  expect(await world.planned()).toEqual({ keep: 2 });
});

const ESCAPED = { service: { shape: { contentEcho: "escaped" } } } as const;
const AND: ModelRow = { ...ROW, content: "Bread & butter" };

test("text that the service rewrites does not count as a change; an edit on the service does", async () => {
  const world = await start([AND, OTHER], ESCAPED);
  expect(await world.planned()).toEqual({ keep: 2 });
  await write(world, [{ ...AND, content: "Bread & jam" }, OTHER]);
  expect((await world.apply()).code).toBe(0);
  expect(await world.planned()).toEqual({ keep: 2 });
  expect(world.service.counters).toMatchObject({ creates: 3, cancels: 1 });
});

test("a pending create is not sent again if a listed post may be its own", async () => {
  const world = await start([OTHER], ESCAPED);
  await write(world, [AND, OTHER]);
  loseNextCreate(world);
  expect((await world.apply()).code).toBe(3);
  world.clock.advance(SETTLE_MS);
  expect((await world.apply()).code).toBe(3);
  expect(world.service.counters.creates).toBe(2);
});

test("two lists that each lack a different pending create prove nothing", async () => {
  const world = await ChaosWorld.start({ files: calendarFiles([ROW, OTHER]) });
  const [creates, lists] = [
    { method: "POST", path: "/v1/posts" },
    { method: "GET", path: "/v1/posts" },
  ];
  world.service.faults.at(1, "drop-after", creates);
  world.service.faults.at(2, "html-502-before", creates);
  world.service.faults.at(2, { kind: "short-list", items: 0 }, lists);
  expect((await world.apply()).code).toBe(3);
  world.clock.advance(SETTLE_MS + 1_000);
  // The next list shows only the created post. The one after shows neither.
  world.service.faults.at(2, { kind: "short-list", items: 0 }, lists);
  expect((await world.apply()).code).toBe(0);
  expect(world.service.counters.creates).toBe(2);
  await comesToRest(world, [ROW, OTHER]);
});

test("apply reports its work even if it cannot resolve a pending create", async () => {
  const world = await start([ROW, OTHER]);
  await write(world, [{ ...ROW, content: "We are open now" }, OTHER]);
  loseNextCreate(world);
  world.service.faults.at(1, { kind: "redirect", to: "http://127.0.0.1:9" }, { method: "DELETE" });
  const { code, stdout } = await world.apply();
  expect(code).toBe(3);
  expect(JSON.parse(stdout)).toMatchObject({ summary: { unknown: 1 }, outcomes: [{ key: "launch" }] });
  await comesToRest(world, [{ ...ROW, content: "We are open now" }, OTHER]);
});

test("if the service says twice that a post does not exist, and then shows it, the next run cancels it", async () => {
  const world = await start([ROW, OTHER]);
  await write(world, [OTHER]);
  world.service.faults.at(1, { kind: "refused", code: "not_found" }, { method: "DELETE" });
  world.service.faults.at(1, { kind: "refused", code: "not_found" }, { path: /posts\/post_/, method: "GET" });
  expect((await world.apply()).code).toBe(0);
  await comesToRest(world, [OTHER]);
});

test("a cancel that was repeated after a lost answer leaves nothing to do", async () => {
  const world = await start([ROW, OTHER], { service: { shape: SHAPES["bare arrays"] } });
  await write(world, [OTHER]);
  world.service.faults.at(1, "drop-after", { method: "DELETE" });
  expect((await world.apply()).code).toBe(0);
  expect(await world.planned()).toEqual({ keep: 1 });
  await comesToRest(world, [OTHER]);
});
