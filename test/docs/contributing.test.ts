/**
 * The example of CONTRIBUTING.md, followed exactly in a copy of the sources. Its files are created, its lines added,
 * and its own tests run here. The copy's `validate` must report what the new rule checks.
 */

import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { inRepository } from "../support/doc-pages.ts";

/** A block of code, and the file that the sentence before it names. */
interface Step {
  readonly file: string;
  /** `diff`: lines to add to the file. Otherwise, the file's contents. */
  readonly language: string;
  readonly text: string;
}

function stepsOf(page: string, heading: string): Step[] {
  const section = page.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? "";
  let file = "";
  return [...section.matchAll(/`((?:src|test)\/[^`]+\.ts)`:$|^```(ts|diff)\n([^]*?)^```$/gm)].flatMap(
    ([, named, language, text]): Step[] => {
      file = named ?? file;
      return language === undefined || text === undefined ? [] : [{ file, language, text }];
    },
  );
}

async function apply(folder: string, { file, language, text }: Step): Promise<void> {
  const path = join(folder, file);
  if (language !== "diff") {
    await mkdir(dirname(path), { recursive: true });
    return writeFile(path, text, { flag: "wx" });
  }
  const lines = text.trimEnd().split("\n");
  const before = lines.filter((line) => !line.startsWith("+")).map((line) => line.slice(1));
  const after = lines.map((line) => line.slice(1));
  const [start, end, ...others] = (await readFile(path, "utf8")).split(`${before.join("\n")}\n`);
  if (start === undefined || end === undefined || others.length > 0)
    throw new Error(`${file} does not hold these lines exactly once:\n${before.join("\n")}`);
  await writeFile(path, `${start}${after.join("\n")}\n${end}`);
}

const folder = await realpath(await mkdtemp(join(tmpdir(), "plancast-example-")));
afterAll(() => rm(folder, { recursive: true, force: true }));
for (const name of ["src", "test/support", "package.json"])
  await cp(inRepository(name), join(folder, name), { recursive: true });
await symlink(inRepository("node_modules"), join(folder, "node_modules"));
const steps = stepsOf(await readFile(inRepository("CONTRIBUTING.md"), "utf8"), "Add a rule");
for (const step of steps) await apply(folder, step);

const { runCommand }: typeof import("../support/run-command.ts") = await import(
  join(folder, "test/support/run-command.ts")
);
// The tests of the example become tests of this file.
for (const { file } of steps.filter((step) => step.file.endsWith(".test.ts")))
  await import(join(folder, file));

test("the example creates a rule and its test, and changes only the table of rules", () => {
  expect(steps.map(({ file, language }) => `${language} ${file}`)).toEqual([
    "ts src/checks/rules/capitals.ts",
    "diff src/checks/rules/all-rules.ts",
    "diff src/checks/rules/all-rules.ts",
    "ts test/checks/rules/capitals.test.ts",
  ]);
});

test("validate and rules know the rule of the example, and a project may set it", async () => {
  const project = join(folder, "project");
  await mkdir(join(project, "calendars"), { recursive: true });
  const calendar = "date,time,platforms,content\n2036-03-01,09:30,linkedin,DOORS OPEN AT NINE! BE THERE!\n";
  await writeFile(join(project, "calendars", "a.csv"), calendar);
  const outcome = async (rules: string) => {
    await writeFile(join(project, "plancast.yaml"), `timezone: Europe/Paris\n${rules}`);
    const { code, stdout } = await runCommand(["validate", "--format", "json"], { cwd: project });
    const { problems } = JSON.parse(stdout);
    return { code, problems: problems.map((each: { code: string; line: number }) => [each.code, each.line]) };
  };
  expect(await outcome("")).toEqual({ code: 0, problems: [["content/capitals", 2]] });
  const asError = await outcome("rules: { content/capitals: error }\n");
  expect(asError).toEqual({ code: 1, problems: [["content/capitals", 2]] });
  expect(await outcome("rules: { content/capitals: off }\n")).toEqual({ code: 0, problems: [] });
  const listed = await runCommand(["rules", "--format", "json"], { cwd: project });
  const { rules } = JSON.parse(listed.stdout);
  expect(rules).toContainEqual({
    code: "content/capitals",
    severity: "off",
    default: "warning",
    rule: "A text is not written only in capitals.",
  });
});
