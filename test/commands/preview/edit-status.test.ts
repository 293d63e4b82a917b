/** Changing the status of posts on the page of `preview --serve`, in the words of each calendar. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { systemClock } from "../../../src/service/system-clock.ts";
import { EditingPage } from "../../support/edit-requests.ts";
import { makeProject } from "../../support/project.ts";
import { startCommand } from "../../support/run-command.ts";
import { until } from "../../support/until.ts";
import { partsOf } from "../../support/edits.ts";
import { xlsx } from "../../support/workbook-files.ts";

const CONFIG = "service: { url: embedded }\ntimezone: Europe/Paris\n";
const NOW = Date.parse("2036-01-01T08:00:00Z");

async function serve(files: Readonly<Record<string, string | Uint8Array>>, settings = "") {
  const project = await makeProject({ config: CONFIG + settings, files });
  const serving = startCommand(["preview", "--serve", "--offline"], {
    cwd: project.root,
    clock: { now: () => NOW, sleep: (ms, signal) => systemClock.sleep(ms, signal) },
  });
  await serving.waitFor(/\d upcoming posts?[,;]/);
  const page = new EditingPage(serving.stdout().trim());
  const [name = ""] = Object.keys(files);
  return {
    page,
    bytes: (): Promise<Buffer> => readFile(join(project.root, name)),
    /** The words that the form of a post offers, or why there are none. */
    offered: async (start: string): Promise<unknown> => {
      const answer = await page.ask({ ask: "open", post: await page.post(start) });
      if (answer.answer !== "open") throw new Error(JSON.stringify(answer));
      if ("why" in answer.status) return answer.status.why;
      const { word, words } = answer.status.value;
      return [word, ...words.map((each) => `${each.word}: ${each.means}`)];
    },
    change: async (start: string, status: string) => {
      const post = await page.post(start);
      const answer = await page.ask({ ask: "change", post, change: { status } });
      if (answer.answer === "changed")
        await until(async () => (await page.post(start)).version !== post.version);
      return answer;
    },
    statusOf: async (start: string) =>
      (await page.data()).posts.find(({ content = "" }) => content.startsWith(start))?.status,
  };
}

const csv = (...rows: readonly string[]): string =>
  ["date,time,platforms,content,Status", ...rows, ""].join("\r\n");

const WORDS = csv(
  "2036-03-03,09:00,linkedin,First,APPROVED",
  "2036-03-04,09:00,linkedin,Second,Approved",
  "2036-03-05,09:00,linkedin,Third,Approved",
  '2036-03-06,09:00,linkedin,"Fourth, quoted","In review"',
  "2036-03-07,09:00,linkedin,Fifth,Idea",
  "2036-03-08,09:00,linkedin,Gone,Cancelled",
  "2036-03-09,09:00,linkedin,Last,Approved",
);

test("a post becomes a draft and ready again in the calendar's words, and an undo is undone byte for byte", async () => {
  const { page, bytes, offered, change, statusOf } = await serve({ "calendars/a.csv": WORDS });
  const words = ["Approved: ready", "In review: draft", "Idea: draft"];
  expect(await offered("First")).toEqual(["Approved", ...words]);
  expect(await offered("Fourth")).toEqual(["In review", ...words]);
  expect(await offered("Gone")).toContain("This row is skipped.");
  const draft = await change("Second", "Idea");
  const drafted = WORDS.replace("Second,Approved", "Second,Idea");
  expect([(await bytes()).toString(), await statusOf("Second")]).toEqual([drafted, "draft"]);
  expect(await change("Fourth", "Approved")).toMatchObject({ answer: "changed", posts: 1 });
  const both = drafted.replace('"In review"', '"Approved"');
  expect([(await bytes()).toString(), await statusOf("Fourth")]).toEqual([both, "ready"]);
  if (draft.answer !== "changed") throw new Error(draft.answer);
  expect(await change("Third", "draft")).toMatchObject({
    message: "The calendar does not use this status. Choose another one.",
  });
  expect(await change("Third", "Approved")).toMatchObject({
    message: "The post already has these values.",
  });
  expect(await page.ask({ ask: "undo", edit: draft.edit })).toMatchObject({ code: "write/file-changed" });
  const again = await change("Third", "Idea");
  if (again.answer !== "changed") throw new Error(again.answer);
  const undone = await page.ask({ ask: "undo", edit: again.edit });
  if (undone.answer !== "undone") throw new Error(undone.answer);
  expect((await bytes()).toString()).toBe(both);
  expect(await page.ask({ ask: "undo", edit: undone.edit })).toMatchObject({ answer: "undone" });
  expect((await bytes()).toString()).toBe(both.replace("Third,Approved", "Third,Idea"));
});

