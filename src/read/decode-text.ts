/**
 * Bytes to text, strictly: a spreadsheet saved in another encoding must not turn into posts full of `�`.
 */
import { isUtf8 } from "node:buffer";
import type { Code } from "../calendar/codes.ts";
import { problem, type Problem } from "../calendar/problem.ts";
import { SourceText } from "./source-text.ts";

const ADVICE = "Save the file again as UTF-8 (in Excel: “CSV UTF-8”).";

/** What other programs put at the start of files that are not UTF-8. */
const SIGNATURES: readonly { readonly bytes: readonly number[]; readonly name: string }[] = [
  { bytes: [0xff, 0xfe], name: "UTF-16 text (little-endian), which Excel calls “Unicode text”" },
  { bytes: [0xfe, 0xff], name: "UTF-16 text (big-endian)" },
  { bytes: [0x50, 0x4b, 0x03, 0x04], name: "a ZIP archive, perhaps an Excel workbook with another name" },
];

export type Decoded = { readonly text: string } | { readonly problem: Problem };

/**
 * Decodes UTF-8 and drops a byte order mark. Anything else gives a problem of the code given, at the first
 * byte that is at fault.
 */
export function decodeText(file: string, bytes: Uint8Array, code: Code): Decoded {
  const signature = SIGNATURES.find((each) => each.bytes.every((byte, index) => bytes[index] === byte));
  if (signature !== undefined) {
    const message = `The file is not UTF-8 but ${signature.name}. ${ADVICE}`;
    return { problem: problem(code, message, { file, line: 1, column: 1 }) };
  }
  if (!isUtf8(bytes)) return { problem: badByte(file, bytes, code) };
  const text = new TextDecoder().decode(bytes);
  const nul = text.indexOf("\0");
  if (nul === -1) return { text };
  const message = `The file holds a NUL character, so it is not plain text. ${ADVICE}`;
  return { problem: problem(code, message, new SourceText(file, text).at(nul, nul + 1)) };
}

function badByte(file: string, bytes: Uint8Array, code: Code): Problem {
  const offset = findBadByte(bytes);
  const before = new TextDecoder().decode(bytes.subarray(0, offset));
  const byte = (bytes[offset] ?? 0).toString(16).toUpperCase().padStart(2, "0");
  const message = `The file is not UTF-8: the byte 0x${byte} cannot stand here. ${ADVICE}`;
  return problem(code, message, new SourceText(file, before).at(before.length));
}

/** Offset of the first character that is not UTF-8. Looks line by line first: a line feed is part of no other character. */
function findBadByte(bytes: Uint8Array): number {
  let start = 0;
  for (;;) {
    const feed = bytes.indexOf(0x0a, start);
    const end = feed === -1 ? bytes.length : feed + 1;
    if (feed === -1 || !isUtf8(bytes.subarray(start, end))) break;
    start = end;
  }
  while (start < bytes.length) {
    const length = sequenceLength(bytes[start] ?? 0);
    if (!isUtf8(bytes.subarray(start, start + length))) break;
    start += length;
  }
  return start;
}

function sequenceLength(firstByte: number): number {
  if (firstByte >= 0xf0) return 4;
  if (firstByte >= 0xe0) return 3;
  return firstByte >= 0xc0 ? 2 : 1;
}
