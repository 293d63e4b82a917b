/** Editing cells of delimited text keeps all other bytes. */

import { expect, test } from "vitest";
import { edit, editedText } from "../../../support/edits.ts";

const HEAD = "id,date,time,platforms,prompt";
const ROW = "a,2036-03-01,09:00,x,Spring";

test("fills blank cells and adds columns at the end", async () => {
  const before = `${HEAD},content\n${ROW},\nb,2036-03-02,09:00,x,,By hand\n`;
  expect(await editedText("a.csv", before, { 0: { content: "Now, here", status: "draft" } })).toBe(
    `${HEAD},content,status\n${ROW},"Now, here",draft\nb,2036-03-02,09:00,x,,By hand\n`,
  );
});

test("keeps quotes, short rows, semicolons and line ends of the file", async () => {
  const before =
    `sep=;\r\n${HEAD};"content";Note\r\n${ROW}\r\n\r\n"b";2036-03-02;09:00;x;"two\r\nlines";"";"x;y"`.replaceAll(
      ",",
      ";",
    );
  const after = await editedText("a.csv", before, {
    0: { content: "one\ntwo" },
    1: { content: 'say "hi"', "content:twitter": "own" },
  });
  expect(after).toBe(
    before
      .replace("Note\r\n", "Note;content:twitter\r\n")
      .replace("Spring\r\n", 'Spring;"one\r\ntwo"\r\n')
      .replace('"";"x;y"', '"say ""hi""";"x;y";own'),
  );
});

test("in an Excel file that ends rows with CRLF, writes LF within cells", async () => {
  const before = `${HEAD},content\r\na,2036-03-01,09:00,x,"two\nlines",\r\n`;
  expect(await editedText("a.csv", before, { 0: { content: "1\n2" } })).toBe(
    before.replace('lines",\r\n', 'lines","1\n2"\r\n'),
  );
});

test.each([
  ["windows-1252", "é€", "Köln – „ja“ €"],
  ["windows-1251", "Привет", "Ещё"],
  ["macintosh", "é", "Ünï"],
] as const)("keeps a file in %s in its encoding", async (encoding, note, text) => {
  const body = `${HEAD},content,note ${note}\n${ROW},,\n`;
  const pages = new Map(
    Array.from({ length: 256 }, (_none, byte) => [decode(encoding, byte), byte] as const),
  );
  const encoded = (whole: string): Buffer => Buffer.from(Array.from(whole, (sign) => pages.get(sign) ?? 0));
  const { contents, faults } = await edit("a.csv", encoded(body), { 0: { content: text } }, { encoding });
  expect(faults).toEqual([]);
  expect(contents).toEqual(encoded(body.replace("Spring,,", `Spring,${text},`)));
});

function decode(encoding: string, byte: number): string {
  // Node decodes Windows-1252 as Latin 1, so the test has its own decoder.
  if (encoding === "windows-1252" && byte >= 0x80 && byte < 0xa0)
    return byte === 0x80 ? "€" : TYPOGRAPHY(byte);
  return new TextDecoder(encoding).decode(Uint8Array.of(byte));
}

function TYPOGRAPHY(byte: number): string {
  return { 0x84: "„", 0x93: "“", 0x96: "–" }[byte] ?? String.fromCharCode(byte);
}

test("leaves a row unchanged when the encoding lacks a character, and writes the others", async () => {
  const before = Buffer.from(`${HEAD},content,Ort\n${ROW},,K\xf6ln\nb,2036-03-02,09:00,x,Fern,,\n`, "latin1");
  const { contents, faults } = await edit(
    "a.csv",
    before,
    { 0: { content: "🎉" }, 1: { content: "Grün" } },
    { encoding: "windows-1252" },
  );
  expect(faults).toEqual([{ row: 0, message: expect.stringContaining('"🎉", which windows-1252') }]);
  expect(contents).toEqual(
    Buffer.from(before.toString("latin1").replace("Fern,,", "Fern,Gr\xfcn,"), "latin1"),
  );
});

