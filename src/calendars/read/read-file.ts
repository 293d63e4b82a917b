/** The bytes of a file: reads them, and recognises files of other programs by their first ones. Failures become problems. */

import { createReadStream, stat } from "../../disk/machine.ts";
import { LFS_POINTER } from "../../media/media-file.ts";
import { reportInput } from "../../model/input-size.ts";
import { type Problem, problem } from "../../model/problem.ts";
import type { Code } from "../../problems/catalogue.ts";

/** Largest file that is read, in bytes. */
const MAX_BYTES = 256 * 1_048_576;

/** Problem codes for a kind of file. */
export interface FileCodes {
  readonly unreadable: Code;
  readonly tooLarge: Code;
}

/** Reads a whole file. `file` is its name in problems. Never throws: failures become problems. */
export async function readFileBytes(
  path: string,
  file: string,
  codes: FileCodes,
): Promise<{ readonly bytes: Uint8Array } | { readonly problem: Problem }> {
  try {
    const found = await stat(path);
    // Opening a pipe or a device could wait forever.
    if (!found.isFile())
      return fileProblem(codes.unreadable, "This is a folder or a device, not a file.", file);
    const bytes = found.size > MAX_BYTES ? undefined : await readBytes(path);
    if (bytes !== undefined) return { bytes };
    return fileProblem(codes.tooLarge, "The file is larger than 256 MB. Split it into several.", file);
  } catch (error) {
    return fileProblem(codes.unreadable, `plancast cannot read the file: ${reason(error)}.`, file);
  }
}

function fileProblem(code: Code, message: string, file: string): { readonly problem: Problem } {
  return { problem: problem(code, message, { file }) };
}

/** Undefined if there are more bytes than allowed: the file may grow while it is read. */
async function readBytes(path: string): Promise<Uint8Array | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  const stream: AsyncIterable<Buffer> = createReadStream(path, { end: MAX_BYTES, highWaterMark: 1_048_576 });
  for await (const chunk of stream) {
    chunks.push(chunk);
    length += chunk.length;
  }
  reportInput(length);
  return length > MAX_BYTES ? undefined : Buffer.concat(chunks, length);
}

/** The cause of a failed file operation, without the path of this machine. */
function reason(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "unknown cause";
  return CAUSES.get(code) ?? code;
}

const CAUSES: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "it does not exist"],
  ["ENOTDIR", "it does not exist"],
  ["EACCES", "permission is denied"],
  ["EPERM", "permission is denied"],
  ["ELOOP", "its links lead in a circle"],
]);

/** Files of another program, such as a web page that was saved as `plan.csv`. */
interface OtherFormat {
  /** The first bytes, as Latin-1. */
  readonly start: RegExp;
  readonly kind: string;
  /** What to do, as a sentence. */
  readonly way: string;
  /** No text starts like this. A text of a post may start with `GIF8` or `<html`. */
  readonly isBinary?: true;
}

const FORMATS: readonly OtherFormat[] = [
  {
    start: /^%PDF-/,
    kind: "a PDF",
    way: "Open the calendar in the program that made it, and save it there as .xlsx or .csv.",
  },
  {
    start: /^(?:\xEF\xBB\xBF)?\s*<(?:!doctype\s+html|html|head|body|table|meta)\b/i,
    kind: "a web page",
    way: "Open it in a spreadsheet program, and save it as .xlsx or .csv.",
  },
  {
    start: /^PK\p{Cc}{2}/u,
    kind: "a workbook or another ZIP file",
    way: "If it is a workbook, change its ending to .xlsx or .ods. Otherwise, save the calendar as .csv.",
    isBinary: true,
  },
  {
    start: /^\xD0\xCF\p{Cc}\xE0/u,
    kind: "a workbook of an old Excel",
    way: "Open it in a spreadsheet program, and save it as .xlsx.",
    isBinary: true,
  },
  {
    start: /^(?:\x89PNG|\xFF\xD8\xFF|GIF8)/,
    kind: "a picture",
    way: "plancast needs the calendar as .xlsx or .csv.",
  },
  {
    start: LFS_POINTER,
    kind: "a pointer of Git LFS",
    way: "Run `git lfs pull` to get the file itself.",
    isBinary: true,
  },
];

/** The longest start of a file to compare, in bytes. */
const START_BYTES = 256;

/**
 * The real type of a file, and what to do. Undefined if the type may be the one of the file name.
 * @param wanted the type that it should have
 */
export function otherFormatText(bytes: Uint8Array, wanted: "table" | "text"): string | undefined {
  const start = Buffer.from(bytes.subarray(0, START_BYTES)).toString("latin1");
  const found = FORMATS.find(
    (each) => (wanted === "table" || each.isBinary === true) && each.start.test(start),
  );
  return found && `The file is ${found.kind}, not ${wanted === "table" ? "a table" : "text"}. ${found.way}`;
}

/** Whether a file begins with these bytes. */
export function startsWith(bytes: Uint8Array, signature: readonly number[]): boolean {
  return signature.every((byte, index) => bytes[index] === byte);
}
