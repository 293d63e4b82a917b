/** What a service says about posts that are not scheduled any more decides about their rows only. */
import { expect, test } from "vitest";
import { csv, startScenario, type Scenario } from "../../support/scenario.ts";

const FILE = "calendars/a.csv";
const calendar = (a: string): string =>
  csv(
    ["id", "scheduled_at", "platforms", "content"],
    ["a", a, "twitter", "Row a"],
    ["b", "2036-06-02 09:30", "twitter", "Row b"],
  );

const start = (): Promise<Scenario> => startScenario({ files: { [FILE]: calendar("2036-03-01 09:30") } });

function idOf({ service }: Scenario, text: string): string {
  return service.scheduled().find(({ content }) => content === text)?.id ?? "";
}

const LATER = calendar("2036-06-01 09:30");
const LATER_AND_NEW = LATER + csv(["c", "2036-06-03 09:30", "twitter", "Row c"]);
const AFTER_IT_WAS_DUE = Date.UTC(2036, 3, 1);

test("a post that somebody cancelled before it was due is a question if its row gets a new time afterwards", async () => {
  const scenario = await start();
  await scenario.apply();
  scenario.service.cancelByHand(idOf(scenario, "Row a"));
  await scenario.clock.sleep(AFTER_IT_WAS_DUE - scenario.clock.now());
  await scenario.project.write(FILE, LATER);
  const { code, stderr } = await scenario.run("apply", "--yes");
  expect([code, stderr]).toEqual([1, expect.stringContaining("apply/missing")]);
  expect(scenario.service.scheduled().map(({ content }) => content)).toEqual(["Row b"]);
  expect((await scenario.run("apply", "--yes", "--allow-recreates", "1")).code).toBe(0);
  expect(scenario.service.scheduled()).toHaveLength(2);
});

test("a post that was published is scheduled again if its row gets a new time", async () => {
  const scenario = await start();
  await scenario.apply();
  await scenario.clock.sleep(AFTER_IT_WAS_DUE - scenario.clock.now());
  scenario.service.publishDue();
  await scenario.project.write(FILE, LATER);
  expect((await scenario.run("apply", "--yes")).code).toBe(0);
  expect(scenario.service.scheduled()).toHaveLength(2);
});

test("a post with an unknown status stops only its own row", async () => {
  const words = {
    scheduled: "scheduled",
    published: "published",
    cancelled: "interrupted",
    failed: "failed",
  };
  const scenario = await startScenario({
    files: { [FILE]: calendar("2036-03-01 09:30") },
    service: { shape: { statusWords: words } },
  });
  await scenario.apply();
  scenario.service.cancelByHand(idOf(scenario, "Row b"));
  await scenario.project.write(FILE, LATER_AND_NEW);
  const { code, stdout, stderr } = await scenario.run("apply", "--yes");
  expect([code, (stdout + stderr).replaceAll(/\s+/g, " ")]).toEqual([
    0,
    expect.stringContaining('has the status "interrupted" on the service'),
  ]);
  expect(scenario.service.scheduled().map(({ content }) => content)).toEqual(["Row a", "Row c"]);
  expect(scenario.service.duplicates()).toEqual([]);
  const again = await scenario.plan();
  expect(again.problems.map((each) => each.code)).toEqual(["service/unknown-status"]);
});
