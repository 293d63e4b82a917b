/** Edits on the page of `preview --serve`, from the request to the bytes of the calendar. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { systemClock } from "../../../src/service/system-clock.ts";
import { EditingPage } from "../../support/edit-requests.ts";
import { type TestProject, makeProject } from "../../support/project.ts";
import { type RunningCommand, runCommand, startCommand } from "../../support/run-command.ts";
import { until } from "../../support/until.ts";
import { styled, xlsx } from "../../support/workbook-files.ts";

const CONFIG = "service: { url: embedded }\ntimezone: Europe/Paris\nproject: Spring\n";
const CALENDAR = `date,time,platforms,content,status
2036-03-03,09:00,"linkedin, bluesky",First,
2036-03-04,09:00,linkedin,Second,draft
2026-01-05,09:00,linkedin,Past,
`;
/** After the post of 2026, before those of 2036. */
const NOW = Date.parse("2036-01-01T08:00:00Z");

interface Serving {
  readonly project: TestProject;
  readonly serving: RunningCommand;
  readonly page: EditingPage;
  readonly file: () => Promise<string>;
}

async function serve(
  files: Readonly<Record<string, string | Uint8Array>> = { "calendars/a.csv": CALENDAR },
  ...args: string[]
): Promise<Serving> {
  const project = await makeProject({ config: CONFIG, files });
  const serving = startCommand(["preview", "--serve", "--offline", ...args], {
    cwd: project.root,
    clock: { now: () => NOW, sleep: (ms, signal) => systemClock.sleep(ms, signal) },
  });
  await serving.waitFor(/\d upcoming posts?[,;]/);
  const [name = ""] = Object.keys(files);
  const file = (): Promise<string> => readFile(join(project.root, name), "utf8");
  return { project, serving, page: new EditingPage(serving.stdout().trim()), file };
}

test("if each account has a post, an edit changes the row of all these posts", async () => {
  const config = "service: { type: postiz, url: https://postiz.example.com }\ntimezone: Europe/Paris\n";
  const calendar =
    "date,time,platforms,content,content:bluesky\n" +
    '2036-03-03,09:00,"linkedin/brand, linkedin/founder, bluesky",First,Short\n' +
    "2036-03-04,09:00,linkedin/brand,Second,\n";
  const { page, file } = await serve({ "calendars/a.csv": calendar, "plancast.yaml": config });
  const shown = (await page.data()).posts.length;
  expect(shown).toBe(4);
  const first = await page.post("First");
  expect(first.platforms).toHaveLength(1);
  expect(await page.ask({ ask: "open", post: first })).toMatchObject({
    text: { value: "First" },
    platforms: { why: expect.stringContaining("makes 2 posts") },
    when: { value: { posts: 3 } },
  });
  const changed = await page.ask({ ask: "change", post: first, change: { text: "New" } });
  expect(changed).toMatchObject({ answer: "changed", posts: 2 });
  expect(await file()).toBe(calendar.replace("First", "New"));
  await untilNewer(page, first.version);
  const second = await page.post("Second");
  const platforms = ["linkedin/brand", "bluesky"];
  expect(await page.ask({ ask: "change", post: second, change: { platforms } })).toMatchObject({
    answer: "changed",
  });
  expect(await file()).toContain('"linkedin/brand, bluesky",Second');
  await untilNewer(page, second.version);
  const both = await page.post("Second");
  expect(await page.ask({ ask: "open", post: both })).toMatchObject({
    platforms: { value: ["bluesky", "linkedin/brand"] },
  });
});

/** A row with a text that continues in another column, and rows with the date of the row above. */
const SHARED = `date,time,platforms,content,hashtags
2036-03-03,09:00,linkedin,First,#tag
,10:00,linkedin,Second,
`;

test("an edit of a shared cell is refused before anybody types, or when it would change other rows", async () => {
  const { project, page, file } = await serve({ "calendars/a.csv": SHARED });
  const { version } = await page.post("First");
  await project.write("plancast.yaml", `${CONFIG}carry: [date]\ncolumns: { hashtags: content+ }\n`);
  await until(async () => (await page.data()).posts.length === 2);
  const first = await page.post("First");
  expect(first.version).toBe(version);
  expect(await page.ask({ ask: "open", post: first })).toMatchObject({
    text: { why: expect.stringContaining("continues in another column") },
    platforms: { value: ["linkedin"] },
    when: { value: { posts: 1 } },
  });
  expect(await page.ask({ ask: "change", post: first, change: { day: "2036-03-10" } })).toMatchObject({
    code: "write/not-written",
    message: expect.stringContaining("Other rows would change with this cell"),
  });
  expect(await file()).toBe(SHARED);
  const change = { ask: "change", change: { day: "2036-03-10" } } as const;
  expect(await page.ask({ ...change, post: await page.post("Second") })).toMatchObject({ answer: "changed" });
  expect(await file()).toBe(SHARED.replace("\n,10", "\n2036-03-10,10"));
});

