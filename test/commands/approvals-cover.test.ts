/** What an approval covers: rows that repeat, older answers, rejections, and edits after an approval. */
import { expect, test } from "vitest";
import { APPROVED, CHANGES, answersFor, clientPage, pageData } from "../support/client-answers.ts";
import { type TestProject, makeProject } from "../support/project.ts";
import { type CommandResult, runCommand } from "../support/run-command.ts";
import { csv } from "../support/scenario.ts";
import { TestClock } from "../support/test-clock.ts";

const FILE = "calendars/a.csv";
const HEADER = ["id", "date", "time", "repeat", "except", "pool", "platforms", "content", "status"];
const CONFIG = { service: { url: "embedded" }, timezone: "Europe/Paris", project: "Spring" };

const POOL = "Tip one\n---\nTip two\n---\nTip {n}";
const SERIES = [
  "tips",
  "2036-03-03",
  "09:00",
  "weekly until 2036-04-30",
  "2036-03-10",
  POOL,
  "linkedin",
  "",
  "draft",
];
const SINGLE = ["one", "2036-03-05", "09:00", "", "", "", "linkedin", "A single post", "draft"];

function projectWith(
  rows: readonly (readonly string[])[],
  config: Readonly<Record<string, unknown>> = {},
): Promise<TestProject> {
  return makeProject({ config: { ...CONFIG, ...config }, files: { [FILE]: csv(HEADER, ...rows) } });
}

async function approve(
  project: TestProject,
  file: object,
  ...args: readonly string[]
): Promise<CommandResult> {
  await project.write("answers.json", JSON.stringify(file));
  return runCommand(["approvals", "answers.json", ...args], { cwd: project.root });
}

const edited = (row: readonly string[], column: string, value: string): string[] =>
  row.map((cell, index) => (HEADER[index] === column ? value : cell));

test("a row that repeats is one post on the page: how often, until when, and every text", async () => {
  const project = await projectWith([SERIES]);
  const { posts } = await clientPage(project, "--only", "date=2036-03");
  expect(posts).toMatchObject([
    {
      day: "2036-03-03",
      content: "Tip one",
      repeats: {
        rule: "weekly until 2036-04-30",
        until: "2036-04-28",
        except: ["2036-03-10"],
        texts: ["Tip 3", "Tip two", "Tip 6", "Tip 9", "Tip {n}"],
      },
    },
  ]);
  expect(posts[0]?.repeats?.days).toEqual([
    "2036-03-03 09:00",
    "2036-03-17 09:00",
    "2036-03-24 09:00",
    "2036-03-31 09:00",
    "2036-04-07 09:00",
    "2036-04-14 09:00",
    "2036-04-21 09:00",
    "2036-04-28 09:00",
  ]);
  // A post of the row in April is a reason to show it, too.
  expect((await clientPage(project, "--only", "date=2036-04")).posts).toHaveLength(1);
});

test.each([
  ["repeat", "daily until 2036-04-30"],
  ["except", ""],
  ["pool", `${POOL}\n---\nTip unseen`],
  ["pool", "Tip two\n---\nTip one"],
])("an approval of a row that repeats is refused if its %s changed", async (column, value) => {
  for (const status of ["draft", "ready"]) {
    const project = await projectWith([edited(SERIES, "status", status)]);
    const file = answersFor(await clientPage(project), () => APPROVED);
    const changed = csv(HEADER, edited(edited(SERIES, "status", status), column, value));
    await project.write(FILE, changed);
    const { code, stdout } = await approve(project, file);
    expect([code, stdout]).toEqual([1, expect.stringContaining("(approvals/changed)")]);
    expect(await project.read(FILE)).toBe(changed);
  }
});

test("an approval of a row that repeats stays valid while its days pass", async () => {
  const project = await projectWith([SERIES]);
  const file = answersFor(await clientPage(project), () => APPROVED);
  await project.write("answers.json", JSON.stringify(file));
  const clock = new TestClock(() => false, Date.parse("2036-03-20T12:00:00Z"));
  const { code, stdout } = await runCommand(["approvals", "answers.json"], { cwd: project.root, clock });
  expect([code, stdout]).toEqual([0, expect.stringContaining('from "draft" to "ready"')]);
  const plan = await runCommand(["plan"], { cwd: project.root, clock });
  expect([plan.code, plan.stdout]).toEqual([0, expect.stringContaining("Tip one")]);
});

