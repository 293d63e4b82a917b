/** Another time, text or network of a post changes only its own cells, each in the form that it has. */

import { expect, test } from "vitest";
import { editCalendar } from "../../../src/calendars/edit/edit-calendar.ts";
import { type PostChange, PostEdit } from "../../../src/calendars/edit/edit-post.ts";
import { identify } from "../../../src/checks/networks/network-names.ts";
import { aliasesOf } from "../../../src/checks/platforms.ts";
import type { CalendarSettings } from "../../../src/settings/calendar-settings.ts";
import { calendarFile, partsOf } from "../../support/edits.ts";
import { type TestCell, type XlsxOptions, styled, xlsx } from "../../support/workbook-files.ts";

interface Given {
  readonly row?: number;
  readonly platforms?: readonly string[];
  readonly settings?: Partial<CalendarSettings>;
  readonly aliases?: Readonly<Record<string, string>>;
}

/** The file after a change, or why it was refused. */
async function changed(
  file: string,
  contents: string | Uint8Array,
  change: PostChange,
  { row = 0, platforms = ["linkedin"], settings = {}, aliases = {} }: Given = {},
): Promise<string | Buffer> {
  const read = await calendarFile(file, contents, { timezone: "Europe/Paris", ...settings });
  const edit = PostEdit.of(read.calendar, row, platforms, { platforms: aliases });
  if (edit === undefined) throw new Error(JSON.stringify(read.calendar.problems));
  const planned = edit.cells(change);
  if ("message" in planned) return planned.message;
  const names = aliasesOf({ platforms: aliases });
  const edits = [{ row, cells: planned.cells }];
  const { contents: after, faults } = await editCalendar(read, edits, (name) => identify(name, names));
  if (faults[0] !== undefined) return faults[0].message;
  return typeof contents === "string" ? Buffer.from(after).toString("utf8") : Buffer.from(after);
}

const DAY = { when: { days: 1 } } as const;
const at = (time: string): PostChange => ({ when: { at: Date.parse(time) } });

const HEAD = "date,time,platforms,content";

test("a new day changes the day's cell, and a new time the time's cell", async () => {
  const calendar = `${HEAD}\r\n2036-03-03,09:00,linkedin,"Hello, ""you"""\r\n2036-03-04,10:00,linkedin,B\r\n`;
  expect(await changed("a.csv", calendar, DAY)).toBe(calendar.replace("03-03", "03-04"));
  expect(await changed("a.csv", calendar, at("2036-03-03T09:15:00Z"))).toBe(
    calendar.replace("09:00", "10:15"),
  );
});

function one(time: string): string {
  return `scheduled_at,platforms,content\n${time},linkedin,A\n`;
}

test("a time with an offset stays exact, and follows the clock changes of the row's zone", async () => {
  const moved = (time: string, days: number) => changed("a.csv", one(time), { when: { days } });
  expect(await moved("2036-03-28T09:00:00+01:00", 3)).toBe(one("2036-03-31T09:00:00+02:00"));
  expect(await moved("2036-03-28T09:00:00-05:00", 3)).toBe(one("2036-03-31T09:00:00-05:00"));
  expect(await moved("2036-03-28T09:00:00Z", 3)).toBe(one("2036-03-31T09:00:00Z"));
  expect(await changed("a.csv", one("2036-03-28T09:00:00Z"), at("2036-03-31T07:30:00Z"))).toBe(
    one("2036-03-31T07:30:00Z"),
  );
});

test("a row with its own zone keeps its own clock on another day", async () => {
  const calendar = "date,time,timezone,platforms,content\n3/8/2036,9:00 PM,America/New_York,linkedin,A\n";
  const settings = { date_order: "mdy" } as const;
  expect(await changed("a.csv", calendar, { when: { days: 5 } }, { settings })).toBe(
    calendar.replace("3/8/", "3/13/"),
  );
  expect(await changed("a.csv", calendar, at("2036-03-14T13:30:00Z"), { settings })).toBe(
    calendar.replace("3/8/2036,9:00 PM", "3/14/2036,9:30 AM"),
  );
  const short = calendar.replace("America/New_York", "ET");
  const inNewYork = { settings: { ...settings, timezone: "America/New_York" } };
  expect(await changed("a.csv", short, { when: { days: 5 } }, inNewYork)).toBe(
    short.replace("3/8/", "3/13/"),
  );
});

