/** Text back to the bytes that it was read from: the other way of read/decode-text.ts. */

import type { TextEncoding } from "../../model/fields.ts";
import { decodeCodePage } from "../read/decode-text.ts";

const MARKS = {
  "utf-8": [0xef, 0xbb, 0xbf],
  "utf-16le": [0xff, 0xfe],
  "utf-16be": [0xfe, 0xff],
} as const;

export class FileEncoder {
  readonly #encoding: TextEncoding;
  readonly #mark: readonly number[];
  readonly #bytes: ReadonlyMap<string, number> | undefined;

  /** @param original the file as it is, for its byte order mark */
  constructor(encoding: TextEncoding, original: Uint8Array) {
    this.#encoding = encoding;
    const mark: readonly number[] = encoding.by === "unicode" ? MARKS[encoding.name] : [];
    this.#mark = mark.every((byte, index) => original[index] === byte) ? mark : [];
    this.#bytes = encoding.by === "unicode" ? undefined : codePage(encoding.name);
  }

  /** The first character that the encoding does not have. */
  missing(text: string): string | undefined {
    const known = this.#bytes;
    return known === undefined ? undefined : Array.from(text).find((character) => !known.has(character));
  }

  /** Of a text that misses no character. */
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
