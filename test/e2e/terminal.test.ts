/** The built command at a pseudo terminal. Needs `npm run build`, and `script` of util-linux. */

import { readdir } from "node:fs/promises";
import { expect, test } from "vitest";
import { textWidth } from "../../src/report/text/wrap.ts";
import { makeProject } from "../support/project.ts";
import { runInTerminal } from "../support/run-in-terminal.ts";
import { csv } from "../support/scenario.ts";
import { tempFolder } from "../support/temp-folder.ts";

const ROWS = [1, 2, 3].map((day) => [
  `p${day}`,
  `2036-03-0${day}T09:00Z`,
  "linkedin",
  "A long text. ".repeat(9),
]);
const FILES = { "calendars/a.csv": csv(["id", "scheduled_at", "platforms", "content"], ...ROWS) };
// oxlint-disable-next-line no-control-regex -- colours are what is looked for
const COLOR = /\u001B\[\d+m/;
// oxlint-disable-next-line no-control-regex -- what steers a terminal has no width
const CONTROLS = /\u001B\[[\d?;]*[A-Za-z]/g;

async function project(): Promise<string> {
  const config = { service: { url: "embedded" }, timezone: "UTC" };
  const { root } = await makeProject({ config, files: FILES });
  return root;
}

function widest(shown: string): number {
  const lines = shown.replaceAll(CONTROLS, "").split("\n");
  return Math.max(...lines.map((line) => textWidth(line)));
}

test("a plan is coloured, and as wide as the terminal", async () => {
  const shown = await runInTerminal(["plan"], { cwd: await project(), columns: 50 });
  expect(shown).toMatch(COLOR);
  expect(shown).toContain("→ Next: plancast apply");
  expect(widest(shown.replace(/^.*Plan: .*$/m, ""))).toBeLessThanOrEqual(50);
});

test("apply asks, continues after confirmation and suggests the next step", async () => {
  const shown = await runInTerminal(["apply"], {
    cwd: await project(),
    columns: 60,
    answer: { to: "[y/N]", typed: "y" },
  });
  expect(shown).toContain("3 created");
  expect(shown).toContain("→ Next: keep plancast.lock.json");
});

test("apply changes nothing after another answer", async () => {
  const shown = await runInTerminal(["apply"], {
    cwd: await project(),
    columns: 60,
    answer: { to: "[y/N]", typed: "maybe" },
  });
  expect(shown).not.toContain("created");
});

test("Ctrl-C in a question interrupts the run, and init writes nothing", async () => {
  const cwd = await tempFolder({ "plan.csv": FILES["calendars/a.csv"] });
  const answer = { to: "Enter accepts this", typed: "\u0003" };
  const shown = await runInTerminal(["init", "plan.csv"], { cwd, columns: 60, answer });
  expect(shown).toContain("Interrupted.");
  expect(await readdir(cwd)).toEqual(["plan.csv"]);
});

test("with CI set, plancast never asks, even at a terminal", async () => {
  for (const CI of ["true", "1"]) {
    const shown = await runInTerminal(["apply"], { cwd: await project(), columns: 60, env: { CI } });
    expect(shown).not.toContain("[y/N]");
    expect(shown).toContain("ci/embedded");
    expect(shown).not.toContain("3 created");
  }
  const answer = { to: "[y/N]", typed: "y" };
  const shown = await runInTerminal(["apply"], {
    cwd: await project(),
    columns: 60,
    env: { CI: "false" },
    answer,
  });
  expect(shown).toContain("3 created");
});
