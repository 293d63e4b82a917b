/** Cells of a workbook, put into the XML of its sheet; all other parts are copied as they are packed. */
import { guarded, guardedName } from "../calendar/formula-guard.ts";
import type { RawRow } from "../calendar/row.ts";
import type { UnderstoodTable } from "../calendar/table-columns.ts";
import { cellName } from "../read/workbook/cell-name.ts";
import { WorkbookFault } from "../read/workbook/workbook-fault.ts";
import { sheetPart } from "../read/workbook/xlsx-workbook.ts";
import { ZipParts } from "../read/workbook/zip-parts.ts";
import type { EditResult, EditFault, RowEdit } from "./edit.ts";
import {
  headerLine,
  NO_HEADER,
  placeColumns,
  type GridEdit,
  type IdentifyPlatform,
} from "./place-columns.ts";
import { readSheetXml, type SheetXml } from "./sheet-xml.ts";
import { putCells } from "./xlsx-cells.ts";
import { replacePart } from "./zip-replace.ts";

interface SheetCalendar {
  readonly rows: readonly RawRow[];
  readonly table?: UnderstoodTable | undefined;
}

export async function editXlsx(
  bytes: Uint8Array,
  { rows, table }: SheetCalendar,
  edits: readonly RowEdit[],
  identify: IdentifyPlatform,
): Promise<EditResult<Uint8Array>> {
  const part = await openSheet(bytes, table?.sheet?.value ?? "");
  if (table === undefined || part === undefined) return unchanged(bytes, UNSUPPORTED_PACKAGE);
  const sheet = readSheetXml(part.text);
  const { columns, added } = placeColumns(table, edits, identify, widthOf(sheet));
  const header = headerLine(table);
  if (added.length > 0 && header === undefined) return unchanged(bytes, NO_HEADER);
  const cells: GridEdit[] = [];
  const faults: EditFault[] = [];
  for (const { row, cells: wanted } of edits) {
    const line = rows[row]?.line ?? 0;
    const own = [...wanted].map(([name, text]) => {
      const column = columns.get(name) ?? 0;
      const heading = table.columns.find((each) => each.column === column)?.name ?? "";
      return { line, column, text: guardedName(heading) === undefined ? text : guarded(text) };
    });
    const wrong = own.map((edit) => unwritableReason(sheet, edit)).find((each) => each !== undefined);
    if (wrong === undefined) cells.push(...own);
    else faults.push({ row, message: wrong });
  }
  if (cells.length === 0) return { contents: bytes, faults };
  if (header !== undefined)
    cells.push(
      ...added.map((name) => ({
        line: header,
        column: columns.get(name) ?? 0,
        text: name,
        isHeader: true as const,
      })),
    );
  const contents = replacePart(bytes, part.name, part.encode(putCells(part.text, sheet, cells)));
  return contents === undefined ? unchanged(bytes, UNSUPPORTED_PACKAGE) : { contents, faults };
}

const UNSUPPORTED_PACKAGE =
  "The workbook is packed in a way that plancast does not write into. Open it, save it again as “Excel Workbook (.xlsx)”, and run again.";

function unchanged(contents: Uint8Array, message: string): EditResult<Uint8Array> {
  return { contents, faults: [{ row: undefined, message }] };
}

/** Why a cell cannot be written. */
function unwritableReason({ rows, merged }: SheetXml, { line, column }: GridEdit): string | undefined {
  const row = rows.get(line);
  const cell = row?.cells.find((each) => each.column === column);
  if (row === undefined || cell?.hasFormula === true)
    return `${cellName(line, column)} is to be written, and holds a formula. Clear the cell, and run again.`;
  const isCovered = merged.some(
    ({ top, bottom, left, right }) =>
      top <= line && line <= bottom && left <= column && column <= right && (line > top || column > left),
  );
  return isCovered
    ? `${cellName(line, column)} is to be written, and is merged with another cell. Split them, and run again.`
    : undefined;
}

/** The columns up to the last that holds anything, in any row. */
function widthOf({ rows }: SheetXml): number {
  let width = 0;
  for (const { cells } of rows.values())
    for (const { column, isEmpty } of cells) if (!isEmpty) width = Math.max(width, column + 1);
  return width;
}

interface SheetText {
  readonly name: string;
  readonly text: string;
  readonly encode: (text: string) => Uint8Array;
}

async function openSheet(bytes: Uint8Array, sheet: string): Promise<SheetText | undefined> {
  try {
    const parts = await ZipParts.open(bytes);
    const name = await sheetPart(parts, sheet);
    if (name === undefined) return undefined;
    const pieces: Uint8Array[] = [];
    for await (const piece of parts.read(name)) pieces.push(piece);
    const xml = Buffer.concat(pieces);
    const isUtf16 = xml[0] === 0xff && xml[1] === 0xfe;
    const encoding = isUtf16 ? "utf-16le" : "utf-8";
    const text = new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(xml);
    return { name, text, encode: (edited) => Buffer.from(edited, isUtf16 ? "utf16le" : "utf8") };
  } catch (error) {
    // What is no UTF-8, such as UTF-16 with its bytes the other way round.
    if (error instanceof WorkbookFault || error instanceof TypeError) return undefined;
    throw error;
  }
}