/** Waits until the page shows other bytes of its first calendar. */
async function untilNewer(page: EditingPage, version: string): Promise<void> {
  await until(async () => (await page.data()).editing?.[0]?.version !== version);
}

test("an edit goes into the file, the page shows it, and it can be undone twice", async () => {
  const { page, file } = await serve();
  const post = await page.post("First");
  const first = await page.ask({ ask: "change", post, change: { day: "2036-03-10" } });
  expect(first).toMatchObject({ answer: "changed", posts: 1 });
  const moved = CALENDAR.replace("03-03", "03-10");
  expect(await file()).toBe(moved);
  await untilNewer(page, post.version);
  const again = await page.post("First");
  const change = { clock: "10:30", text: "New, “text”\nwith lines", platforms: ["linkedin"] };
  const second = await page.ask({ ask: "change", post: again, change });
  expect(await file()).toBe(
    moved.replace('09:00,"linkedin, bluesky",First', '10:30,"linkedin","New, “text”\nwith lines"'),
  );
  if (first.answer !== "changed" || second.answer !== "changed") throw new Error("not changed");
  // The first one only comes back after the second.
  expect(await page.ask({ ask: "undo", edit: first.edit })).toMatchObject({ code: "write/file-changed" });
  expect(await page.ask({ ask: "undo", edit: second.edit })).toMatchObject({ answer: "undone" });
  expect(await file()).toBe(moved);
  expect(await page.ask({ ask: "undo", edit: first.edit })).toMatchObject({ answer: "undone" });
  expect(await file()).toBe(CALENDAR);
  expect(await page.ask({ ask: "undo", edit: first.edit })).toMatchObject({ code: "write/not-written" });
});

test("edits of a workbook that are undone leave every byte of it as it was", async () => {
  const rows = [
    ["date", "time", "platforms", "content"],
    [styled(49_737, 1), "09:00", "linkedin", "First"],
    [styled(49_738, 1), "10:00", "linkedin", "Second"],
  ];
  const parts = [{ name: "xl/theme/theme1.xml", data: Buffer.from("<theme/>") }];
  const before = xlsx([{ name: "Plan", rows }], { formats: ["yyyy-mm-dd"], parts });
  const { project, page } = await serve({ "calendars/a.xlsx": before });
  const bytes = async (): Promise<Buffer> => readFile(join(project.root, "calendars/a.xlsx"));
  const edits: string[] = [];
  for (const change of [{ day: "2036-03-20", text: "Other words" }, { clock: "11:30" }]) {
    const post = await page.post(edits.length === 0 ? "First" : "Other words");
    const edit = await page.ask({ ask: "change", post, change });
    if (edit.answer !== "changed") throw new Error(JSON.stringify(edit));
    edits.unshift(edit.edit);
    await untilNewer(page, post.version);
  }
  expect((await bytes()).equals(before)).toBe(false);
  for (const edit of edits) expect(await page.ask({ ask: "undo", edit })).toMatchObject({ answer: "undone" });
  expect((await bytes()).equals(before)).toBe(true);
});

test("a file that changed since the page showed it stays as it is", async () => {
  const { project, page, file } = await serve();
  const post = await page.post("First");
  const newer = CALENDAR.replace("First", "Ours");
  await project.write("calendars/a.csv", newer);
  const change = { ask: "change", post, change: { day: "2036-03-10" } } as const;
  expect(await page.ask(change)).toMatchObject({ answer: "refused", code: "write/file-changed" });
  expect(await page.ask({ ask: "open", post })).toMatchObject({ code: "write/file-changed" });
  await untilNewer(page, post.version);
  const edited = await page.ask({ ...change, post: await page.post("Ours") });
  if (edited.answer !== "changed") throw new Error(edited.answer);
  await project.write("calendars/a.csv", `${newer}2036-05-01,09:00,linkedin,More,\n`);
  expect(await page.ask({ ask: "undo", edit: edited.edit })).toMatchObject({ code: "write/file-changed" });
  expect(await file()).toBe(`${newer}2036-05-01,09:00,linkedin,More,\n`);
});

test("two edits of the same state at once: one is written, the other refused", async () => {
  const { page, file } = await serve();
  const [one, other] = [await page.post("First"), await page.post("Second")];
  const answers = await Promise.all([
    page.ask({ ask: "change", post: one, change: { day: "2036-03-10" } }),
    page.ask({ ask: "change", post: other, change: { day: "2036-03-11" } }),
  ]);
  expect(answers.map(({ answer }) => answer).sort()).toEqual(["changed", "refused"]);
  expect([CALENDAR.replace("03-03", "03-10"), CALENDAR.replace("03-04", "03-11")]).toContain(await file());
});

