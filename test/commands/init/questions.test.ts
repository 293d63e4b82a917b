/** The questions of `init FILE`: what they show, which answer is first, and which files are refused. */

import { mkdtemp, readFile, readdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { type CommandResult, runCommand, startCommand } from "../../support/run-command.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "plancast-questions-"));
});

/** Starts with a file; the person types these lines, then Enter for ever. `^D`: the person leaves. */
async function init(
  contents: string | Uint8Array,
  typed: readonly string[] = [],
  file = "plan.csv",
): Promise<CommandResult & { readonly text: string }> {
  await writeFile(join(folder, file), contents);
  const left = [...typed];
  let asked = 0;
  const type = (): string | undefined => {
    asked += 1;
    const next = left.shift() ?? "";
    return next === "^D" || asked > 30 ? undefined : next;
  };
  const terminal = { columns: 100, type };
  const options = { cwd: folder, terminal, env: { TZ: "Europe/Paris", NO_COLOR: "1" } };
  const result = await startCommand(["init", file], options).ended;
  return { ...result, text: result.stderr.replaceAll(/\s+/g, " ") };
}

async function settings(): Promise<unknown> {
  return parse(await readFile(join(folder, "plancast.yaml"), "utf8"));
}

const ENTER = "";

test("two status columns are shown with their cells, and the one that keeps rows back is first", async () => {
  const rows =
    "Date,Time,Platform,Caption,Status,status\n2036-05-01,09:00,LinkedIn,Hi,Approved,draft\n2036-05-02,09:00,LinkedIn,Ho,Approved,posted\n";
  const { code, text } = await init(rows);
  expect(text).toContain('1. status (column F): "draft", "posted" 2. Status (column E): "Approved"');
  expect(text).toContain("0 upcoming posts, 1 draft, 1 skipped.");
  expect(code).toBe(0);
  expect(await settings()).toMatchObject({ columns: { E: "ignore" } });
});

test("if most cells are blank, the value of the row above is the first answer", async () => {
  const rows = "Date,Time,Network,Caption\n2036-05-01,09:00,linkedin,One\n,,facebook,Two\n,,x,Three\n";
  const { code, text } = await init(rows);
  expect(text).toMatch(/Take the date of the row above, here 2036-05-01 from line 2\? 1\. yes/);
  expect([code, text.includes("3 upcoming posts.")]).toEqual([0, true]);
  expect(await settings()).toMatchObject({ carry: ["date", "time"] });
});

test("a network must be named, and a name that plancast does not know gets a suggestion", async () => {
  const { code, text } = await init("date,time,caption\n2036-05-01,09:00,Hi\n", [
    ENTER,
    ENTER,
    "?",
    "linkdin",
    "Insta, Twitter/X",
  ]);
  expect(text).toContain("Type at least one network.");
  expect(text).toContain(
    "Type one or more names, such as linkedin, instagram. Then press Enter. Ctrl-C ends the questions, and nothing is written.",
  );
  expect(text).toContain('"linkdin" is not a network that plancast knows. Did you mean `linkedin`?');
  expect(code).toBe(0);
  expect(await settings()).toMatchObject({ defaults: { platforms: ["instagram", "twitter"] } });
});

test("says how many rows each account has, and that the others are left out", async () => {
  const rows =
    "Date,Time,Platform,Account,Caption\n2036-05-01,09:00,linkedin,@fr,Un\n2036-05-02,09:00,linkedin,@en,Two\n2036-05-03,09:00,linkedin,@fr,Trois\n";
  const { text } = await init(rows);
  expect(text).toContain("1. only @fr (2 rows): leave out all other rows 2. only @en (1 row)");
  expect(text).toContain("2 upcoming posts, 1 row left out by the filter.");
});

