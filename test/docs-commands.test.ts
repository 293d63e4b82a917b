/**
 * Every command in the documentation. Those in `sh` and `console` blocks are run, each block in a project as
 * `plancast init` makes it, on the embedded service; so are the examples of --help, where it is enough that they are
 * understood, for they name posts and files of others. Those within prose are held against the commands' definitions. A
 * comment `<!-- parsed only: why -->` above a block keeps it from being run. Needs `npm run build`.
 */
import { expect, test } from "vitest";
import { listedCommands, listedGlobalFlags } from "../src/commands/listed-commands.ts";
import { codeBlocks, docPages, prose, type CodeBlock, type DocPage } from "./support/doc-pages.ts";
import { makeProject, type TestProject } from "./support/project.ts";
import { runCommand } from "./support/run-command.ts";
import { startProcess } from "./support/run-process.ts";

/** What a block may hold besides plancast: the reader's own tools, which are not what this test is about. */
const OTHER_TOOLS = ["npm", "git", "curl", "export", "cd", "mkdir", "node"];

/** Runs until it is told to end. */
const GOES_ON = /^plancast (?:serve|listen)\b|--(?:serve|watch)\b/;
/** What such a command says as soon as it is at work. */
const AT_WORK = /http:|^Plan:|^Nothing to do/m;

const PAGES = docPages();
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

/** Words as a shell would pass them on, where nothing but quotes is special. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? "");
}

/** What is wrong with a command by the definitions: its name, its flags. */
function faultOf(line: string): string | undefined {
  const [, name = "", ...rest] = wordsOf(line);
  const command = listedCommands().find((each) => each.name === name);
  if (command === undefined) return /^-|^[A-Z]|^$/.test(name) ? undefined : `no command ${name}`;
  const flags = [...command.options, ...listedGlobalFlags()].flatMap((flag) => [flag.name, ...flag.aliases]);
  const given = rest.flatMap((word) => /^--(?:no-)?([a-z-]+)/.exec(word)?.[1] ?? []);
  const unknown = given.find((flag) => !["help", "version", ...flags].includes(flag));
  return unknown === undefined ? undefined : `${name} has no --${unknown}`;
}

/** @param calendar what the sample calendar is to be called */
async function freshProject(calendar: "calendars/march.csv" | "calendars/march.xlsx"): Promise<TestProject> {
  const project = await makeProject({ config: false });
  const inThere = { cwd: project.root };
  expect(await runCommand(["init", "--timezone", "Europe/Paris"], inThere)).toMatchObject({ code: 0 });
  const sample = Object.keys(await project.tree()).find((path) => /^calendars\/.*\.csv$/.test(path)) ?? "";
  if (calendar.endsWith(".csv")) await project.write(calendar, await project.bytes(sample));
  else expect(await runCommand(["convert", sample, "--out", calendar], inThere)).toMatchObject({ code: 0 });
  await project.remove(sample);
  return project;
}

/** The project that the commands of a block are about: with a workbook, where they name one that none of them makes. */
async function projectOf(commands: readonly string[]): Promise<TestProject> {
  const text = commands.join("\n");
  const named = text.includes("calendars/march.xlsx") && !text.includes("--out calendars/march.xlsx");
  return freshProject(named ? "calendars/march.xlsx" : "calendars/march.csv");
}

async function ran(line: string, cwd: string): Promise<string> {
  const [, ...args] = wordsOf(line);
  if (!GOES_ON.test(line)) {
    const { code, stdout, stderr } = await runCommand(args, { cwd });
    const isWell = code === 0 || (code === 2 && line.includes("--detailed-exitcode"));
    return isWell ? "" : `${line}: ${code}\n${stdout}${stderr}`;
  }
  const running = startProcess(args, { cwd });
  await running.waitFor(AT_WORK);
  running.kill("SIGTERM");
  const { code } = await running.ended;
  return code === 0 || code === 130 ? "" : `${line}: ${code}`;
}

const withCommands = PAGES.filter((page) =>
  codeBlocks(page).some((block) => isShell(block) && !isParsedOnly(block) && commandsIn(block).some(isOurs)),
);

test.each(withCommands.map((page) => [page.path, page] as const))(
  "%s: what its blocks say can be done",
  { timeout: 180_000 },
  async (_path, page) => {
    for (const block of codeBlocks(page).filter((each) => isShell(each) && !isParsedOnly(each))) {
      const commands = commandsIn(block).filter(isOurs);
      // oxlint-disable-next-line no-await-in-loop
      const { root } = await projectOf(commands);
      for (const line of commands) {
        // oxlint-disable-next-line no-await-in-loop
        expect(await ran(line, root)).toBe("");
      }
    }
  },
);

test("commands that are run are most of them, and others are named here", () => {
  const blocks = PAGES.flatMap(codeBlocks).filter(isShell);
  const parsed = blocks.filter(isParsedOnly).flatMap(commandsIn).filter(isOurs);
  const run = blocks.filter((block) => !isParsedOnly(block)).flatMap(commandsIn);
  expect(run.filter(isOurs).length).toBeGreaterThan(7);
  expect(parsed.length).toBeLessThan(run.filter(isOurs).length);
  expect(run.filter((line) => !isOurs(line) && !OTHER_TOOLS.includes(wordsOf(line)[0] ?? ""))).toEqual([]);
});

test("the examples of --help are understood by the program", { timeout: 300_000 }, async () => {
  const { root } = await freshProject("calendars/march.csv");
  const examples = listedCommands().flatMap((each) => each.examples.map(({ command }) => command));
  expect(examples.length).toBeGreaterThan(20);
  for (const line of examples) {
    // oxlint-disable-next-line no-await-in-loop
    expect(await ran(line, root)).not.toMatch(/usage\/arguments|internal\/fault/);
  }
});

function commandsInProse(page: DocPage): string[] {
  return [...prose(page).matchAll(/`(plancast [^`\n]+)`/g)].map(([, line = ""]) => line);
}

test("commands in prose are such as there are", () => {
  const lines = PAGES.flatMap((page) => [
    ...commandsInProse(page),
    ...codeBlocks(page).filter(isShell).flatMap(commandsIn).filter(isOurs),
  ]);
  expect(lines.length).toBeGreaterThan(40);
  expect(lines.flatMap((line) => faultOf(line) ?? [])).toEqual([]);
  expect(faultOf("plancast paln")).toBe("no command paln");
  expect(faultOf("plancast plan --frobnicate")).toBe("plan has no --frobnicate");
});
