import { expect, test } from "vitest";
import { readCsv } from "../../../src/calendars/formats/csv/read-csv.ts";
import type { ReadOptions } from "../../../src/calendars/read/format.ts";
import type { RawCalendar } from "../../../src/model/row.ts";
import { cellsOf, codes, underlined } from "../places.ts";

const read = (text: string, options: Partial<ReadOptions> = {}): RawCalendar =>
  readCsv("a.csv", text, { columns: {}, ...options });

test("skips title rows above the header", () => {
  const calendar = read(
    "Content plan March 2027,,\n,,\nClient:,Acme,\nDate,Caption,Notes\n2027-03-01,Hello,x\n",
  );
  expect(codes(calendar.problems)).toEqual(["columns/unknown@4:14"]);
  expect(cellsOf(calendar)).toEqual([{ date: "2027-03-01", content: "Hello" }]);
  expect(calendar.rows[0]?.line).toBe(5);
});

test("leaves out a repeated header, and stops where another table begins", () => {
  const rows = "Date,Time,Caption\n1,2,a\nDate,Time,Caption\n3,4,b\n";
  expect(read(rows).problems).toEqual([]);
  expect(cellsOf(read(rows))).toHaveLength(2);
  const calendar = read(`${rows}Date,Caption,Time\n5,c,6\n`);
  expect(codes(calendar.problems)).toEqual(["csv/second-header@5:1"]);
  expect(cellsOf(calendar)).toHaveLength(2);
});

test("reads rows below columns that are all for one network each", () => {
  const header = "Instagram,,LinkedIn,\nDate,Caption,Date,Caption\n";
  const text = `${header}2036-03-01,a,2036-03-02,b\n`;
  const [unknown, ...others] = read(text, { header_row: [1, 2] }).problems;
  expect([unknown?.settings, others]).toEqual([
    "columns:\n  Instagram Date: date:instagram\n  Instagram Caption: content:instagram\n" +
      "  LinkedIn Date: date:linkedin\n  LinkedIn Caption: content:linkedin",
    [],
  ]);
  const columns = {
    "Instagram Date": "date:instagram",
    "Instagram Caption": "content:instagram",
    "LinkedIn Date": "date:linkedin",
    "LinkedIn Caption": "content:linkedin",
  };
  const calendar = read(text, { header_row: [1, 2], columns });
  expect(calendar.problems).toEqual([]);
  expect(calendar.rows[0]?.variants.map(({ platform, cells }) => [platform, cells])).toEqual([
    ["instagram", { date: "2036-03-01", content: "a" }],
    ["linkedin", { date: "2036-03-02", content: "b" }],
  ]);
});

test("takes a header in the first row, whatever follows", () => {
  const calendar = read("Date,Caption\nx,y\nDate,Text\n");
  expect(calendar.problems).toEqual([]);
  expect(cellsOf(calendar)).toEqual([
    { date: "x", content: "y" },
    { date: "Date", content: "Text" },
  ]);
});

test("skips a repeated header further down", () => {
  const calendar = read("Date,Caption,Notes\n1,a,\nDate,Caption,Notes\n2,b,\n");
  expect(cellsOf(calendar).map((cells) => cells.content)).toEqual(["a", "b"]);
});

test("refuses posts above the header", () => {
  const { problems } = read("2027-03-01,Hello\nDate,Caption\n2027-03-02,There\n");
  expect(codes(problems)).toEqual(["csv/row-above-header@1:1"]);
  expect(problems[0]?.message).toContain("row 2");
  expect(read("2027-03-01,Hello\nDate,Caption\nx,y\n", { header_row: 2 }).problems).toEqual([]);
});

test("reports the row with the most names when no header is complete", () => {
  const { problems, rows } = read("Plan\n\nPlatform,Caption,Link\nx,y,z\n");
  expect(codes(problems)).toEqual(["columns/unknown@3:18"]);
  expect(rows).toEqual([]);
});

test("never shows a title as the header if no row contains a known name", () => {
  const { problems } = read("Unser Plan,,,\n\nAlpha,Beta,Gamma,\nx,y,z,\n");
  expect(codes(problems)).toEqual(["columns/unknown@3:1"]);
  expect(problems[0]?.message).toContain("Alpha");
});

test("looks for the header only in the first rows", () => {
  const { problems } = read(`${"Title,x\n".repeat(30)}Date,Caption\n1,a\n`);
  expect(codes(problems)).toEqual(["columns/unknown@1:1"]);
});

test("takes the header row that plancast.yaml names", () => {
  const text = "Date,Caption\nOld,old\n\nWhen,What\n2027-03-01,Hello\n";
  const calendar = read(text, { header_row: 4, columns: { when: "date", what: "content" } });
  expect(calendar.problems).toEqual([]);
  expect(cellsOf(calendar)).toEqual([{ date: "2027-03-01", content: "Hello" }]);
});

test.each([3, 9])("refuses a header row that does not exist: %i", (header_row) => {
  const { problems, rows } = read("Date,Caption\nx,y\n\nz,a\nb,c\n", { header_row });
  expect(codes(problems)).toEqual([`csv/missing-header@${header_row}:1`]);
  expect(rows).toEqual([]);
});

