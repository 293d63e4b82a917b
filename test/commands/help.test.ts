/** --help: each command has examples, and they are ones that the command understands. */

import { expect, test } from "vitest";
import { COMMANDS } from "../../src/commands/all-commands.ts";
import { usageOf } from "../../src/commands/usage.ts";
import { makeProject } from "../support/project.ts";
import { runCommand } from "../support/run-command.ts";

const USAGES = await Promise.all(COMMANDS.map(async ({ name, use }) => [name, await use(usageOf)] as const));

test.each(USAGES)("%s --help shows its examples, and describes each flag", async (name, usage) => {
  const { root } = await makeProject({ config: false });
  const { code, stdout } = await runCommand([name, "--help"], { cwd: root });
  expect(code).toBe(0);
  expect(usage.examples.length).toBeGreaterThan(0);
  const shown = stdout.replaceAll(/\s+/g, " ");
  for (const [line, what] of usage.examples) {
    // A long one stands on two lines beside what it does.
    for (const word of line.replace("$0", "plancast").split(" ")) expect(shown).toContain(word);
    expect(shown).toContain(what.split(" ").slice(0, 3).join(" "));
  }
  const silent = [...usage.flags, ...usage.words].filter(({ describe }) => describe === "");
  expect(silent.map((flag) => flag.name)).toEqual([]);
});

test.each(USAGES)("the examples of %s name only flags and values that exist", (name, usage) => {
  for (const [line] of usage.examples) {
    const [dollar, command, ...words] = line.split(" ");
    expect([dollar, command]).toEqual(["$0", name]);
    for (const word of words.filter((each) => each.startsWith("-"))) {
      expect(
        usage.flags.flatMap((flag) => [`--${flag.name}`, ...flag.aliases.map((each) => `-${each}`)]),
      ).toContain(word.replace(/=.*/, ""));
    }
    const [first] = usage.words;
    if (first !== undefined && first.choices.length > 0) expect(first.choices).toContain(words[0]);
  }
});
