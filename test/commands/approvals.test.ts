/** `plancast approvals` writes a client's answers into calendars, and nothing else; it trusts nothing in the file. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { unzipSync } from "fflate";
import type { AnswersFile } from "../../src/preview/preview-data.ts";
import { APPROVED, CHANGES, answersTo, clientPage } from "../support/client-answers.ts";
import { type TestProject, makeProject } from "../support/project.ts";
import { type CommandOptions, type CommandResult, runCommand } from "../support/run-command.ts";
import { tinyPng } from "../support/tiny-media.ts";
import { xlsx } from "../support/workbook-files.ts";

const CONFIG = { service: { url: "embedded" }, timezone: "Europe/Paris", project: "Spring" };

const CALENDAR = [
  "id,scheduled_at,platforms,thread,content,media,status,expires",
  "one,2036-03-03 09:00,linkedin,Reply one,First post,media/a.png,draft,2036-03-09",
  'two,2036-03-04 09:00,"linkedin, bluesky",,"Second, post",,,',
  "three,2036-03-05 09:00,bluesky,,Third post,,ready,",
  "april,2036-04-05 09:00,bluesky,,April post,,draft,",
  "",
].join("\n");

async function projectWith(
  calendar: string | Uint8Array = CALENDAR,
  { name = "calendars/a.csv", config = {} }: { name?: string; config?: Record<string, unknown> } = {},
): Promise<TestProject> {
  return makeProject({
    config: { ...CONFIG, ...config },
    files: { [name]: calendar, "media/a.png": tinyPng(1), "media/b.png": tinyPng(2) },
  });
}

const MARCH = ["--only", "date=2036-03"] as const;

async function approve(
  project: TestProject,
  file: AnswersFile | string,
  args: readonly string[] = [],
  options: Partial<CommandOptions> = {},
): Promise<CommandResult> {
  await project.write("answers.json", typeof file === "string" ? file : JSON.stringify(file));
  return runCommand(["approvals", "answers.json", ...args], { cwd: project.root, ...options });
}

test("approved rows become ready, rows with requested changes become drafts, and nothing else changes", async () => {
  const project = await projectWith();
  const file = answersTo(await clientPage(project, ...MARCH), {
    First: { ...APPROVED, comment: "Love it" },
    Second: APPROVED,
    Third: { ...CHANGES, comment: "Another picture,\nplease" },
  });
  const { code, stdout, stderr } = await approve(project, file);
  expect([code, stderr]).toEqual([0, ""]);
  expect(await project.read("calendars/a.csv")).toBe(
    CALENDAR.replace("media/a.png,draft", "media/a.png,ready")
      .replace('"Second, post",,', '"Second, post",,ready')
      .replace("Third post,,ready", "Third post,,draft"),
  );
  expect(stdout).toContain("calendars/a.csv:2 one · Mon 3 March 2036 09:00 · LinkedIn");
  expect(stdout).toContain('Approved: the status changed from "draft" to "ready".');
  expect(stdout).toContain("Comment: Love it");
  expect(stdout).toContain('Changes requested: the status changed from "ready" to "draft".');
  expect(stdout).toMatch(/Comment: Another picture,\n +please/);
  expect(stdout).toContain("3 posts on the page: 2 approved, 1 with requested changes.");
  // A second run has nothing to do.
  const again = await approve(project, file);
  expect([again.code, again.stdout.match(/the status is already/g)?.length]).toEqual([0, 3]);
});

test("prints the same answers as JSON, with the number of unanswered posts", async () => {
  const project = await projectWith();
  const file = answersTo(await clientPage(project, ...MARCH), {
    First: APPROVED,
    Third: { comment: "Why?" },
  });
  const { code, stdout } = await approve(project, file, ["--format", "json", "--dry-run"]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    version: 1,
    dry_run: true,
    page: { project: "Spring", from: "2036-03-01", to: "2036-03-31" },
    summary: {
      approved: 1,
      changes: 0,
      unanswered: 2,
      comments: 1,
      rows: 1,
      refused: 0,
      ready_unapproved: 2,
    },
    answers: [
      { source: { file: "calendars/a.csv", line: 2 }, id: "one", answer: "approved", result: "written" },
      { id: "two", result: "unanswered", ready_unapproved: true },
      { id: "three", comment: "Why?", result: "unanswered", ready_unapproved: true },
    ],
  });
  expect(await project.read("calendars/a.csv")).toBe(CALENDAR);
});

test.each([
  [
    "text, thread, first comment or alt text",
    { "calendars/a.csv": CALENDAR.replace("First post", "First post!") },
  ],
  [
    "text, thread, first comment or alt text",
    { "calendars/a.csv": CALENDAR.replace("Reply one", "Reply two") },
  ],
  ["networks", { "calendars/a.csv": CALENDAR.replace("linkedin,Reply", "bluesky,Reply") }],
  ["time", { "calendars/a.csv": CALENDAR.replace("2036-03-03 09:00", "2036-03-03 09:01") }],
  ["time", { "calendars/a.csv": CALENDAR.replace("2036-03-09", "2036-03-08") }],
  ["pictures or videos", { "media/a.png": tinyPng(3) }],
  ["pictures or videos", { "calendars/a.csv": CALENDAR.replace("media/a.png", "media/b.png") }],
])("an approval is refused if the %s of the post changed", async (part, files) => {
  const project = await projectWith();
  const file = answersTo(await clientPage(project, ...MARCH), { First: APPROVED, Second: APPROVED });
  for (const [path, contents] of Object.entries(files)) await project.write(path, contents);
  const before = await project.read("calendars/a.csv");
  const { code, stdout } = await approve(project, file);
  expect(code).toBe(1);
  expect(stdout.replaceAll(/\s+/g, " ")).toContain(
    `Approved, but not written: the ${part} of the post changed after the page was made. Make a new page. (approvals/changed)`,
  );
  // The other answer counts.
  expect(await project.read("calendars/a.csv")).toBe(
    before.replace('"Second, post",,', '"Second, post",,ready'),
  );
});

test("refuses answers to posts that are gone, past or skipped, and shows their comments", async () => {
  const project = await projectWith();
  const file = answersTo(await clientPage(project, ...MARCH), {
    First: { ...APPROVED, comment: "Nice" },
    Second: APPROVED,
    Third: APPROVED,
  });
  const changed = CALENDAR.replace(/^one.*\n/m, "").replace('"Second, post",,', '"Second, post",,skip');
  await project.write("calendars/a.csv", changed);
  const clock = { now: () => Date.parse("2036-03-05T12:00:00Z"), sleep: async () => undefined };
  const { code, stdout } = await approve(project, file, ["--format", "json"], { clock });
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    answers: [
      { id: "two", code: "approvals/skipped" },
      { id: "three", code: "approvals/past" },
      { shown: "First", comment: "Nice", code: "approvals/unknown-post" },
    ],
  });
  expect(await project.read("calendars/a.csv")).toBe(changed);
});

test.each([
  [
    "CRLF, a byte order mark and quotes",
    `\u{feff}"id","scheduled_at","platforms","content","status"\r\n"a","2036-03-03 09:00","linkedin","One; ""two""","draft"\r\n`,
    '"ready"',
  ],
  [
    "semicolons and no line end",
    "id;scheduled_at;platforms;content;status\na;2036-03-03 09:00;linkedin;One;draft",
    "ready",
  ],
  [
    "tabs",
    "id\tscheduled_at\tplatforms\tcontent\tstatus\tNote\na\t2036-03-03 09:00\tlinkedin\tOne\tdraft\tx\n",
    "ready",
  ],
])("a calendar with %s keeps every other byte", async (_what, text, written) => {
  const project = await projectWith(text, { config: { columns: { Note: "ignore" } } });
  const { code } = await approve(project, answersTo(await clientPage(project), { One: APPROVED }));
  expect(code).toBe(0);
  expect(await project.read("calendars/a.csv")).toBe(text.replace(/"?draft"?/, written));
});

test("a YAML calendar keeps its comments and its form", async () => {
  const text = [
    "# Spring",
    "posts:",
    "  - id: one # first",
    "    scheduled_at: 2036-03-03 09:00",
    "    platforms: [linkedin]",
    "    content: First",
    "    status: draft # waits for Ana",
    "  - { id: two, scheduled_at: 2036-03-04 09:00, platforms: linkedin, content: Second }",
    "",
  ].join("\n");
  const project = await projectWith(text, { name: "calendars/a.yaml" });
  const file = answersTo(await clientPage(project), { First: APPROVED, Second: CHANGES });
  const { code, stdout } = await approve(project, file);
  expect([code, stdout]).toEqual([0, expect.any(String)]);
  expect(await project.read("calendars/a.yaml")).toBe(
    text
      .replace("status: draft #", "status: ready #")
      .replace("content: Second }", "content: Second, status: draft }"),
  );
});

function cellsIn(sheet: Uint8Array | undefined): readonly string[] {
  return (
    Buffer.from(sheet ?? [])
      .toString("utf8")
      .match(/<c\b.*?<\/c>/g) ?? []
  );
}

test("a YAML calendar keeps its own key for the status", async () => {
  const text = [
    "- { id: one, scheduled_at: 2036-03-03 09:00, platforms: linkedin, content: First, Stage: Review }",
    "- { id: two, scheduled_at: 2036-03-04 09:00, platforms: linkedin, content: Second, Stage: Approved }",
    "",
  ].join("\n");
  const config = {
    columns: { Stage: "status" },
    status_values: { Review: "draft", "": "ready" },
  };
  const project = await projectWith(text, { name: "calendars/a.yaml", config });
  const file = answersTo(await clientPage(project), { First: APPROVED, Second: CHANGES });
  const { code, stdout } = await approve(project, file);
  expect([code, stdout]).toEqual([0, expect.any(String)]);
  expect(await project.read("calendars/a.yaml")).toBe(
    text
      .replace("First, Stage: Review", "First, Stage: Approved")
      .replace("Second, Stage: Approved", "Second, Stage: Review"),
  );
});

test("a workbook changes only in the status cells of its sheet", async () => {
  const rows = [
    ["id", "scheduled_at", "platforms", "content", "status"],
    ["one", "2036-03-03 09:00", "linkedin", "First", "Draft"],
    ["two", "2036-03-04 09:00", "linkedin", "Second", "Approved"],
  ];
  const project = await projectWith(xlsx([{ name: "Plan", rows }]), { name: "calendars/a.xlsx" });
  const before = unzipSync(await project.bytes("calendars/a.xlsx"));
  const file = answersTo(await clientPage(project), { First: APPROVED, Second: CHANGES });
  const { code, stdout } = await approve(project, file);
  expect([code, stdout]).toEqual([0, expect.stringContaining('from "Draft" to "Approved"')]);
  const after = unzipSync(await project.bytes("calendars/a.xlsx"));
  const SHEET = "xl/worksheets/sheet1.xml";
  expect({ ...after, [SHEET]: "" }).toEqual({ ...before, [SHEET]: "" });
  const [old, now] = [cellsIn(before[SHEET]), cellsIn(after[SHEET])];
  const different = now.filter((cell, index) => cell !== old[index]);
  expect(different.map((cell) => cell.replaceAll(/<[^>]*>/g, ""))).toEqual(["Approved", "Draft"]);
});

test("in a workbook, a row with a text for one network is ready when all of its posts are approved", async () => {
  const rows = [
    ["id", "scheduled_at", "platforms", "content", "content:twitter", "status"],
    ["a", "2036-03-03 09:00", "linkedin, twitter", "Hello", "Short", "draft"],
  ];
  const project = await projectWith(xlsx([{ name: "Plan", rows }]), { name: "calendars/a.xlsx" });
  const page = await clientPage(project, ...MARCH);
  const one = await approve(project, answersTo(page, { Hello: APPROVED }), ["--dry-run"]);
  expect(one.stdout).not.toContain('to "ready"');
  const both = await approve(project, answersTo(page, { Hello: APPROVED, Short: APPROVED }));
  expect([both.code, both.stderr]).toEqual([0, ""]);
  expect((await runCommand(["validate"], { cwd: project.root })).stdout).toContain("2 upcoming posts");
});

test("writes the words that the calendar uses, and never chooses between several", async () => {
  const calendar = [
    "id,scheduled_at,platforms,content,status",
    "a,2036-03-03 09:00,linkedin,One,To do",
    "b,2036-03-04 09:00,linkedin,Two,Approved",
    "c,2036-03-05 09:00,linkedin,Three,Final",
    "",
  ].join("\n");
  const words = { status_values: { "To do": "draft", Approved: "ready", Final: "ready" } };
  const project = await projectWith(calendar, { config: words });
  const file = answersTo(await clientPage(project), { One: APPROVED, Two: CHANGES, Three: APPROVED });
  const { code, stdout } = await approve(project, file);
  expect(code).toBe(1);
  expect(stdout.replaceAll(/\s+/g, " ")).toContain(
    'several words of this calendar mean ready: "Approved" (1 row), "Final" (1 row). Choose one with --ready WORD. (approvals/status)',
  );
  const once = calendar.replace("Two,Approved", "Two,To do");
  expect(await project.read("calendars/a.csv")).toBe(once);
  // A word with another meaning is no choice.
  const wrong = await approve(project, file, ["--ready", "To do"]);
  expect([wrong.code, wrong.stdout]).toEqual([1, expect.stringContaining("does not mean ready")]);
  expect((await approve(project, file, ["--ready", "Approved"])).code).toBe(0);
  expect(await project.read("calendars/a.csv")).toBe(once.replace("One,To do", "One,Approved"));
});

test.each([
  { blank: "draft", answer: APPROVED, written: "OK" },
  { blank: "ready", answer: CHANGES, written: "Rework" },
])(
  "the project's words have priority over plancast's own words: $written",
  async ({ blank, answer, written }) => {
    const calendar =
      "id,scheduled_at,platforms,content,Stage\na,2036-03-03 09:00,linkedin,One,\nb,2036-03-04 09:00,linkedin,Two,\n";
    const project = await projectWith(calendar, {
      config: { columns: { Stage: "status" }, status_values: { "": blank, OK: "ready", Rework: "draft" } },
    });
    const file = answersTo(await clientPage(project), { One: answer });
    expect((await approve(project, file)).code).toBe(0);
    expect(await project.read("calendars/a.csv")).toBe(calendar.replace("One,", `One,${written}`));
  },
);

test("a calendar gets a status column only after a yes", async () => {
  const calendar =
    "id,scheduled_at,platforms,content\na,2036-03-03 09:00,linkedin,One\nb,2036-03-04 09:00,linkedin,Two\n";
  const project = await projectWith(calendar);
  const file = answersTo(await clientPage(project), { One: APPROVED });
  const asked: string[] = [];
  const answer = (isYes: boolean) => (question: string) => {
    asked.push(question);
    return isYes;
  };
  expect((await approve(project, file)).stderr).toContain("run/needs-terminal");
  const no = await approve(project, file, [], { terminal: { answer: answer(false) } });
  expect([no.code, await project.read("calendars/a.csv")]).toEqual([1, calendar]);
  expect(asked).toEqual([
    "calendars/a.csv has no status column. Add one and write the answers there? [y/N] ",
  ]);
  expect((await approve(project, file, [], { terminal: { answer: answer(true) } })).code).toBe(0);
  expect(await project.read("calendars/a.csv")).toBe(
    calendar.replace("content\n", "content,status\n").replace("One\n", "One,ready\n"),
  );
  expect((await approve(project, file, ["--yes"])).code).toBe(0);
});

test("a YAML calendar gets its first status only after a yes, and a further one without a question", async () => {
  const posts = "- id: a\n  scheduled_at: 2036-03-03 09:00\n  platforms: linkedin\n  content: One\n";
  const name = "calendars/a.yaml";
  const project = await projectWith(posts, { name });
  const file = answersTo(await clientPage(project), { One: APPROVED });
  expect((await approve(project, file)).stderr).toContain("run/needs-terminal");
  const asked: string[] = [];
  const answer = (question: string): boolean => asked.push(question) > 1;
  const no = await approve(project, file, [], { terminal: { answer } });
  expect([no.code, await project.read(name)]).toEqual([1, posts]);
  expect(asked).toEqual(["calendars/a.yaml has no status. Add one and write the answers there? [y/N] "]);
  expect((await approve(project, file, [], { terminal: { answer } })).code).toBe(0);
  expect(await project.read(name)).toContain("status: ready");
  await project.write(name, `${posts}- { id: b, scheduled_at: 2036-04-03, status: draft }\n`);
  expect((await approve(project, file)).code).toBe(0);
  expect(await project.read(name)).toContain("status: ready");
});

test("never overwrites a calendar that somebody saved meanwhile", async () => {
  const calendar = "id,scheduled_at,platforms,content\na,2036-03-03 09:00,linkedin,One\n";
  const project = await projectWith(calendar);
  const file = answersTo(await clientPage(project), { One: APPROVED });
  const saved = calendar.replace("One", "Two");
  const { code, stdout } = await approve(project, file, [], {
    terminal: {
      answer: () => {
        writeFileSync(join(project.root, "calendars/a.csv"), saved);
        return true;
      },
    },
  });
  expect([code, stdout]).toEqual([1, expect.stringContaining("(write/file-changed)")]);
  expect(await project.read("calendars/a.csv")).toBe(saved);
  // Nothing is left behind.
  expect(Object.keys(await project.tree()).filter((path) => path.endsWith(".part"))).toEqual([]);
});

test("does not write into a yes-or-no column", async () => {
  const calendar = "id,scheduled_at,platforms,content,Publish\na,2036-03-03 09:00,linkedin,One,no\n";
  const project = await projectWith(calendar, { config: { columns: { Publish: "status:ready" } } });
  const { code, stdout } = await approve(project, answersTo(await clientPage(project), { One: APPROVED }));
  expect([code, stdout]).toEqual([1, expect.stringContaining("(approvals/status)")]);
  expect(await project.read("calendars/a.csv")).toBe(calendar);
});

test("does not write into a yes-or-no key of YAML, which the post may lack", async () => {
  const posts =
    "- { date: 2036-03-03 09:00, platforms: [linkedin], content: One, approved: yes }\n" +
    "- { date: 2036-03-04 09:00, platforms: [linkedin], content: Two }\n";
  const project = await projectWith("id,scheduled_at,platforms,content,status\n");
  await project.write("calendars/b.yaml", posts);
  const { code, stdout } = await approve(project, answersTo(await clientPage(project), { Two: APPROVED }));
  expect([code, stdout]).toEqual([1, expect.stringContaining('"approved" sets the status with yes or no')]);
  expect(await project.read("calendars/b.yaml")).toBe(posts);
});

test("a row for several networks is ready only when all its posts are approved", async () => {
  const calendar =
    'id,scheduled_at,platforms,content,content:bluesky,status\na,2036-03-03 09:00,"linkedin, bluesky",Long,Short,draft\n';
  const project = await projectWith(calendar);
  const data = await clientPage(project);
  const one = await approve(project, answersTo(data, { Long: APPROVED }));
  expect([one.code, one.stdout]).toEqual([0, expect.stringContaining("other posts that are not approved")]);
  expect(await project.read("calendars/a.csv")).toBe(calendar);
  expect((await approve(project, answersTo(data, { Long: APPROVED, Short: CHANGES }))).code).toBe(0);
  expect(await project.read("calendars/a.csv")).toBe(calendar);
  expect((await approve(project, answersTo(data, { Long: APPROVED, Short: APPROVED }))).code).toBe(0);
  expect(await project.read("calendars/a.csv")).toBe(calendar.replace("draft", "ready"));
});

test("refuses a file that is not from this project's page, with a code for each reason", async () => {
  const project = await projectWith();
  const good = answersTo(await clientPage(project, ...MARCH), { First: APPROVED });
  const [answer] = good.answers;
  const without = { ...good, page: { ...good.page, project: undefined } };
  const foreign = { ...answer, post: "A".repeat(16) };
  const cases: [string, AnswersFile | string][] = [
    ["approvals/file", "not JSON"],
    ["approvals/file", "[]"],
    ["approvals/file", "null"],
    ["approvals/file", "[".repeat(100_000)],
    ["approvals/file", JSON.stringify({ ...good, extra: 1 })],
    ["approvals/file", JSON.stringify({ ...good, answers: [{ ...answer, post: "../../etc" }] })],
    ["approvals/file", JSON.stringify({ ...good, answers: [{ ...answer, answer: "ready" }] })],
    ["approvals/file", JSON.stringify({ ...good, answers: [{ ...answer, comment: "x".repeat(2_001) }] })],
    ["approvals/file", JSON.stringify(good).replace('"answers":', '"__proto__":{"a":1},"answers":')],
    ["run/newer-version", JSON.stringify({ ...good, plancast_answers: 2 })],
    ["approvals/other-project", JSON.stringify({ ...good, page: { ...good.page, project: "Autumn" } })],
    ["approvals/other-project", JSON.stringify({ ...without, answers: [foreign] })],
    ["approvals/file", JSON.stringify({ ...good, answers: [answer, { ...answer, ...CHANGES }] })],
  ];
  for (const [code, file] of cases) {
    const result = await approve(project, file);
    expect([result.code, result.stdout, result.stderr]).toEqual([1, "", expect.stringContaining(code)]);
  }
  const missing = await runCommand(["approvals", "none.json"], { cwd: project.root });
  expect(missing.stderr).toContain("approvals/file");
  expect((await runCommand(["approvals", "media"], { cwd: project.root })).stderr).toContain(
    "it is not a file",
  );
  expect(await project.read("calendars/a.csv")).toBe(CALENDAR);
});

test("comments and names from the file cannot control a terminal or a CI job", async () => {
  const project = await projectWith();
  const good = answersTo(await clientPage(project, ...MARCH), {
    First: { comment: "\u{1b}[2J\u{1b}]0;pwned\u{7} \u{202e}reversed\n::error::pwned\n##[command]pwned" },
  });
  const shown = "\u{1b}[31mred\n::set-output name=a::b";
  const file = { ...good, answers: [...good.answers, { ...good.answers[0], post: "B".repeat(16), shown }] };
  for (const format of ["text", "json"]) {
    const { stdout, stderr } = await approve(project, JSON.stringify(file), ["--format", format]);
    expect(stdout + stderr).toContain("pwned");
    // oxlint-disable-next-line no-control-regex
    expect(stdout + stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f\u202e]|^\s*::|##\[/mu);
  }
});

test("finds the rows of the same page in another folder, and rows that moved to another file", async () => {
  const project = await projectWith(CALENDAR, { config: { project: undefined } });
  const file = answersTo(await clientPage(project, ...MARCH), { First: APPROVED });
  const moved = await projectWith(CALENDAR, { name: "calendars/b.csv", config: { project: undefined } });
  expect((await approve(moved, file)).code).toBe(0);
  expect(await moved.read("calendars/b.csv")).toContain("First post,media/a.png,ready");
});

test("names the ready posts that the client has not approved, because apply schedules them", async () => {
  const calendar = [
    "id,scheduled_at,platforms,content,status",
    "a,2036-03-03 09:00,linkedin,Approved,ready",
    "b,2036-03-04 09:00,linkedin,Silent draft,draft",
    "c,2036-03-05 09:00,linkedin,Silent ready,ready",
    "d,2036-03-06 09:00,linkedin,Commented,ready",
    "e,2036-03-07 09:00,linkedin,Edited,ready",
    "f,2036-03-08 09:00,linkedin,To change,ready",
    "",
  ].join("\n");
  const project = await projectWith(calendar);
  const file = answersTo(await clientPage(project), {
    Approved: APPROVED,
    Commented: { comment: "Why?" },
    Edited: APPROVED,
    "To change": CHANGES,
  });
  await project.write("calendars/a.csv", calendar.replace("Edited", "Edited later"));
  const { code, stdout } = await approve(project, file);
  expect(code).toBe(1);
  const ready = stdout.split("\n  calendars/").filter((part) => part.includes("the next apply schedules it"));
  // A count is enough for a post without an answer and without a comment.
  expect(ready.map((part) => part.split(" ")[1])).toEqual(["d"]);
  expect(stdout).not.toContain("Silent draft");
  expect(stdout.replaceAll(/\s+/g, " ")).toContain("Ready without an approval: 3 posts (c, d, e).");
  const { stdout: json } = await approve(project, file, ["--format", "json", "--dry-run"]);
  const { answers }: { answers: readonly { ready_unapproved?: true }[] } = JSON.parse(json);
  expect(answers.map(({ ready_unapproved: isReady = false }) => isReady)).toEqual([
    false,
    false,
    true,
    true,
    true,
    false,
  ]);
});

test("a comment on a post that no longer exists is shown, and does not stop the other answers", async () => {
  const project = await projectWith();
  const file = answersTo(await clientPage(project, ...MARCH), { First: { comment: "Nice" } });
  await project.write("calendars/a.csv", CALENDAR.replace(/^one.*\n/m, "").replace(/^two.*\n/m, ""));
  const { code, stdout } = await approve(project, file);
  expect([code, stdout.match(/Not found/g)?.length]).toEqual([0, 1]);
  expect(stdout).toContain("Comment: Nice");
});
