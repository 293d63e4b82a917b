/** `plancast validate` reports everything in one run, with the same counts as the plan. */
import { describe, expect, test } from "vitest";
import { csv } from "../support/scenario.ts";
import { makeProject } from "../support/project.ts";
import { runCommand } from "../support/run-command.ts";
import { xlsx } from "../support/workbook-files.ts";

const CONFIG = { service: { url: "embedded" }, timezone: "Europe/Paris" };

interface Document {
  readonly summary: { readonly posts: number; readonly draft: number };
  readonly problems: readonly { readonly code: string; readonly line?: number; readonly column?: number }[];
}

async function validated(files: Readonly<Record<string, string | Uint8Array>>): Promise<Document> {
  const { root } = await makeProject({ config: CONFIG, files });
  const { stdout } = await runCommand(["validate", "--format", "json"], { cwd: root });
  return JSON.parse(stdout);
}

async function codesOf(files: Readonly<Record<string, string | Uint8Array>>): Promise<string[]> {
  const { problems } = await validated(files);
  return problems.map(({ code }) => code);
}

describe("one run reports everything that is wrong with a row:", () => {
  const HEADER = ["date", "time", "platforms", "content", "media", "status"];

  test("its date, time, platform, picture and status", async () => {
    const calendar = csv(HEADER, ["soon", "late", "our page!", "Hello", "missing.png", "maybe"]);
    expect((await codesOf({ "calendars/a.csv": calendar })).toSorted()).toEqual([
      "columns/unknown-value",
      "media/missing",
      "platform/unknown",
      "schedule/format",
      "schedule/format",
    ]);
  });

  test("an unknown status hides no other fault, except faults that a draft may have", async () => {
    const faulty = csv(HEADER, ["2036-13-01", "09:00", "linkedin", "Hello", "missing.png", "maybe"]);
    expect((await codesOf({ "calendars/a.csv": faulty })).toSorted()).toEqual([
      "columns/unknown-value",
      "media/missing",
      "schedule/format",
    ]);
    const draft = csv(HEADER, ["2036-03-01", "", "", "", "", "maybe"]);
    expect(await codesOf({ "calendars/a.csv": draft })).toEqual(["columns/unknown-value"]);
  });

  test("a cell with a failed formula is reported once, and hides no other fault", async () => {
    const failed = { xml: '<c r="A2" t="e"><v>#N/A</v></c>' };
    const rows = [HEADER, [failed, "09:00", "our page!", "Hello", "missing.png", "maybe"]];
    const { problems } = await validated({ "calendars/a.xlsx": xlsx([{ name: "Plan", rows }]) });
    expect(problems.map(({ code, column }) => [code, column])).toEqual([
      ["columns/unknown-value", 6],
      ["sheet/formula", 1],
      ["platform/unknown", 3],
      ["media/missing", 5],
    ]);
  });
});

test("counts posts as plan does, even if a row is several posts", async () => {
  const { root } = await makeProject({
    config: CONFIG,
    files: {
      "calendars/a.csv": csv(
        ["date", "time", "platforms", "content", "content:twitter", "status"],
        ["2036-03-01", "09:00", "linkedin, twitter", "Hello", "Hi", ""],
        ["2036-03-02", "09:00", "linkedin", "Hello again", "", ""],
        ["2036-03-03", "09:00", "linkedin", "Later", "", "draft"],
      ),
    },
  });
  const validate = await runCommand(["validate"], { cwd: root });
  expect(validate.stdout).toContain("3 upcoming posts, 1 draft");
  const plan = await runCommand(["plan", "--format", "json"], { cwd: root });
  expect(JSON.parse(plan.stdout).summary).toMatchObject({ create: 3, draft: 1 });
});

test("a row with errors counts as one post", async () => {
  const calendar = csv(["date", "time", "platforms", "content"], ["soon", "09:00", "linkedin", "Hello"]);
  expect((await validated({ "calendars/a.csv": calendar })).summary).toMatchObject({ posts: 1, draft: 0 });
});

test("--only-valid counts the rows that it leaves out, and fails only for other errors", async () => {
  const calendar = csv(
    ["date", "time", "platforms", "content"],
    ["soon", "09:00", "linkedin", "Hello"],
    ["2036-03-02", "09:00", "linkedin", "Hello again"],
  );
  const project = await makeProject({ config: CONFIG, files: { "calendars/a.csv": calendar } });
  const validate = () => runCommand(["validate", "--only-valid"], { cwd: project.root });
  expect((await runCommand(["validate"], { cwd: project.root })).code).toBe(1);
  const { code, stdout } = await validate();
  expect([code, stdout.includes("1 upcoming post, 1 row with errors.")]).toEqual([0, true]);
  expect(stdout.replaceAll(/\s+/g, " ")).toContain("--only-valid left out 1 row with errors");
  await project.write(
    "calendars/a.csv",
    csv(["date", "time", "content", "content"], ["2036-03-02", "09:00", "One", "Two"]),
  );
  expect((await validate()).code).toBe(1);
});

test("files with the same settings have one error, and each of its columns has its own proposal", async () => {
  const head = "date,time,platforms,content";
  const row = "2036-03-01,09:00,linkedin,Hello";
  const files = {
    "calendars/a.csv": `${head},Foo\n${row},a\n`,
    "calendars/b.csv": `${head},Approved by\n${row},Kim\n`,
  };
  const { root } = await makeProject({ config: CONFIG, files });
  const { stdout } = await runCommand(["validate"], { cwd: root });
  expect(stdout).toContain("Approved by: status\n");
  expect(stdout).toContain("1 more file needs the same settings.");
  expect(stdout).not.toContain("Foo: status");
});

test("the one error of several files says which fields are missing", async () => {
  const file = "Päivä,Kello,Kanava,Sisältö\n2036-03-01,10:00,LinkedIn,Hei\n";
  const { root } = await makeProject({
    config: CONFIG,
    files: { "calendars/a.csv": file, "calendars/b.csv": file },
  });
  const { stdout } = await runCommand(["validate"], { cwd: root });
  expect(stdout.replaceAll(/\s+/g, " ")).toContain("One of them must be `content`");
});
