/** The automation that an apply triggers. */

import { expect, test } from "vitest";
import { type Scenario, csv, startScenario } from "../../support/scenario.ts";

const HEADER = ["id", "scheduled_at", "platforms", "content"];
const INPUT = "https://example.com/new";

function rows(...texts: readonly string[]): string {
  return csv(HEADER, ...texts.map((text) => [text, "2036-03-01 10:00", "twitter", text]));
}

async function startWithAutomation(): Promise<Scenario> {
  return startScenario({
    service: { automations: ["auto_1"] },
    config: { automations: { after_apply: { id: "auto_1", input: INPUT } } },
    files: { "calendars/a.csv": rows("a") },
  });
}

test("an apply triggers the automation once, and only if it changed something and everything succeeded", async () => {
  const scenario = await startWithAutomation();
  const apply = (exit: number) => scenario.json(exit, "apply", "--yes");
  expect(await apply(0)).toMatchObject({
    summary: { created: 1 },
    automation: { automation_id: "auto_1", input: INPUT, status: "done", run_id: "run_1" },
  });
  expect(await apply(0)).not.toHaveProperty("automation");
  expect(scenario.service.runs.length).toBe(1);

  await scenario.project.write("calendars/a.csv", rows("a", "b"));
  scenario.service.faults.at(1, { kind: "refused", code: "validation_error" }, { method: "POST" });
  expect(await apply(1)).toMatchObject({ summary: { failed: 1 } });
  expect(scenario.service.runs.length).toBe(1);
});

test("an apply that only adopts a post triggers no automation", async () => {
  const scenario = await startWithAutomation();
  const post = { content: "a", platforms: ["twitter"], scheduled_at: "2036-03-01T09:00:00Z", media_ids: [] };
  scenario.service.addForeignPost(post);
  const applied = await scenario.json(0, "apply", "--yes");
  expect(applied).toMatchObject({ summary: { adopted: 1, created: 0 } });
  expect(applied).not.toHaveProperty("automation");
  expect(scenario.service.runs).toEqual([]);
});

test("an apply with failures shows how to trigger the automation by hand", async () => {
  const scenario = await startWithAutomation();
  await scenario.project.write("calendars/a.csv", rows("a", "b"));
  scenario.service.faults.at(1, { kind: "refused", code: "validation_error" }, { method: "POST" });
  const { code, stdout } = await scenario.run("apply", "--yes");
  expect([code, scenario.service.runs]).toEqual([1, []]);
  expect(stdout.replaceAll(/\s+/g, " ")).toContain(`plancast automations trigger auto_1 --input ${INPUT}`);
});

test.each([
  ["refused", { kind: "refused", code: "platform_error", status: 422 } as const, "failed", 1],
  ["in doubt", "drop-after" as const, "unknown", 2],
])(
  "if a trigger is %s, the apply is still done, and the trigger is reported and not sent again",
  async (_name, fault, status, runs) => {
    const scenario = await startWithAutomation();
    await scenario.apply();
    await scenario.project.write("calendars/a.csv", rows("a", "b"));
    scenario.service.faults.plan(({ path }) => (path.endsWith("/trigger") ? fault : undefined));
    const { code, stdout, stderr } = await scenario.run("apply", "--yes", "--format", "json");
    expect([code, JSON.parse(stdout)]).toMatchObject([
      0,
      { summary: { created: 1, failed: 0 }, automation: { automation_id: "auto_1", status } },
    ]);
    expect(stderr).toContain("The applied changes stay.");
    scenario.service.faults.clear();
    const again = await scenario.run("apply", "--yes", "--format", "markdown");
    expect([again.code, again.stdout]).toEqual([0, "### Applied: nothing\n"]);
    expect(scenario.service.runs.length).toBe(runs);
  },
);
