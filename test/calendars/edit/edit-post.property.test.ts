/** For any content and form of a calendar, an edit of a post changes one cell, and reads back as requested. */

import * as fc from "fast-check";
import { expect, test } from "vitest";
import { editCalendar, unusableTextReason } from "../../../src/calendars/edit/edit-calendar.ts";
import { type PostChange, PostEdit } from "../../../src/calendars/edit/edit-post.ts";
import { readContents } from "../../../src/calendars/read-calendar.ts";
import { calendarFile, partsOf } from "../../support/edits.ts";
import { styled, xlsx } from "../../support/workbook-files.ts";

interface Row {
  readonly day: number;
  readonly hour: number;
  readonly text: string;
}

const SIGNS = [...Array.from("\n\t\"';,:#|>&!%{}[]?\\<_~ é🎉\u200b\u2028"), "---", "''", '""'];
const text = fc
  .array(fc.oneof(fc.constantFrom(...SIGNS), fc.string({ unit: "grapheme", maxLength: 5 })), { maxLength: 8 })
  // Letters at both ends: spaces there, and signs of formulas, have their own tests.
  .map((parts) => `A${parts.join("")}z`)
  .filter((each) => unusableTextReason({}, each) === undefined && !/\r/.test(each));
const row: fc.Arbitrary<Row> = fc.record({
  day: fc.integer({ min: 1, max: 28 }),
  hour: fc.integer({ min: 0, max: 23 }),
  text,
});

/** One cell of one row, in a new state. */
type Edit =
  | { readonly part: "day"; readonly day: number }
  | { readonly part: "hour"; readonly hour: number }
  | { readonly part: "text"; readonly text: string };

const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({ part: fc.constant("day" as const), day: fc.integer({ min: 1, max: 28 }) }),
  fc.record({ part: fc.constant("hour" as const), hour: fc.integer({ min: 0, max: 23 }) }),
  fc.record({ part: fc.constant("text" as const), text }),
);

const given = fc
  .record({ rows: fc.array(row, { minLength: 1, maxLength: 4 }), at: fc.nat(3), edit })
  .map(({ rows, at, edit: wanted }) => ({ rows, at: at % rows.length, edit: wanted }));

function applied(rows: readonly Row[], at: number, { part: _part, ...value }: Edit): Row[] {
  return rows.map((each, index) => (index === at ? { ...each, ...value } : each));
}

function changeOf({ day, hour }: Row, wanted: Edit): PostChange {
  if (wanted.part === "text") return { text: wanted.text };
  if (wanted.part === "day") return { when: { days: wanted.day - day } };
  return { when: { at: Date.UTC(2036, 2, day, hour) + (wanted.hour - hour) * 3_600_000 } };
}

async function edited(
  file: string,
  before: string | Uint8Array,
  at: number,
  change: PostChange,
): Promise<Uint8Array> {
  const read = await calendarFile(file, before, { timezone: "UTC", date_order: "dmy" });
  const found = PostEdit.of(read.calendar, at, ["linkedin"], { platforms: {} });
  const planned = found?.cells(change);
  if (planned === undefined || "message" in planned) throw new Error(planned?.message ?? "no post");
  if (planned.cells.size === 0) return read.bytes;
  expect(planned.cells.size).toBe(1);
  const { contents, faults } = await editCalendar(read, [{ row: at, cells: planned.cells }], (name) => name);
  expect(faults).toEqual([]);
  return contents;
}

const two = (value: number): string => String(value).padStart(2, "0");

interface Layout {
  readonly bom: boolean;
  readonly mark: string;
  readonly end: string;
  /** Whether a cell is quoted although it needs no quotes, by its number. */
  readonly quoted: readonly boolean[];
  readonly hasLastEnd: boolean;
}

const layout: fc.Arbitrary<Layout> = fc.record({
  bom: fc.boolean(),
  mark: fc.constantFrom(",", ";", "\t"),
  end: fc.constantFrom("\n", "\r\n"),
  quoted: fc.array(fc.boolean(), { minLength: 24, maxLength: 24 }),
  hasLastEnd: fc.boolean(),
});

