/**
 * Text files and their encodings. Decodes strictly: a spreadsheet in another encoding must not turn into posts full of
 * `�`. Also encodes text back to the original bytes.
 */

import { isUtf8 } from "node:buffer";
import { type Encoding, type TextEncoding, ENCODINGS } from "../../model/fields.ts";
import { type Problem, type Question, problem } from "../../model/problem.ts";
import { windows1252 } from "../../model/windows-1252.ts";
import type { Code } from "../../problems/catalogue.ts";
import { type FileCodes, otherFormatText, readFileBytes, startsWith } from "./read-file.ts";
import { SourceText } from "./source-text.ts";

const ADVICE = "Save the file again as UTF-8 (in Excel: “CSV UTF-8”).";

/** Byte order marks of UTF-16. */
const UTF16_MARKS = [
  { bytes: [0xff, 0xfe], encoding: "utf-16le" },
  { bytes: [0xfe, 0xff], encoding: "utf-16be" },
] as const;

const UTF_8: TextEncoding = { name: "utf-8", by: "unicode" };

export type DecodeResult =
  { readonly text: string; readonly encoding: TextEncoding } | { readonly problem: Problem };

export interface DecodeOptions {
  /** The code of what is wrong with the text. */
  readonly code: Code;
  /** The project's encoding for files that are not Unicode; "unicode" if no other is allowed. */
  readonly encoding: Encoding | "unicode" | undefined;
}

/** Reads a text file. `file` is its name in problems. Never throws: failures become problems. */
export async function readTextFile(
  path: string,
  file: string,
  codes: FileCodes,
  options: DecodeOptions,
): Promise<DecodeResult> {
  const read = await readFileBytes(path, file, codes);
  return "problem" in read ? read : decodeText(file, read.bytes, options);
}

/**
 * Decodes UTF-8 and UTF-16, and drops a byte order mark. Accepts another encoding if the project names it. Anything else
 * gives a problem at the first faulty byte.
 */
export function decodeText(file: string, bytes: Uint8Array, options: DecodeOptions): DecodeResult {
  const { code, encoding } = options;
  const mark = UTF16_MARKS.find((each) => startsWith(bytes, each.bytes));
  if (mark !== undefined) return decodeUtf16(file, bytes, mark.encoding, code);
  const other = otherFormatText(bytes, "text");
  if (other !== undefined) return { problem: problem(code, other, { file, line: 1, column: 1 }) };
  if (isUtf8(bytes)) return withoutNul(file, new TextDecoder().decode(bytes), UTF_8, code);
  if (encoding === "unicode") return { problem: badByte(file, bytes, code) };
  if (encoding !== undefined) return decodeAs(file, bytes, { name: encoding, by: "project" }, code);
  return { problem: badByte(file, bytes, code, NAME_IT) };
}

const NAME_IT = " Or name its encoding in plancast.yaml, for example `encoding: windows-1252`.";

/** What bytes that a code page does not define become: control characters, or `�` in Windows-1257. */
const UNDEFINED = /[\u0080-\u009f\ufffd]/;

function decodeAs(
  file: string,
  bytes: Uint8Array,
  encoding: TextEncoding & { readonly name: Encoding },
  code: Code,
): DecodeResult {
  const text = decodeCodePage(bytes, encoding.name);
  const undefinedAt = text.search(UNDEFINED);
  if (undefinedAt === -1) return withoutNul(file, text, encoding, code);
  const message = `The file is not ${encoding.name}: this byte has no meaning in it. ${ADVICE}`;
  return { problem: problem(code, message, new SourceText(file, text).at(undefinedAt, undefinedAt + 1)) };
}

function decodeUtf16(
  file: string,
  bytes: Uint8Array,
  encoding: "utf-16le" | "utf-16be",
  code: Code,
): DecodeResult {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return withoutNul(file, text, { name: encoding, by: "unicode" }, code);
  } catch {
    const text = new TextDecoder(encoding).decode(bytes);
    const broken = text.indexOf("\ufffd");
    const message = `The file is UTF-16, but this part of it is not. ${ADVICE}`;
    return { problem: problem(code, message, new SourceText(file, text).at(broken, broken + 1)) };
  }
}