test.each([
  ["blank cells mean ready", ["", "", "draft"], "", [": ready", "draft: draft"]],
  ["no row is a draft", ["ready", "ready", ""], "", ["ready: ready", "draft: draft"]],
  [
    "the settings name the words",
    ["Go", "Go", "Wait"],
    "status_values: { Go: ready, Wait: draft }\n",
    ["Go: ready", "Wait: draft"],
  ],
  [
    "blank cells are drafts by the settings",
    ["Go", "", "Go"],
    "status_values: { Go: ready, '': draft }\n",
    ["Go: ready", ": draft"],
  ],
])("offers the words of a calendar in which %s", async (_name, statuses, settings, words) => {
  const rows = statuses.map(
    (status, index) => `2036-03-0${index + 3},09:00,linkedin,Post ${index},${status}`,
  );
  const { bytes, offered, change } = await serve({ "calendars/a.csv": csv(...rows) }, settings);
  expect(await offered("Post 0")).toEqual([statuses[0], ...words]);
  for (const word of words.map((each) => each.replace(/: \w+$/, "")).reverse()) {
    await change("Post 0", word);
    expect((await bytes()).toString()).toBe(
      csv(`2036-03-03,09:00,linkedin,Post 0,${word}`, ...rows.slice(1)),
    );
  }
});

test("offers nothing if the calendar has no word or no column for a status", async () => {
  const { offered } = await serve({
    "calendars/a.csv": csv("2036-03-03,09:00,linkedin,First,Freigegeben"),
    "calendars/b.csv": "date,time,platforms,content\n2036-03-03,10:00,linkedin,Second\n",
    "calendars/c.csv": "date,time,platforms,content,Approved,Draft\n2036-03-03,11:00,linkedin,Third,yes,no\n",
    "calendars/d.csv": "date,time,platforms,content,Approved\n2036-03-03,12:00,linkedin,Fourth,In review\n",
  });
  expect(await offered("First")).toMatch(/does not know the word for draft in this calendar\. Name it/);
  expect(await offered("Second")).toMatch(/calendars\/b\.csv has no column for this/);
  expect(await offered("Third")).toMatch(/^Several columns set the status/);
  expect(await offered("Fourth")).toMatch(/which word of "Approved" means ready/);
});

test("a yes-or-no column gets the words of its other rows", async () => {
  const calendar =
    "date,time,platforms,content,Approved?\n" +
    "2036-03-03,09:00,linkedin,First,✓\n2036-03-04,09:00,linkedin,Second,\n2036-03-05,09:00,linkedin,Third,Rejected\n";
  const { bytes, offered, change, statusOf } = await serve({ "calendars/a.csv": calendar });
  expect(await offered("First")).toEqual(["✓", "✓: ready", ": draft"]);
  await change("Second", "✓");
  expect([(await bytes()).toString(), await statusOf("Second")]).toEqual([
    calendar.replace("Second,", "Second,✓"),
    "ready",
  ]);
  await change("First", "");
  expect([(await bytes()).toString(), await statusOf("First")]).toEqual([
    calendar.replace("First,✓", "First,").replace("Second,", "Second,✓"),
    "draft",
  ]);
});

test.each([
  [
    "calendars/a.csv",
    "date,time,platforms,content,Approved\n2036-03-03,09:00,linkedin,First,No\n",
    "No",
    "Yes",
  ],
  [
    "calendars/a.csv",
    "date,time,platforms,content,Validé\n2036-03-03,09:00,linkedin,First,NON\n",
    "NON",
    "OUI",
  ],
  [
    "calendars/a.md",
    "---\ndate: 2036-03-03 09:00\nplatforms: linkedin\napproved: no\n---\nFirst\n",
    "no",
    "yes",
  ],
  [
    "calendars/a.md",
    "---\ndate: 2036-03-03 09:00\nplatforms: linkedin\napproved: TRUE\n---\nFirst\n",
    "TRUE",
    "FALSE",
  ],
])(
  "in %s, a post that is the first with an answer gets the opposite one",
  async (file, calendar, own, other) => {
    const { bytes, offered, change } = await serve({ [file]: calendar });
    const isReady = own === "TRUE";
    const words = [`${own}: ${isReady ? "ready" : "draft"}`, `${other}: ${isReady ? "draft" : "ready"}`];
    expect(await offered("First")).toEqual([own, ...(isReady ? words : words.toReversed())]);
    await change("First", other);
    expect((await bytes()).toString()).toBe(calendar.replace(own, other));
  },
);

