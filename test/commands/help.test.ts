/** The help: the overview, and each command's own help with examples that the command understands. */

import { expect, test } from "vitest";
import { COMMANDS, COMMAND_GROUPS } from "../../src/commands/all-commands.ts";
import { commonFlags, documented } from "../../src/commands/usage.ts";
import { makeProject } from "../support/project.ts";
import { runCommand } from "../support/run-command.ts";

const USAGES = await Promise.all(
  COMMANDS.map(async (command) => [command.name, await documented(command)] as const),
);

test.each(USAGES)("%s --help shows its examples, and describes each flag", async (name, usage) => {
  const { root } = await makeProject({ config: false });
  const { code, stdout } = await runCommand([name, "--help"], { cwd: root });
  expect(code).toBe(0);
  expect(usage.examples.length).toBeGreaterThan(0);
  expect(usage.examples.length).toBeLessThan(4);
  for (const { command, meaning } of usage.examples) {
    expect(stdout).toContain(`  ${command}`);
    expect(stdout).toContain(meaning);
  }
  const silent = [...usage.options, ...usage.positionals].filter(({ describe }) => describe === "");
  expect(silent.map((flag) => flag.name)).toEqual([]);
});

test.each(USAGES)("the examples of %s name only flags and values that exist", (name, usage) => {
  const flags = [...usage.options, ...commonFlags()];
  for (const { command: line } of usage.examples) {
    const [program, command, ...words] = line.split(" ");
    expect([program, command]).toEqual(["plancast", name]);
    for (const word of words.filter((each) => each.startsWith("-"))) {
      expect(
        flags.flatMap((flag) => [`--${flag.name}`, ...flag.aliases.map((each) => `-${each}`)]),
      ).toContain(word.replace(/=.*/, ""));
    }
    const [first] = usage.positionals;
    if (first !== undefined && first.choices.length > 0) expect(first.choices).toContain(words[0]);
  }
});

async function helpOf(args: readonly string[], columns = 80) {
  const { root } = await makeProject({ config: false });
  return runCommand(args, { cwd: root, env: { COLUMNS: String(columns), NO_COLOR: "1" } });
}

test.each([[[]], [["help"]], [["--help"]], [["-h"]]])(
  "%j shows the overview and exits with 0",
  async (args) => {
    const { code, stdout, stderr } = await helpOf(args);
    expect([code, stderr]).toEqual([0, ""]);
    const titles = COMMAND_GROUPS.map(({ title }) => stdout.indexOf(`\n${title}\n`));
    expect(titles).toEqual([...titles].sort((one, other) => one - other));
    expect(titles).not.toContain(-1);
    for (const { name, describe } of COMMANDS)
      expect(stdout).toMatch(new RegExp(`^  ${name} +${escaped(describe)}$`, "m"));
  },
);

function escaped(text: string): string {
  return text.replaceAll(/[()/.]/g, String.raw`\$&`);
}

test.each([
  ["help plan", "plan"],
  ["plan --help", "plan"],
  ["--help plan", "plan"],
  ["plan -h --bogus", "plan"],
  ["help posts show", "posts"],
  ["posts --help", "posts"],
  ["help --config x.yaml apply", "apply"],
])("plancast %s shows the help of %s", async (line, name) => {
  const { code, stdout } = await helpOf(line.split(" "));
  expect(code).toBe(0);
  expect(stdout).toContain(`Usage: plancast ${name}`);
});

test("after --, help is a name", async () => {
  const { code, stdout } = await helpOf(["plan", "--", "--help"]);
  expect([code, stdout]).toEqual([1, ""]);
});

test.each([40, 80, 120])("no line of any help is wider than %d columns, except commands", async (columns) => {
  for (const topic of ["", ...COMMANDS.map(({ name }) => name)]) {
    const { stdout } = await helpOf(["help", topic].filter(Boolean), columns);
    const lines = stdout.split("\n").filter((line) => !/^(?: {2}|Usage: )plancast /.test(line));
    expect(lines.filter((line) => line.length > columns)).toEqual([]);
  }
});

test("the overview needs no wrapping in 80 columns, and every example fits", async () => {
  const { stdout } = await helpOf([]);
  expect(stdout).toBe((await helpOf([], 120)).stdout);
  const examples = USAGES.flatMap(([, usage]) => usage.examples.map(({ command }) => command));
  expect(examples.filter((line) => line.length > 78)).toEqual([]);
});
