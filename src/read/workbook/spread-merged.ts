import type { Area, Sheet, SheetCell, SheetRow } from "./workbook.ts";
import { tooLarge } from "./workbook-fault.ts";

/** Rows of merged areas that are looked at. More is no sheet that somebody made. */
const MAX_STEPS = 4_000_000;

/**
 * The rows of a sheet, in which the cells below the first of a merged area show what that shows, marked as such. Only
 * rows that hold something of their own get them: an area that reaches far down makes no posts.
 */
export function spreadMerged({ rows, merged }: Sheet): readonly SheetRow[] {
  const areas = merged.filter(({ top, bottom }) => bottom > top);
  if (areas.length === 0) return rows;
  const byNumber = new Map(rows.map((row) => [row.number, row]));
  const spread = new Map<number, (SheetCell | undefined)[]>();
  let steps = 0;
  for (const area of areas) {
    const shown = byNumber.get(area.top)?.cells[area.left];
    if (shown === undefined) continue;
    steps += area.bottom - area.top;
    if (steps > MAX_STEPS) throw tooLarge("its merged areas are too many");
    for (const row of rowsBelow(area, byNumber)) {
      const cells = spread.get(row.number) ?? [...row.cells];
      cells[area.left] ??= typeof shown === "string" ? { kind: "merged", text: shown } : shown;
      spread.set(row.number, cells);
    }
  }
  return rows.map((row) => ({ ...row, cells: spread.get(row.number) ?? row.cells }));
}

function* rowsBelow(
  { top, bottom }: Area,
  byNumber: ReadonlyMap<number, SheetRow>,
): Generator<SheetRow, void> {
  for (let number = top + 1; number <= bottom; number += 1) {
    const row = byNumber.get(number);
    if (row !== undefined) yield row;
  }
}