test("a row that is edited after its approval is an error, until the client or the team decides", async () => {
  const project = await projectWith([SERIES, SINGLE]);
  const file = answersFor(await clientPage(project), () => APPROVED);
  expect((await approve(project, file)).code).toBe(0);
  const approved = await project.read(FILE);
  const validate = (): Promise<CommandResult> =>
    runCommand(["validate", "--now", "2036-02-25 09:00"], { cwd: project.root });
  expect((await validate()).code).toBe(0);
  for (const [from, to] of [
    ["Tip two", "Tip unseen"],
    ["A single post", "An unseen post"],
    ["weekly", "daily"],
    ["2036-03-05", "2036-03-06"],
  ] as const) {
    await project.write(FILE, approved.replace(from, to));
    const { code, stdout } = await validate();
    expect([code, stdout]).toEqual([1, expect.stringContaining("row/not-approved")]);
  }
  // A new page and a newer approval.
  await runCommand(["preview", "--for-client"], { cwd: project.root });
  const page = pageData(await project.read("client.html"));
  const again = answersFor(page, () => APPROVED, "2026-02-22T09:00:00Z");
  expect((await approve(project, again)).code).toBe(0);
  expect((await validate()).code).toBe(0);
  // Or the team decides, as the message says.
  await project.write(FILE, (await project.read(FILE)).replace("A single post", "Another post"));
  expect((await validate()).code).toBe(1);
  const { answers, ...rest } = JSON.parse(await project.read("plancast.approvals.json"));
  expect(Object.keys(answers)).toEqual(["one", "tips"]);
  await project.write(
    "plancast.approvals.json",
    JSON.stringify({ ...rest, answers: { tips: answers.tips } }),
  );
  expect((await validate()).code).toBe(0);
});

test("a row without an id that is edited after the approval is not approved; new rows are", async () => {
  const header = ["scheduled_at", "platforms", "content", "status"];
  const row = ["2036-03-03 09:00", "linkedin", "Seen", "draft"];
  const project = await makeProject({ config: CONFIG, files: { [FILE]: csv(header, row) } });
  const answers = answersFor(await clientPage(project), () => APPROVED);
  expect((await approve(project, answers)).code).toBe(0);
  const approved = await project.read(FILE);
  const validate = async (text: string): Promise<[number | null, boolean]> => {
    await project.write(FILE, text);
    const { code, stdout } = await runCommand(["validate"], { cwd: project.root });
    return [code, stdout.includes("row/not-approved")];
  };
  expect(await validate(approved)).toEqual([0, false]);
  for (const [from, to] of [
    ["Seen", "Unseen"],
    ["09:00", "10:00"],
    ["linkedin", "bluesky"],
  ] as const)
    expect(await validate(approved.replace(from, to))).toEqual([1, true]);
  const others = [
    ["2036-03-03 09:00", "bluesky", "Not asked", "ready"],
    ["2036-03-04 09:00", "linkedin", "Not asked either", "ready"],
  ];
  expect(await validate(csv(header, row.with(3, "ready"), ...others))).toEqual([0, false]);
});

test("networks that get their own text after the approval are not approved", async () => {
  const project = await makeProject({
    config: CONFIG,
    files: {
      [FILE]: csv(
        ["id", "scheduled_at", "platforms", "content", "content:linkedin", "content:bluesky", "status"],
        ["a", "2036-03-03 09:00", "linkedin bluesky", "Seen", "", "", "draft"],
      ),
    },
  });
  expect(
    (
      await approve(
        project,
        answersFor(await clientPage(project), () => APPROVED),
      )
    ).code,
  ).toBe(0);
  const approved = await project.read(FILE);
  await project.write(FILE, approved.replace('"Seen","",""', '"Seen","Unseen","Not seen"'));
  const { code, stdout } = await runCommand(["validate"], { cwd: project.root });
  expect([code, stdout]).toEqual([1, expect.stringContaining("row/not-approved")]);
});

test("an older file never overrides a newer answer", async () => {
  const project = await projectWith([SINGLE]);
  const page = await clientPage(project);
  const older = answersFor(page, () => APPROVED, "2026-02-01T09:00:00Z");
  const newer = answersFor(page, () => CHANGES, "2026-02-02T09:00:00Z");
  expect((await approve(project, older)).code).toBe(0);
  expect(await project.read(FILE)).toContain('"ready"');
  expect((await approve(project, newer)).code).toBe(0);
  const rejected = await project.read(FILE);
  expect(rejected).toContain('"draft"');
  const { code, stdout } = await approve(project, older);
  expect([code, stdout.replaceAll(/\s+/g, " ")]).toEqual([
    1,
    expect.stringContaining(
      "your client answered later, on 2026-02-02 09:00 UTC: changes requested. (approvals/older)",
    ),
  ]);
  expect(await project.read(FILE)).toBe(rejected);
  // Setting the row to ready by hand is an error, too.
  await project.write(FILE, rejected.replace('"draft"', '"ready"'));
  expect((await runCommand(["plan"], { cwd: project.root })).stderr).toContain("row/not-approved");
});