/** @param rows after the edit @param before rows before the edit: a cell that was quoted there stays quoted, even if it no longer needs quotes */
function csvOf(
  rows: readonly Row[],
  before: readonly Row[],
  { bom, mark, end, quoted, hasLastEnd }: Layout,
): string {
  const needs = (cell: string): boolean => cell.includes(mark) || /[",;\t\r\n]|^\s|\s$/.test(cell);
  const cellsOf = ({ day, hour, text: content }: Row): string[] => [
    `${two(day)}.03.2036`,
    `${two(hour)}:00`,
    "linkedin",
    content,
    "left alone",
  ];
  const lines = rows.map((each, line) => {
    const old = cellsOf(before[line] ?? each);
    return cellsOf(each)
      .map((cell, column) => {
        const isQuoted = quoted[line * 5 + column] === true || needs(old[column] ?? "") || needs(cell);
        return isQuoted ? `"${cell.replaceAll('"', '""').replaceAll("\n", end)}"` : cell;
      })
      .join(mark);
  });
  const all = [["date", "time", "platforms", "content", "notes"].join(mark), ...lines].join(end);
  return `${bom ? "\ufeff" : ""}${all}${hasLastEnd ? end : ""}`;
}

test("in CSV, exactly one cell changes", async () => {
  await fc.assert(
    fc.asyncProperty(given, layout, async ({ rows, at, edit: wanted }, written) => {
      const after = applied(rows, at, wanted);
      const change = changeOf(rows[at] ?? { day: 1, hour: 0, text: "" }, wanted);
      const contents = await edited("a.csv", csvOf(rows, rows, written), at, change);
      expect(Buffer.from(contents).toString("utf8")).toBe(csvOf(after, rows, written));
    }),
    { numRuns: 60 },
  );
});

/** Day 0 of March 2036, as workbooks count days. */
const MARCH_0 = 49_734;

function workbookOf(rows: readonly Row[]): Uint8Array {
  return xlsx(
    [
      {
        name: "Plan",
        rows: [
          ["date", "time", "platforms", "content", "notes"],
          ...rows.map(({ day, hour, text: content }) => [
            styled(MARCH_0 + day, 1),
            styled(hour / 24, 2),
            "linkedin",
            content,
            "left alone",
          ]),
        ],
      },
      { name: "Other", rows: [["untouched"]] },
    ],
    { formats: ["dd/mm/yyyy", "hh:mm"] },
  );
}

function cellsIn(xml: string): string[] {
  return xml.split(/(?=<c )/);
}

test("in a workbook, exactly one cell of one part changes", async () => {
  await fc.assert(
    fc.asyncProperty(given, async ({ rows, at, edit: wanted }) => {
      const change = changeOf(rows[at] ?? { day: 1, hour: 0, text: "" }, wanted);
      const [before, after] = await Promise.all(
        [workbookOf(rows), edited("a.xlsx", workbookOf(rows), at, change)].map(async (each) =>
          partsOf(await each),
        ),
      );
      const { "xl/worksheets/sheet1.xml": old = "", ...others } = before ?? {};
      const { "xl/worksheets/sheet1.xml": now = "", ...same } = after ?? {};
      expect(same).toEqual(others);
      expect(cellsIn(now)).toHaveLength(cellsIn(old).length);
      const different = cellsIn(now).filter((cell, index) => cell !== cellsIn(old)[index]);
      expect(different.length).toBeLessThanOrEqual(1);
      const read = await readContents("a.xlsx", await edited("a.xlsx", workbookOf(rows), at, change), {
        columns: {},
      });
      const wantedRow = applied(rows, at, wanted)[at];
      expect(read.rows[at]?.cells).toMatchObject({
        date: `2036-03-${two(wantedRow?.day ?? 0)}`,
        time: `${two(wantedRow?.hour ?? 0)}:00`,
        content: wantedRow?.text,
      });
    }),
    { numRuns: 15 },
  );
});

function yamlOf(rows: readonly Row[]): string {
  return `# ours\nposts: # all of them\n${rows
    .map(
      ({ day, hour, text: content }, index) =>
        `  # number ${index}\n  - time: "${two(hour)}:00" # when\n    date: 2036-03-${two(day)} # day ${index}\n    content: ${JSON.stringify(content)} # text\n    platforms: [linkedin] # where\n`,
    )
    .join("")}# the end\n`;
}

test("in YAML, comments and everything else stay", async () => {
  await fc.assert(
    fc.asyncProperty(given, async ({ rows, at, edit: wanted }) => {
      const after = applied(rows, at, wanted);
      const change = changeOf(rows[at] ?? { day: 1, hour: 0, text: "" }, wanted);
      const contents = Buffer.from(await edited("a.yaml", yamlOf(rows), at, change)).toString("utf8");
      if (wanted.part !== "text") expect(contents).toBe(yamlOf(after));
      // The text may be written in another style of YAML, in the same place.
      const start = yamlOf(rows.slice(0, at)).replace("# the end\n", "");
      expect(contents.startsWith(start)).toBe(true);
      const end = yamlOf(rows).slice(
        yamlOf(rows).indexOf(" # text", start.length + JSON.stringify(rows[at]?.text).length),
      );
      expect(contents.endsWith(end)).toBe(true);
      const read = await readContents("a.yaml", Buffer.from(contents), { columns: {} });
      expect(read.rows.map(({ cells }) => cells.content)).toEqual(after.map((each) => each.text));
    }),
    { numRuns: 40 },
  );
});
