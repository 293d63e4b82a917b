/** Rows as a table: the columns that they need, and the text of each cell. CSV and workbooks share this. */
import { FIELDS, type Cell, type Field } from "../calendar/row.ts";
import type { WriteFault, WrittenRow } from "./format.ts";

/** What every table has, so that there is a place to fill in. A date and a time of its own take the place of `scheduled_at`. */
const USUAL: readonly Field[] = ["id", "platforms", "content", "media", "status"];

/** The columns of a table, in the order of the fields; `also` are wanted although no row needs them. */
export function columnsOf(rows: readonly WrittenRow[], also: readonly Field[] = []): readonly Field[] {
  const used = new Set<Field>([...USUAL, ...also]);
  for (const field of FIELDS) if (rows.some((row) => row[field] !== undefined)) used.add(field);
  if (!used.has("date")) used.add("scheduled_at");
  return FIELDS.filter((field) => used.has(field));
}

/** The text of a cell; a list with commas. */
export function cellText(cell: Cell | undefined): string {
  if (cell === undefined) return "";
  return typeof cell === "string" ? cell : cell.join(", ");
}

/** Half of a character that takes two UTF-16 units: no file holds it. */
const HALF_CHARACTER = /\p{Surrogate}/u;

/** Reasons that hold for every format. */
export function textFaults(rows: readonly WrittenRow[]): WriteFault[] {
  return faultsIn(rows, (text) =>
    HALF_CHARACTER.test(text) ? "The text holds half of a character. Type it again." : undefined,
  );
}

/** Reasons that hold for every table. `separators` are those at which a cell of media is split. */
export function tableFaults(rows: readonly WrittenRow[]): WriteFault[] {
  const blank = rows.flatMap((row, index): WriteFault[] => {
    const message = "The row says nothing, and a table has no place for such a row. Remove it.";
    return Object.keys(row).length === 0 ? [{ row: index, field: undefined, message }] : [];
  });
  const media = rows.flatMap(({ media }, index): WriteFault[] => {
    const parts = media === undefined || typeof media === "string" ? [] : media;
    const message = "A name that holds one of , ; | fits only into a list in YAML. Rename the file.";
    return parts.some((part) => /[,;|\n\r]/.test(part)) ? [{ row: index, field: "media", message }] : [];
  });
  return [...textFaults(rows), ...blank, ...media];
}

/** The cells that a check finds something wrong with. */
export function faultsIn(
  rows: readonly WrittenRow[],
  check: (text: string) => string | undefined,
): WriteFault[] {
  return rows.flatMap((row, index) =>
    FIELDS.flatMap((field): WriteFault[] => {
      const message = row[field] === undefined ? undefined : check(cellText(row[field]));
      return message === undefined ? [] : [{ row: index, field, message }];
    }),
  );
}
