/**
 * Lists with a length at which services cut lists: how plancast finds out that they are complete, and then resolves
 * pending creates.
 */

import { expect, test } from "vitest";
import type { ForeignOptions } from "../support/foreign-service.ts";
import { type Scenario, csv, startScenario } from "../support/scenario.ts";

const FILE = "calendars/a.csv";
const LOCKFILE = "plancast.lock.json";

function calendar(count: number): string {
  const rows = Array.from({ length: count }, (_, index) => {
    const day = String(1 + (index % 28)).padStart(2, "0");
    return [`row-${index}`, `2036-0${3 + Math.floor(index / 28)}-${day} 10:00`, "twitter", `Post ${index}`];
  });
  return csv(["id", "scheduled_at", "platforms", "content"], ...rows);
}

async function start(rows: number, service: ForeignOptions = {}): Promise<Scenario> {
  const safety = { max_cancels: 100, max_cancel_percent: 100 };
  const scenario = await startScenario({ files: { [FILE]: calendar(rows) }, service, config: { safety } });
  await scenario.apply();
  return scenario;
}

/** One more row. Its create gets lost, so only a complete list shows that there is no post. */
async function loseOne({ project, service, apply, clock }: Scenario, rows: number): Promise<void> {
  await project.write(FILE, calendar(rows));
  service.faults.at(1, "drop-before", { method: "POST" });
  await apply({ exit: 3 });
  await clock.sleep(10 * 60_000);
}

async function longestLists({ project }: Scenario): Promise<unknown> {
  return JSON.parse(await project.read(LOCKFILE)).longest_lists;
}

test.each([10, 20, 25, 50])(
  "a create with an unknown result is resolved by a list of exactly %i posts",
  async (length) => {
    const scenario = await start(length + 1);
    // The list of this apply is the longest so far.
    await scenario.project.write(FILE, calendar(length));
    await scenario.apply();
    expect(await longestLists(scenario)).toEqual({ 1000: length + 1 });
    await loseOne(scenario, length + 1);
    expect(await scenario.summary()).toEqual({ keep: length, create: 1 });
    await scenario.apply();
    expect(scenario.service.scheduled()).toHaveLength(length + 1);
    expect(scenario.service.duplicates()).toEqual([]);
  },
);

test.each(["link", "next-url", "next-cursor"] as const)(
  "a list that fills a whole page is proved complete by reading it in smaller pages: %s",
  async (paging) => {
    const scenario = await start(20, { paging, pageSize: 20 });
    await loseOne(scenario, 21);
    await scenario.apply();
    expect(scenario.service.scheduled()).toHaveLength(21);
  },
);

test("a list that may be truncated proves nothing, whatever the lockfile says about shorter ones", async () => {
  const scenario = await start(20, { paging: "cap", cap: 20 });
  const lockfile = JSON.parse(await scenario.project.read(LOCKFILE));
  await scenario.project.write(
    LOCKFILE,
    JSON.stringify({ ...lockfile, longest_lists: { 1000: 20, 100: 99 } }),
  );
  await loseOne(scenario, 21);
  const { problems, summary } = await scenario.plan();
  expect(problems).toMatchObject([
    { code: "plan/unsettled", message: expect.stringContaining("may be incomplete") },
  ]);
  expect(summary).toMatchObject({ create: 0, keep: 20 });
});

test("the longest list does not affect the plan's hash, and is never the only reason to write", async () => {
  const scenario = await start(15);
  const before = await scenario.project.read(LOCKFILE);
  const { hash } = await scenario.plan();
  await scenario.apply();
  expect(await scenario.project.read(LOCKFILE)).toBe(before);
  await scenario.project.write(
    LOCKFILE,
    JSON.stringify({ ...JSON.parse(before), longest_lists: { 1000: 99 } }),
  );
  expect((await scenario.plan()).hash).toBe(hash);
});
