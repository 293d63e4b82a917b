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

/** What bytes that an encoding does not define become: control characters or `�`. */
const UNDEFINED = /[\u0080-\u009f\ufffd]/;

function decodeAs(
  file: string,
  bytes: Uint8Array,
  encoding: TextEncoding & { readonly name: Encoding },
  code: Code,
): DecodeResult {
  const text = decodeBytes(bytes, encoding.name);
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

/** In UTF-16 units. Chinese and Japanese have no blanks. */
const LONGEST_WORD = 12;

/**
 * Words that are not ASCII, in each encoding that can have the bytes of the file. Of encodings that read them alike, only the
 * first. Only a person can say which one is right.
 */
function samplesOf(bytes: Uint8Array): { encoding: Encoding; text: string }[] {
  const found = new Map<string, Encoding>();
  // The one that most programs write is the first.
  for (const encoding of ["windows-1252" as const, ...ENCODINGS]) {
    const text = decodeBytes(bytes, encoding);
    if (!UNDEFINED.test(text) && !found.has(text)) found.set(text, encoding);
  }
  return [...found]
    .map(([text, encoding]) => ({ encoding, text: sampleOf(text) }))
    .toSorted((one, other) => mixedWords(one.text) - mixedWords(other.text));
}

/** How many words have Latin letters and those of another script. In the right encoding, hardly any has. */
function mixedWords(text: string): number {
  return text
    .split(" ")
    .filter((word) => /\p{Script=Latin}/u.test(word) && /(?!\p{Script=Latin})\p{L}/u.test(word)).length;
}

/** Words that show as many letters as possible that are not ASCII. */
function sampleOf(text: string): string {
  const seen = new Set<string>();
  const words: string[] = [];
  for (const word of text.split(/[^a-z\u0080-\u{10ffff}]+/iu)) {
    if (words.length === MAX_WORDS) break;
    const letters = Array.from(word).filter((letter) => letter > "\u007f");
    if (letters.every((letter) => seen.has(letter))) continue;
    for (const letter of letters) seen.add(letter);
    words.push(word.slice(0, LONGEST_WORD));
  }
  return words.join(" ");
}

function decodeBytes(bytes: Uint8Array, encoding: Encoding): string {
  if (encoding !== "windows-1252") return new TextDecoder(encoding).decode(bytes);
  return windows1252(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1"));
}

/** The bytes of each character in an encoding: one byte, or two. */
function bytesOf(name: Encoding): ReadonlyMap<string, readonly number[]> {
  const all = Array.from({ length: 256 }, (_none, byte) => byte);
  const pairs = all.filter((byte) => byte > 0x7f).flatMap((first) => all.map((second) => [first, second]));
  return new Map(
    // The first bytes of a character count.
    [...pairs.toReversed(), ...all.map((byte) => [byte])].flatMap((bytes) => {
      const [character = "", ...more] = decodeBytes(Uint8Array.from(bytes), name);
      return more.length > 0 || character === "\ufffd" ? [] : [[character, bytes] as const];
    }),
  );
}

/** The first character of a text that an encoding lacks. */
export function lackingCharacter(text: string, { name, by }: TextEncoding): string | undefined {
  if (by === "unicode") return undefined;
  const known = bytesOf(name);
  return Array.from(text).find((character) => !known.has(character));
}

/**
 * The bytes of a text in an encoding that has all of its characters.
 * @param original the current file, for its byte order mark
 */
export function encodeText(text: string, { name, by }: TextEncoding, original: Uint8Array): Uint8Array {
  if (by === "project") {
    const known = bytesOf(name);
    return Uint8Array.from(Array.from(text).flatMap((character) => known.get(character) ?? [0x3f]));
  }
  const isMarked = name !== "utf-8" || startsWith(original, [0xef, 0xbb, 0xbf]);
  const marked = isMarked ? `\ufeff${text}` : text;
  if (name === "utf-8") return Buffer.from(marked);
  const units = Buffer.from(marked, "utf16le");
  return name === "utf-16be" ? units.swap16() : units;
}