function withoutNul(file: string, text: string, encoding: TextEncoding, code: Code): DecodeResult {
  const nul = text.indexOf("\0");
  if (nul === -1) return { text, encoding };
  const message = `The file contains a NUL character, so it is not plain text. ${ADVICE}`;
  return { problem: problem(code, message, new SourceText(file, text).at(nul, nul + 1)) };
}

function badByte(file: string, bytes: Uint8Array, code: Code, way = ""): Problem {
  const text = new TextDecoder().decode(bytes);
  const message = `The file is not UTF-8: this letter is in another encoding. ${ADVICE}${way}`;
  const questions: Question[] = way === "" ? [] : [{ topic: "encoding", samples: samplesOf(bytes) }];
  return { ...problem(code, message, new SourceText(file, text).at(text.indexOf("\ufffd"))), questions };
}

/** Of a sample. */
const MAX_WORDS = 12;
/** Bytes of a word before and after the byte that is not ASCII. */
const LONGEST_WORD = 12;

/**
 * Words with each of the bytes that are not ASCII, in each encoding that has these bytes. Of encodings that read them alike,
 * only the first. Only a person can say which one is right.
 */
function samplesOf(bytes: Uint8Array): { encoding: Encoding; text: string }[] {
  const words = wordsWithOtherBytes(bytes);
  const found = new Map<string, Encoding>();
  // The one that most programs write is the first.
  for (const encoding of ["windows-1252" as const, ...ENCODINGS]) {
    const text = words.map((word) => decodeCodePage(word, encoding)).join(" ");
    if (!UNDEFINED.test(text) && !found.has(text)) found.set(text, encoding);
  }
  return [...found].map(([text, encoding]) => ({ encoding, text }));
}

function wordsWithOtherBytes(bytes: Uint8Array): Uint8Array[] {
  const seen = new Set<number>();
  const words: Uint8Array[] = [];
  for (const [offset, byte] of bytes.entries()) {
    if (byte < 0x80 || seen.has(byte) || words.length === MAX_WORDS) continue;
    let [start, end] = [offset, offset + 1];
    while (offset - start < LONGEST_WORD && isOfWord(bytes[start - 1])) start -= 1;
    while (end - offset < LONGEST_WORD && isOfWord(bytes[end])) end += 1;
    const word = bytes.subarray(start, end);
    for (const each of word) seen.add(each);
    words.push(word);
  }
  return words;
}

/** An ASCII letter, or no ASCII at all. */
function isOfWord(byte: number | undefined): boolean {
  return byte !== undefined && (byte >= 0x80 || /[a-z]/i.test(String.fromCharCode(byte)));
}

/** Bytes of a code page as text. */
function decodeCodePage(bytes: Uint8Array, encoding: Encoding): string {
  if (encoding !== "windows-1252") return new TextDecoder(encoding).decode(bytes);
  return windows1252(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1"));
}

/** The bytes of a code page by their characters. */
function codePage(name: Encoding): ReadonlyMap<string, number> {
  const bytes = Uint8Array.from({ length: 256 }, (_none, byte) => byte);
  return new Map(Array.from(decodeCodePage(bytes, name), (character, byte) => [character, byte]));
}

/** The first character of a text that an encoding lacks. */
export function lackingCharacter(text: string, { name, by }: TextEncoding): string | undefined {
  if (by === "unicode") return undefined;
  const known = codePage(name);
  return Array.from(text).find((character) => !known.has(character));
}

/**
 * The bytes of a text in an encoding that has all of its characters.
 * @param original the current file, for its byte order mark
 */
export function encodeText(text: string, { name, by }: TextEncoding, original: Uint8Array): Uint8Array {
  if (by === "project") {
    const known = codePage(name);
    return Uint8Array.from(Array.from(text), (character) => known.get(character) ?? 0x3f);
  }
  const isMarked = name !== "utf-8" || startsWith(original, [0xef, 0xbb, 0xbf]);
  const marked = isMarked ? `\ufeff${text}` : text;
  if (name === "utf-8") return Buffer.from(marked);
  const units = Buffer.from(marked, "utf16le");
  return name === "utf-16be" ? units.swap16() : units;
}