test.each(["utf-16le", "utf-16be"] as const)("keeps %s and its byte order mark", async (name) => {
  const encoded = (text: string): Buffer => {
    const bytes = Buffer.from(`\uFEFF${text}`, "utf16le");
    return name === "utf-16le" ? bytes : bytes.swap16();
  };
  const before = `${HEAD}\tcontent\n${ROW}\t\n`.replaceAll(",", "\t");
  const { contents } = await edit("a.tsv", encoded(before), { 0: { content: "東京 🎉" } });
  expect(contents).toEqual(encoded(before.replace("Spring\t", "Spring\t東京 🎉")));
});

test("keeps the byte order mark of UTF-8", async () => {
  const before = `\uFEFF${HEAD},content\n${ROW},\n`;
  expect(await editedText("a.csv", before, { 0: { content: "x" } })).toBe(
    before.replace("Spring,", "Spring,x"),
  );
});

test("guards texts that a spreadsheet would run as formulas, and marks their column", async () => {
  for (const name of ["content", "Caption", "Slogan"]) {
    const before = `${HEAD},${name}\n${ROW},\nb,2036-03-02,09:00,x,,=by hand\nc,2036-03-02,09:00,x,,\n`;
    const settings = { columns: { Slogan: "content" } };
    expect(
      await editedText("a.csv", before, { 0: { content: "@all" }, 2: { content: "-1" } }, settings),
    ).toBe(
      before.replace(`,${name}`, `,'${name}`).replace("Spring,", "Spring,'@all").replace("x,,\n", "x,,'-1\n"),
    );
  }
  const marked = `${HEAD},'content\n${ROW},\n`;
  expect(await editedText("a.csv", marked, { 0: { content: "=1" } })).toBe(
    marked.replace("Spring,", "Spring,'=1"),
  );
  expect(await editedText("a.csv", `${HEAD},content\n${ROW},\n`, { 0: { "content:x": "=1" } })).toBe(
    `${HEAD},content,'content:x\n${ROW},,'=1\n`,
  );
});

test.each([
  ["content", "'=quoted", "the text in line 3 of that column already begins with one"],
  ["★", "By hand", 'the header "★" does not begin with a letter or digit'],
])(
  "leaves a column %j unchanged if it cannot be marked as guarded, and says what to do",
  async (name, other, told) => {
    const before = `${HEAD},${name}\n${ROW},\nb,2036-03-02,09:00,x,,${other}\nc,2036-03-03,09:00,x,Fern,\n`;
    const settings = { columns: { "★": "content" } } as const;
    const { contents, faults } = await edit(
      "a.csv",
      before,
      { 0: { content: "=1" }, 2: { content: "2" } },
      settings,
    );
    expect(faults).toEqual([{ row: 0, message: expect.stringContaining(told) }]);
    expect(contents.toString()).toBe(before.replace("Fern,", "Fern,2"));
  },
);

test("fills cells by position in a file without a header, and adds no column", async () => {
  const settings = {
    header_row: "none",
    columns: { A: "date", B: "time", C: "platforms", D: "prompt", E: "content" },
  } as const;
  const before = "2036-03-01,09:00,x,Spring,\n";
  expect(await editedText("a.csv", before, { 0: { content: "Text" } }, settings)).toBe(
    before.replace("Spring,", "Spring,Text"),
  );
  for (const [cells, told] of [
    [{ content: "Text", status: "draft" }, "cannot add a column"],
    [{ content: "@all" }, "begins with @"],
  ] as const) {
    const { contents, faults } = await edit("a.csv", before, { 0: cells }, settings);
    expect(contents.toString()).toBe(before);
    expect(faults).toEqual([{ row: 0, message: expect.stringContaining(told) }]);
  }
});

test("refuses a text that does not fit into any file", async () => {
  const { faults } = await edit("a.csv", `${HEAD},content\n${ROW},\n`, { 0: { content: "a\0b" } });
  expect(faults).toEqual([expect.objectContaining({ row: 0 })]);
});
