/** Writes a workbook: the minimum of ECMA-376, so that every program opens it. */

import { wallMs } from "../../../model/canonical.ts";
import { columnLetters } from "../../../model/columns.ts";
import { type Field, STATUSES } from "../../../model/fields.ts";
import { type Cell, cellText } from "../../../model/row.ts";
import { needsGuard } from "../../columns/formula-guard.ts";
import { zipParts } from "./zip.ts";
import {
  type TableColumn,
  type WriteFault,
  type WriteOptions,
  type WriteOutput,
  type WrittenRow,
  type WrittenSheet,
  columnsOf,
  faultsIn,
  headerOf,
  isKept,
  splitColumn,
  tableFaults,
  tableText,
} from "../written-row.ts";

/** Characters that a cell may have. Source: Excel's specifications and limits. */
export const CELL_CHARACTERS = 32_767;

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const TYPES = "application/vnd.openxmlformats-officedocument.spreadsheetml";

/** The parts around the sheets, by path. */
function frame(sheets: readonly WrittenSheet[]): Readonly<Record<string, string>> {
  const each = (part: (number: number, name: string) => string): string =>
    sheets.map(({ name }, index) => part(index + 1, name)).join("");
  return {
    "[Content_Types].xml":
      `<Types xmlns="${PACKAGE}/content-types">` +
      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
      '<Default Extension="xml" ContentType="application/xml"/>' +
      `<Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/>` +
      each(
        (n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${TYPES}.worksheet+xml"/>`,
      ) +
      `<Override PartName="/xl/styles.xml" ContentType="${TYPES}.styles+xml"/>` +
      "</Types>",
    "_rels/.rels":
      `<Relationships xmlns="${PACKAGE}/relationships">` +
      `<Relationship Id="rId1" Type="${OFFICE}/relationships/officeDocument" Target="xl/workbook.xml"/>` +
      "</Relationships>",
    "xl/workbook.xml":
      `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${OFFICE}/relationships">` +
      "<bookViews><workbookView/></bookViews><sheets>" +
      each((n, name) => `<sheet name="${xmlText(name)}" sheetId="${n}" r:id="rId${n}"/>`) +
      "</sheets></workbook>",
    "xl/_rels/workbook.xml.rels":
      `<Relationships xmlns="${PACKAGE}/relationships">` +
      each(
        (n) =>
          `<Relationship Id="rId${n}" Type="${OFFICE}/relationships/worksheet" Target="worksheets/sheet${n}.xml"/>`,
      ) +
      `<Relationship Id="rId${sheets.length + 1}" Type="${OFFICE}/relationships/styles" Target="styles.xml"/>` +
      "</Relationships>",
  };
}

/** The name of the only sheet, if nobody names one. */
const SHEET_NAME = "Calendar";

/** Names that a sheet can have. Source: Excel's rules for worksheet names. */
const SHEET_NAME_FORM = /^(?!')[^\p{Cc}\\/?*[\]:]{1,31}(?<!')$/u;

export function writeXlsx(rows: readonly WrittenRow[], options: WriteOptions): WriteOutput {
  const sheets = options.sheets ?? [{ name: SHEET_NAME, rows }];
  const faults = [
    ...tableFaults(rows),
    ...faultsIn(rows, lengthFault),
    ...sheets.flatMap((each) => rowFaults(each.rows)),
    ...sheets.flatMap(sheetNameFaults),
  ];
  if (faults.length > 0) return { faults };
  const columns = columnsOf(rows, options.columns);
  const parts: Record<string, string> = { ...frame(sheets), "xl/styles.xml": stylesXml() };
  for (const [index, sheet] of sheets.entries())
    parts[`xl/worksheets/sheet${index + 1}.xml`] = sheetXml(sheet.rows, columns, options, index === 0);
  const files = Object.entries(parts).map(([path, text]) => [path, Buffer.from(HEAD + text)] as const);
  return { contents: zipParts(Object.fromEntries(files)) };
}

function lengthFault(cell: Cell): string | undefined {
  const text = cellText(cell);
  if (text.length <= CELL_CHARACTERS) return undefined;
  return `The text has ${text.length} characters, but a cell of a workbook can hold only ${CELL_CHARACTERS}. Shorten it, or write CSV or YAML.`;
}

function sheetNameFaults({ name }: WrittenSheet): WriteFault[] {
  if (SHEET_NAME_FORM.test(name)) return [];
  const message = `An Excel sheet cannot have the name "${name}", which \`sheet:\` in plancast.yaml names. Write CSV or YAML.`;
  return [{ row: 0, column: undefined, message }];
}

function rowFaults(rows: readonly WrittenRow[]): WriteFault[] {
  if (rows.length < SHEET_ROWS) return [];
  const message = `A sheet has room for ${SHEET_ROWS - 1} rows. Split the calendar, or write CSV.`;
  return [{ row: SHEET_ROWS - 1, column: undefined, message }];
}

// The sheet (ECMA-376 part 1, 18.3): a header that stays, widths, drop-downs, cells.

/** Rows that a sheet has. Source: Excel's specifications and limits. */
const SHEET_ROWS = 1_048_576;

/** Characters that the list of a drop-down may have. Source: Excel's specifications and limits. */
const LIST_CHARACTERS = 255;

/** The width of a column in characters, and the style of its empty cells, so that input is read as meant. */
const COLUMNS: Readonly<Record<Field, { readonly width: number; readonly look: StyleName }>> = {
  id: { width: 18, look: "text" },
  scheduled_at: { width: 18, look: "datetime" },
  date: { width: 12, look: "date" },
  time: { width: 9, look: "time" },
  timezone: { width: 20, look: "text" },
  expires: { width: 18, look: "datetime" },
  repeat: { width: 24, look: "text" },
  except: { width: 24, look: "text" },
  pool: { width: 70, look: "text" },
  spacing: { width: 12, look: "text" },
  platforms: { width: 22, look: "text" },
  content: { width: 70, look: "text" },
  media: { width: 32, look: "text" },
  alt: { width: 40, look: "text" },
  thread: { width: 40, look: "text" },
  thread_media: { width: 32, look: "text" },
  thread_alt: { width: 40, look: "text" },
  first_comment: { width: 40, look: "text" },
  reply_to: { width: 30, look: "text" },
  quote: { width: 30, look: "text" },
  poll: { width: 30, look: "text" },
  poll_length: { width: 12, look: "text" },
  poll_multiple: { width: 12, look: "text" },
  options: { width: 30, look: "text" },
  campaign: { width: 18, look: "text" },
  status: { width: 10, look: "text" },
  type: { width: 10, look: "text" },
  prompt: { width: 40, look: "text" },
  tone: { width: 14, look: "text" },
  image_prompt: { width: 40, look: "text" },
  size: { width: 12, look: "text" },
  result_time: { width: 18, look: "text" },
  result_url: { width: 40, look: "text" },
  result_error: { width: 40, look: "text" },
};

/** The part of the sheet. */
function sheetXml(
  rows: readonly WrittenRow[],
  columns: readonly TableColumn[],
  { platforms }: WriteOptions,
  isFirst: boolean,
): string {
  const letters = columns.map((_name, index) => columnLetters(index));
  const letterOf = (name: TableColumn): string | undefined => letters[columns.indexOf(name)];
  const header = columns.map((name, index) => textCellXml(`${letters[index]}1`, headerOf(name), "header"));
  return [
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">',
    `<dimension ref="A1:${letters.at(-1)}${rows.length + 1}"/>`,
    `<sheetViews><sheetView${isFirst ? ' tabSelected="1"' : ""} workbookViewId="0">`,
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>',
    '<selection pane="bottomLeft" activeCell="A2" sqref="A2"/></sheetView></sheetViews>',
    '<sheetFormatPr defaultRowHeight="15"/>',
    `<cols>${columns.map(columnXml).join("")}</cols>`,
    `<sheetData><row r="1">${header.join("")}</row>`,
    ...rows.map((row, index) => rowXml(row, index + 2, columns, letters)),
    "</sheetData>",
    validationsXml([platformList(letterOf("platforms"), platforms), statusList(letterOf("status"))]),
    "</worksheet>",
  ].join("");
}

/** The field whose style and values a column has: text for a kept column. */
function fieldOf(name: TableColumn): Field {
  return isKept(name) ? "id" : splitColumn(name).field;
}

function columnXml(name: TableColumn, index: number): string {
  const { width, look } = COLUMNS[fieldOf(name)];
  return `<col min="${index + 1}" max="${index + 1}" width="${width}" style="${styleIndex(look)}" customWidth="1"/>`;
}

function rowXml(
  row: WrittenRow,
  number: number,
  columns: readonly TableColumn[],
  letters: readonly string[],
): string {
  const cells = columns.map((name, index) => {
    const text = tableText(row, name);
    return text === "" ? "" : cellXml(`${letters[index]}${number}`, fieldOf(name), text);
  });
  return `<row r="${number}">${cells.join("")}</row>`;
}

interface DropDown {
  readonly column: string | undefined;
  readonly items: readonly string[];
  /** The text that is shown when a cell is selected. */
  readonly prompt: string;
  /** Whether other input needs confirmation. If not, it is accepted. */
  readonly questions: boolean;
}

function platformList(column: string | undefined, platforms: readonly string[]): DropDown {
  const prompt = "One of these, or several separated by commas.";
  return { column, items: platforms, prompt, questions: false };
}

function statusList(column: string | undefined): DropDown {
  const prompt = "Blank or ready: plancast schedules it. draft or skip: it does not.";
  return { column, items: STATUSES, prompt, questions: true };
}

function validationsXml(lists: readonly DropDown[]): string {
  const all = lists.flatMap(validationXml);
  return all.length === 0 ? "" : `<dataValidations count="${all.length}">${all.join("")}</dataValidations>`;
}

function validationXml({ column, items, prompt, questions }: DropDown): string[] {
  const list = joinWithinLimit(items);
  if (column === undefined || list === "") return [];
  const alert = questions ? 'errorStyle="warning" showErrorMessage="1" ' : "";
  return [
    `<dataValidation type="list" allowBlank="1" showInputMessage="1" ${alert}prompt="${xmlText(prompt)}" ` +
      `sqref="${column}2:${column}${SHEET_ROWS}"><formula1>"${xmlText(list)}"</formula1></dataValidation>`,
  ];
}

/** The longest list that a drop-down can hold, including commas. */
function joinWithinLimit(items: readonly string[]): string {
  const usable = items.filter((item) => !/[",\p{C}]/u.test(item));
  return usable.reduce((list, item) => {
    const longer = list === "" ? item : `${list},${item}`;
    return longer.length > LIST_CHARACTERS ? list : longer;
  }, "");
}

const DAY_MS = 86_400_000;
const DAY_SECONDS = 86_400;
/** Day 0 of the workbook's count (ECMA-376 part 1, 18.17.4.1): right for all days from March 1900 on. */
const DAY_ZERO_MS = Date.UTC(1899, 11, 30);

interface SerialNumber {
  readonly look: StyleName;
  readonly value: number;
}

/** The cell's XML; `name` is such as `C14`. */
function cellXml(name: string, field: Field, text: string): string {
  const serial = SERIALS[field]?.(text);
  if (serial !== undefined) return `<c r="${name}" s="${styleIndex(serial.look)}"><v>${serial.value}</v></c>`;
  return textCellXml(name, text, needsGuard(text) ? "quotedText" : "text");
}

function textCellXml(name: string, text: string, look: StyleName): string {
  return `<c r="${name}" s="${styleIndex(look)}" t="inlineStr"><is><t xml:space="preserve">${cellXmlText(text)}</t></is></c>`;
}

/**
 * Fields with date cells. Only text in the exact form that a date cell is read as becomes a date, so that it reads the
 * same.
 */
const SERIALS: Partial<Record<Field, (text: string) => SerialNumber | undefined>> = {
  scheduled_at: (text) => dateTime(text),
  date: (text) => day(text),
  time: (text) => timeOfDay(text),
  expires: (text) => dateTime(text) ?? day(text),
};

function day(text: string): SerialNumber | undefined {
  const [, ...parts] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  const ms = parts.length === 0 ? undefined : wallMs(parts.map(Number));
  return ms === undefined ? undefined : { look: "date", value: (ms - DAY_ZERO_MS) / DAY_MS };
}

function timeOfDay(text: string): SerialNumber | undefined {
  const [, hour, minute, second] = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/.exec(text) ?? [];
  if (hour === undefined || second === "00") return undefined;
  const seconds = Number(hour) * 3600 + Number(minute) * 60 + Number(second ?? "0");
  return { look: second === undefined ? "time" : "timeSeconds", value: seconds / DAY_SECONDS };
}

function dateTime(text: string): SerialNumber | undefined {
  const [date = "", time = "", ...rest] = text.split(" ");
  const [onDay, atTime] = [day(date), timeOfDay(time)];
  if (onDay === undefined || atTime === undefined || rest.length > 0) return undefined;
  const look = atTime.look === "time" ? "datetime" : "datetimeSeconds";
  return { look, value: onDay.value + atTime.value };
}

/**
 * Characters that XML cannot hold, or would change, are written as `_x000D_`. So is an underscore that could be read as
 * the start of this form. Source: ECMA-376 part 1, 22.9.2.19 (ST_Xstring).
 */
// oxlint-disable-next-line no-control-regex
const TO_MARK = /[\u0000-\u0008\u000B-\u001F\uFFFE\uFFFF]|_(?=x[0-9A-Fa-f]{4})/g;

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
]);

/** The text of an element or of an attribute in double quotes. */
function xmlText(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => ENTITIES.get(sign) ?? sign);
}

