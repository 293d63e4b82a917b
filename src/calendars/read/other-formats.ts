/** Files of other programs that have the name of a table, such as a web page that was saved as `plan.csv`. */

import { type Problem, problem } from "../../model/problem.ts";

/** The first bytes of these files as Latin-1, with what they are and what to do. */
const KINDS: readonly (readonly [start: RegExp, kind: string, way: string])[] = [
  [/^%PDF-/, "a PDF", "Open the calendar in the program that made it, and save it there as .xlsx or .csv."],
  [
    /^(?:\xEF\xBB\xBF)?\s*<(?:!doctype\s+html|html|head|body|table|meta)\b/i,
    "a web page",
    "Open it in a spreadsheet program, and save it as .xlsx or .csv.",
  ],
  [
    /^PK\p{Cc}{2}/u,
    "a workbook or another ZIP file",
    "If it is a workbook, change its ending to .xlsx or .ods. Otherwise, save the calendar as .csv.",
  ],
  [
    /^\xD0\xCF\p{Cc}\xE0/u,
    "a workbook of an old Excel",
    "Open it in a spreadsheet program, and save it as .xlsx.",
  ],
  [/^(?:\x89PNG|\xFF\xD8\xFF|GIF8)/, "a picture", "plancast needs the calendar as .xlsx or .csv."],
];

/** No start is longer, bytes. */
const START_BYTES = 256;

/** The problem of a file that is not the text that its name says; undefined for any text. */
export function otherFormatProblem(file: string, bytes: Uint8Array): Problem | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, START_BYTES)).toString(
    "latin1",
  );
  const [, kind, way] = KINDS.find(([pattern]) => pattern.test(start)) ?? [];
  if (kind === undefined || way === undefined) return undefined;
  return problem("calendar/unknown-format", `The file is ${kind}, not a table. ${way}`, { file });
}
