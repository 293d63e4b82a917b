/** The sheet of a calendar (ECMA-376 part 1, 18.3): header that stays, widths, drop-downs, cells. */
import { STATUSES } from "../calendar/calendar-settings.ts";
import { columnLetters } from "../calendar/column-letters.ts";
import type { Field } from "../calendar/row.ts";
import { splitColumn, type ColumnName } from "./column-name.ts";
import type { WriteOptions, WrittenRow } from "./format.ts";
import { cellText } from "./table-cells.ts";
import { cellXml, textCellXml } from "./xlsx-cell.ts";
import { styleIndex, type StyleName } from "./xlsx-styles.ts";
import { xmlText } from "./xlsx-text.ts";

/** Rows that a sheet has. Source: Excel's specifications and limits. */
export const SHEET_ROWS = 1_048_576;

/** Characters that the list of a drop-down may have. Source: Excel's specifications and limits. */
const LIST_CHARACTERS = 255;

/** How wide a column is, in characters, and what its empty cells look like, so that what is typed is read as meant. */
const COLUMNS: Readonly<Record<Field, { readonly width: number; readonly look: StyleName }>> = {
  id: { width: 18, look: "text" },
  scheduled_at: { width: 18, look: "datetime" },
  date: { width: 12, look: "date" },
  time: { width: 9, look: "time" },
  timezone: { width: 20, look: "text" },
  platforms: { width: 22, look: "text" },
  content: { width: 70, look: "text" },
  media: { width: 32, look: "text" },
  status: { width: 10, look: "text" },
  prompt: { width: 40, look: "text" },
  tone: { width: 14, look: "text" },
  image_prompt: { width: 40, look: "text" },
  size: { width: 12, look: "text" },
};

/** The part of the sheet. */
export function sheetXml(
  rows: readonly WrittenRow[],
  columns: readonly ColumnName[],
  { platforms }: WriteOptions,
): string {
  const letters = columns.map((_name, index) => columnLetters(index));
  const letterOf = (name: ColumnName): string | undefined => letters[columns.indexOf(name)];
  const header = columns.map((name, index) => textCellXml(`${letters[index]}1`, name, "header"));
  return [
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">',
    `<dimension ref="A1:${letters.at(-1)}${rows.length + 1}"/>`,
    '<sheetViews><sheetView tabSelected="1" workbookViewId="0">',
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

function columnXml(name: ColumnName, index: number): string {
  const { width, look } = COLUMNS[splitColumn(name).field];
  return `<col min="${index + 1}" max="${index + 1}" width="${width}" style="${styleIndex(look)}" customWidth="1"/>`;
}

function rowXml(
  row: WrittenRow,
  number: number,
  columns: readonly ColumnName[],
  letters: readonly string[],
): string {
  const cells = columns.map((name, index) => {
    const text = cellText(row.get(name));
    return text === "" ? "" : cellXml(`${letters[index]}${number}`, splitColumn(name).field, text);
  });
  return `<row r="${number}">${cells.join("")}</row>`;
}

interface DropDown {
  readonly column: string | undefined;
  readonly items: readonly string[];
  /** What is shown when a cell is chosen. */
  readonly prompt: string;
  /** Whether another text is questioned; else it is just taken. */
  readonly questions: boolean;
}

function platformList(column: string | undefined, platforms: readonly string[]): DropDown {
  const prompt = "One of these, or several with commas.";
  return { column, items: platforms, prompt, questions: false };
}

function statusList(column: string | undefined): DropDown {
  const prompt = "Blank or ready: to be published. draft or skip: not.";
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

/** As many of the items as a drop-down holds, with commas. */
function joinWithinLimit(items: readonly string[]): string {
  const usable = items.filter((item) => !/[",\p{C}]/u.test(item));
  return usable.reduce((list, item) => {
    const longer = list === "" ? item : `${list},${item}`;
    return longer.length > LIST_CHARACTERS ? list : longer;
  }, "");
}