/** The text of a cell. */
export function cellXmlText(text: string): string {
  const marked = text.replace(TO_MARK, (sign) => {
    const code = sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
    return `_x${code}_`;
  });
  return xmlText(marked);
}

// Styles of cells (ECMA-376 part 1, 18.8): number formats, and the numbers by which cells refer to them.

/** Number formats of our own; ids below 164 are the spreadsheet's. */
const NUMBER_FORMATS = {
  datetime: { id: 164, code: "yyyy\\-mm\\-dd\\ hh:mm" },
  datetimeSeconds: { id: 165, code: "yyyy\\-mm\\-dd\\ hh:mm:ss" },
  date: { id: 166, code: "yyyy\\-mm\\-dd" },
  time: { id: 167, code: "hh:mm" },
  timeSeconds: { id: 168, code: "hh:mm:ss" },
} as const;

/** The built-in format `@`: input stays text, even if it begins with `=` or looks like a number. */
const TEXT_FORMAT = 49;

const TOP = '<alignment vertical="top"/>';
const WRAPPED = '<alignment vertical="top" wrapText="1"/>';

interface CellStyle {
  readonly format: number;
  readonly font?: number;
  readonly fill?: number;
  readonly alignment: string;
  readonly quotePrefix?: true;
}

/** The position is the style number in the file. */
const STYLES = {
  plain: { format: 0, alignment: "" },
  header: { format: 0, font: 1, fill: 2, alignment: '<alignment vertical="center"/>' },
  text: { format: TEXT_FORMAT, alignment: WRAPPED },
  /** Text that would become a formula if somebody confirmed the cell again. */
  quotedText: { format: TEXT_FORMAT, alignment: WRAPPED, quotePrefix: true },
  datetime: { format: NUMBER_FORMATS.datetime.id, alignment: TOP },
  datetimeSeconds: { format: NUMBER_FORMATS.datetimeSeconds.id, alignment: TOP },
  date: { format: NUMBER_FORMATS.date.id, alignment: TOP },
  time: { format: NUMBER_FORMATS.time.id, alignment: TOP },
  timeSeconds: { format: NUMBER_FORMATS.timeSeconds.id, alignment: TOP },
} as const satisfies Record<string, CellStyle>;

