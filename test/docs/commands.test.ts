/**
 * Every command in the documentation. Those in `sh` and `console` blocks are run, each block in a new project from
 * `plancast init`, on the embedded service. The examples of --help are only parsed, because they name posts and files
 * that do not exist here. Commands in prose are compared with the commands' definitions. A comment `<!-- parsed only:
 * why -->`
 * above a block prevents running it.
 */

import { cp } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listedCommands } from "../../src/build/reference-pages.ts";
import { globalFlags } from "../../src/commands/usage.ts";
import { type CodeBlock, type DocPage, codeBlocks, docPages, prose } from "../support/doc-pages.ts";
import { type TestProject, makeProject } from "../support/project.ts";
import { runCommand, startCommand } from "../support/run-command.ts";
import { TestClock } from "../support/test-clock.ts";

/** Other programs that a block may use. This test does not check them. */
const OTHER_TOOLS = ["npm", "git", "curl", "export", "cd", "mkdir", "node"];

/** Runs until it is stopped. */
const GOES_ON = /^plancast (?:serve|listen)\b|--(?:serve|watch)\b/;
/** Its output when it is ready. */
const AT_WORK = /http:|^Plan:|^Nothing to do/m;

const PAGES = docPages();
const COMMANDS = await listedCommands();
const isShell = ({ language }: CodeBlock): boolean => ["sh", "console"].includes(language);
const isParsedOnly = ({ mark }: CodeBlock): boolean => mark.startsWith("parsed only: ");