test("a time that the clocks skip or repeat is refused", async () => {
  const calendar = `${HEAD}\n2036-03-29,02:30,linkedin,A\n`;
  expect(await changed("a.csv", calendar, DAY)).toContain("does not exist in Europe/Paris");
  expect(await changed("a.csv", calendar.replace("03-29", "10-25"), DAY)).toContain("happens twice");
});

test("a day that would have two meanings is written as ISO", async () => {
  const calendar = `${HEAD}\n28/3/2036,09:00,linkedin,A\n`;
  expect(await changed("a.csv", calendar, { when: { days: 8 } })).toBe(
    calendar.replace("28/3/2036", "2036-04-05"),
  );
});

test("midnight beside a date stays, and so does the time that plancast.yaml gives", async () => {
  const midnight = `${HEAD}\n2036-03-03 00:00:00,09:00,linkedin,A\n`;
  expect(await changed("a.csv", midnight, DAY)).toBe(midnight.replace("03-03", "03-04"));
  expect(await changed("a.csv", midnight, at("2036-03-03T10:00:00Z"))).toBe(
    midnight.replace("09:00", "11:00"),
  );
  const settings = { defaults: { time: "09:00" } };
  const untimed = `${HEAD}\n2036-03-03,,linkedin,A\n`;
  expect(await changed("a.csv", untimed, DAY, { settings })).toBe(untimed.replace("03-03", "03-04"));
  expect(await changed("a.csv", untimed, at("2036-03-03T10:00:00Z"), { settings })).toBe(
    untimed.replace(",,", ",11:00,"),
  );
  const without = "date,platforms,content\n2036-03-03,linkedin,A\n";
  expect(await changed("a.csv", without, at("2036-03-03T10:00:00Z"), { settings })).toContain(
    "a.csv has no column",
  );
});

test("a cell that is carried down to other rows cannot be edited, but the last of these rows can get its own value", async () => {
  const calendar = `${HEAD}\n2036-03-03,09:00,linkedin,A\n,10:00,linkedin,B\n,11:00,linkedin,C\n`;
  const settings = { carry: ["date"] };
  expect(await changed("a.csv", calendar, DAY, { settings })).toContain("cannot add this");
  expect(await changed("a.csv", calendar, DAY, { settings, row: 1 })).toContain("cannot add this");
  expect(await changed("a.csv", calendar, DAY, { settings, row: 2 })).toBe(
    calendar.replace("\n,11", "\n2036-03-04,11"),
  );
});

const STYLES = { formats: ["dd/mm/yyyy", "hh:mm", "dd/mm/yyyy hh:mm"] };
/** 3 March 2036, as workbooks count days. */
const MARCH_3 = 49_737;

function iso(value: string): TestCell {
  return { xml: `<c r="A2" s="3" t="d"><v>${value}</v></c>` };
}

const WHOLE = ["scheduled_at", "platforms", "content"];

type BookCase = readonly [string, readonly TestCell[], PostChange, readonly TestCell[], XlsxOptions];

const BOOKS: readonly BookCase[] = [
  ["a day", [styled(MARCH_3, 1), styled(0.375, 2)], DAY, [styled(MARCH_3 + 1, 1), styled(0.375, 2)], {}],
  [
    "a day with a hidden time",
    [styled(MARCH_3 + 0.25, 1), styled(0.375, 2)],
    DAY,
    [styled(MARCH_3 + 1.25, 1), styled(0.375, 2)],
    {},
  ],
  [
    "a time",
    [styled(MARCH_3, 1), styled(0.375, 2)],
    at("2036-03-03T11:00:00Z"),
    [styled(MARCH_3, 1), styled(0.5, 2)],
    {},
  ],
  [
    "a time with a hidden day",
    [styled(MARCH_3, 1), styled(7.375, 2)],
    at("2036-03-03T11:00:00Z"),
    [styled(MARCH_3, 1), styled(7.5, 2)],
    {},
  ],
  [
    "both in one cell",
    [styled(MARCH_3 + 0.375, 3)],
    at("2036-03-05T11:00:00Z"),
    [styled(MARCH_3 + 2.5, 3)],
    {},
  ],
  [
    "both, counted from 1904",
    [styled(MARCH_3 - 1462 + 0.375, 3)],
    DAY,
    [styled(MARCH_3 - 1461 + 0.375, 3)],
    { date1904: true },
  ],
  ["an ISO date", [iso("2036-03-03T09:00:00")], DAY, [iso("2036-03-04T09:00:00")], {}],
  ["a text", ["3 March 2036", "9 am"], DAY, ["2036-03-04", "9 am"], {}],
];