test.each([
  ["calendars/a.csv", "date,time,platforms,content,Approved\n2036-03-03,09:00,linkedin,First,", "\n", "yes"],
  [
    "calendars/a.md",
    "---\ndate: 2036-03-03 09:00\nplatforms: linkedin\napproved:",
    "\n---\nFirst\n",
    ' "yes"',
  ],
])(
  "in %s, a post becomes ready with yes if nobody has answered yet",
  async (file, before, after, written) => {
    const { bytes, offered, change, statusOf } = await serve({ [file]: before + after });
    expect(await offered("First")).toEqual(["", "yes: ready", ": draft"]);
    await change("First", "yes");
    expect([(await bytes()).toString(), await statusOf("First")]).toEqual([
      before + written + after,
      "ready",
    ]);
    await change("First", "no");
    expect(await statusOf("First")).toBe("draft");
  },
);

test("a workbook keeps its checkboxes, and its other parts byte for byte", async () => {
  const rows = [
    ["date", "time", "platforms", "content", "Approved"],
    ["2036-03-03", "09:00", "linkedin", "First", true],
    ["2036-03-04", "09:00", "linkedin", "Second", false],
  ];
  const parts = [{ name: "xl/theme/theme1.xml", data: Buffer.from("<theme/>") }];
  const before = xlsx([{ name: "Plan", rows }], { parts });
  const { page, bytes, offered, change, statusOf } = await serve({ "calendars/a.xlsx": before });
  expect(await offered("Second")).toEqual(["FALSE", "TRUE: ready", "FALSE: draft"]);
  const edit = await change("Second", "TRUE");
  expect(await statusOf("Second")).toBe("ready");
  const [first = [], second = [], third = []] = rows;
  const ticked = xlsx([{ name: "Plan", rows: [first, second, [...third.slice(0, -1), true]] }], { parts });
  expect(await partsOf(await bytes())).toEqual(await partsOf(ticked));
  if (edit.answer !== "changed") throw new Error(edit.answer);
  expect(await page.ask({ ask: "undo", edit: edit.edit })).toMatchObject({ answer: "undone" });
  expect((await bytes()).equals(before)).toBe(true);
});

test("in YAML, a new status replaces the old one, or becomes a new key", async () => {
  const calendar =
    "# Plan\nposts:\n  - date: 2036-03-03\n    time: '09:00'\n    platforms: [linkedin]\n    content: First # keep\n    status: \"draft\" # why\n" +
    "  - date: 2036-03-04\n    time: '09:00'\n    platforms: [linkedin]\n    content: Third\n" +
    "  - date: 2036-03-05\n    time: '09:00'\n    platforms: [linkedin]\n    content: Second\n";
  const { bytes, offered, change, statusOf } = await serve({ "calendars/a.yaml": calendar });
  expect(await offered("First")).toEqual(["draft", ": ready", "draft: draft"]);
  await change("Second", "draft");
  expect((await bytes()).toString()).toBe(`${calendar}    status: draft\n`);
  await change("First", "");
  expect((await bytes()).toString()).toBe(`${calendar.replace('"draft"', '""')}    status: draft\n`);
  expect([await statusOf("First"), await statusOf("Second")]).toEqual(["ready", "draft"]);
});

const APPROVED =
  "# Plan\nposts:\n" +
  "  - date: 2036-03-03 09:00\n    platforms: [linkedin]\n    content: First # keep\n    Approved: yes # by Ana\n" +
  "  - date: 2036-03-04 09:00\n    platforms: [linkedin]\n    content: Second\n    # ask Bo\n\n" +
  "  - {date: 2036-03-05 09:00, platforms: [linkedin], content: Third}\n" +
  '  - date: 2036-03-06 09:00\n    platforms: [linkedin]\n    approved: "no"\n    content: Fourth\n';