test("reads columns by position in a file without a header", () => {
  const text = "2027-03-01 10:00,Hello,,x\n\n2027-03-02 10:00,There,b.png\n";
  const columns = { 1: "scheduled_at", B: "content", 3: "media" };
  const calendar = read(text, { header_row: "none", columns });
  expect(codes(calendar.problems)).toEqual(["columns/unknown@1:1"]);
  expect(calendar.problems[0]?.message).toContain("`D`");
  expect(cellsOf(calendar)).toEqual([
    { scheduled_at: "2027-03-01 10:00", content: "Hello" },
    { scheduled_at: "2027-03-02 10:00", content: "There", media: "b.png" },
  ]);
  expect(underlined(calendar, calendar.rows[1]?.at("media") ?? {})).toBe("b.png");
  expect(read(text, { header_row: "none", columns: { ...columns, D: "ignore" } }).problems).toEqual([]);
  expect(codes(read(text, { header_row: "none", columns: {} }).problems)).toEqual(["csv/missing-header@1:1"]);
});

const GROUPS = "All Social,,,Facebook,YouTube,Pinterest,\r\n";
const NAMES =
  "postAtSpecificTime (YYYY-MM-DD HH:mm:ss),content,imageUrls (comma-separated),type,title,title,link\r\n";
const ROW = '2027-03-01 10:00:00,"Hello,\r\nyou","a.png, b.png",post,A,B,C\r\n';

test("detects two header rows and names repeated columns with their group", () => {
  const calendar = read(GROUPS + NAMES + ROW);
  expect(codes(calendar.problems)).toEqual(["columns/unknown@2:1"]);
  expect(calendar.problems[0]?.settings).toMatch(
    /YouTube title: .*\n {2}Pinterest title: .*\n {2}link: "\?" # .*\(content\+, ignore\)/,
  );
  expect(cellsOf(calendar)).toEqual([
    { scheduled_at: "2027-03-01 10:00:00", content: "Hello,\r\nyou", media: "a.png, b.png", type: "post" },
  ]);
});

test("maps a column by its group and name", () => {
  const columns = { "YouTube title": "id", "pinterest title": "ignore", type: "ignore", link: "ignore" };
  const calendar = read(GROUPS + NAMES + ROW, { columns });
  expect(calendar.problems).toEqual([]);
  expect(cellsOf(calendar)[0]?.id).toBe("A");
});

test("reads two header rows on request, and uses the upper name if there is no lower name", () => {
  const text = "Plan 2027,,,\nDate,Caption,Media,\n,,Picture,Clip\n1,a,b,c\n";
  const calendar = read(text, { header_row: [2, 3], columns: { "Media Clip": "media" } });
  expect(calendar.problems.map(({ code }) => code)).toEqual(["columns/unknown"]);
  expect(cellsOf(calendar)).toEqual([{ date: "1", content: "a", media: "c" }]);
});

test("separates two columns of one name by group, and says what to write", () => {
  const { problems } = read("All,Facebook\ncontent,content,date\na,b,c\n");
  expect(codes(problems)).toEqual(["columns/unknown@2:1"]);
  expect(problems[0]?.settings).toBe(
    'columns:\n  All content: "?" # Does it say which rows are published? (ignore, status, type, platforms)\n  Facebook content: content:facebook',
  );
});

test("media of several columns have the places of their own cells", () => {
  const calendar = read('date,Image 1,Image 2,Image 3\nx,a.png,,"b.png|c.png"\ny,,d.png,\nz,,,\n');
  expect(calendar.problems).toEqual([]);
  expect(cellsOf(calendar).map(({ media }) => media)).toEqual([
    ["a.png", "b.png", "c.png"],
    ["d.png"],
    undefined,
  ]);
  const [first, second] = calendar.rows;
  const places = [first?.at("media", 0), first?.at("media", 2), second?.at("media", 0)];
  expect(places.map((place) => underlined(calendar, place ?? {}))).toEqual([
    "a.png",
    '"b.png|c.png"',
    "d.png",
  ]);
});

test("shortens the list of columns of a wide export, but not the settings", () => {
  const names = Array.from(
    { length: 80 },
    (_, index) => `Extra ${String.fromCodePoint(65 + (index % 26))}${index}x`,
  );
  const { problems } = read(
    `Text,Date,${names.join(",")}\na,b,${names.map((_name, index) => index).join(",")}\n`,
  );
  expect(problems).toHaveLength(1);
  expect(problems[0]?.message).toContain("68 more");
  expect(problems[0]?.settings?.split("\n")).toHaveLength(81);
});

test.each([
  "Network,Mon,Tue,Wed,Thu,Fri",
  ",Lundi 3,Mardi 4,Mercredi 5",
  "Time,2036-06-02,2036-06-03,2036-06-04",
])("says that %j is a weekly grid", (header) => {
  const { problems } = read(`${header}\nLinkedIn,Hello,Hi,Hey,Ho\n`);
  expect(problems[0]).toMatchObject({ code: "csv/weekly-grid" });
  expect(problems[0]?.message).toContain("weekly grid");
});

test("a row of an export with several dates is neither a weekly grid nor the header", () => {
  const header = "Task,Created,Changed,Owner,Due,Tags,Notes,Project";
  const { problems } = read(
    `${header}\nOpen,2036-01-04,2036-01-05,Ana,2036-03-03,"linkedin,instagram",Text,Social\n`,
  );
  expect(problems[0]).toMatchObject({ code: "columns/unknown", line: 1 });
});

test.each([
  ["Notes,caption", "see 1 March 2036,Hello"],
  ["Draft due,date,caption", "1 March 2036,3 March 2036,Hello"],
])("in the columns %s, no unused column is taken for the date", (header, row) => {
  const { problems } = read(`${header}\n${row}\n`);
  expect(problems.map(({ message }) => message).join("\n")).not.toContain("are dates");
});
