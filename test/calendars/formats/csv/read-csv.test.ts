import { expect, test } from "vitest";
import { readCsv, readTsv } from "../../../../src/calendars/formats/csv/read-csv.ts";
import type { RawCalendar } from "../../../../src/model/row.ts";
import { cellsOf, codes, underlined } from "../../places.ts";

const read = (text: string, columns: Record<string, string> = {}): RawCalendar =>
  readCsv("a.csv", text, { columns });

test("reads rows with their lines and the places of their cells", () => {
  const calendar = read('id,content,date\np1,"Hello, ""you""\nthere",2027-03-01\n\np2,Next,2027-03-02\n');
  expect(calendar.problems).toEqual([]);
  expect(cellsOf(calendar)).toEqual([
    { id: "p1", content: 'Hello, "you"\nthere', date: "2027-03-01" },
    { id: "p2", content: "Next", date: "2027-03-02" },
  ]);
  const [first, second] = calendar.rows;
  expect([first?.file, first?.line, second?.line]).toEqual(["a.csv", 2, 5]);
  expect(first?.at("content")).toEqual({ file: "a.csv", line: 2, column: 4, length: 15 });
  expect(first?.at("date")).toEqual({ file: "a.csv", line: 3, column: 8, length: 10 });
  expect(second?.at("date")).toEqual({ file: "a.csv", line: 5, column: 9, length: 10 });
});

test("the place of an absent field is the start of its row", () => {
  const [row] = read("content,date,status\na,b,\n").rows;
  expect(row?.cells).toEqual({ content: "a", date: "b" });
  expect(row?.at("status")).toEqual({ file: "a.csv", line: 2, column: 1 });
  expect(row?.at("media")).toEqual({ file: "a.csv", line: 2, column: 1 });
  expect(row?.at()).toEqual({ file: "a.csv", line: 2, column: 1 });
});

test("counts columns in UTF-16 units", () => {
  const [row] = read("content,id,date\n🎉é,ü,x\n").rows;
  expect(row?.at("id")).toMatchObject({ column: 5, length: 1 });
  expect(row?.at("date")).toMatchObject({ column: 7 });
});

test("keeps content unchanged", () => {
  const content = "  caf\u0065\u0301 \r\n=1+1\t ";
  expect(cellsOf(read(`content,date\n"${content}", x \n`))).toEqual([{ content, date: " x " }]);
});

test("reads cells of white space as absent, even with non-breaking spaces", () => {
  expect(cellsOf(read("content,date,id\nx,\u00a0 , \t\n"))).toEqual([{ content: "x" }]);
});

test("skips blank rows and counts their lines", () => {
  const calendar = read(`content;date;\n;;\n  ;\u00a0;\na;b;\n${";;\r\n".repeat(500)}c;d;\n`);
  expect(calendar.problems).toEqual([]);
  expect(calendar.rows.map((row) => row.line)).toEqual([4, 505]);
});

test("skips blank rows before the header", () => {
  const calendar = read("\n ; ;\n\r\ncontent;date\na;b\n");
  expect(codes(calendar.problems)).toEqual([]);
  expect(calendar.rows.map((row) => row.line)).toEqual([5]);
});

test("reads mixed line ends, and a last line without a line end", () => {
  const calendar = read("content,date\r\na,1\rb,2\nc,3");
  expect(calendar.rows.map((row) => [row.line, row.cells.content])).toEqual([
    [2, "a"],
    [3, "b"],
    [4, "c"],
  ]);
});

test("reads rows that end early", () => {
  const calendar = read("content,date,status\na,b\nc\n");
  expect(calendar.problems).toEqual([]);
  expect(cellsOf(calendar)).toEqual([{ content: "a", date: "b" }, { content: "c" }]);
});

test("refuses a row with more cells than columns, at the first extra cell that is not blank", () => {
  const calendar = read("content,date\na,b,,\nHello, you,2027-03-01\nc,d, ,x\ne,f\n");
  expect(codes(calendar.problems)).toEqual(["csv/syntax@3:12", "csv/syntax@4:7"]);
  expect(cellsOf(calendar)).toEqual([
    { content: "a", date: "b" },
    { content: "e", date: "f" },
  ]);
});