test("a yes-or-no key of YAML keeps its quotes, or is new under the name of the other posts, and can be undone and redone", async () => {
  const { page, bytes, offered, change, statusOf } = await serve({ "calendars/a.yaml": APPROVED });
  expect(await offered("Second")).toEqual(["", ": draft", "yes: ready", "no: draft"]);
  const edits: [post: string, word: string, before: string, after: string][] = [
    ["Second", "yes", "Second\n", "Second\n    Approved: true\n"],
    ["Third", "yes", "content: Third}", "content: Third, Approved: true}"],
    ["Fourth", "yes", 'approved: "no"', 'approved: "yes"'],
    ["First", "no", "Approved: yes # by", "Approved: no # by"],
  ];
  for (const [name, word, before, after] of edits) {
    const edit = await change(name, word);
    if (edit.answer !== "changed") throw new Error(JSON.stringify(edit));
    expect((await bytes()).toString()).toBe(APPROVED.replace(before, after));
    expect(await statusOf(name)).toBe(word === "yes" ? "ready" : "draft");
    const undone = await page.ask({ ask: "undo", edit: edit.edit });
    expect((await bytes()).toString()).toBe(APPROVED);
    if (undone.answer !== "undone") throw new Error(JSON.stringify(undone));
    const redone = await page.ask({ ask: "undo", edit: undone.edit });
    expect((await bytes()).toString()).toBe(APPROVED.replace(before, after));
    if (redone.answer !== "undone") throw new Error(JSON.stringify(redone));
    await page.ask({ ask: "undo", edit: redone.edit });
    await until(async () => (await statusOf(name)) !== (word === "yes" ? "ready" : "draft"));
  }
});

test.each([
  ["no", "yes", "draft", "ready"],
  ["yes", "no", "ready", "draft"],
])(
  "a YAML post with the default `approved: %s` gets its own key, and can go back",
  async (given, word, before, after) => {
    const calendar = `defaults:\n  approved: ${given}\n  platforms: [linkedin]\nposts:\n  - date: 2036-03-03 09:00\n    content: First\n  - date: 2036-03-04 09:00\n    content: Second\n    approved: ${word}\n  - date: 2036-03-05 09:00\n    content: Third\n`;
    const { bytes, change, statusOf } = await serve({ "calendars/a.yaml": calendar });
    expect(await statusOf("First")).toBe(before);
    expect(await change("First", word)).toMatchObject({ answer: "changed" });
    expect(await statusOf("First")).toBe(after);
    expect((await bytes()).toString()).toMatch(/content: First\n {4}approved: (?:true|false)\n {2}-/);
    expect(await change("First", given)).toMatchObject({ answer: "changed" });
    expect(await statusOf("First")).toBe(before);
  },
);

test("a post of YAML with a status and a yes-or-no key is changed in the file", async () => {
  const both = APPROVED.replace("content: Second\n", "content: Second\n    status: draft\n");
  const { offered } = await serve({ "calendars/a.yaml": both });
  expect(await offered("Second")).toMatch(/^Several columns set the status/);
});

/** A file with one post. */
function post(name: string, status: string): string {
  return `---\ndate: 2036-03-03 09:00\nplatforms: [linkedin]\nstatus: ${status}\n---\n\n${name}\n`;
}

test("a file with one post uses the words of the other files in its folder", async () => {
  const { bytes, offered, change } = await serve({
    "calendars/one.md": post("First", "In review"),
    "calendars/two.md": post("Second", "Approved"),
  });
  expect(await offered("First")).toEqual(["In review", "Approved: ready", "In review: draft"]);
  await change("First", "Approved");
  expect((await bytes()).toString()).toBe(post("First", "Approved"));
});

test("a draft whose time has passed does not become ready, unless it also moves", async () => {
  const calendar = csv("2035-12-03,09:00,linkedin,Late,draft", "2036-03-03,09:00,linkedin,Next,");
  const { page, bytes, change } = await serve({ "calendars/a.csv": calendar });
  expect(await change("Late", "")).toMatchObject({ message: expect.stringContaining("has passed") });
  expect((await bytes()).toString()).toBe(calendar);
  const post = await page.post("Late");
  expect(await page.ask({ ask: "change", post, change: { status: "", day: "2036-03-05" } })).toMatchObject({
    answer: "changed",
  });
  expect((await bytes()).toString()).toBe(
    calendar.replace("2035-12-03,09:00,linkedin,Late,draft", "2036-03-05,09:00,linkedin,Late,"),
  );
});
