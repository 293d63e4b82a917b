/**
 * Every command in the documentation. Those in `sh` and `console` blocks are run, page by page, in a project as
 * `plancast init` makes it, on the embedded service; those within prose are held against the commands' definitions. A
 * comment `<!-- parsed only: why -->` above a block keeps it from being run. Needs `npm run build`.
 */
import { expect, test } from "vitest";
import { listedCommands, listedGlobalFlags } from "../src/commands/listed-commands.ts";
import { codeBlocks, docPages, prose, type CodeBlock, type DocPage } from "./support/doc-pages.ts";
import { makeProject, type TestProject } from "./support/project.ts";
import { runCli, startCli } from "./support/run-cli.ts";

/** What a block may hold besides plancast: the reader's own tools, which are not what this test is about. */
const OTHER_TOOLS = ["npm", "git", "curl", "export", "cd", "mkdir", "node"];

/** Runs until it is told to end. */
const SERVES = /^plancast serve\b/;

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

async function freshProject(): Promise<TestProject> {
  const project = await makeProject({ config: false });
  const { code, stderr } = await runCli(["init", "--timezone", "Europe/Paris"], { cwd: project.root });
  expect([code, stderr]).toMatchObject([0, expect.stringContaining("plancast.yaml")]);
  const sample = Object.keys(await project.tree()).find((path) => /^calendars\/.*\.csv$/.test(path)) ?? "";
  await project.write("calendars/march.csv", await project.bytes(sample));
  await project.remove(sample);
  const workbook = ["convert", "calendars/march.csv", "--out", "calendars/march.xlsx"];
  await runCli(workbook, { cwd: project.root });
  await project.write("march.xlsx", await project.bytes("calendars/march.xlsx"));
  await project.remove("calendars/march.xlsx");
  return project;
}

async function ran(line: string, cwd: string): Promise<string> {
  const [, ...args] = wordsOf(line);
  if (!SERVES.test(line)) {
    const { code, stdout, stderr } = await runCli(args, { cwd });
    return code === 0 ? "" : `${line}: ${code}\n${stdout}${stderr}`;
  }
  const running = startCli(args, { cwd });
  await running.waitFor('"url"');
  running.kill("SIGTERM");
  const { code } = await running.ended;
  return code === 0 ? "" : `${line}: ${code}`;
}

const withCommands = PAGES.filter((page) =>
  codeBlocks(page).some((block) => isShell(block) && !isParsedOnly(block) && commandsIn(block).some(isOurs)),
);

test.each(withCommands.map((page) => [page.path, page] as const))(
  "%s: what its blocks say can be done",
  { timeout: 180_000 },
  async (_path, page) => {
    const { root } = await freshProject();
    const blocks = codeBlocks(page).filter((block) => isShell(block) && !isParsedOnly(block));
    for (const line of blocks.flatMap(commandsIn).filter(isOurs)) {
      // oxlint-disable-next-line no-await-in-loop
      expect(await ran(line, root)).toBe("");
    }
  },
);

test("commands that are run are most of them, and others are named here", () => {
  const blocks = PAGES.flatMap(codeBlocks).filter(isShell);
  const parsed = blocks.filter(isParsedOnly).flatMap(commandsIn).filter(isOurs);
  const run = blocks.filter((block) => !isParsedOnly(block)).flatMap(commandsIn);
  expect(run.filter(isOurs).length).toBeGreaterThan(10);
  expect(parsed.length).toBeLessThanOrEqual(5);
  expect(run.filter((line) => !isOurs(line) && !OTHER_TOOLS.includes(wordsOf(line)[0] ?? ""))).toEqual([]);
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
