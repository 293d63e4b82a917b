/** The built command as a process: exit codes, streams and signals. Needs `npm run build`. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { makeProject } from "../support/project.ts";
import { builtScript, runProcess, startProcess } from "../support/run-process.ts";
import { csv, startScenario } from "../support/scenario.ts";

const HEADER = ["id", "scheduled_at", "platforms", "content"];
const GOOD = { "calendars/a.csv": csv(HEADER, ["a", "2036-03-01 10:00", "twitter", "Hello"]) };
const BROKEN = { "calendars/a.csv": csv(HEADER, ["a", "soon", "twitter", "Hello"]) };

test.each([
  [0, "nothing is wrong", ["validate"], GOOD],
  [1, "a calendar has an error", ["validate"], BROKEN],
  [2, "there are changes, and --detailed-exitcode asks for that", ["plan", "--detailed-exitcode"], GOOD],
] as const)("exits with %d when %s", async (code, _when, args, files) => {
  const { root } = await makeProject({ config: { service: { url: "embedded" }, timezone: "UTC" }, files });
  expect(await runProcess(args, { cwd: root })).toMatchObject({ code });
});

const hasFullDevice = existsSync("/dev/full");

test.runIf(hasFullDevice).each([["plan"], ["apply", "--yes"], ["--version"], ["--help"]])(
  "if nothing can be written to stdout, `plancast %s %s` goes on, says so on stderr, and exits with 1",
  async (...args) => {
    const project = await makeProject({
      config: { service: { url: "embedded" }, timezone: "UTC" },
      files: GOOD,
    });
    const { root } = project;
    const script = join(root, "to-full.sh");
    await writeFile(script, `exec '${process.execPath}' '${builtScript()}' "$@" > /dev/full\n`);
    const ran = spawnSync("sh", [script, ...args.filter((each) => typeof each === "string")], {
      cwd: root,
      encoding: "utf8",
      env: { PATH: process.env["PATH"] },
    });
    expect([ran.status, ran.signal]).toEqual([1, null]);
    expect(ran.stderr).toContain("plancast could not write all of its output: ENOSPC");
    expect(ran.stderr).not.toContain("    at ");
    expect(Object.keys(await project.tree()).includes("plancast.lock.json")).toBe(args[0] === "apply");
  },
);

test("exits with 3 when the outcome of a post is unknown; only JSON is on stdout, the rest on stderr", async () => {
  const { project, service, env } = await startScenario({
    files: GOOD,
    config: { safety: { settle: "0s" } },
  });
  service.faults.plan(({ method }) => (method === "POST" ? "drop-before" : undefined));
  const { code, stdout, stderr } = await runProcess(["apply", "--yes", "--verbose", "--format", "json"], {
    cwd: project.root,
    env,
  });
  expect([code, JSON.parse(stdout)]).toMatchObject([3, { summary: { unknown: 1 } }]);
  expect(stderr).toMatch(/^POST /m);
});

test.each(["--version", "-v"])("%s prints the version of package.json", async (flag) => {
  const { root } = await makeProject({ config: false });
  expect(await runProcess([flag], { cwd: root })).toMatchObject({
    code: 0,
    stdout: `${manifest.version}\n`,
    stderr: "",
  });
});

test("--help lists the commands on stdout", async () => {
  const { root } = await makeProject({ config: false });
  const { code, stdout, stderr } = await runProcess(["--help"], { cwd: root });
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/^ +apply .*$/m);
});

test("a command that does not exist exits with 1, and suggests the nearest one on stderr", async () => {
  const { root } = await makeProject({ config: false });
  const { code, stdout, stderr } = await runProcess(["aply"], { cwd: root });
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toContain("Did you mean `apply`?");
});

test("a reader that closes the pipe early (plancast … | head) causes no error", async () => {
  const { root } = await makeProject({ config: false });
  const running = startProcess(["rules", "--format", "json"], { cwd: root });
  running.child.stdout.destroy();
  expect(await running.ended).toMatchObject({ code: 0, signal: null, stderr: "" });
});

test("SIGTERM stops serve at once, even if the program that started it keeps its stdin open", async () => {
  const { root } = await makeProject({ config: false });
  const running = startProcess(["serve", "--memory", "--port", "0"], { cwd: root, keepsInputOpen: true });
  await running.waitFor("\n");
  running.kill("SIGTERM");
  expect(await running.ended).toMatchObject({ code: 0, signal: null, stderr: "" });
});

test.each([
  ["SIGINT", ["plan", "--watch"], "Watching", 130],
  ["SIGTERM", ["serve", "--port", "0"], "\n", 0],
] as const)("%s stops %j cleanly", async (signal, args, isUp, code) => {
  const { root } = await makeProject({
    config: { service: { url: "embedded" }, timezone: "UTC" },
    files: GOOD,
  });
  const running = startProcess(args, { cwd: root });
  await running.waitFor(isUp);
  running.kill(signal);
  expect(await running.ended).toMatchObject({ code, signal: null });
});
