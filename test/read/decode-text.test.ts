import { expect, test } from "vitest";
import { decodeText } from "../../src/read/decode-text.ts";

function decode(bytes: Uint8Array): unknown {
  const decoded = decodeText("a.csv", bytes, "calendar/encoding");
  return "text" in decoded ? decoded.text : [decoded.problem.line, decoded.problem.column];
}

function message(bytes: Uint8Array): string {
  const decoded = decodeText("a.csv", bytes, "calendar/encoding");
  return "text" in decoded ? "" : decoded.problem.message;
}

const latin1 = (text: string): Buffer => Buffer.from(text, "latin1");

test("UTF-8 is read with or without a byte order mark, and the mark is dropped", () => {
  expect(decode(Buffer.from("é🎉\r\n"))).toBe("é🎉\r\n");
  expect(decode(Buffer.from("\uFEFFa,b"))).toBe("a,b");
  expect(decode(Buffer.from(""))).toBe("");
  expect(decode(Buffer.from("a\uFFFDb"))).toBe("a\uFFFDb");
});

test.each([
  ["first byte", latin1("é,b"), 1, 1],
  ["within a line", latin1("abc\ncaf\u00e9 au lait\n"), 2, 4],
  ["after characters of two and four bytes", Buffer.concat([Buffer.from("é\n🎉é"), latin1("é")]), 2, 4],
  ["after a carriage return alone", Buffer.concat([Buffer.from("a\rb\rcd"), Buffer.from([0x80])]), 3, 3],
  ["a character that is cut off", Buffer.from([0x61, 0xe2, 0x82]), 1, 2],
  ["an overlong form", Buffer.from([0x61, 0xc0, 0xaf]), 1, 2],
  ["a surrogate", Buffer.from([0x61, 0x0a, 0xed, 0xa0, 0x80]), 2, 1],
  ["more than Unicode has", Buffer.from([0xf4, 0x90, 0x80, 0x80]), 1, 1],
])("a bad byte has its place: %s", (_name, bytes, line, column) => {
  expect(decode(bytes)).toEqual([line, column]);
  expect(message(bytes)).toContain("CSV UTF-8");
});

test("the byte itself is named", () => {
  expect(message(latin1("caf\u00e9"))).toContain("0xE9");
});

test("UTF-16 is named", () => {
  const text = Buffer.from("\uFEFFcontent\tdate\r\n", "utf16le");
  expect(decode(text)).toEqual([1, 1]);
  expect(message(text)).toContain("UTF-16");
  expect(message(Buffer.from(text).swap16())).toContain("UTF-16");
});

test("a workbook with another name is recognised", () => {
  expect(message(Buffer.from("PK\u0003\u0004rest"))).toContain("ZIP");
});

test("a NUL character is refused where it stands", () => {
  expect(decode(Buffer.from("ab\nc\0d"))).toEqual([2, 2]);
  expect(decode(Buffer.from("content", "utf16le"))).toEqual([1, 2]);
});