/** New texts say that spaces count. */
function plain(parts: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(parts).map(([name, xml]) => [name, xml.replaceAll(' xml:space="preserve"', "")]),
  );
}

test.each(BOOKS)(
  "in a workbook, %s keeps its kind and format",
  async (_what, before, change, after, options) => {
    const head = before.length === 1 ? WHOLE : HEAD.split(",");
    const book = (cells: readonly TestCell[]) =>
      xlsx([{ name: "Plan", rows: [head, [...cells, "linkedin", "A"]] }], { ...STYLES, ...options });
    const now = await changed("a.xlsx", book(before), change);
    if (typeof now === "string") throw new Error(now);
    expect(plain(await partsOf(now))).toEqual(plain(await partsOf(book(after))));
  },
);

test("a formula is refused", async () => {
  const rows = [
    HEAD.split(","),
    [{ xml: `<c r="A2" s="1"><f>A1+1</f><v>${MARCH_3}</v></c>` }, "09:00", "linkedin", "A"],
  ];
  expect(await changed("a.xlsx", xlsx([{ name: "Plan", rows }], STYLES), DAY)).toContain(
    "A2, because it contains a formula",
  );
});

test("networks keep the names and separators of the cell; new ones have plancast's names", async () => {
  const calendar = `${HEAD}\n2036-03-03,09:00,LinkedIn; IG,A\n2036-03-04,09:00,Bsky; LinkedIn,B\n2036-03-05,09:00,LinkedIn,C\n`;
  const networks = (platforms: readonly string[], given: Given) =>
    changed("a.csv", calendar, { platforms }, given);
  const both = { platforms: ["instagram", "linkedin"] };
  expect(await networks(["instagram"], both)).toBe(calendar.replace("LinkedIn; IG", "IG"));
  expect(await networks(["instagram", "linkedin", "bluesky"], both)).toBe(
    calendar.replace("LinkedIn; IG", '"LinkedIn; IG; bluesky"'),
  );
  expect(await networks(["linkedin", "twitter"], { row: 2 })).toBe(
    calendar.replace("LinkedIn,C", '"LinkedIn, twitter",C'),
  );
  expect(await networks([], { row: 2 })).toBe("Choose at least one network.");
});

test("networks in separate columns, or that decide about texts, are refused", async () => {
  const marks = "date,time,content,platforms:linkedin,platforms:bluesky\n2036-03-03,09:00,A,yes,no\n";
  expect(await changed("a.csv", marks, { platforms: ["bluesky"] })).toContain("Several columns");
  const texts = "date,time,content:linkedin,content:bluesky\n2036-03-03,09:00,A,\n";
  expect(await changed("a.csv", texts, { platforms: ["bluesky"] })).toContain("Several columns");
});

const VARIANTS = `date,time,platforms,content,content:bluesky,time:mastodon\n2036-03-03,09:00,"linkedin, bluesky, mastodon",Long,Short,10:00\n`;

test("a post with its own text or time has its own cell, and shared cells count the posts that share them", async () => {
  const text = { text: "New" };
  expect(await changed("a.csv", VARIANTS, text, { platforms: ["bluesky"] })).toBe(
    VARIANTS.replace("Short", "New"),
  );
  expect(await changed("a.csv", VARIANTS, text, { platforms: ["linkedin"] })).toBe(
    VARIANTS.replace("Long", "New"),
  );
  expect(await changed("a.csv", VARIANTS, at("2036-03-03T11:00:00Z"), { platforms: ["mastodon"] })).toBe(
    VARIANTS.replace("10:00", "12:00"),
  );
  expect(
    await changed("a.csv", VARIANTS, { platforms: ["linkedin"] }, { platforms: ["linkedin"] }),
  ).toContain("makes 3 posts");
  const { calendar } = await calendarFile("a.csv", VARIANTS, { timezone: "Europe/Paris" });
  const counts = ["linkedin", "bluesky", "mastodon"].map((name) =>
    PostEdit.of(calendar, 0, [name], { platforms: {} })?.when(),
  );
  expect(counts).toEqual([{ value: { posts: 3 } }, { value: { posts: 3 } }, { value: { posts: 3 } }]);
});