test("a header without any known name: the columns are shown with their cells, the likely one first", async () => {
  const rows = "Quand,A quelle heure,Ou,Quoi\n20/05/2036,9h30,LinkedIn,Les coulisses de la boutique\n";
  const { code, text } = await init(rows);
  expect(text).toContain('Which column holds the text of the posts? 1. Quoi: "Les coulisses de la boutique"');
  expect(code).toBe(0);
  expect(await settings()).toMatchObject({
    columns: { Quoi: "content", Quand: "date", Ou: "platforms", "A quelle heure": "time" },
  });
});

test("no second column gets a field that an answer already gave to another column", async () => {
  const posts = "- quand: 2036-04-01\n  moment: 2036-04-01 09:30\n  platforms: x\n  text: Hi\n";
  const { text } = await init(posts, [ENTER, "1"], "plan.yaml");
  const [, , second = ""] = text.split("What is it?");
  expect(second).not.toContain("the date of the post");
});

test("dates with am and pm have the month first in the likely answer", async () => {
  const rows =
    "Publish date,Channel,Copy\n05/01/2036 9:00 AM,LinkedIn,Hello\n05/02/2036 2:30 PM,LinkedIn,Ho\n";
  await init(rows);
  expect(await settings()).toMatchObject({ date_order: "mdy" });
});

const WEEK = "Week,Monday,Tuesday,Wednesday,Thursday,Friday\nMay 5,Photo,Story,Tip,,Wishes\n";

describe("files that no answer can help with are refused before the first question, and nothing is written", () => {
  test.each([
    ["a weekly grid", WEEK, "a weekly grid or a wall calendar"],
    ["a weekly grid in German", "\nMo,Di,Mi,Do,Fr,Sa,So\n,,Tipp,,,,\n", "one row for each post"],
    ["an empty file", "", "The file is empty."],
    [
      "a web page",
      "<!DOCTYPE html>\n<html><table><tr><td>Date</td></tr></table></html>",
      "The file is a web page",
    ],
    ["a PDF", "%PDF-1.7\n%\u00e2\u00e3\n", "The file is a PDF"],
    ["a renamed workbook", new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]), "workbook or another ZIP file"],
  ])("%s", async (_name, contents, message) => {
    const { code, text } = await init(contents, ["^D"]);
    expect([code, text.includes("time zone")]).toEqual([1, false]);
    expect(text).toContain(message);
    expect(text).toContain("Nothing was written.");
    expect(await readdir(folder)).toEqual(["plan.csv"]);
    const again = await runCommand(["init", "plan.csv", "--yes"], { cwd: folder });
    expect([again.code, await readdir(folder)]).toEqual([1, ["plan.csv"]]);
  });
});

test("answers that lead to no row write nothing", async () => {
  const { code, text } = await init("One,Two\na,b\n", [ENTER, "3", "3"]);
  expect([code, text.includes("Nothing was written.")]).toEqual([1, true]);
  expect(await readdir(folder)).toEqual(["plan.csv"]);
});

test.each([0, 1, 2])("if a person stops after %d answers, nothing is written", async (answers) => {
  const rows = "Date,Time,Caption,Hashtags\n1/4/2036,09:00,Hi,#a\n";
  const { code } = await init(rows, [...Array<string>(answers).fill(""), "^D"]);
  expect(code).toBe(1);
  expect(await readdir(folder)).toEqual(["plan.csv"]);
});

test("without questions, the line for blank cells can be pasted unchanged", async () => {
  const rows = "Date,Time,Network,Caption\n2036-05-01,09:00,linkedin,One\n,,facebook,Two\n";
  await writeFile(join(folder, "plan.csv"), rows);
  const { code, stderr } = await runCommand(["init", "plan.csv", "--yes"], { cwd: folder });
  expect(code).toBe(1);
  const [line = ""] = /^carry: .*$/m.exec(stderr) ?? [];
  const file = join(folder, "plancast.yaml");
  await writeFile(file, `${await readFile(file, "utf8")}${line}\n`);
  const { stdout } = await runCommand(["validate"], { cwd: folder });
  expect(stdout).toContain("2 upcoming posts");
});

