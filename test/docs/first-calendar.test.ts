/**
 * Follows docs/write/first-calendar.md exactly: its files, commands and outputs in order, and its lines of
 * plancast.yaml.
 */

import { copyFile, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { editWorkbook } from "../../scripts/pictures/workbook.js";
import { codeBlocks, inRepository, linkTargets } from "../support/doc-pages.ts";
import { makeProject } from "../support/project.ts";
import { runCommand } from "../support/run-command.ts";
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

test(
  "the page's commands do what it says, from the download to a changed post",
  { timeout: 120_000 },
  async () => {
    const project = await makeProject({ config: false });
    const run = (line: string) =>
      runCommand(line.split(" ").slice(1), { cwd: project.root, clock: new TestClock() });
    const [init = "", columns = "", write = "", validate = "", plan = "", apply = "", ...others] = commands;
    expect(others).toEqual([]);
    const [columnsText, faultText, planText, appliedText, changeText, ...otherTexts] = outputs;
    expect(otherTexts).toEqual([]);

    expect(await run(init)).toMatchObject({ code: 0 });
    await project.remove(Object.keys(await project.tree()).find((path) => path.endsWith(".csv")) ?? "");
    const downloads = linkTargets(page).filter((target) => /xlsx$|calendars\/media/.test(target));
    expect(downloads).toHaveLength(5);
    await mkdir(join(project.root, "calendars"), { recursive: true });
    for (const target of downloads) {
      const name = target.slice(target.lastIndexOf("/") + 1);
      await copyFile(inRepository(join("docs/write", target)), join(project.root, "calendars", name));
    }
    const workbook = join(project.root, "calendars/spring-campaign.xlsx");

    expect((await run(columns)).stdout.trimEnd()).toBe(columnsText);
    expect(await run(write)).toMatchObject({ code: 0 });
    const entry =
      codeBlocks(page)
        .find(({ language }) => language === "yaml")
        ?.lines.join("\n") ?? "";
    const config = await project.read("plancast.yaml");
    const added = /\n.*Owner: ignore/.exec(entry)?.[0] ?? "";
    expect(config).toContain(entry.replace(added, ""));
    await project.write("plancast.yaml", config.replace(entry.replace(added, ""), entry));

    const found = await run(validate);
    expect({ ...found, stdout: found.stdout.trimEnd() }).toMatchObject({ code: 1, stdout: faultText });
    editWorkbook(workbook, "seedswap.png", "seed-swap.png");
    expect(await run(validate)).toMatchObject({ code: 0, stderr: "" });

    expect((await run(plan)).stdout.trimEnd()).toBe(planText);
    const applied = await run(`${apply} --yes`);
    expect(applied).toMatchObject({ code: 0, stdout: expect.stringContaining(appliedText ?? "") });

    editWorkbook(workbook, "Two places left", "One place left");
    expect((await run(plan)).stdout.trimEnd()).toBe(changeText);
  },
);
