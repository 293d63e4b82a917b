/** Automations and webhooks from the command line, and the automation that an apply triggers. */

import { expect, test } from "vitest";
import { type Scenario, csv, startScenario } from "../../support/scenario.ts";

const HEADER = ["id", "scheduled_at", "platforms", "content"];
const INPUT = "https://example.com/new";
const AFTER = { automations: { after_apply: { id: "auto_1", input: INPUT } } };

function rows(...texts: readonly string[]): string {
  return csv(HEADER, ...texts.map((text) => [text, "2036-03-01 10:00", "twitter", text]));
}

async function scenarioOf(config = {}, keys?: Record<string, "write" | "admin">): Promise<Scenario> {
  return startScenario({
    service: { automations: ["auto_1", "auto_2"], ...(keys && { keys }) },
    config,
    files: { "calendars/a.csv": rows("a") },
  });
}

async function json(scenario: Scenario, exit: number, ...args: string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await scenario.run(...args, "--format", "json");
  if (code !== exit) throw new Error(`exit ${code}\n${stdout}\n${stderr}`);
  return JSON.parse(stdout);
}

test("lists automations, and triggers one only after confirmation", async () => {
  const scenario = await scenarioOf();
  expect(await json(scenario, 0, "automations", "list")).toMatchObject({
    automations: [{ id: "auto_1", name: "The automation auto_1" }, { id: "auto_2" }],
  });
  const trigger = ["automations", "trigger", "auto_2", "--input", INPUT];
  expect((await scenario.run(...trigger)).stderr).toContain("run/needs-terminal");
  expect(scenario.service.runs).toEqual([]);
  expect(await json(scenario, 0, ...trigger, "--yes")).toMatchObject({
    outcome: { automation_id: "auto_2", status: "done", run_id: "run_1", run_status: "queued" },
  });
  expect(scenario.service.runs).toEqual([{ automation: "auto_2", input: INPUT }]);
  const none = await scenario.run("automations", "trigger", "auto_3", "--input", INPUT, "--yes");
  expect([none.code, none.stdout]).toEqual([1, expect.stringContaining("(not_found)")]);
  scenario.service.faults.plan(({ method }) => (method === "POST" ? "drop-after" : undefined));
  expect(await json(scenario, 3, ...trigger, "--yes")).toMatchObject({ outcome: { status: "unknown" } });
  expect(scenario.service.runs.length).toBe(2);
});

test("registers a webhook with an admin key only, and never prints its secret address", async () => {
  const url = "https://hooks.example.com/events/secret";
  const add = ["webhooks", "add", "--url", url, "--event", "post.failed", "--event", "post.published"];
  const scenario = await scenarioOf({}, { key_writes: "write" });
  expect(await json(scenario, 1, ...add)).toMatchObject({ outcome: { status: "failed", code: "forbidden" } });
  const admin = await scenarioOf({}, { key_administers: "admin" });
  const { code, stdout } = await admin.run(...add);
  expect([code, stdout]).toEqual([
    0,
    "Registered the address at hooks.example.com (wh_1) for post.failed, post.published.\n",
  ]);
  expect(admin.service.webhooks).toEqual([{ url, events: ["post.failed", "post.published"] }]);
  expect((await admin.run("webhooks", "add", "--url", "https://u:p@x.example/")).stderr).toContain(
    "usage/arguments",
  );
});

test("an apply triggers the automation once, and only if it changed something and everything succeeded", async () => {
  const scenario = await scenarioOf(AFTER);
  const apply = (exit: number) => json(scenario, exit, "apply", "--yes");
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
  const scenario = await scenarioOf(AFTER);
  const post = { content: "a", platforms: ["twitter"], scheduled_at: "2036-03-01T09:00:00Z", media_ids: [] };
  scenario.service.addForeignPost(post);
  const applied = await json(scenario, 0, "apply", "--yes");
  expect(applied).toMatchObject({ summary: { adopted: 1, created: 0 } });
  expect(applied).not.toHaveProperty("automation");
  expect(scenario.service.runs).toEqual([]);
});

test("an apply with failures shows how to trigger the automation by hand", async () => {
  const scenario = await scenarioOf(AFTER);
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
    const scenario = await scenarioOf(AFTER);
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
