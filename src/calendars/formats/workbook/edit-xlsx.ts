/** Writes cells of a workbook into the XML of its sheet. All other parts stay as they are. */

import type { UnderstoodTable } from "../../../model/columns.ts";
import { groupBy } from "../../../model/data.ts";
import { isTimeField } from "../../../model/fields.ts";
import { type RawRow, cellText } from "../../../model/row.ts";
import { guarded, guardedName } from "../../columns/formula-guard.ts";
import { type DateSystem, isoLike, serialOf } from "./cell-number.ts";
import { type Area, WorkbookFault, cellName, parseArea, parseCellName } from "./workbook.ts";
import { sheetPart } from "./xlsx.ts";
import { ZipParts, replacePart } from "./zip.ts";
import { splitColumn } from "../written-row.ts";
import { cellXmlText } from "./write-xlsx.ts";
import { type XmlElement, type XmlVisitor, visitText } from "./xml.ts";
import {
  type EditFault,
  type EditResult,
  type GridEdit,
  type IdentifyPlatform,
  type RowEdit,
  NO_HEADER,
  SEVERAL_SHEETS,
  headerLine,
  placeColumns,
} from "../row-edit.ts";

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
  if (table?.sheet?.all !== undefined) return unchanged(bytes, SEVERAL_SHEETS);
  const part = await openSheet(bytes, table?.sheet?.value ?? "");
  if (table === undefined || part === undefined) return unchanged(bytes, UNSUPPORTED_PACKAGE);
  const { sheet } = part;
  const { columns, added } = placeColumns(table, edits, identify, widthOf(sheet));
  const header = headerLine(table);
  if (added.length > 0 && header === undefined) return unchanged(bytes, NO_HEADER);
  const cells: GridEdit[] = [];
  const faults: EditFault[] = [];
  for (const { row, cells: wanted } of edits) {
    const line = rows[row]?.line ?? 0;
    const own = [...wanted].map(([name, cell]): GridEdit => {
      const column = columns.get(name) ?? 0;
      const heading = table.columns.find((each) => each.column === column)?.name ?? "";
      const text = cellText(cell);
      const isTime = isTimeField(splitColumn(name).field);
      return {
        line,
        column,
        text: guardedName(heading) === undefined ? text : guarded(text),
        ...(isTime ? { isTime } : {}),
      };
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
  try {
    return { contents: replacePart(bytes, part.name, Buffer.from(putCells(part, cells))), faults };
  } catch (error) {
    if (error instanceof WorkbookFault) return unchanged(bytes, UNSUPPORTED_PACKAGE);
    throw error;
  }
}

const UNSUPPORTED_PACKAGE =
  "plancast cannot write into a workbook that is packed like this. Open it, save it again as “Excel Workbook (.xlsx)”, and run again.";

function unchanged(contents: Uint8Array, message: string): EditResult<Uint8Array> {
  return { contents, faults: [{ row: undefined, message }] };
}

/** Why a cell cannot be written. */
function unwritableReason(
  { rows, merged, filled }: SheetXml,
  { line, column }: GridEdit,
): string | undefined {
  const row = rows.get(line);
  const cell = row?.cells.find((each) => each.column === column);
  const cannot = `plancast cannot write into ${cellName(line, column)}, because`;
  if (row === undefined || cell?.hasFormula === true)
    return `${cannot} it contains a formula. Clear the cell, and run again.`;
  const hasCell = ({ top, bottom, left, right }: Area): boolean =>
    top <= line && line <= bottom && left <= column && column <= right;
  const formula = filled.find(hasCell);
  if (formula !== undefined)
    return `${cannot} the formula in ${cellName(formula.top, formula.left)} fills it. Clear that formula, and run again.`;
  return merged.some((area) => hasCell(area) && (line > area.top || column > area.left))
    ? `${cannot} it is merged with another cell. Split them, and run again.`
    : undefined;
}

/** The columns up to the last one that is used in any row. */
function widthOf({ rows }: SheetXml): number {
  let width = 0;
  for (const { cells } of rows.values())
    for (const { column, isEmpty } of cells) if (!isEmpty) width = Math.max(width, column + 1);
  return width;
}

interface SheetText {
  readonly name: string;
  readonly text: string;
  readonly sheet: SheetXml;
  readonly dates: DateSystem;
}

async function openSheet(bytes: Uint8Array, sheet: string): Promise<SheetText | undefined> {
  try {
    const parts = await ZipParts.open(bytes);
    const found = await sheetPart(parts, sheet);
    if (found === undefined) return undefined;
    const { part: name, dates } = found;
    const pieces: Uint8Array[] = [];
    for await (const piece of parts.read(name)) pieces.push(piece);
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.concat(pieces));
    const reader = new SheetReader(text);
    visitText(text, name, reader);
    return { name, text, sheet: reader.sheet(), dates };
  } catch (error) {
    // Not UTF-8. No program is known that writes sheets in UTF-16.
    if (error instanceof WorkbookFault || error instanceof TypeError) return undefined;
    throw error;
  }
}

/** A replacement for the text at an offset, or between two offsets. */
interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** @param edits of existing rows, none of them in a formula or a merged area */
function putCells(part: SheetText, edits: readonly GridEdit[]): string {
  const { text, sheet } = part;
  const byLine = groupBy(edits, ({ line }) => line);
  const splices = [...byLine].flatMap(([line, own]) => {
    const row = sheet.rows.get(line);
    return row === undefined ? [] : rowSplices(part, row, own);
  });
  // The used area, which need not be written down, may be larger now.
  if (sheet.dimension !== undefined) splices.push({ ...sheet.dimension, text: "" });
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, text: put } of splices.sort((one, other) => one.start - other.start)) {
    parts.push(text.slice(from, start), put);
    from = end;
  }
  return parts.join("") + text.slice(from);
}

