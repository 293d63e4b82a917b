/** Creates in doubt: held until they settle, adopted when they appear, or resolved by a person's word. */
import { expect, test } from "vitest";
import { csv, startScenario, type Scenario } from "../support/scenario.ts";

const FILES = {
  "calendars/a.csv": csv(
    ["id", "scheduled_at", "platforms", "content"],
    ["one", "2036-03-01 10:00", "twitter", "One"],
    ["two", "2036-03-02 10:00", "twitter", "Two"],
  ),
};

/** An apply after which the post `one` is in doubt: made or not, it does not appear in the list. */
async function inDoubt(fault: "drop-after" | "status-500-before"): Promise<Scenario> {
  const scenario = await startScenario({ files: FILES, service: { listLagMs: 3_000 } });
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

test("a create in doubt is held back, and adopted when it appears", async () => {
  const scenario = await inDoubt("drop-after");
  const [key = ""] = await listed(scenario);
  const text = await scenario.run("resolve");
  expect(text.stdout).toContain(key);
  const again = await scenario.run("apply", "--yes");
  expect([0, 3]).toContain(again.code);
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  expect((await scenario.run("resolve", "--look-again")).stdout).toBe("Nothing is in doubt.\n");
  expect(await scenario.summary()).toEqual({ keep: 2 });
  expect(scenario.service.duplicates()).toEqual([]);
});

test("a person says that it exists, and where", async () => {
  const scenario = await inDoubt("drop-after");
  const [key = ""] = await listed(scenario);
  const made = scenario.service.scheduled().find(({ content }) => content.toLowerCase() === key);
  expect((await scenario.run("resolve", key, "--exists", "post_none")).code).toBe(1);
  expect((await scenario.run("resolve", key, "--exists", made?.id ?? "")).code).toBe(0);
  expect(await listed(scenario)).toEqual([]);
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  expect(await scenario.summary()).toEqual({ keep: 2 });
});

test("a person says that it does not exist, and it is made", async () => {
  const scenario = await inDoubt("status-500-before");
  const [key = ""] = await listed(scenario);
  expect((await scenario.run("resolve", "other", "--absent")).code).toBe(1);
  expect((await scenario.run("resolve", key, "--absent")).code).toBe(0);
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  await scenario.apply();
  expect(scenario.service.scheduled().length).toBe(2);
  expect(scenario.service.duplicates()).toEqual([]);
});