test("a rejection that came before a newer approval does not say that the row is not approved", async () => {
  const project = await projectWith([SINGLE]);
  const page = await clientPage(project);
  await approve(
    project,
    answersFor(page, () => APPROVED, "2026-02-02T09:00:00Z"),
  );
  const { code, stdout } = await approve(
    project,
    answersFor(page, () => CHANGES, "2026-02-01T09:00:00Z"),
  );
  expect([code, stdout.includes("approvals/older"), stdout.includes("not-approved")]).toEqual([
    1,
    true,
    false,
  ]);
  expect((await runCommand(["validate"], { cwd: project.root })).code).toBe(0);
});

test.each(["2099-01-01T00:00:00Z", new Date(Date.now() + 2 * 86_400_000).toISOString().replace(/\.\d+/, "")])(
  "answers from a clock that is ahead are refused: no later answer would count (%s)",
  async (saved) => {
    const project = await projectWith([SINGLE]);
    const page = await clientPage(project);
    const before = await project.read(FILE);
    const { code, stderr } = await approve(
      project,
      answersFor(page, () => APPROVED, saved),
    );
    expect([code, stderr]).toEqual([1, expect.stringContaining("which is in the future")]);
    expect(await project.read(FILE)).toBe(before);
    expect(
      (
        await approve(
          project,
          answersFor(page, () => CHANGES),
        )
      ).code,
    ).toBe(0);
    expect(await project.read(FILE)).toContain('"draft"');
  },
);

const STAGES = { status_values: { "To do": "draft", "In progress": "draft", Approved: "ready" } };

test("a rejection takes its row out of the plan with the commonest of several words for draft", async () => {
  const rows = [
    edited(SINGLE, "status", "Approved"),
    ...["In progress", "To do", "In progress"].map((status, index) =>
      edited(edited(edited(SINGLE, "status", status), "id", `d${index}`), "time", `1${index}:00`),
    ),
  ];
  const project = await projectWith(rows, STAGES);
  const file = answersFor(await clientPage(project), () => CHANGES);
  const { code } = await approve(project, file);
  expect([code, await project.read(FILE)]).toEqual([
    0,
    csv(HEADER, ...rows.map((row, index) => (index === 0 ? edited(row, "status", "In progress") : row))),
  ]);
});

test("a rejection of an earlier version takes the row out of the plan, too", async () => {
  const project = await projectWith([edited(SINGLE, "status", "ready")]);
  const file = answersFor(await clientPage(project), () => CHANGES);
  await project.write(FILE, csv(HEADER, edited(edited(SINGLE, "status", "ready"), "content", "Edited")));
  expect((await approve(project, file)).code).toBe(0);
  expect(await project.read(FILE)).toContain('"Edited","draft"');
});

test("a rejected post that stays in the plan is named first, with exit code 1, and the next plan is an error", async () => {
  const project = await makeProject({
    config: { ...CONFIG, columns: { Publish: "status:ready" } },
    files: {
      [FILE]: csv(
        ["id", "scheduled_at", "platforms", "content", "Publish"],
        ["good", "2036-03-02 09:00", "linkedin", "Good", "yes"],
        ["bad", "2036-03-03 09:00", "linkedin", "Bad", "yes"],
      ),
    },
  });
  const file = answersFor(await clientPage(project), (text) => (text === "Bad" ? CHANGES : APPROVED));
  const { code, stdout } = await approve(project, file);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^1 rejected post is still in the plan\./);
  expect(stdout.indexOf("Bad")).toBeLessThan(stdout.indexOf("Good"));
  const json = JSON.parse((await approve(project, file, "--format", "json")).stdout);
  expect(json.summary.rejected_in_plan).toBe(1);
  const plan = await runCommand(["plan"], { cwd: project.root });
  expect([plan.code, plan.stderr]).toEqual([1, expect.stringContaining("row/not-approved")]);
});

test.each([
  "not JSON",
  "<<<<<<< ours",
  '{"version":1,"answers":{"a":{"answer":"ready"}}}',
  '{"version":2,"answers":{}}',
])("a record of approvals that cannot be read stops the plan: %s", async (text) => {
  const project = await projectWith([edited(SINGLE, "status", "ready")]);
  await project.write("plancast.approvals.json", text);
  const { code, stderr } = await runCommand(["plan"], { cwd: project.root });
  expect([code, stderr]).toEqual([1, expect.stringContaining("lockfile/invalid")]);
});