test("texts in several languages are one question, and the others are left out", async () => {
  const rows =
    "Date,Time,Platform,Caption EN,Caption FR,Caption DE\n2036-05-01,09:00,LinkedIn,We open in May in London.,Nous ouvrons en mai.,Wir öffnen im Mai.\n";
  const asked = await init(rows);
  expect(asked.text.match(/text of the posts\?/g)).toHaveLength(1);
  expect(await settings()).toMatchObject({
    columns: { "Caption EN": "content", "Caption FR": "ignore", "Caption DE": "ignore" },
  });
});

test("of three texts, a person can choose the last one, and is not asked again", async () => {
  const rows =
    "Date,Time,Platform,Caption,Caption FR,Caption DE\n2036-05-01,09:00,LinkedIn,We open in May in London.,Nous ouvrons en mai.,Wir öffnen im Mai.\n";
  const { text } = await init(rows, [ENTER, "3"]);
  expect(text.match(/look like the text of the posts/g)).toHaveLength(1);
  expect(text).not.toContain("Which column holds the text");
  expect(await settings()).toMatchObject({
    columns: { Caption: "ignore", "Caption FR": "ignore", "Caption DE": "content" },
  });
});

const marketRow = (day: number, language: string, market: string): string =>
  `2036-05-0${day},09:00,LinkedIn,${language},${market},Text ${day} for ${market}\n`;

test("one answer about the language also answers the question about the market", async () => {
  const rows = `Date,Time,Platform,Language,Market,Caption\n${marketRow(1, "EN", "UK")}${marketRow(1, "FR", "France")}${marketRow(2, "EN", "UK")}`;
  const { code, text } = await init(rows);
  expect([code, text.match(/several accounts/g)?.length]).toEqual([0, 1]);
  expect(await settings()).toMatchObject({ only: { Language: "EN" } });
});

test("a footnote is not asked for its network: it can be left out", async () => {
  const rows =
    "Date,Time,Platform,Caption\n2036-05-01,09:00,LinkedIn,We open in May.\n,,Bluesky,We open in Paris.\n" +
    "2036-05-02,09:00,LinkedIn,Tickets are out.\n,,Bluesky,Tickets for Paris.\n,,,* approved by Jane on 3 March\n";
  const { code, text } = await init(rows);
  expect(text).toContain("1. none, they are notes: leave them out");
  expect(text).not.toContain("Take the network of the row above");
  expect([code, text.includes("4 upcoming posts, 1 row left out by the filter.")]).toEqual([0, true]);
  expect(await settings()).toMatchObject({ only: { platforms: ["linkedin", "bluesky"] } });
});

test("the parts of a text are one question, and joining them is the first answer", async () => {
  const rows =
    "Date,Time,Platform,Hook,Body,CTA\n2036-05-01,09:00,linkedin,One.,Two.,Three.\n2036-05-02,09:00,linkedin,,Four.,\n";
  const { code, text } = await init(rows);
  expect(text).toContain('Join "Hook" (such as "One."), "Body" (such as "Two.") and "CTA"');
  expect([code, text.includes("2 upcoming posts.")]).toEqual([0, true]);
  expect(await settings()).toMatchObject({ columns: { Hook: "content", Body: "content+", CTA: "content+" } });
});

test("a key of YAML with a vague name is what it may mean in the first answer", async () => {
  const post =
    "- { date: 2036-05-01, time: 09:00, platforms: x, copy: Hi, visual: https://example.com/a.png }\n";
  const { text } = await init(post, [], "plan.yaml");
  expect(text).toContain("What is it? 1. pictures or videos");
  expect(await settings()).toMatchObject({ columns: { visual: "media" } });
});

const dayRow = (date: string, day: string): string => `${date},${day},09:00,linkedin,Hello ${day}\n`;

