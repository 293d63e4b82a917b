/** What a person sees at a terminal, and what a log gets instead. */
import { expect, onTestFinished, test } from "vitest";
import { textWidth } from "../../src/report/segments.ts";
import { startForeignService } from "../support/foreign-service.ts";
import { makeProject } from "../support/project.ts";
import { runCommand } from "../support/run-command.ts";
import { runInTerminal } from "../support/run-in-terminal.ts";

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

async function project(): Promise<string> {
  const { root } = await makeProject({ config: CONFIG, files: { "calendars/a.csv": CALENDAR } });
  return root;
}

test.each([40, 80, 200])("at %d columns no line is wider, and the next command is named", async (columns) => {
  const shown = await runInTerminal(["plan"], { cwd: await project(), columns, env: { NO_COLOR: "1" } });
  const lines = shown.split("\n").filter((line) => !line.startsWith("Plan: "));
  expect(lines.filter((line) => textWidth(line) > columns)).toEqual([]);
  expect(shown).toContain("→ Next: plancast apply");
  expect(shown).not.toMatch(COLOR);
});

test.each([
  ["60", 60],
  ["250", 250],
  ["wide", 100],
  ["0", 100],
])("COLUMNS=%s: without a terminal a table is up to %d columns wide", async (columns, width) => {
  const cwd = await project();
  const { stdout } = await runCommand(["calendar", "--month", "2036-03"], { cwd, env: { COLUMNS: columns } });
  const widest = Math.max(...stdout.split("\n").map((line) => textWidth(line)));
  expect(widest).toBeLessThanOrEqual(width);
  expect(widest).toBeGreaterThan(width * 0.7);
});

test("COLUMNS goes before what the terminal says; text that is read stays narrow enough to be read", async () => {
  const cwd = await project();
  const env = { COLUMNS: "300", NO_COLOR: "1" };
  const shown = await runInTerminal(["plan"], { cwd, columns: 60, env });
  const widths = shown.split("\n").map((line) => textWidth(line));
  expect(Math.max(...widths)).toBeGreaterThan(100);
  expect(Math.max(...widths)).toBeLessThanOrEqual(120);
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
])("%j %j: colours %s", async (env, flags, colored) => {
  const shown = await runInTerminal(["plan", ...flags], { cwd: await project(), columns: 80, env });
  expect(COLOR.test(shown)).toBe(colored);
});

test("each command that leaves something to do names the next one; a log and JSON have no hint", async () => {
  const service = await startForeignService();
  onTestFinished(() => service.close());
  const { root } = await makeProject({
    config: { ...CONFIG, service: { url: service.url } },
    files: { "calendars/a.csv": CALENDAR },
  });
  const env = { PLANCAST_API_KEY: service.key, NO_COLOR: "1" };
  const hintOf = async (...args: readonly string[]): Promise<string | undefined> => {
    const shown = await runInTerminal(args, { cwd: root, columns: 100, env });
    return /→ Next: (.*)/.exec(shown)?.[1];
  };
  await runCommand(["apply", "--yes"], { cwd: root, env });
  expect(await hintOf("convert", "calendars/a.csv", "--out", "calendars/a.csv", "--force")).toBe(
    "plancast plan shows that no post has changed.",
  );
  expect(await hintOf("convert", "calendars/a.csv", "--out", "calendars/b.yaml")).toBeUndefined();
  expect(await hintOf("resolve")).toBe("plancast plan shows what is still to be done.");
  expect(await hintOf("posts", "list")).toBe("plancast posts show ID shows one of them whole.");
  expect(await hintOf("posts", "list", "--format", "json")).toBeUndefined();
  expect(await hintOf("platforms", "list")).toMatch(/^name these platforms in the calendars/);
  const list = await runCommand(["posts", "list"], { cwd: root, env });
  expect(list.stderr).toBe("");
});

test.each([{}, { CI: "true" }])("%j: no colours where the output is no terminal", async (env) => {
  const { stdout, stderr } = await runCommand(["plan"], { cwd: await project(), env });
  expect(stdout).toContain("3 to create");
  expect(stdout + stderr).not.toMatch(COLOR);
});

const BAR = /[█░]{8,}/;

test.each<[Record<string, string>, string[], boolean]>([
  [{}, [], true],
  [{}, ["--quiet"], false],
  [{ CI: "true" }, [], false],
  [{ TERM: "dumb" }, [], false],
])("%j %j: a bar and a hint: %s", async (env, flags, isLive) => {
  const cwd = await project();
  const shown = await runInTerminal(["apply", "--yes", ...flags], { cwd, columns: 60, env });
  expect(shown).toContain("3 created");
  expect(BAR.test(shown)).toBe(isLive);
  expect(shown.includes("Next: commit")).toBe(isLive);
});

test("the bar tells how fast it goes and how long it takes, on one line", async () => {
  const limit = { perWindow: 6, windowMs: 4_000, resetUnit: "seconds" } as const;
  const service = await startForeignService({ limit });
  onTestFinished(() => service.close());
  const rows = Array.from(
    { length: 12 },
    (_, index) => `p${index},2036-03-${10 + index}T09:00Z,linkedin,Hi ${index}\n`,
  );
  const { root } = await makeProject({
    config: { ...CONFIG, service: { url: service.url } },
    files: { "calendars/a.csv": HEADER + rows.join("") },
  });
  const env = { PLANCAST_API_KEY: service.key, NO_COLOR: "1" };
  const shown = await runInTerminal(["apply", "--yes"], { cwd: root, columns: 90, env });
  expect(shown).toContain("12 created");
  expect(shown).toMatch(/\d+\/12 changes · about \d+ seconds left, \d+ requests a minute/);
  // oxlint-disable-next-line no-control-regex -- between two drawings stand the terminal's commands
  const drawn = shown.split(/\u001B\[[\d?;]*[A-Za-z]|\r|\n/).filter((line) => BAR.test(line));
  expect(drawn.length).toBeGreaterThan(2);
  expect(drawn.filter((line) => textWidth(line) > 89)).toEqual([]);
});