type StyleName = keyof typeof STYLES;

/** The number by which a cell refers to its style. */
function styleIndex(name: StyleName): number {
  return Object.keys(STYLES).indexOf(name);
}

/** The part `xl/styles.xml`. */
function stylesXml(): string {
  const formats = Object.values(NUMBER_FORMATS).map(
    ({ id, code }) => `<numFmt numFmtId="${id}" formatCode="${code}"/>`,
  );
  const looks = Object.values(STYLES).map(styleXml);
  return (
    '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
    `<numFmts count="${formats.length}">${formats.join("")}</numFmts>` +
    `<fonts count="2"><font><sz val="11"/><name val="Calibri"/><family val="2"/></font>` +
    `<font><b/><sz val="11"/><name val="Calibri"/><family val="2"/></font></fonts>` +
    // The first two fills are built in, and their definitions are ignored.
    '<fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>' +
    '<fill><patternFill patternType="solid"><fgColor rgb="FFE7ECF3"/><bgColor indexed="64"/></patternFill></fill></fills>' +
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
    `<cellXfs count="${looks.length}">${looks.join("")}</cellXfs>` +
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>' +
    "</styleSheet>"
  );
}

function styleXml({ format, font = 0, fill = 0, alignment, quotePrefix }: CellStyle): string {
  const attributes = [
    `numFmtId="${format}" fontId="${font}" fillId="${fill}" borderId="0" xfId="0"`,
    ...(quotePrefix === true ? ['quotePrefix="1"'] : []),
    ...(format === 0 ? [] : ['applyNumberFormat="1"']),
    ...(font === 0 ? [] : ['applyFont="1"']),
    ...(fill === 0 ? [] : ['applyFill="1"']),
    ...(alignment === "" ? [] : ['applyAlignment="1"']),
  ];
  return alignment === "" ? `<xf ${attributes.join(" ")}/>` : `<xf ${attributes.join(" ")}>${alignment}</xf>`;
}