test("an open post says what can be edited, and which networks there are", async () => {
  const { page } = await serve({ "calendars/a.csv": CALENDAR.replace("First", "First of all") });
  expect(await page.ask({ ask: "open", post: await page.post("First of all") })).toEqual({
    answer: "open",
    text: { value: "First of all" },
    platforms: { value: ["bluesky", "linkedin"] },
    when: { value: { posts: 1 } },
    status: {
      value: {
        posts: 1,
        word: "",
        words: [
          { word: "", label: "", means: "ready" },
          { word: "draft", label: "draft", means: "draft" },
        ],
      },
    },
    choices: [
      { name: "bluesky", title: "Bluesky" },
      { name: "linkedin", title: "LinkedIn" },
    ],
  });
});

test("counts a text for each network as the checks do, with the project's links", async () => {
  const { project, page } = await serve();
  const post = await page.post("First");
  const measure = async (text: string) =>
    page.ask({ ask: "measure", post, text, platforms: ["linkedin", "bluesky"] });
  expect(await measure("Four 👩🏽‍🚀 https://example.org/a")).toEqual({
    answer: "measured",
    meters: [
      { platform: 0, used: 31, limit: 3000, unit: "characters" },
      { platform: 1, used: 28, limit: 300, unit: "characters" },
      { platform: 1, used: 42, limit: 3000, unit: "bytes" },
    ],
  });
  await project.write("plancast.yaml", `${CONFIG}utm: { source: "{platform}", hosts: [example.org] }\n`);
  const tagged = "https://example.org/a?utm_source=linkedin".length;
  await until(async () =>
    JSON.stringify(await measure("https://example.org/a")).includes(`"used":${tagged},`),
  );
  expect(
    await page.ask({ ask: "measure", post: { ...post, line: 99 }, text: "", platforms: [] }),
  ).toMatchObject({ answer: "refused" });
});

test("past posts, past times, unknown rows and unknown networks are refused", async () => {
  const { page, file } = await serve();
  const change = async (start: string, wanted: object, place: object = {}) =>
    page.ask({ ask: "change", post: { ...(await page.post(start)), ...place }, change: wanted });
  expect(await change("Past", { day: "2036-03-10" })).toMatchObject({ code: "write/not-written" });
  expect(await change("First", { day: "2035-12-31" })).toMatchObject({
    message: expect.stringContaining("has passed"),
  });
  expect(await change("Second", { clock: "09:00", day: "2036-01-01" })).toMatchObject({
    message: expect.stringContaining("has passed"),
  });
  expect(await change("First", { day: "2036-03-30", clock: "02:30" })).toMatchObject({
    message: expect.stringContaining("does not exist in Europe/Paris"),
  });
  expect(await change("First", { platforms: [] })).toMatchObject({ message: "Choose at least one network." });
  expect(await change("First", {})).toMatchObject({ message: "The post already has these values." });
  for (const place of [
    { line: 1 },
    { line: 99 },
    { platforms: ["linkedin"] },
    { sheet: "A" },
    { file: "calendars/b.csv" },
    { file: "../a.csv" },
    { file: "plancast.yaml" },
  ])
    expect(await change("First", { day: "2036-03-10" }, place)).toMatchObject({
      code: "write/file-changed",
    });
  expect(await file()).toBe(CALENDAR);
});

test("a draft can be edited, but not while plancast.yaml has an error", async () => {
  const { project, serving, page, file } = await serve();
  const post = await page.post("Second");
  await project.write("plancast.yaml", `${CONFIG}bogus: 1\n`);
  await serving.waitFor("bogus");
  const change = { ask: "change", post, change: { day: "2036-03-10" } } as const;
  await until(async () => (await page.ask(change)).answer === "refused");
  expect(await file()).toBe(CALENDAR);
  await project.write("plancast.yaml", CONFIG);
  await until(async () => (await page.ask(change)).answer === "changed");
  expect(await file()).toBe(CALENDAR.replace("03-04", "03-10"));
});

test("with --read-only, and on pages without a server, posts have no row to edit", async () => {
  const { project, serving, page } = await serve(undefined, "--read-only");
  expect(serving.stdout()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\n$/);
  const data = await page.data();
  expect([data.editing, data.posts.some(({ row }) => row !== undefined)]).toEqual([undefined, false]);
  expect((await fetch(new URL("/edit", page.url), { method: "POST" })).status).toBe(405);
  await runCommand(["preview", "--offline"], { cwd: project.root });
  expect(await readFile(join(project.root, "preview.html"), "utf8")).not.toContain('"editing"');
  const { code, stderr } = await runCommand(["preview", "--read-only"], { cwd: project.root });
  expect([code, stderr]).toEqual([1, expect.stringContaining("--read-only needs --serve")]);
});

test("the token is only in the printed address", async () => {
  const { serving, page } = await serve();
  const [, token = ""] = /#edit=(\S+)/.exec(serving.stdout()) ?? [];
  expect(token).toHaveLength(36);
  for (const path of ["/", "/data"])
    expect(await (await fetch(new URL(path, page.url))).text()).not.toContain(token);
});
