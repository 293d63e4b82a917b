import { Failure } from "../calendar/failure.ts";
import { formatNamed, WRITE_FORMATS, type WriteFormatName } from "../write/formats.ts";

/**
 * The format to write: the one that is said, else the one that the file's name stands for, else the usual one. Throws a
 * Failure where the file would not be read again as what it is.
 * @param to as said with --to
 * @param out the file, as named with --out
 */
export function outputFormat(
  to: WriteFormatName | undefined,
  out: string | undefined,
  usual?: WriteFormatName,
): WriteFormatName {
  const named = out === undefined ? undefined : formatNamed(out);
  const wanted = to ?? named ?? (out === undefined ? usual : undefined);
  if (wanted === undefined) {
    throw new Failure(
      "usage/arguments",
      out === undefined ? "It is not said which format to write." : `"${out}" names no format to write.`,
      "Say --to csv, yaml or xlsx, or name a file that ends so with --out.",
    );
  }
  if (out !== undefined && named !== wanted) {
    throw new Failure(
      "usage/arguments",
      `"${out}" would not be read as ${wanted} again.`,
      `Give it a name that ends in .${WRITE_FORMATS[wanted].extensions[0]}.`,
    );
  }
  return wanted;
}
