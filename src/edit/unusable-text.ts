/** Texts that no cell of a calendar can hold, whatever stands there and however the file is changed. */
import type { Calendar } from "../calendar/row.ts";
import { CELL_CHARACTERS } from "../write/xlsx.ts";

/** What is wrong with a text for a cell of the calendar; undefined for one that may have its place there. */
export function unusableTextReason(
  { encoding }: Pick<Calendar, "encoding">,
  text: string,
): string | undefined {
  const [control] = CONTROL.exec(text) ?? [];
  if (control !== undefined)
    return `The text holds a control character (${unicodeName(control)}), which belongs in no post.`;
  const [half] = /\p{Surrogate}/u.exec(text) ?? [];
  if (half !== undefined) return `The text holds half of a character (${unicodeName(half)}).`;
  const isInWorkbook = encoding === undefined;
  if (!isInWorkbook || text.length <= CELL_CHARACTERS) return undefined;
  return `The text has ${text.length} characters; a cell of a workbook holds ${CELL_CHARACTERS}.`;
}

/** All but a tab and the end of a line. */
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f]/;

/** Such as `U+001B`. */
function unicodeName(sign: string): string {
  return `U+${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
}
