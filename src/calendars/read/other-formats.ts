/** Files of other programs under the name of a text, such as a web page that was saved as `plan.csv`. */

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