test("a text may begin like a formula, and may be blank only beside pictures", async () => {
  const calendar = `${HEAD},media\n2036-03-03,09:00,linkedin,A,a.png\n2036-03-03,10:00,linkedin,B,\n`;
  expect(await changed("a.csv", calendar, { text: '=1+"2"\nthree' })).toBe(
    calendar.replace("content", "'content").replace(",A,", `,"'=1+""2""\nthree",`),
  );
  expect(await changed("a.csv", calendar, { text: "" })).toBe(calendar.replace(",A,", ",,"));
  expect(await changed("a.csv", calendar, { text: " \n" }, { row: 1 })).toContain("needs a text");
});

test("a text in a thread or with another column's hashtags is refused", async () => {
  const thread = "date,time,platforms,thread\n2036-03-03,09:00,linkedin,A\n";
  expect(await changed("a.csv", thread, { text: "B" })).toContain("in its thread");
  const tags = "date,time,platforms,content,hashtags\n2036-03-03,09:00,linkedin,A,#b\n";
  const settings = { columns: { hashtags: "content+" } };
  expect(await changed("a.csv", tags, { text: "B" }, { settings })).toContain("cannot add this");
});

const YAML = `# ours
timezone: Europe/Paris
posts:
  - date: 2036-03-03 # a Monday
    time: "09:00" # early
    platforms: [linkedin, Bluesky] # both
    content: |
      Hello
  # the next
  - scheduled_at: '2036-03-04 09:00'
    platforms:
      - linkedin
      - bluesky
    content: B
  - { date: 2036-03-05, time: 9:30, platforms: linkedin, content: C }
`;

test("values of YAML keep their quotes, layout and comments", async () => {
  const both = { platforms: ["bluesky", "linkedin"] };
  expect(await changed("a.yaml", YAML, DAY, both)).toBe(YAML.replace("03-03 #", "03-04 #"));
  expect(await changed("a.yaml", YAML, at("2036-03-03T09:30:00Z"), both)).toBe(
    YAML.replace('"09:00"', '"10:30"'),
  );
  expect(await changed("a.yaml", YAML, at("2036-03-06T09:30:00Z"), { row: 1, ...both })).toBe(
    YAML.replace("'2036-03-04 09:00'", "'2036-03-06 10:30'"),
  );
  expect(await changed("a.yaml", YAML, at("2036-03-06T09:45:00Z"), { row: 2 })).toBe(
    YAML.replace("2036-03-05, time: 9:30", "2036-03-06, time: 10:45"),
  );
  expect(await changed("a.yaml", YAML, { platforms: ["bluesky", "twitter"] }, both)).toBe(
    YAML.replace("[linkedin, Bluesky]", "[Bluesky, twitter]"),
  );
  expect(
    await changed("a.yaml", YAML, { platforms: ["linkedin", "bluesky", "twitter"] }, { row: 1, ...both }),
  ).toBe(YAML.replace("- bluesky\n", "- bluesky\n      - twitter\n"));
  expect(await changed("a.yaml", YAML, { platforms: ["linkedin", "bluesky"] }, { row: 2 })).toBe(
    YAML.replace("platforms: linkedin,", 'platforms: "linkedin, bluesky",'),
  );
  expect(await changed("a.yaml", YAML, { text: "Bye\n\nnow" }, both)).toBe(
    YAML.replace("      Hello\n", "      Bye\n\n      now\n").replace("content: |\n", "content: |-\n"),
  );
});

test("a YAML value that other posts reuse cannot be edited", async () => {
  const shared = YAML.replace("date: 2036-03-03", "date: &day 2036-03-03").replace(
    "date: 2036-03-05",
    "date: *day",
  );
  expect(await changed("a.yaml", shared, DAY, { platforms: ["bluesky", "linkedin"] })).toContain(
    "Other posts reuse values",
  );
});
