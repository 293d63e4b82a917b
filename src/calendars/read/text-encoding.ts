/**
 * Text files and their encodings. Decodes strictly: a spreadsheet in another encoding must not turn into posts full of
 * `�`. Also encodes text back to the original bytes.
 */

import { isUtf8 } from "node:buffer";
import type { Encoding, TextEncoding } from "../../model/fields.ts";
import { type Problem, type Question, problem } from "../../model/problem.ts";
import type { Code } from "../../problems/catalogue.ts";
import { type FileCodes, otherFormatText, readFileBytes, startsWith } from "./read-file.ts";
import { SourceText } from "./source-text.ts";

const ADVICE = "Save the file again as UTF-8 (in Excel: “CSV UTF-8”).";

/** Byte order marks of UTF-16. */
const UTF16_MARKS = [
  { bytes: [0xff, 0xfe], encoding: "utf-16le" },
  { bytes: [0xfe, 0xff], encoding: "utf-16be" },
] as const;

/** Bytes to check for UTF-16 without a mark. */
const UTF16_SAMPLE_BYTES = 4096;

const UTF_8: TextEncoding = { name: "utf-8", by: "unicode" };

export type DecodeResult =
  | {
      readonly text: string;
      readonly encoding: TextEncoding;
      /** The detected encoding, if the file does not declare it. */
      readonly warning?: Problem;
    }
  | { readonly problem: Problem };

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
 * Decodes UTF-8 and UTF-16, and drops a byte order mark. Accepts another encoding if the project names it, or if it is
 * certainly Windows-1252. Anything else gives a problem at the first faulty byte.
 */
export function decodeText(file: string, bytes: Uint8Array, options: DecodeOptions): DecodeResult {
  const { code, encoding } = options;
  const mark = UTF16_MARKS.find((each) => startsWith(bytes, each.bytes));
  const utf16 = mark?.encoding ?? unmarkedUtf16(bytes);
  if (utf16 !== undefined) return decodeUtf16(file, bytes, utf16, code);
  const other = otherFormatText(bytes, "text");
  if (other !== undefined) return { problem: problem(code, other, { file, line: 1, column: 1 }) };
  if (isUtf8(bytes)) return withoutNul(file, new TextDecoder().decode(bytes), UTF_8, code);
  if (encoding === "unicode") return { problem: badByte(file, bytes, code) };
  if (encoding !== undefined) return decodeAs(file, bytes, { name: encoding, by: "project" }, code);
  if (looksLikeShiftJis(bytes)) return { problem: problem(code, SHIFT_JIS, { file, line: 1, column: 1 }) };
  if (!detectWindows1252(bytes)) return { problem: badByte(file, bytes, code, NAME_IT) };
  const decoded = decodeAs(file, bytes, { name: "windows-1252", by: "guess" }, code);
  return "problem" in decoded ? decoded : { ...decoded, warning: guessedEncodingWarning(file, decoded.text) };
}

const SHIFT_JIS = `The file looks like Shift_JIS, the encoding in which Japanese Excel saves CSV. plancast reads UTF-8. ${ADVICE}`;

/** Enough to recognise a language. */
const SAMPLE_BYTES = 65_536;

/** Kana in Shift_JIS, twice: chance rarely makes them from another encoding. */
function looksLikeShiftJis(bytes: Uint8Array): boolean {
  try {
    // The last character of the sample may be cut.
    const text = new TextDecoder("shift_jis", { fatal: true }).decode(bytes.subarray(0, SAMPLE_BYTES), {
      stream: true,
    });
    const kana = text.match(/[\u3041-\u30fa]/g)?.length ?? 0;
    const others = text.match(/[^\p{ASCII}]/gu)?.length ?? 0;
    return kana > 1 && kana * 5 > others;
  } catch {
    return false;
  }
}

const NAME_IT = " Or name its encoding in plancast.yaml, for example `encoding: windows-1252`.";

function guessedEncodingWarning(file: string, text: string): Problem {
  const message = `The file is not UTF-8, so plancast read it as Windows-1252. If accents are correct, set \`encoding: windows-1252\` in plancast.yaml. Otherwise: ${ADVICE}`;
  const questions: Question[] = [{ topic: "encoding", sample: firstAccents(text) }];
  return { ...problem("calendar/guessed-encoding", message, { file }), questions };
}

/** Characters of a sample before and after its first character beyond ASCII. */
const SAMPLE_BEFORE = 30;
const SAMPLE_AFTER = 50;

/** Part of the first line with a character beyond ASCII. */
function firstAccents(text: string): { readonly line: number; readonly text: string } {
  const at = text.search(/[^\p{ASCII}]/u);
  const before = text.slice(0, at).split(/\r?\n/);
  const [after = ""] = text.slice(at, at + SAMPLE_AFTER).split(/[\r\n]/);
  return { line: before.length, text: ((before.at(-1) ?? "").slice(-SAMPLE_BEFORE) + after).trim() };
}