/** The commands of a block: without prompts, comments, and what a program answered. */
function commandsIn({ language, lines }: CodeBlock): string[] {
  const joined = lines
    .join("\n")
    .replaceAll(/\\\n\s*/g, "")
    .split("\n");
  const typed = language === "console" ? joined.filter((line) => line.startsWith("$ ")) : joined;
  return typed
    .map((line) =>
      line
        .replace(/^\$ /, "")
        .replace(/^npx plancast\b/, "plancast")
        .replace(/\s+#.*$/, "")
        .trim(),
    )
    .filter((line) => line !== "" && !line.startsWith("#"));
}

function isOurs(line: string): boolean {
  return /^plancast\b/.test(line);
}

/** Words as a shell would pass them. Only quotes are special. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? "");
}

/** What is wrong with a command by the definitions: its name, its flags, the words after them. */
function faultOf(line: string): string | undefined {
  const [, name = "", ...rest] = wordsOf(line);
  if (name === "help") return rest[0] === undefined ? undefined : faultOf(`plancast ${rest.join(" ")}`);
  const command = COMMANDS.find((each) => each.name === name);
  if (command === undefined) return /^-|^[A-Z]|^$/.test(name) ? undefined : `no command ${name}`;
  const flags = [...command.options, ...globalFlags()].flatMap((flag) => [flag.name, ...flag.aliases]);
  const given = rest.flatMap((word) => /^--(?:no-)?([a-z-]+)/.exec(word)?.[1] ?? []);
  const unknown = given.find((flag) => !["help", "version", ...flags].includes(flag));
  if (unknown !== undefined) return `${name} has no --${unknown}`;
  for (const { name: flag, choices } of command.options) {
    const at = rest.indexOf(`--${flag}`);
    const word = at < 0 ? "" : (rest[at + 1] ?? "");
    if (choices.length > 0 && /^[a-z]+$/.test(word) && !choices.includes(word))
      return `${name} has no --${flag} ${word}`;
  }
  return undefined;
}

type Calendar = "calendars/march.csv" | "calendars/march.xlsx";

/** Projects as `plancast init` makes them, with the sample calendar under another name; each block gets a copy. */
const templates = new Map<Calendar, TestProject>();
beforeAll(async () => {
  templates.set("calendars/march.csv", await initialised("calendars/march.csv"));
  templates.set("calendars/march.xlsx", await initialised("calendars/march.xlsx"));
});
afterAll(async () => void (await Promise.all([...templates.values()].map((project) => project.dispose()))));

async function initialised(calendar: Calendar): Promise<TestProject> {
  const project = await makeProject({ config: false });
  const inThere = { cwd: project.root };
  expect(await runCommand(["init", "--timezone", "Europe/Paris"], inThere)).toMatchObject({ code: 0 });
  const sample = Object.keys(await project.tree()).find((path) => /^calendars\/.*\.csv$/.test(path)) ?? "";
  if (calendar.endsWith(".csv")) await project.write(calendar, await project.bytes(sample));
  else expect(await runCommand(["convert", sample, "--out", calendar], inThere)).toMatchObject({ code: 0 });
  await project.remove(sample);
  return project;
}

async function freshProject(calendar: Calendar): Promise<TestProject> {
  const project = await makeProject({ config: false });
  await cp(templates.get(calendar)?.root ?? "", project.root, { recursive: true });
  return project;
}

/** The project for the commands of a block, with a workbook if they name one that none of them makes. */
async function projectOf(commands: readonly string[]): Promise<TestProject> {
  const text = commands.join("\n");
  const named = text.includes("calendars/march.xlsx") && !text.includes("--out calendars/march.xlsx");
  return freshProject(named ? "calendars/march.xlsx" : "calendars/march.csv");
}

/** Faults in how a command ended; empty if there are none. */
async function ran(line: string, cwd: string): Promise<string> {
  const [, ...args] = wordsOf(line);
  if (!GOES_ON.test(line)) {
    const { code, stdout, stderr } = await runCommand(args, { cwd, clock: new TestClock() });
    const isWell = code === 0 || (code === 2 && line.includes("--detailed-exitcode"));
    return isWell ? "" : `${line}: ${code}\n${stdout}${stderr}`;
  }
  const running = startCommand([...args, ...anyPort(line)], { cwd, clock: new TestClock() });
  await running.waitFor(AT_WORK);
  running.stop();
  const { code } = await running.ended;
  return code === 0 || code === 130 ? "" : `${line}: ${code}`;
}

/** The default port of a server may be in use on this machine. */
function anyPort(line: string): readonly string[] {
  return /^plancast (?:serve|listen)\b/.test(line) && !line.includes("--port") ? ["--port", "0"] : [];
}

const withCommands = PAGES.filter((page) =>
  codeBlocks(page).some((block) => isShell(block) && !isParsedOnly(block) && commandsIn(block).some(isOurs)),
);

test.each(withCommands.map((page) => [page.path, page] as const))(
  "%s: the commands in its blocks run",
  { timeout: 120_000 },
  async (_path, page) => {
    for (const block of codeBlocks(page).filter((each) => isShell(each) && !isParsedOnly(each))) {
      const commands = commandsIn(block).filter(isOurs);
      const { root } = await projectOf(commands);
      for (const line of commands) {
        expect(await ran(line, root)).toBe("");
      }
    }
  },
);

test("most commands in blocks are run; blocks use no other tools than those named here", () => {
  const blocks = PAGES.flatMap(codeBlocks).filter(isShell);
  const parsed = blocks.filter(isParsedOnly).flatMap(commandsIn).filter(isOurs);
  const run = blocks.filter((block) => !isParsedOnly(block)).flatMap(commandsIn);
  expect(run.filter(isOurs).length).toBeGreaterThan(7);
  expect(parsed.length).toBeLessThan(run.filter(isOurs).length);
  expect(run.filter((line) => !isOurs(line) && !OTHER_TOOLS.includes(wordsOf(line)[0] ?? ""))).toEqual([]);
});

test("every example of --help is valid", { timeout: 120_000 }, async () => {
  const { root } = await freshProject("calendars/march.csv");
  const examples = COMMANDS.flatMap((each) => each.examples.map(({ command }) => command));
  expect(examples.length).toBeGreaterThan(20);
  for (const line of examples) {
    expect(await ran(line, root)).not.toMatch(/usage\/arguments|internal\/fault/);
  }
});

function commandsInProse(page: DocPage): string[] {
  return [...prose(page).matchAll(/`(plancast [^`\n]+)`/g)].map(([, line = ""]) => line);
}

/** In the settings of jobs, after another word. */
function commandsInJobs({ language, lines }: CodeBlock): string[] {
  if (language !== "yaml" && language !== "crontab") return [];
  return lines
    .flatMap((line) => /\bplancast [a-z].*/.exec(line)?.[0].split(/ [|&>]/)[0] ?? [])
    .filter((line) => COMMANDS.some(({ name }) => name === wordsOf(line)[1]));
}

test("prose and jobs name only commands, flags and formats that exist", () => {
  const inJobs = PAGES.flatMap(codeBlocks).flatMap(commandsInJobs);
  expect(inJobs).toContain("plancast watch --quiet");
  expect(inJobs.flatMap((line) => faultOf(line) ?? [])).toEqual([]);
  const lines = PAGES.flatMap((page) => [
    ...commandsInProse(page),
    ...codeBlocks(page).filter(isShell).flatMap(commandsIn).filter(isOurs),
  ]);
  expect(lines.length).toBeGreaterThan(40);
  expect(lines.flatMap((line) => faultOf(line) ?? [])).toEqual([]);
  expect(faultOf("plancast paln")).toBe("no command paln");
  expect(faultOf("plancast plan --frobnicate")).toBe("plan has no --frobnicate");
  expect(faultOf("plancast status --format markdown")).toBe("status has no --format markdown");
});
