/** Texts put into the cells of a sheet's XML: every other character stays as it is. */
import { columnLetters } from "../calendar/column-letters.ts";
import { cellName, parseArea } from "../read/workbook/cell-name.ts";
import { cellXmlText } from "../write/xlsx-text.ts";
import type { GridEdit } from "./place-columns.ts";
import type { SheetXml, XmlRow } from "./sheet-xml.ts";

/** What stands at an offset, or between two, and what is to stand there. */
interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** @param edits of rows that are there, none of them of a formula or within a merged area */
export function putCells(text: string, sheet: SheetXml, edits: readonly GridEdit[]): string {
  const byLine = new Map<number, GridEdit[]>();
  for (const edit of edits) byLine.set(edit.line, [...(byLine.get(edit.line) ?? []), edit]);
  const splices = [...byLine].flatMap(([line, own]) => {
    const row = sheet.rows.get(line);
    return row === undefined ? [] : rowSplices(text, sheet, row, own);
  });
  splices.push(...dimensionSplice(text, sheet, edits));
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, text: put } of splices.sort((one, other) => one.start - other.start)) {
    parts.push(text.slice(from, start), put);
    from = end;
  }
  return parts.join("") + text.slice(from);
}

function rowSplices(text: string, sheet: SheetXml, row: XmlRow, edits: readonly GridEdit[]): Splice[] {
  const widest = Math.max(...edits.map(({ column }) => column + 1));
  const inOrder = [...edits].sort((one, other) => one.column - other.column);
  const fresh = inOrder.filter(({ column }) => row.cells.every((cell) => cell.column !== column));
  const written = new Map(inOrder.map((edit) => [edit, cellXml(sheet, row, edit)]));
  const tag = withSpans(text.slice(row.tag.start, row.tag.end), widest);
  if (row.isEmpty) {
    const open = tag.replace(/\s*\/>$/, ">");
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
  // What is put before a cell comes before what takes that cell's place.
  return [{ start: row.tag.start, end: row.tag.end, text: tag }, ...added, ...replaced];
}

function cellXml(
  { prefix, styleOf }: SheetXml,
  { cells }: XmlRow,
  { line, column, text, isHeader }: GridEdit,
): string {
  const cell = cells.find((each) => each.column === column);
  // A new header looks like the one before it.
  const beside = isHeader === true ? cells.at(-1)?.attributes.get("s") : styleOf(column);
  const style = cell === undefined ? beside : cell.attributes.get("s");
  const s = style === undefined ? "" : ` s="${style}"`;
  const name = cellName(line, column);
  return `<${prefix}c r="${name}"${s} t="inlineStr"><${prefix}is><${prefix}t xml:space="preserve">${cellXmlText(text)}</${prefix}t></${prefix}is></${prefix}c>`;
}

/** A row may say which columns it has, from 1. */
function withSpans(tag: string, widest: number): string {
  return tag.replace(/(\sspans=["']\d+:)(\d+)/, (_whole, before: string, last: string) => {
    return before + String(Math.max(Number(last), widest));
  });
}

/** A sheet may say which area it fills. */
function dimensionSplice(text: string, { dimension }: SheetXml, edits: readonly GridEdit[]): Splice[] {
  if (dimension === undefined) return [];
  const tag = text.slice(dimension.start, dimension.end);
  const [, name = ""] = /\sref=["']([^"']*)/.exec(tag) ?? [];
  const area = parseArea(name);
  const widest = Math.max(...edits.map(({ column }) => column));
  if (area === undefined || widest <= area.right) return [];
  const ref = `${columnLetters(area.left)}${area.top}:${columnLetters(widest)}${area.bottom}`;
  return [{ ...dimension, text: tag.replace(name, ref) }];
}