function rowSplices(part: SheetText, row: XmlRow, edits: readonly GridEdit[]): Splice[] {
  const { text, sheet } = part;
  const inOrder = [...edits].sort((one, other) => one.column - other.column);
  const fresh = inOrder.filter(({ column }) => row.cells.every((cell) => cell.column !== column));
  const written = new Map(
    inOrder.map((edit) => [edit, timeXml(part, row, edit) ?? cellXml(sheet, row, edit)]),
  );
  // The used columns of a row need not be written down, either.
  const tag = text.slice(row.tag.start, row.tag.end).replace(/\sspans=(?:"[^"]*"|'[^']*')/, "");
  if (row.isEmpty) {
    const open = `${tag.slice(0, -"/>".length).trimEnd()}>`;
    const inner = inOrder.map((edit) => written.get(edit)).join("");
    return [{ ...row.tag, text: `${open}${inner}</${sheet.prefix}row>` }];
  }
  const replaced = inOrder.flatMap((edit) => {
    const cell = row.cells.find(({ column }) => column === edit.column);
    return cell === undefined ? [] : [{ start: cell.start, end: cell.end, text: written.get(edit) ?? "" }];
  });
  const places = new Map<number, string>();
  for (const edit of fresh) {
    const at = row.cells.find(({ column }) => column > edit.column)?.start ?? row.end;
    places.set(at, (places.get(at) ?? "") + (written.get(edit) ?? ""));
  }
  const added = [...places].map(([at, put]) => ({ start: at, end: at, text: put }));
  // An insertion before a cell comes before the replacement of that cell.
  return [{ start: row.tag.start, end: row.tag.end, text: tag }, ...added, ...replaced];
}

function cellXml(
  { prefix, styleOf }: SheetXml,
  { cells }: XmlRow,
  { line, column, text, isHeader }: GridEdit,
): string {
  const cell = cells.find((each) => each.column === column);
  // A new header looks like the previous one.
  const beside = isHeader === true ? cells.at(-1)?.style : styleOf(column);
  const style = cell === undefined ? beside : cell.style;
  const s = style === undefined ? "" : ` s="${style}"`;
  const name = cellName(line, column);
  // A checkbox needs a value of its own kind.
  if (cell?.type === "b" && /^(?:TRUE|FALSE)$/.test(text))
    return `<${prefix}c r="${name}"${s} t="b"><${prefix}v>${text === "TRUE" ? 1 : 0}</${prefix}v></${prefix}c>`;
  return `<${prefix}c r="${name}"${s} t="inlineStr"><${prefix}is><${prefix}t xml:space="preserve">${cellXmlText(text)}</${prefix}t></${prefix}is></${prefix}c>`;
}

/** The XML of a cell whose date or time is a number or an ISO text and stays one; undefined for any other. */
function timeXml(
  { text: xml, dates, sheet: { prefix } }: SheetText,
  { cells }: XmlRow,
  { column, text, isTime }: GridEdit,
): string | undefined {
  const cell = cells.find((each) => each.column === column);
  const type = cell?.type ?? "n";
  if (isTime !== true || cell === undefined || (type !== "n" && type !== "d")) return undefined;
  const before = xml.slice(cell.start, cell.end);
  const tag = before.indexOf(`<${prefix}v`);
  const [start, end] = [before.indexOf(">", tag) + 1, before.indexOf(`</${prefix}v`, tag)];
  if (tag === -1 || start > end) return undefined;
  const value = before.slice(start, end);
  const after = type === "n" ? serialOf(text, Number(value), dates) : isoLike(text, value);
  return after === undefined ? undefined : `${before.slice(0, start)}${after}${before.slice(end)}`;
}

// Rows and cells in the XML of a sheet (ECMA-376 part 1, 18.3), which was already read and is valid.

/** An element's offsets in the text. */
interface Span {
  readonly start: number;
  readonly end: number;
}

interface XmlCell extends Span {
  /** From 0. */
  readonly column: number;
  readonly style: string | undefined;
  readonly type: string | undefined;
  readonly isEmpty: boolean;
  readonly hasFormula: boolean;
}

interface XmlRow {
  /** The start tag of the row. */
  readonly tag: Span;
  readonly isEmpty: boolean;
  /** Start of its end tag, or end of a tag without content. */
  readonly end: number;
  readonly cells: readonly XmlCell[];
}

interface SheetXml {
  /** Prefix of the elements' names, with its colon. */
  readonly prefix: string;
  readonly rows: ReadonlyMap<number, XmlRow>;
  readonly merged: readonly Area[];
  /** Areas that one formula fills: array formulas and data tables. Only their first cell contains it. */
  readonly filled: readonly Area[];
  /** Style of a column's empty cells. */
  readonly styleOf: (column: number) => string | undefined;
  readonly dimension: Span | undefined;
}

class SheetReader implements XmlVisitor {
  readonly #text: string;
  readonly #rows = new Map<number, XmlRow>();
  readonly #merged: Area[] = [];
  readonly #filled: Area[] = [];
  readonly #columns: { readonly min: number; readonly max: number; readonly style: string | undefined }[] =
    [];
  #prefix: string | undefined;
  #dimension: Span | undefined;
  #number = 0;
  #row: { readonly tag: Span; readonly cells: XmlCell[] } | undefined;
  #cell: { readonly tag: Span; readonly element: XmlElement; readonly column: number } | undefined;
  #hasFormula = false;
  #column = 0;

  constructor(text: string) {
    this.#text = text;
  }

  open(element: XmlElement): void {
    const tag = this.#tagAt(element.end);
    this.#prefix ??= /^<([^\s:/>]+:)?/.exec(this.#text.slice(tag.start, tag.end))?.[1] ?? "";
    const area = parseArea(element.get("ref") ?? "");
    switch (element.name) {
      case "row":
        this.#number = Number(element.get("r") ?? this.#number + 1);
        this.#column = 0;
        this.#row = { tag, cells: [] };
        return;
      case "c": {
        const column = parseCellName(element.get("r") ?? "")?.column ?? this.#column;
        this.#cell = { tag, element, column };
        this.#hasFormula = false;
        return;
      }
      case "f":
        // The other cells of a shared formula name it. Those of an array formula or a data table look like any cell.
        this.#hasFormula = true;
        if (area !== undefined && element.get("t") !== "shared") this.#filled.push(area);
        return;
      case "mergeCell":
        if (area !== undefined) this.#merged.push(area);
        return;
      case "dimension":
        this.#dimension = tag;
        return;
      case "col":
        this.#columns.push({
          min: Number(element.get("min")),
          max: Number(element.get("max")),
          style: element.get("style"),
        });
    }
  }

  close(name: string, end: number): void {
    const { start } = this.#tagAt(end);
    if (name === "row" && this.#row !== undefined) {
      const isEmpty = end === this.#row.tag.end;
      this.#rows.set(this.#number, { ...this.#row, isEmpty, end: isEmpty ? end : start });
      this.#row = undefined;
    }
    if (name === "dimension" && this.#dimension !== undefined) this.#dimension = { ...this.#dimension, end };
    if (name !== "c" || this.#cell === undefined) return;
    const { tag, element, column } = this.#cell;
    this.#row?.cells.push({
      column,
      start: tag.start,
      end,
      style: element.get("s"),
      type: element.get("t"),
      isEmpty: end === tag.end || start === tag.end,
      hasFormula: this.#hasFormula,
    });
    this.#column = column + 1;
    this.#cell = undefined;
  }

  /** The tag that ends at an offset. The value of an attribute may not contain `<`. */
  #tagAt(end: number): Span {
    return { start: this.#text.lastIndexOf("<", end - 1), end };
  }

  sheet(): SheetXml {
    const styleOf = (column: number): string | undefined =>
      this.#columns.find(({ min, max }) => min <= column + 1 && column < max)?.style;
    return {
      prefix: this.#prefix ?? "",
      rows: this.#rows,
      merged: this.#merged,
      filled: this.#filled,
      styleOf,
      dimension: this.#dimension,
    };
  }
}
