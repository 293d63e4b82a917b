/** Automations and webhooks from the command line. */

import { expect, test } from "vitest";
import { type Scenario, csv, startScenario } from "../../support/scenario.ts";

const INPUT = "https://example.com/new";

async function scenarioOf(keys?: Record<string, "write" | "admin">): Promise<Scenario> {
  return startScenario({
    service: { automations: ["auto_1", "auto_2"], ...(keys && { keys }) },
    files: { "calendars/a.csv": csv(["id", "content"], ["a", "Hello"]) },
  });
}

test("lists automations, and triggers one only after confirmation", async () => {
  const scenario = await scenarioOf();
  expect(await scenario.json(0, "automations", "list")).toMatchObject({
    automations: [{ id: "auto_1", name: "The automation auto_1" }, { id: "auto_2" }],
  });
  const trigger = ["automations", "trigger", "auto_2", "--input", INPUT];
  expect((await scenario.run(...trigger)).stderr).toContain("run/needs-terminal");
  expect(scenario.service.runs).toEqual([]);
  expect(await scenario.json(0, ...trigger, "--yes")).toMatchObject({
    outcome: { automation_id: "auto_2", status: "done", run_id: "run_1", run_status: "queued" },
  });
  expect(scenario.service.runs).toEqual([{ automation: "auto_2", input: INPUT }]);
  const none = await scenario.run("automations", "trigger", "auto_3", "--input", INPUT, "--yes");
  expect([none.code, none.stdout]).toEqual([1, expect.stringContaining("(not_found)")]);
  scenario.service.faults.plan(({ method }) => (method === "POST" ? "drop-after" : undefined));
  expect(await scenario.json(3, ...trigger, "--yes")).toMatchObject({ outcome: { status: "unknown" } });
  expect(scenario.service.runs.length).toBe(2);
});

test("registers a webhook with an admin key only, and never prints its secret address", async () => {
  const url = "https://hooks.example.com/events/secret";
  const add = ["webhooks", "add", "--url", url, "--event", "post.failed", "--event", "post.published"];
  const scenario = await scenarioOf({ key_writes: "write" });
  expect(await scenario.json(1, ...add)).toMatchObject({ outcome: { status: "failed", code: "forbidden" } });
  const admin = await scenarioOf({ key_administers: "admin" });
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