test.each([[","], [";"], ["\t"], ["|"]])("detects the delimiter %j", (delimiter) => {
  const lines = [
    ["content", "date", "time"],
    ['"a,b;c|d\te"', "2027-03-01", "09:00"],
    ["x", "y", "z"],
  ];
  const calendar = read(lines.map((line) => line.join(delimiter)).join("\n"));
  expect(calendar.problems).toEqual([]);
  expect(cellsOf(calendar)[0]).toEqual({ content: "a,b;c|d\te", date: "2027-03-01", time: "09:00" });
});

test("chooses the delimiter that gives the most known headers, not the most cells", () => {
  expect(cellsOf(read('content;date;"note, a, b, c, d"\nx, y, z;2027-03-01;\n'))).toEqual([
    { content: "x, y, z", date: "2027-03-01" },
  ]);
  expect(cellsOf(read("a,b,c,d;Légende;date\n;x;y\n", { légende: "content" }))).toEqual([
    { content: "x", date: "y" },
  ]);
});

test("ignores hundreds of empty rows and columns at the end", () => {
  const columns = ";".repeat(300);
  const rows = [
    `content;date${columns}`,
    `a;1${columns}`,
    ...Array.from({ length: 400 }, () => `; ;\u00a0${columns}`),
  ];
  const text = rows.map((row, index) => row + ["\r\n", "\n", "\r"][index % 3]).join("");
  const calendar = read(text);
  expect(calendar.problems).toEqual([]);
  expect(cellsOf(calendar)).toEqual([{ content: "a", date: "1" }]);
});

test("takes the delimiter from Excel's sep= line, which is not a header", () => {
  const calendar = read("sep=|\r\ncontent|date\r\na;b|c\r\n");
  expect(calendar.problems).toEqual([]);
  expect(calendar.rows[0]?.line).toBe(3);
  expect(cellsOf(calendar)).toEqual([{ content: "a;b", date: "c" }]);
});

test("reads .tsv with tabs whatever its header contains", () => {
  const calendar = readTsv("a.tsv", "content\tdate\tx,y,z\na,b;c\t1\t2\n", { columns: {} });
  expect(codes(calendar.problems)).toEqual(["columns/unknown@1:14"]);
  expect(cellsOf(calendar)).toEqual([{ content: "a,b;c", date: "1" }]);
});

test("asks once about all unknown columns, with suggestions", () => {
  const { problems } = read("Notes,content,platfroms,date\n1,x,y,2\n");
  expect(codes(problems)).toEqual(["columns/unknown@1:1"]);
  expect(problems[0]).toMatchObject({ severity: "error" });
  expect(problems[0]?.settings).toContain("platfroms: platforms");
});

test("asks about an unnamed column only when it has a cell", () => {
  expect(read("content,date,,\na,b,,\n").problems).toEqual([]);
  const { problems } = read("content,date,,,\na,b,,,\nc,d,,x,\n");
  expect(codes(problems)).toEqual(["columns/unknown@1:15"]);
  expect(problems[0]?.message).toContain("`D` (1 row");
});

test("refuses the second of two columns for one field", () => {
  const calendar = read("caption,date,Text\na,b,c\n");
  expect(codes(calendar.problems)).toEqual(["columns/unknown@1:14"]);
  expect(underlined(calendar, calendar.problems[0] ?? {})).toBe("Text");
});

test.each([
  ["content,status\na,b\n", ["`scheduled_at` or `date`", "`content`, `status`"]],
  ["date,platforms\na,b\n", ["`content` or `media`", "`date`, `platforms`"]],
])("names missing and present columns: %j", (text, named) => {
  const { problems, rows } = read(text);
  expect(codes(problems)[0]).toBe("csv/missing-header@1:1");
  for (const each of named) expect(problems[0]?.message).toContain(each);
  expect(rows).toEqual([]);
});

test.each([
  ["media,scheduled_at\na,b\n"],
  ["content,date\na,b\n"],
  ["Image,Publish at\na,b\n"],
  ["text,Posting Time\na,b\n"],
])("needs no columns for platforms and time: %j", (text) => {
  expect(read(text).problems).toEqual([]);
});

test("does not treat a first row without known names as the header", () => {
  const { problems, rows } = read("\n2027-01-01 10:00,Hello there,http://x.example\n");
  expect(codes(problems)).toEqual(["csv/missing-header@2:1"]);
  expect(problems[0]?.message).toContain("`Hello there`");
  expect(rows).toEqual([]);
});

