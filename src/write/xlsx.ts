/** Writes a workbook with one sheet: the least that ECMA-376 asks for, so that every program opens it as it is. */
import type { Cell } from "../calendar/row.ts";
import { strToU8, zipSync, type Zippable } from "fflate";
import { cellText, columnsOf, faultsIn, tableFaults } from "./table-cells.ts";
import type { WriteFault, WriteOptions, WriteOutput, WrittenRow } from "./format.ts";
import { sheetXml, SHEET_ROWS } from "./xlsx-sheet.ts";
import { stylesXml } from "./xlsx-styles.ts";

/** Characters that a cell may have. Source: Excel's specifications and limits. */
export const CELL_CHARACTERS = 32_767;

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const TYPES = "application/vnd.openxmlformats-officedocument.spreadsheetml";

/** The parts that are the same for every workbook, by path. */
const FRAME: Readonly<Record<string, string>> = {
  "[Content_Types].xml":
    `<Types xmlns="${PACKAGE}/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    '<Default Extension="xml" ContentType="application/xml"/>' +
    `<Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/>` +
    `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPES}.worksheet+xml"/>` +
    `<Override PartName="/xl/styles.xml" ContentType="${TYPES}.styles+xml"/>` +
    "</Types>",
  "_rels/.rels":
    `<Relationships xmlns="${PACKAGE}/relationships">` +
    `<Relationship Id="rId1" Type="${OFFICE}/relationships/officeDocument" Target="xl/workbook.xml"/>` +
    "</Relationships>",
  "xl/workbook.xml":
    `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${OFFICE}/relationships">` +
    '<bookViews><workbookView/></bookViews><sheets><sheet name="Calendar" sheetId="1" r:id="rId1"/></sheets></workbook>',
  "xl/_rels/workbook.xml.rels":
    `<Relationships xmlns="${PACKAGE}/relationships">` +
    `<Relationship Id="rId1" Type="${OFFICE}/relationships/worksheet" Target="worksheets/sheet1.xml"/>` +
    `<Relationship Id="rId2" Type="${OFFICE}/relationships/styles" Target="styles.xml"/>` +
    "</Relationships>",
};

export function writeXlsx(rows: readonly WrittenRow[], options: WriteOptions): WriteOutput {
  const faults = [...tableFaults(rows), ...faultsIn(rows, lengthFault), ...rowFaults(rows)];
  if (faults.length > 0) return { faults };
  const parts = {
    ...FRAME,
    "xl/styles.xml": stylesXml(),
    "xl/worksheets/sheet1.xml": sheetXml(rows, columnsOf(rows, options.columns), options),
  };
  const files: Zippable = {};
  for (const [path, text] of Object.entries(parts)) files[path] = strToU8(HEAD + text);
  // A fixed time, so that equal rows give equal bytes and git sees no change.
  return { contents: zipSync(files, { level: 6, mtime: new Date(1980, 0, 1) }) };
}

function lengthFault(cell: Cell): string | undefined {
  const text = cellText(cell);
  if (text.length <= CELL_CHARACTERS) return undefined;
  return `The text has ${text.length} characters; a cell of a workbook holds ${CELL_CHARACTERS}. Shorten it, or write CSV or YAML.`;
}

function rowFaults(rows: readonly WrittenRow[]): WriteFault[] {
  if (rows.length < SHEET_ROWS) return [];
  const message = `A sheet has room for ${SHEET_ROWS - 1} rows. Split the calendar, or write CSV.`;
  return [{ row: SHEET_ROWS - 1, column: undefined, message }];
}