function decodeAs(
  file: string,
  bytes: Uint8Array,
  encoding: TextEncoding & { readonly name: Encoding },
  code: Code,
): DecodeResult {
  const text = decodeCodePage(bytes, encoding.name);
  // Bytes that a code page does not define become control characters.
  const undefinedAt = text.search(/[\u0080-\u009f]/);
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

/** UTF-16 without a mark: every second byte of its ASCII characters is zero, and no other byte is. */
function unmarkedUtf16(bytes: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  const sample = bytes.subarray(0, UTF16_SAMPLE_BYTES);
  if (bytes.length % 2 === 1 || !sample.includes(0)) return undefined;
  const zeros = [0, 0];
  for (const [index, byte] of sample.entries())
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (even > 0 && odd > 0) return undefined;
  // Two of three characters are ASCII. Fewer would not be certain, and Excel always writes the mark.
  if (even + odd < sample.length / 3) return undefined;
  return odd > 0 ? "utf-16le" : "utf-16be";
}

function withoutNul(file: string, text: string, encoding: TextEncoding, code: Code): DecodeResult {
  const nul = text.indexOf("\0");
  if (nul === -1) return { text, encoding };
  const message = `The file contains a NUL character, so it is not plain text. ${ADVICE}`;
  return { problem: problem(code, message, new SourceText(file, text).at(nul, nul + 1)) };
}

function badByte(file: string, bytes: Uint8Array, code: Code, way = ""): Problem {
  const offset = findBadByte(bytes);
  const before = new TextDecoder().decode(bytes.subarray(0, offset));
  const byte = (bytes[offset] ?? 0).toString(16).toUpperCase().padStart(2, "0");
  const message = `The file is not UTF-8: it cannot contain the byte 0x${byte} here. ${ADVICE}${way}`;
  const questions: Question[] = way === "" ? [] : [{ topic: "encoding" }];
  return { ...problem(code, message, new SourceText(file, before).at(before.length)), questions };
}

/**
 * Offset of the first character that is not UTF-8. Checks line by line first, because a line feed is never part of
 * another character.
 */
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

// Whether text that is not UTF-8 is certainly Windows-1252, the code page of Western Excels. This is certain if the
// text reads as one of their languages, and no other code page gives a different readable text.

/** Letters beyond ASCII, in lower case, of languages that are written in a code page. */
const LANGUAGES = {
  "windows-1252": [
    "àâæçèéêëîïôœùûüÿ", // French
    "äöüßé", // German
    "áéíñóúü", // Spanish
    "àáâãçéêíóôõúü", // Portuguese
    "àèéìíîòóùú", // Italian
    "àçèéíïòóúü", // Catalan
    "áéèëíïóöúü", // Dutch
    "àäåæéòôöøü", // Danish, Norwegian, Swedish, Finnish
    "áæðéíóöúýþ", // Icelandic
    "àáâäåæçèéêëíïñóôöøúü", // English, with the words and names that it has taken over
  ],
  "windows-1250": [
    "áčďéěíňóřšťúůýž", // Czech
    "áäčďéíĺľňóôŕšťúýž", // Slovak
    "ąćęłńóśźż", // Polish
    "áéíóöőúüű", // Hungarian
    "âăîşţ", // Romanian
    "ćčđšž", // Slovene, Croatian, Bosnian
    "ëç", // Albanian
  ],
  "windows-1254": ["âçğıîöşûü"], // Turkish
  "windows-1257": ["ąčėęįšūųž", "āčēģīķļņšūž", "äõöüšž"], // Lithuanian, Latvian, Estonian
} as const satisfies Partial<Record<Encoding, readonly string[]>>;

const OTHER_CODE_PAGES = ["windows-1250", "windows-1254", "windows-1257"] as const;

/** Characters that are common in texts. Other characters of a code page make it unlikely. */
const SIGNS = /^[\u00a0\u00ad“”‘’„‚«»‹›–—…•·€£¥§©®™°¡¿ªº¼½¾²³¹×±µ†‡]$/u;

/** Characters that may occur between two letters, and characters that never follow a letter. */
const WITHIN_WORDS = /^[\u00ad’–—·]$/u;
const OPENING = /^[‚„]$/u;

/** `bytes` are not UTF-8. */
function detectWindows1252(bytes: Uint8Array): boolean {
  const used = highBytes(bytes);
  const text = decodeCodePage(used, "windows-1252");
  if (!looksLikeLanguage(text, LANGUAGES["windows-1252"])) return false;
  const rival = OTHER_CODE_PAGES.some((encoding) => {
    const other = decodeCodePage(used, encoding);
    return other !== text && looksLikeLanguage(other, LANGUAGES[encoding]);
  });
  return !rival && hasLatinNeighbours(bytes) && !containsUtf8(bytes);
}

/** A complete UTF-8 character: the file is UTF-8 with a fault elsewhere. */
function containsUtf8(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  return /[\u00c2-\u00df][\u0080-\u00bf]|[\u00e0-\u00ef][\u0080-\u00bf]{2}|[\u00f0-\u00f4][\u0080-\u00bf]{3}/.test(
    text,
  );
}

/** Each byte beyond ASCII that occurs, once. */
function highBytes(bytes: Uint8Array): Uint8Array {
  const seen = new Set<number>();
  for (const byte of bytes) if (byte >= 0x80) seen.add(byte);
  return Uint8Array.from(seen);
}

function looksLikeLanguage(text: string, languages: readonly string[]): boolean {
  const letters = Array.from(text).filter((sign) => !SIGNS.test(sign));
  return languages.some((alphabet) => letters.every((letter) => alphabet.includes(letter.toLowerCase())));
}

/**
 * Whether the bytes beyond ASCII are where Latin letters and signs occur. At least one of these letters is next to an
 * ASCII letter. This does not happen in other scripts. No sign is inside a word where it does not belong, unlike in
 * DOS code pages.
 */
function hasLatinNeighbours(bytes: Uint8Array): boolean {
  const signs = decodeCodePage(
    Uint8Array.from({ length: 256 }, (_none, byte) => byte),
    "windows-1252",
  );
  let letters = 0;
  let besideAscii = 0;
  for (const [index, byte] of bytes.entries()) {
    if (byte < 0x80) continue;
    const before = isAsciiLetter(bytes[index - 1]);
    const after = isAsciiLetter(bytes[index + 1]);
    const sign = signs.charAt(byte);
    if (!SIGNS.test(sign)) {
      letters += 1;
      if (before || after) besideAscii += 1;
    } else if (before && (OPENING.test(sign) || (after && !WITHIN_WORDS.test(sign)))) return false;
  }
  return letters === 0 || besideAscii > 0;
}

function isAsciiLetter(byte = 0): boolean {
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x7a;
}

/**
 * Windows-1252 from 0x80 to 0x9F (Encoding Standard, index windows-1252). Undefined bytes are control characters. All
 * other bytes are as in Latin 1.
 */
const WINDOWS_1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

/** Bytes of a code page as text. A byte that it does not define becomes a control character, U+0080 to U+009F. */
function decodeCodePage(bytes: Uint8Array, encoding: Encoding): string {
  if (encoding !== "windows-1252") return new TextDecoder(encoding).decode(bytes);
  // From 20.18.3 on, Node's decoder of Windows-1252 decodes Latin 1 (nodejs/node issue 56542).
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  return text.replaceAll(/[\u0080-\u009f]/g, (sign) => WINDOWS_1252.charAt(sign.charCodeAt(0) - 0x80));
}

const MARKS = {
  "utf-8": [0xef, 0xbb, 0xbf],
  "utf-16le": [0xff, 0xfe],
  "utf-16be": [0xfe, 0xff],
} as const;

export class FileEncoder {
  readonly #encoding: TextEncoding;
  readonly #mark: readonly number[];
  readonly #bytes: ReadonlyMap<string, number> | undefined;

  /** @param original the current file, for its byte order mark */
  constructor(encoding: TextEncoding, original: Uint8Array) {
    this.#encoding = encoding;
    const mark: readonly number[] = encoding.by === "unicode" ? MARKS[encoding.name] : [];
    this.#mark = startsWith(original, mark) ? mark : [];
    this.#bytes = encoding.by === "unicode" ? undefined : codePage(encoding.name);
  }

  /** The first character that the encoding lacks. */
  missing(text: string): string | undefined {
    const known = this.#bytes;
    return known === undefined ? undefined : Array.from(text).find((character) => !known.has(character));
  }

  /** The encoding must have all characters of the text. */
  encode(text: string): Uint8Array {
    return Buffer.concat([Uint8Array.from(this.#mark), this.#body(text)]);
  }

  #body(text: string): Uint8Array {
    const known = this.#bytes;
    if (known !== undefined)
      return Uint8Array.from(Array.from(text), (character) => known.get(character) ?? 0x3f);
    if (this.#encoding.name === "utf-8") return Buffer.from(text, "utf8");
    const units = Buffer.from(text, "utf16le");
    return this.#encoding.name === "utf-16be" ? units.swap16() : units;
  }
}

/** The bytes of a code page by their characters. */
function codePage(name: Parameters<typeof decodeCodePage>[1]): ReadonlyMap<string, number> {
  const characters = decodeCodePage(
    Uint8Array.from({ length: 256 }, (_none, byte) => byte),
    name,
  );
  return new Map(Array.from(characters, (character, byte) => [character, byte]));
}