test.each([[""], ["\n\n"], [";;;\n;;\n"]])("finds no header in an empty file: %j", (text) => {
  expect(codes(read(text).problems)).toEqual(["csv/missing-header@1:1"]);
});

test("warns about a header without rows", () => {
  const { problems } = read("content,date\n,,\n");
  expect(codes(problems)).toEqual(["calendar/empty"]);
  expect(problems[0]).toMatchObject({ severity: "warning", file: "a.csv" });
});

test.each([
  ['content,date\nsay "hi",x\n', 2, 5],
  ['content,date\n"say "hi" now",x\n', 2, 6],
  ['content,date\nx, "hi"\n', 2, 4],
  ['content,date\n"a\nb"c",x\n', 3, 2],
  ['content,date\n🎉é,ü"\n', 2, 6],
  ['content,date\r\n"x"y,z\r\n', 2, 3],
])("shows the place of a bare quote: %j", (text, line, column) => {
  const calendar = read(text);
  expect(codes(calendar.problems)).toEqual([`csv/syntax@${line}:${column}`]);
  expect(underlined(calendar, calendar.problems[0] ?? {})).toBe('"');
});

test("reports every bare quote and reads the rows around it", () => {
  const calendar = read('content,date\na,1\nx "y" z,2\nb,3\n"p "q",4\nü 🎉,5\n,"\n');
  expect(codes(calendar.problems)).toEqual(["csv/syntax@3:3", "csv/syntax@5:4", "csv/syntax@7:2"]);
  expect(calendar.rows.map((row) => [row.line, row.cells.date])).toEqual([
    [2, "1"],
    [4, "3"],
    [6, "5"],
  ]);
  expect(calendar.rows.map((row) => underlined(calendar, row.at("content")))).toEqual(["a", "b", "ü 🎉"]);
});

test("names the opening line of a cell whose bare quote is lines below", () => {
  const { problems } = read('content,date\n"never closed,1\nb,2\n"c,3\n');
  expect(codes(problems)).toEqual(["csv/syntax@4:1"]);
  expect(problems[0]?.message).toContain("2 lines above");
  expect(problems[0]?.message).toContain("could not read the rest");
});

test.each([
  ['content,date\na,1\nb,"2\nc,3\n', 3, 3],
  ['content,date\na,1\n"é""', 3, 1],
  ['content,date\na,1\nb,"', 3, 3],
])("shows where an unclosed quote opens, and keeps the rows before it: %j", (text, line, column) => {
  const calendar = read(text);
  expect(codes(calendar.problems)).toEqual([`csv/syntax@${line}:${column}`]);
  expect(cellsOf(calendar)).toEqual([{ content: "a", date: "1" }]);
});

test("reports only the broken quote of a header", () => {
  expect(codes(read('con"tent,date\na,b\n').problems)[0]).toBe("csv/syntax@1:4");
  expect(codes(read('"content,date\na,b\n').problems)).toEqual(["csv/syntax@1:1"]);
});

test("refuses a row of more than a megabyte and reads on after it", () => {
  const calendar = read(`content,date\na,1\n"${"x\n".repeat(600_000)}",2\nb,3\n`);
  expect(codes(calendar.problems)).toEqual(["csv/syntax@3:1"]);
  expect(calendar.rows.map((row) => [row.line, row.cells.content])).toEqual([
    [2, "a"],
    [600_004, "b"],
  ]);
});

test("reports a quote that is never closed in a long file", () => {
  expect(codes(read(`content,date\na,"1\n${"x,y\n".repeat(400_000)}`).problems)).toEqual(["csv/syntax@2:3"]);
});

test("sorts problems by their place in the file", () => {
  const { problems } = read('content,notes,date,post,message body\na,b,c,d,e,f\n"x"y",z\na,b,c,d,e,f\n');
  expect(codes(problems)).toEqual(["csv/syntax@2:11", "csv/syntax@3:3", "csv/syntax@4:11"]);
});

test("shows lines without their ends", () => {
  const calendar = read("content,date\r\na,b\r\n");
  expect(calendar.sourceLine(2)).toBe("a,b");
  expect(calendar.sourceLine(9)).toBeUndefined();
});
