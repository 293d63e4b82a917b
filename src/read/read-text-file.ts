import { decodeText, type DecodeResult, type DecodeOptions } from "./decode-text.ts";
import { readFileBytes, type FileCodes } from "./read-file-bytes.ts";

/** Reads a text file. `file` is its name in problems. Whatever is wrong with it becomes a problem: never throws. */
export async function readTextFile(
  path: string,
  file: string,
  codes: FileCodes,
  options: DecodeOptions,
): Promise<DecodeResult> {
  const read = await readFileBytes(path, file, codes);
  return "problem" in read ? read : decodeText(file, read.bytes, options);
}
