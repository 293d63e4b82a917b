/** `--format sarif` and `--format junit`. */
import { expect, test } from "vitest";
import { makeProject } from "../support/project.ts";
import { runCommand } from "../support/run-command.ts";

const BAD = "id,scheduled_at,platforms,content,status\na,2036-03-01T08:00:00Z,linkedin,Hello,maybe\n";

test.each(["validate", "plan"])("%s prints problems as SARIF and JUnit, and exits with 1", async (name) => {
  const { root } = await makeProject({
    config: { service: { url: "embedded" }, timezone: "UTC" },
    files: { "calendars/a.csv": BAD },
  });
  const sarif = await runCommand([name, "--format", "sarif"], { cwd: root });
  expect(sarif.code).toBe(1);
  expect(JSON.parse(sarif.stdout)).toMatchObject({
    runs: [
      {
        results: [
          {
            ruleId: "columns/unknown",
            locations: [{ physicalLocation: { region: { startLine: 1 } } }],
          },
        ],
      },
    ],
  });
  const junit = await runCommand([name, "--format", "junit"], { cwd: root });
  expect([
    junit.code,
    junit.stdout.includes('<testsuite name="calendars/a.csv" tests="1" failures="1"'),
  ]).toEqual([1, true]);
});

test("paths are relative to the current folder", async () => {
  const { root } = await makeProject({
    config: false,
    files: { "social/plancast.yaml": "", "social/calendars/a.csv": BAD },
  });
  const { stdout } = await runCommand(["validate", "--config", "social/plancast.yaml", "--format", "sarif"], {
    cwd: root,
  });
  expect(stdout).toContain('"uri": "social/calendars/a.csv"');
});

test("a broken plancast.yaml is a problem in the requested format", async () => {
  const { root } = await makeProject({ config: "bogus: 1\n" });
  const sarif = await runCommand(["validate", "--format", "sarif"], { cwd: root });
  expect([sarif.code, JSON.parse(sarif.stdout)]).toMatchObject([
    1,
    { runs: [{ results: [{ ruleId: "project/unknown-key" }] }] },
  ]);
  const junit = await runCommand(["plan", "--format", "junit"], { cwd: root });
  expect(junit.stdout).toContain('<failure type="project/unknown-key"');
});