describe("a day beside the first day of its week", () => {
  const HEADER = "Date,Day,Time,Platform,Caption\n";
  const QUESTION = "hold the day in the week that begins on the date? 1. yes";

  test.each([
    ["in the form of ISO", "2036-05-12", "2036-05-19"],
    ["with dots", "12.05.2036", "19.05.2036"],
    ["with slashes, after the order is known", "12/05/2036", "19/05/2036"],
  ])("is asked about, %s", async (_form, first, second) => {
    const rows = HEADER + dayRow(first, "Tuesday") + dayRow(first, "Friday") + dayRow(second, "Wednesday");
    const { code, text } = await init(rows);
    expect(text).toContain(QUESTION);
    expect([code, text.includes("3 upcoming posts.")]).toEqual([0, true]);
    expect(await settings()).toMatchObject({ columns: { Day: "date+" } });
  });

  test("is not asked about if one row has a wrong day", async () => {
    const days = [dayRow("2036-05-05", "Monday"), dayRow("2036-05-12", "Monday")];
    const { text } = await init(HEADER + days.join("") + dayRow("2036-05-19", "Tuesday"));
    expect(text).toContain('"Tuesday" contradicts the date');
    expect(text).not.toContain("the day in the week");
  });
});

test("dates after a day of the week are shown with their day and month", async () => {
  const { text } = await init(
    'Date,Time,Platform,Caption\n"Wed., 07/05/2036",09:00,LinkedIn,Hi\n"Thu., 08/05/2036",09:00,LinkedIn,Ho\n',
  );
  expect(text).toContain("1. day first: day 7, month 5");
});

test("each column that may be a part of the text can be left out", async () => {
  const rows =
    "Date,Time,Platform,Hook,Intro,Caption\n2036-05-01,09:00,LinkedIn,One line,Two lines,The text\n";
  const { code } = await init(rows, [ENTER, "2", "2"]);
  expect(code).toBe(0);
  expect(await settings()).toMatchObject({ columns: { Hook: "ignore", Intro: "ignore" } });
});

test("if no column shows a network, the likely answer is that there is none", async () => {
  const rows = "Date,Time,Caption,Owner\n2036-05-01,09:00,Hi,Kim\n";
  const { code, text } = await init(rows, [ENTER, ENTER, "linkedin"]);
  expect(text).toContain('the networks of the posts? 1. none of these 2. Owner: "Kim"');
  expect(code).toBe(0);
  expect(await settings()).toMatchObject({ defaults: { platforms: ["linkedin"] } });
});

test("of several columns with dates, one that is called so comes first", async () => {
  const rows =
    "Created At,Due Date,Post time,Platform,Caption\n2036-04-01,2036-05-01,09:00,LinkedIn,Hi there\n";
  const { text } = await init(rows);
  expect(text).toMatch(/the date of the posts\? 1\. Due Date:/);
});

test("the links of another scheduler's file can be added to the text", async () => {
  const { text } = await init("05/20/2036 09:30,We open,https://example.org/open\n", [
    ENTER,
    ENTER,
    "linkedin",
  ]);
  expect(text).toContain("Add it to the end of the text?");
  expect(await settings()).toMatchObject({ preset: "hootsuite", columns: { C: "content+" } });
});

test("a question about a column of dates offers the date of the posts", async () => {
  const rows = "Scheduled?,Time,Platform,Caption\n2036-05-01,09:00,LinkedIn,We open in May.\n";
  const { text } = await init(rows, [ENTER, "2"]);
  expect(text).toContain("2. the date of the post, with or without a time");
  expect(await settings()).toMatchObject({ columns: { "Scheduled?": "date" } });
});

test("two columns of dates are a question, even if one has the shorter name", async () => {
  const rows =
    "Date,Date of posts,Time,Platform,Caption\n2036-04-01,2036-05-01,09:00,LinkedIn,We open in May.\n";
  const { text } = await init(rows, [ENTER, "2"]);
  expect(text).toContain("Several columns look like the date of the posts.");
  expect(await settings()).toMatchObject({ columns: { Date: "ignore" } });
});
