/** Pending creates: held until they settle, adopted when they appear, or resolved by a person. */

import { expect, test } from "vitest";
import { type Scenario, csv, startScenario } from "../../support/scenario.ts";

const FILES = {
  "calendars/a.csv": csv(
    ["id", "scheduled_at", "platforms", "content"],
    ["one", "2036-03-01 10:00", "twitter", "One"],
    ["two", "2036-03-02 10:00", "twitter", "Two"],
  ),
};

/** How late lists show a new post: longer than apply waits for it. */
const LAG_MS = 3_000;

/** After an apply whose create of `one` is pending: created or not, lists do not show it yet. */
async function pending(fault: "drop-after" | "status-500-before"): Promise<Scenario> {
  const scenario = await startScenario({ files: FILES, service: { listLagMs: LAG_MS } });
  scenario.service.faults.at(1, fault, { method: "POST" });
  const { summary } = await scenario.apply({ exit: 3 });
  expect(summary).toMatchObject({ created: 1, unknown: 1 });
  return scenario;
}

async function listed({ run }: Scenario): Promise<string[]> {
  const { stdout } = await run("resolve", "--format", "json");
  const { unknown }: { unknown: { key: string }[] } = JSON.parse(stdout);
  return unknown.map(({ key }) => key);
}

test("apply holds back a pending create and adopts its post when it appears", async () => {
  const scenario = await pending("drop-after");
  const [key = ""] = await listed(scenario);
  const text = await scenario.run("resolve");
  expect(text.stdout).toContain(key);
  const again = await scenario.run("apply", "--yes");
  expect([0, 3]).toContain(again.code);
  scenario.clock.advance(LAG_MS);
  expect((await scenario.run("resolve", "--look-again")).stdout).toBe(
    "There are no pending creates: plancast knows the outcome of every post.\n",
  );
  expect(await scenario.summary()).toEqual({ keep: 2 });
  expect(scenario.service.duplicates()).toEqual([]);
});

test("resolve --exists adopts the post that a person names", async () => {
  const scenario = await pending("drop-after");
  const [key = ""] = await listed(scenario);
  const made = scenario.service.scheduled().find(({ content }) => content.toLowerCase() === key);
  expect((await scenario.run("resolve", key, "--exists", "post_none")).code).toBe(1);
  expect((await scenario.run("resolve", key, "--exists", made?.id ?? "")).code).toBe(0);
  expect(await listed(scenario)).toEqual([]);
  scenario.clock.advance(LAG_MS);
  expect(await scenario.summary()).toEqual({ keep: 2 });
});

test("resolve --absent lets the next apply create the post", async () => {
  const scenario = await pending("status-500-before");
  const [key = ""] = await listed(scenario);
  expect((await scenario.run("resolve", "other", "--absent")).code).toBe(1);
  expect((await scenario.run("resolve", key, "--absent")).code).toBe(0);
  scenario.clock.advance(LAG_MS);
  await scenario.apply();
  expect(scenario.service.scheduled().length).toBe(2);
  expect(scenario.service.duplicates()).toEqual([]);
});
