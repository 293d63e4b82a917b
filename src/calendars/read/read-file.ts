/** Reads a file's bytes or text. Failures become problems. */

import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { reportInput } from "../../model/input-size.ts";
import { type Problem, problem } from "../../model/problem.ts";
import type { Code } from "../../problems/catalogue.ts";
import { type DecodeOptions, type DecodeResult, decodeText } from "./text-encoding.ts";

/** Largest file that is read, in bytes. */
const MAX_BYTES = 256 * 1_048_576;

/** Problem codes for a kind of file. */
interface FileCodes {
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
