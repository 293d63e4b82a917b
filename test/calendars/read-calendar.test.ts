import { mkdir, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { KnownCalendars, readCalendar } from "../../src/calendars/read-calendar.ts";
import { anyText } from "../support/any-text.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { ods, xlsx } from "../support/workbook-files.ts";
import { cellsOf, codes } from "./places.ts";

const OPTIONS = { columns: {} };

test.each([
  ["a.csv", "content;date\nx;1\n"],
  ["B.CSV", "content,date\nx,1\n"],
  ["march.plan.tsv", "content\tdate\nx\t1\n"],
  ["calendars/deep/a.yaml", "- {content: x, date: 1}\n"],
  ["a.yml", "\uFEFFposts:\r\n- {content: x, date: 1}\r\n"],
])("reads %s by its extension", async (file, text) => {
  const root = await tempFolder({ [file]: text });
  const calendar = await readCalendar(root, file, OPTIONS);
  expect(calendar.problems).toEqual([]);
  expect(calendar.file).toBe(file);
  expect(cellsOf(calendar)).toEqual([{ content: "x", date: "1" }]);
  expect(calendar.rows[0]?.at("content").file).toBe(file);
});

test("uses the columns of the project", async () => {
  const root = await tempFolder({ "a.csv": "Légende,Date\nx,1\n" });
  const calendar = await readCalendar(root, "a.csv", { columns: { légende: "content" } });
  expect(cellsOf(calendar)).toEqual([{ content: "x", date: "1" }]);
});

test("reads UTF-16, and the encoding that the project names", async () => {
  const text = "content;date\r\nUne crème brûlée;1\r\n";
  const root = await tempFolder({
    "unicode.csv": Buffer.from(`\uFEFF${text.replaceAll(";", "\t")}`, "utf16le"),
    "western.csv": Buffer.from(text, "latin1"),
    "eastern.yaml": Buffer.from("- content: p\u00f8\u00ed", "latin1"),
  });
  const unicode = await readCalendar(root, "unicode.csv", OPTIONS);
  const unnamed = await readCalendar(root, "western.csv", OPTIONS);
  const western = await readCalendar(root, "western.csv", { ...OPTIONS, encoding: "windows-1252" });
  const eastern = await readCalendar(root, "eastern.yaml", { columns: {}, encoding: "windows-1250" });
  expect(unicode.problems).toEqual([]);
  expect([codes(unnamed.problems), unnamed.rows]).toEqual([["calendar/encoding@2:7"], []]);
  expect(cellsOf(western)).toEqual(cellsOf(unicode));
  expect(eastern.problems).toEqual([]);
  expect(cellsOf(eastern)).toEqual([{ content: "pří" }]);
});

test("reads a workbook by its extension", async () => {
  const sheet = {
    name: "Plan",
    rows: [
      ["content", "date"],
      ["x", "1"],
    ],
  };
  const root = await tempFolder({ "a.XLSX": xlsx([sheet]), "b.ods": ods("") });
  const calendar = await readCalendar(root, "a.XLSX", OPTIONS);
  expect(calendar.problems).toEqual([]);
  expect(cellsOf(calendar)).toEqual([{ content: "x", date: "1" }]);
  expect(codes((await readCalendar(root, "b.ods", OPTIONS)).problems)).toEqual(["calendar/empty"]);
});

const CONFLICT = ["<<<<<<< HEAD", "b,2", "=======", "c,3", ">>>>>>> spring"];

test.each([
  ["a.csv", ["content,date", "a,1", ...CONFLICT, "d,4", ""], "\n", "3–7"],
  ["a.tsv", ["content,date", ...CONFLICT, "a,1", ...CONFLICT], "\r\n", "2–6, 8–12"],
  ["a.yaml", ["- {content: a}", ...CONFLICT, ""], "\n", "2–6"],
])("%s with conflict markers has one problem, which names their lines", async (file, lines, end, named) => {
  const root = await tempFolder({ [file]: lines.join(end) });
  const calendar = await readCalendar(root, file, OPTIONS);
  const { problems } = calendar;
  expect(calendar.rows).toEqual([]);
  expect(problems).toMatchObject([
    { code: "calendar/conflict", severity: "error", file, line: Number.parseInt(named, 10) },
  ]);
  expect(problems[0]?.message).toContain(`in lines ${named}.`);
  expect(calendar.sourceLine(problems[0]?.line ?? 0)).toBe("<<<<<<< HEAD");
});

test("a post about conflict markers is not a conflict", async () => {
  const root = await tempFolder({ "a.csv": `content,date\n"How to read\n${CONFLICT.join("\n")}\n",1\n` });
  const calendar = await readCalendar(root, "a.csv", OPTIONS);
  expect(calendar.problems).toEqual([]);
  expect(calendar.rows).toHaveLength(1);
});

describe("reports instead of throwing", () => {
  test.each([["a.xls"], ["a.xlsm"], ["a"], ["a.csv.bak"], ["constructor"], ["a.constructor"], [".csv"]])(
    "%s as an unknown format",
    async (file) => {
      const root = await tempFolder({ [file]: "content,date\n" });
      const calendar = await readCalendar(root, file, OPTIONS);
      expect(calendar.problems).toMatchObject([{ code: "calendar/unknown-format", severity: "error", file }]);
      for (const format of [".csv", ".tsv", ".yaml", ".yml", ".xlsx", ".ods"]) {
        expect(calendar.problems[0]?.message).toContain(format);
      }
    },
  );

  test("a missing file, a folder, a circular link and a device", async () => {
    const root = await tempFolder();
    await mkdir(join(root, "folder.csv"));
    await symlink("circle.csv", join(root, "circle.csv"));
    await symlink("nowhere", join(root, "broken.yaml"));
    // Reading this one would never end.
    await symlink("/dev/zero", join(root, "device.csv"));
    for (const file of [
      "none.csv",
      "folder.csv",
      "circle.csv",
      "broken.yaml",
      "device.csv",
      "folder.csv/a.csv",
    ]) {
      const calendar = await readCalendar(root, file, OPTIONS);
      expect(calendar.problems).toMatchObject([{ code: "disk/unreadable", file }]);
      expect(calendar.problems[0]?.message).not.toContain(root);
      expect(calendar.sourceLine(1)).toBeUndefined();
    }
  });

  test("a name that does not exist, or a folder with any extension", async () => {
    const root = await tempFolder({ "calendars/Plan Dezember.xlsx": "" });
    const known = ["calendars/Plan Dezember.xlsx", "calendars/march.csv"];
    const messageFor = async (file: string): Promise<string | undefined> => {
      const { problems } = await readCalendar(root, file, { ...OPTIONS, known });
      expect(problems).toMatchObject([{ code: "disk/unreadable", file }]);
      return problems[0]?.message;
    };
    const all = "The project's calendars are `calendars/Plan Dezember.xlsx`, `calendars/march.csv`.";
    expect(await messageFor("calendars/Plan")).toBe(
      `This file does not exist: check the name, and put a name with spaces in quotes. ${all}`,
    );
    expect(await messageFor("calendars")).toBe(`This is a folder, not a calendar: name a file in it. ${all}`);
    expect(await messageFor("marhc.csv")).toContain("Did you mean `calendars/march.csv`?");
  });

  test("a file of more than 256 MB", async () => {
    const root = await tempFolder({ "a.csv": "", "b.yaml": "" });
    for (const file of ["a.csv", "b.yaml"]) {
      await truncate(join(root, file), 256 * 1_048_576 + 1);
      expect(codes((await readCalendar(root, file, OPTIONS)).problems)).toEqual(["calendar/too-large"]);
    }
  });

  test("a text in an unknown encoding", async () => {
    const root = await tempFolder({
      "latin1.csv": Buffer.from("content,date\npi\u00e8ce,1\n", "latin1"),
      "zip.csv": Buffer.from("PK\u0003\u0004"),
      "nul.yaml": "- content: a\0b\n",
    });
    const problems = await Promise.all(
      ["latin1.csv", "zip.csv", "nul.yaml"].map(
        async (file) => (await readCalendar(root, file, OPTIONS)).problems,
      ),
    );
    expect(problems.map(codes)).toEqual([
      ["calendar/encoding@2:3"],
      ["calendar/unknown-format"],
      ["calendar/encoding@1:13"],
    ]);
  });

  test("for any bytes, or reads them", async () => {
    const root = await tempFolder();
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.uint8Array({ maxLength: 200, max: 127 }),
      anyText(100).map((text) => new TextEncoder().encode(text)),
    );
    await fc.assert(
      fc.asyncProperty(bytes, fc.constantFrom("a.csv", "a.tsv", "a.yaml"), async (content, file) => {
        await writeFile(join(root, file), content);
        const calendar = await readCalendar(root, file, OPTIONS);
        expect(Array.isArray(calendar.rows)).toBe(true);
        for (const row of calendar.rows) expect(row.at("content").line).toBeGreaterThan(0);
      }),
      { numRuns: 60 },
    );
  });
});

const bytesOf = (text: string): Uint8Array => Buffer.from(`date,content\n2036-03-03,${text}\n`);

test("the last two versions of a calendar are read once for the same options", async () => {
  const known = new KnownCalendars();
  const read = (text: string, keep?: readonly string[]) =>
    known.read("a.csv", bytesOf(text), { columns: {}, known: [text], ...(keep && { keep }) });
  const first = await read("First");
  expect(first.rows[0]?.cells.content).toBe("First");
  const second = await read("Second");
  expect(second.rows[0]?.cells.content).toBe("Second");
  expect(await read("First")).toBe(first);
  expect(await read("Second")).toBe(second);
  expect(await read("Second", ["client"])).not.toBe(second);
  expect((await known.read("b.csv", bytesOf("Second"), { columns: {} })).file).toBe("b.csv");
  await read("Third");
  const again = await read("First");
  expect(again).not.toBe(first);
  expect(again.rows).toHaveLength(1);
});
