/** Bodies of requests: JSON, bytes, and forms with files. A file is read while it is sent. */

import { Readable } from "node:stream";
import { type AnyFile, DiskFile } from "../../media/disk-file.ts";

/** A field of a form. */
export interface FormPart {
  readonly name: string;
  readonly value: string | AnyFile;
  /** The name of a file. */
  readonly fileName?: string;
}

export interface RequestBody {
  readonly body: string | Uint8Array | Readable;
  /** Media type. */
  readonly type: string;
  /** Bytes of a body that is read while it is sent. */
  readonly length?: number;
}

export function jsonBody(json: unknown): RequestBody {
  return { body: JSON.stringify(json), type: "application/json" };
}

export function bytesBody(data: Uint8Array | AnyFile, type: string): RequestBody {
  if (data instanceof Uint8Array) return { body: data, type };
  return { body: Readable.from(partsOf([data])), type, length: data.size };
}

const BOUNDARY_NUMBERS = 4;

/** Sources: RFC 7578, and "multipart/form-data encoding algorithm" of HTML. @param random from 0 to 1 */
export function formBody(parts: readonly FormPart[], random: () => number): RequestBody {
  const digits = Array.from({ length: BOUNDARY_NUMBERS }, () => random().toString(36).slice(2));
  const boundary = `plancast-${digits.join("")}`;
  const pieces = [...parts.flatMap((part) => piecesOf(part, boundary)), Buffer.from(`--${boundary}--\r\n`)];
  const length = pieces.reduce(
    (sum, piece) => sum + (piece instanceof Uint8Array ? piece.length : piece.size),
    0,
  );
  const type = `multipart/form-data; boundary=${boundary}`;
  return { body: Readable.from(partsOf(pieces)), type, length };
}

function piecesOf({ name, value, fileName }: FormPart, boundary: string): (Buffer | AnyFile)[] {
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"`;
  if (typeof value === "string") return [Buffer.from(`${head}\r\n\r\n${withCrlf(value)}\r\n`)];
  const type = value.type === "" ? "application/octet-stream" : value.type;
  const file = `${head}; filename="${quoted(fileName ?? "blob")}"\r\nContent-Type: ${type}\r\n\r\n`;
  return [Buffer.from(file), value, Buffer.from("\r\n")];
}

const QUOTED: Readonly<Record<string, string>> = { "\n": "%0A", "\r": "%0D", '"': "%22" };

function quoted(text: string): string {
  return text.replaceAll(/[\n\r"]/g, (character) => QUOTED[character] ?? character);
}

function withCrlf(text: string): string {
  return text.replaceAll(/\r?\n|\r/g, "\r\n");
}

async function* partsOf(pieces: readonly (Uint8Array | AnyFile)[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) {
    if (piece instanceof DiskFile) yield* piece.parts();
    else yield piece instanceof Blob ? new Uint8Array(await piece.arrayBuffer()) : piece;
  }
}
