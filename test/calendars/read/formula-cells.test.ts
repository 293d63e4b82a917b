import { expect, test } from "vitest";
import { hasErrors } from "../../../src/model/problem.ts";
import { readCsv } from "../../../src/calendars/formats/csv/read-csv.ts";

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

/** One row whose column has this cell. */
function read(header: string, cell: string) {
  const text = `date,platforms,media,${header}\n2036-03-01,x,a.png,${quoted(cell)}\n`;
  const { rows, problems } = readCsv("a.csv", text, { columns: {} });
  return { cells: rows[0]?.cells, codes: problems.map(({ code }) => code), problems };
}

test.each([
  "=A1+1",
  "=B2",
  " =$C$3",
  "=Captions!B2",
  "='My sheet'!B2",
  "=Captions",
  '=CONCATENATE(A1," ",B1)',
  '="Hello "&B2',
  "=IF(B2=1,A1,C1)",
  "=WENN(B2;A1;C1)",
  "{=SUM(A1:A3)}",
  "=2+3",
  "=-A1",
  '=IMAGE("https://a.example/b.png")',
  "=(A1)",
])("does not publish the formula %s", (cell) => {
  const { codes, problems } = read("content", cell);
  expect(codes).toEqual(["sheet/formula"]);
  expect(problems[0]).toMatchObject({ line: 2, column: 20 });
});

test.each([
  "#REF!",
  "#N/A",
  "#NAME?",
  "#VALUE!",
  "#DIV/0!",
  "#NV",
  "#BEZUG!",
  "#¿NOMBRE?",
  "#NOM?",
  "Err:508",
  "########",
])("does not publish %s, the sign of a failed formula", (cell) => {
  expect(read("content", cell).codes).toEqual(["sheet/formula"]);
  expect(read("time", cell).codes).toContain("sheet/formula");
});

test.each([
  "=> Read more",
  "== News ==",
  "=) See you",
  "= 5 things that we learnt",
  "=1+1 is two",
  "=A1 steak, only today",
  "=Wow! Really?",
  "=(",
  "#NOW!",
  "#ref",
  "We use =A1+1 in our sheet",
  "+1 for spring",
])("keeps the text %s", (cell) => {
  const { cells, problems } = read("content", cell);
  expect(cells?.content).toBe(cell);
  expect(hasErrors(problems)).toBe(false);
});

test("reads the result of a formula if the result is certain", () => {
  expect(read("content", '="0123 ""go"""').cells?.content).toBe('0123 "go"');
  expect(read("content", '=HYPERLINK("https://a.example")')).toMatchObject({
    cells: { content: "https://a.example" },
    codes: [],
  });
  expect(read("content", '=HYPERLINK("https://a.example";"Read more")')).toMatchObject({
    cells: { content: "Read more" },
    codes: ["sheet/lost-link"],
  });
  const picture = readCsv(
    "a.csv",
    'date,content,image\n2036-03-01,Hi,"=IMAGE(""https://a.example/b.png"", 1)"\n',
    { columns: {} },
  );
  expect(picture.rows[0]?.cells.media).toBe("https://a.example/b.png");
});

test.each(["=A1+1", "#REF!"])("an apostrophe before the header and the text makes %s a text", (cell) => {
  expect(read("'content", `'${cell}`)).toMatchObject({ cells: { content: cell }, codes: [] });
});

test("columns that plancast does not use may hold formulas", () => {
  const { problems } = readCsv("a.csv", "date,content,Days left\n2036-03-01,Hi,=A2-TODAY()\n", {
    columns: {},
  });
  expect(problems.map(({ code }) => code)).toEqual(["columns/unknown"]);
});
