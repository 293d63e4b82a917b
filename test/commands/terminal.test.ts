/** What a person sees on a terminal, and what a log contains instead. */

import { expect, test } from "vitest";
import { textWidth } from "../../src/report/text/wrap.ts";
import { makeProject } from "../support/project.ts";
import { type CommandResult, runCommand, startCommand } from "../support/run-command.ts";
import { csv, startScenario } from "../support/scenario.ts";
import { TestClock } from "../support/test-clock.ts";

const HEADER = "id,scheduled_at,platforms,content\n";
const TEXTS = [
  "花見の季節が来ました。".repeat(6),
  "مرحبا بكم في متجرنا الجديد ".repeat(4),
  "👩🏽‍🌾🌱 launch ".repeat(9),
];
const CALENDAR =
  HEADER + TEXTS.map((text, index) => `p${index},2036-03-0${index + 1}T09:00Z,linkedin,${text}\n`).join("");
const CONFIG = { service: { url: "embedded" }, timezone: "UTC" };
// oxlint-disable-next-line no-control-regex -- colours are what is looked for
const COLOR = /\u001B\[\d+m/;

interface Given {
  /** Of the terminal; none for a log. */
  readonly columns?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a command in a new project with the calendar, at a terminal or for a log. */
async function run(args: readonly string[], { columns, env = {} }: Given = {}): Promise<CommandResult> {
  const { root } = await makeProject({ config: CONFIG, files: { "calendars/a.csv": CALENDAR } });
  const at = { cwd: root, env, clock: new TestClock() };
  return runCommand(args, columns === undefined ? at : { ...at, terminal: { columns } });
}

function widths(text: string): number[] {
  return text.split("\n").map((line) => textWidth(line));
}

test.each([40, 80, 200])("no line of a plan is wider than a terminal of %d columns", async (columns) => {
  const { stdout, stderr } = await run(["plan"], { columns, env: { NO_COLOR: "1" } });
  const lines = stdout.split("\n").filter((line) => !line.startsWith("Plan: "));
  expect(lines.filter((line) => textWidth(line) > columns)).toEqual([]);
  expect(Math.max(...widths(stdout))).toBeGreaterThan(Math.min(columns, 100) * 0.7);
  expect(stderr).toContain("→ Next: plancast apply");
});

test.each([
  ["60", 60],
  ["250", 250],
  ["wide", 100],
  ["0", 100],
])("with COLUMNS=%s and no terminal, a table is up to %d columns wide", async (columns, width) => {
  const { stdout } = await run(["calendar", "--month", "2036-03"], { env: { COLUMNS: columns } });
  const widest = Math.max(...widths(stdout));
  expect(widest).toBeLessThanOrEqual(width);
  expect(widest).toBeGreaterThan(width * 0.7);
});

test("COLUMNS overrides the width of the terminal, and text stays narrow enough to read", async () => {
  const { stdout } = await run(["plan"], { columns: 60, env: { COLUMNS: "300", NO_COLOR: "1" } });
  expect(Math.max(...widths(stdout))).toBeGreaterThan(100);
  expect(Math.max(...widths(stdout))).toBeLessThanOrEqual(120);
});

test.each<[Record<string, string>, string[], boolean]>([
  [{}, [], true],
  [{ NO_COLOR: "1" }, [], false],
  [{ NO_COLOR: "1", FORCE_COLOR: "1" }, [], false],
  [{ NO_COLOR: "1" }, ["--color"], true],
  [{ FORCE_COLOR: "0" }, [], false],
  [{ TERM: "dumb" }, [], false],
  [{ TERM: "dumb", FORCE_COLOR: "1" }, [], true],
  [{ CI: "true" }, [], true],
  [{}, ["--no-color"], false],
])("at a terminal with %j and flags %j, output is coloured: %s", async (env, flags, isColored) => {
  const { stdout } = await run(["plan", ...flags], { columns: 80, env });
  expect(stdout).toContain("3 to create");
  expect(COLOR.test(stdout)).toBe(isColored);
});

test.each([{}, { CI: "true" }])("a log with %j has no colours and no hints", async (env) => {
  const { stdout, stderr } = await run(["plan"], { env });
  expect(stdout).toContain("3 to create");
  expect(stdout + stderr).not.toMatch(COLOR);
  expect(stderr).toBe("");
});

test("a command suggests the next one, but not with JSON or in a log", async () => {
  const { project, env, clock } = await startScenario({ files: { "calendars/a.csv": CALENDAR } });
  const at = { cwd: project.root, env: { ...env, NO_COLOR: "1" }, clock };
  const hintOf = async (...args: readonly string[]): Promise<string | undefined> => {
    const { stderr } = await runCommand(args, { ...at, terminal: { columns: 100 } });
    return /→ Next: (.*)/.exec(stderr)?.[1];
  };
  await runCommand(["apply", "--yes"], at);
  expect(await hintOf("convert", "calendars/a.csv", "--out", "calendars/a.csv", "--force")).toBe(
    "plancast plan shows that no post has changed.",
  );
  expect(await hintOf("convert", "calendars/a.csv", "--out", "calendars/b.yaml")).toBeUndefined();
  expect(await hintOf("resolve")).toBe("plancast plan shows the remaining changes.");
  expect(await hintOf("posts", "list")).toBe("to see a whole post, run plancast posts show ID.");
  expect(await hintOf("posts", "list", "--format", "json")).toBeUndefined();
  expect(await hintOf("platforms", "list")).toMatch(/^use these names in the calendars/);
  expect((await runCommand(["posts", "list"], at)).stderr).toBe("");
});

test.each<[Record<string, string>, string[], boolean]>([
  [{}, [], true],
  [{}, ["--quiet"], false],
  [{ CI: "true" }, [], false],
  [{ TERM: "dumb" }, [], false],
])("apply at a terminal with %j and flags %j shows a hint: %s", async (env, flags, isLive) => {
  const scenario = await startScenario({ files: { "calendars/a.csv": CALENDAR } });
  const { stdout, stderr } = await runCommand(["apply", "--yes", ...flags], {
    cwd: scenario.project.root,
    env: { ...scenario.env, ...env },
    clock: scenario.clock,
    terminal: { columns: 60 },
  });
  expect(stdout).toContain("3 created");
  expect(stderr.includes("Next: keep plancast.lock.json")).toBe(isLive);
});

test("apply in a git repository says to commit the lockfile", async () => {
  const files = { "calendars/a.csv": CALENDAR, ".git/HEAD": "ref: refs/heads/main\n" };
  const { project, env, clock } = await startScenario({ files });
  const { stderr } = await runCommand(["apply", "--yes"], {
    cwd: project.root,
    env: { ...env, NO_COLOR: "1" },
    clock,
    terminal: { columns: 100 },
  });
  expect(stderr).toContain("Next: commit plancast.lock.json");
});

test("apply asks at a terminal, and changes nothing unless the answer is yes", async () => {
  const row = ["a", "2036-03-01 10:00", "twitter", "Hello"];
  const files = { "calendars/a.csv": csv(["id", "scheduled_at", "platforms", "content"], row) };
  const { project, service, env, clock } = await startScenario({ files });
  const questions: string[] = [];
  const apply = async (isYes: boolean): Promise<CommandResult> =>
    runCommand(["apply"], {
      cwd: project.root,
      env,
      clock,
      terminal: { answer: (question) => questions.push(question) > 0 && isYes },
    });
  expect((await apply(false)).stderr).toContain("Nothing was changed. Only y or yes starts it.");
  expect(service.posts.size).toBe(0);
  expect((await apply(true)).code).toBe(0);
  expect(service.posts.size).toBe(1);
  expect(questions).toEqual(Array(2).fill("Apply these changes? [y/N] "));
});

test("errors come first, and their number is at the end, where the screen shows it", async () => {
  const long = `w,2036-03-08T09:00Z,bluesky,${"word ".repeat(80)}\n`;
  const calendar = `${HEADER}e,soon,linkedin,Wrong\n${long}p,2036-03-09T09:00Z,linkedin,Right\n`;
  const { root } = await makeProject({ config: CONFIG, files: { "calendars/a.csv": calendar } });
  const at = { cwd: root, clock: new TestClock(), terminal: { columns: 80 }, env: { NO_COLOR: "1" } };
  for (const command of ["validate", "plan"]) {
    const running = startCommand([command], at);
    await running.ended;
    expect(running.screen()).toMatch(
      / error schedule[\s\S]* warning content[\s\S]*\n1 error, 1 warning in 1 file\n/,
    );
  }
});

test.each([60, 80, 140])("plan --short prints one line for each post in %d columns", async (columns) => {
  const { stdout } = await run(["plan", "--short"], { columns, env: { NO_COLOR: "1" } });
  const posts = stdout.split("\n").filter((line) => line.startsWith("  + "));
  expect(posts.map((line) => /^ {2}\+ \w+ \d {2}09:00 {2}LinkedIn {2}/.test(line))).toEqual([
    true,
    true,
    true,
  ]);
  expect(posts.filter((line) => textWidth(line) > columns)).toEqual([]);
  expect(Math.max(...widths(posts.join("\n")))).toBeGreaterThan(columns * 0.9);
});

test("plan --short is only for text", async () => {
  const { code, stderr } = await run(["plan", "--short", "--format", "markdown"]);
  expect([code, stderr]).toEqual([1, expect.stringContaining("usage/arguments")]);
});

test("status uses the whole width: id, row and text next to each other, and colours besides words", async () => {
  const { root } = await makeProject({ config: CONFIG, files: { "calendars/a.csv": CALENDAR } });
  const at = { cwd: root, clock: new TestClock() };
  await runCommand(["apply", "--yes"], at);
  const wide = await runCommand(["status"], { ...at, terminal: { columns: 180 } });
  const plain = wide.stdout.replaceAll(new RegExp(COLOR, "g"), "");
  expect(plain).toMatch(/^2036-03-01 09:00 +scheduled +LinkedIn +p0 +calendars\/a\.csv:2 +花見の/m);
  expect(Math.max(...widths(plain))).toBeGreaterThan(150);
  expect(wide.stdout).toContain("\u001b[36mscheduled\u001b[39m");
  const narrow = await runCommand(["status"], { ...at, terminal: { columns: 50 }, env: { NO_COLOR: "1" } });
  expect(narrow.stdout).toMatch(/^2036-03-01 09:00 · scheduled · LinkedIn · p0\n {4}花見の.*…$/m);
  expect(Math.max(...widths(narrow.stdout))).toBeLessThanOrEqual(50);
});
