/** If a fault leaves a command waiting for nothing, it must not end without a message. Needs `npm run build`. */
import { expect, test } from "vitest";
import { fileURLToPath } from "node:url";
import { csv, startScenario } from "../support/scenario.ts";
import { runProcess } from "../support/run-process.ts";

test("a command that would wait forever fails with a JSON document", async () => {
  const row = ["one", "2036-03-01 10:00", "twitter", "One"];
  const files = { "a.csv": csv(["id", "scheduled_at", "platforms", "content"], row) };
  const { service, project, env } = await startScenario({ files, config: { calendars: ["a.csv"] } });
  service.faults.at(1, { kind: "rate-limited", retryAfter: 1 });
  const noTimers = fileURLToPath(new URL("../support/no-timers.js", import.meta.url));
  const { code, stdout, stderr } = await runProcess(["plan", "--format", "json"], {
    cwd: project.root,
    env: { ...env, NODE_OPTIONS: `--import=${noTimers}` },
  });
  expect(code).toBe(1);
  expect(stderr).toContain("stopped before it finished");
  expect(JSON.parse(stdout)).toMatchObject({ problems: [{ code: "internal/fault" }] });
});
