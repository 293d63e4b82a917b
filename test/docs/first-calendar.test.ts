/**
 * Follows docs/write/first-calendar.md exactly: its files, commands and answers in order, and the output that it shows.
 */

import { copyFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { editWorkbook } from "../../scripts/pictures/workbook.js";
import { ANSWERS } from "../../scripts/pictures/first-answers.js";
import { codeBlocks, inRepository, linkTargets } from "../support/doc-pages.ts";
import { makeProject } from "../support/project.ts";
import { type CommandOptions, startCommand } from "../support/run-command.ts";
import { TestClock } from "../support/test-clock.ts";

const PATH = "docs/write/first-calendar.md";
const page = { path: PATH, text: await readFile(inRepository(PATH), "utf8") };

/** Commands of plancast in the page's blocks, in their order. */
const commands = codeBlocks(page)
  .filter(({ language }) => language === "sh")
  .flatMap(({ lines }) => lines.filter((line) => line.startsWith("plancast ")));

/** What the page shows as the output of its commands, in the same order. */
const outputs = codeBlocks(page)
  .filter(({ language }) => language === "text")
  .map(({ lines }) => lines.join("\n"));

/** Everything that a person sees at a terminal who types these answers, one for each question. */
async function atTerminal(line: string, answers: readonly string[], options: CommandOptions) {
  const left = [...answers];
  let seen = "";
  let length = 0;
  const look = (): void => {
    seen += command.screen().slice(length);
    length = command.screen().length;
  };
  const type = (prompt: string): string | undefined => {
    look();
    const typed = left.shift();
    seen += `${prompt}${typed ?? ""}\n`;
    return typed;
  };
  const terminal = { columns: 100, type, answer: () => true };
  const command = startCommand(line.split(" ").slice(1), { ...options, terminal });
  const { code } = await command.ended;
  look();
  return { code, left, screen: seen.replaceAll(/ +$/gm, "").trim() };
}

test(
  "the page's commands do what it says, from the download to a changed post",
  { timeout: 120_000 },
  async () => {
    const project = await makeProject({ config: false });
    const downloads = linkTargets(page).filter((target) => /xlsx$|calendars\/media/.test(target));
    expect(downloads).toHaveLength(5);
    for (const target of downloads) {
      const name = target.slice(target.lastIndexOf("/") + 1);
      await copyFile(inRepository(join("docs/write", target)), join(project.root, name));
    }
    const workbook = join(project.root, "spring-campaign.xlsx");
    const options = { cwd: project.root, clock: new TestClock(), env: { NO_COLOR: "1" } };
    const run = (line: string) => startCommand(line.split(" ").slice(1), options).ended;
    const [init = "", validate = "", plan = "", apply = "", ...others] = commands;
    expect(others).toEqual([]);
    const [questionsText, planText, appliedText, changeText, ...otherTexts] = outputs;
    expect(otherTexts).toEqual([]);

    const started = await atTerminal(init, ANSWERS, options);
    // The zone of this machine.
    expect(started.screen.replace(/(?<=this computer +)UTC/, "Europe/London")).toBe(questionsText);
    expect(started).toMatchObject({ code: 1, left: [] });

    editWorkbook(workbook, "seedswap.png", "seed-swap.png");
    expect(await run(validate)).toMatchObject({ code: 0 });

    expect((await run(plan)).stdout.trimEnd()).toBe(planText);
    const applied = await run(`${apply} --yes`);
    expect(applied).toMatchObject({ code: 0, stdout: expect.stringContaining(appliedText ?? "") });

    editWorkbook(workbook, "Two places left", "One place left");
    expect((await run(plan)).stdout.trimEnd()).toBe(changeText);
  },
);
