/** Posts that become due while they wait for the rate limit, and replacements that are due soon. */

import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type ModelRow, calendarFiles } from "../../chaos/calendar-model.ts";
import { ChaosWorld } from "../../chaos/chaos-world.ts";

const MINUTE_MS = 60_000;

function row(id: string, dueMs: number): ModelRow {
  const scheduledAt = `${new Date(dueMs).toISOString().slice(0, 19)}Z`;
  return {
    id,
    file: "calendars/a.csv",
    content: `Text ${id}`,
    platforms: ["linkedin"],
    scheduledAt,
    media: [],
  };
}

async function write(world: ChaosWorld, rows: readonly ModelRow[]): Promise<void> {
  for (const [path, contents] of Object.entries(calendarFiles(rows))) {
    await world.project.write(path, contents);
  }
}

test("plan names posts that become due before their turn, and apply never sends them late", async () => {
  const world = await ChaosWorld.start({
    service: { limit: { perWindow: 4, windowMs: MINUTE_MS, resetUnit: "seconds" } },
  });
  const due = world.clock.now() + 4.5 * MINUTE_MS;
  const rows = Array.from({ length: 24 }, (_, index) => row(`r${String(index).padStart(2, "0")}`, due));
  await write(world, rows);
  const { problems }: { problems: { code: string; line: number }[] } = JSON.parse(
    (await world.plan()).stdout,
  );
  const named = problems.filter(({ code }) => code === "plan/due-before-turn");
  expect(named.length).toBeGreaterThan(0);
  expect(named.length).toBeLessThan(rows.length);
  // Earliest first, so the last rows are the late ones.
  expect(named.at(-1)?.line).toBe(rows.length + 1);
  const { code, stdout } = await world.apply();
  const { outcomes }: { outcomes: { status: string; code?: string }[] } = JSON.parse(stdout);
  expect(code).toBe(1);
  const late = outcomes.filter((each) => each.status === "failed");
  // The test's clock may jump while a request is under way, which the service then refuses itself.
  expect(late.filter((each) => each.code === "schedule/past").length).toBeGreaterThan(late.length / 2);
  expect(late.length + world.service.counters.creates).toBe(rows.length);
  expect(Math.max(...[...world.service.posts.values()].map((post) => post.createdAt))).toBeLessThan(due);
});

test("the waiting time after a create starts when it was sent, however long it waited before", async () => {
  const world = await ChaosWorld.start({});
  await write(world, [row("launch", world.clock.now() + 60 * MINUTE_MS)]);
  world.service.faults.at(1, { kind: "rate-limited", retryAfter: 130 }, { method: "POST" });
  world.service.faults.at(2, "drop-before", { method: "POST" });
  const sentFrom = world.clock.now() + 130_000;
  expect((await world.apply()).code).toBe(3);
  const { unknown } = JSON.parse(await readFile(join(world.project.root, "plancast.lock.json"), "utf8"));
  expect(Date.parse(unknown.launch.attempted_at)).toBeGreaterThanOrEqual(sentFrom - 1_000);
});

test("apply creates a row that is not in the lockfile only if a second list lacks its post, too", async () => {
  const world = await ChaosWorld.start({});
  await write(world, [row("launch", world.clock.now() + 60 * MINUTE_MS)]);
  expect((await world.apply()).code).toBe(0);
  await rm(join(world.project.root, "plancast.lock.json"));
  world.service.faults.at(1, { kind: "short-list", items: 0 }, { method: "GET" });
  const { code, stdout } = await world.apply();
  expect([code, JSON.parse(stdout).summary]).toMatchObject([0, { adopted: 1, created: 0 }]);
  expect(world.service.scheduled().length).toBe(1);
});

test("apply repeats a cancel that the service confirmed but did not do", async () => {
  const world = await ChaosWorld.start({});
  await write(world, [
    row("launch", world.clock.now() + 60 * MINUTE_MS),
    row("other", world.clock.now() + 90 * MINUTE_MS),
  ]);
  expect((await world.apply()).code).toBe(0);
  await write(world, [row("other", world.clock.now() + 90 * MINUTE_MS)]);
  const answer = { status: 200, body: "{}" };
  world.service.faults.at(1, { kind: "answer-before", answer }, { method: "DELETE" });
  expect((await world.apply()).code).toBe(0);
  expect(world.service.scheduled().length).toBe(2);
  expect((await world.apply()).code).toBe(0);
  expect(world.service.scheduled().length).toBe(1);
});

test("a replacement that cancelled first reports that nothing is scheduled if its create is refused", async () => {
  const world = await ChaosWorld.start({});
  const now = world.clock.now();
  await write(world, [row("launch", now + 10 * MINUTE_MS)]);
  expect((await world.apply()).code).toBe(0);
  world.clock.advance(9 * MINUTE_MS);
  await write(world, [row("launch", now + 60 * MINUTE_MS)]);
  world.service.faults.at(1, { kind: "refused", code: "validation_error" }, { method: "POST" });
  const { code, stdout } = await world.apply();
  expect(code).toBe(1);
  const [outcome]: { status: string; code: string; message: string }[] = JSON.parse(stdout).outcomes;
  expect(outcome).toMatchObject({ status: "failed", code: "validation_error" });
  expect(outcome?.message).toMatch(/the old post \(.+\) is cancelled, but the new one is not scheduled/);
  expect((await world.apply()).code).toBe(0);
  expect(world.service.scheduled().length).toBe(1);
});
