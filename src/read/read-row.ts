import { problem, type Problem } from "../calendar/problem.ts";
import { foldValue } from "../calendar/row-filter.ts";
import type { Cell, Field, RowVariant } from "../calendar/row.ts";
import { splitMedia } from "../calendar/split-media.ts";
import { isBlank } from "./csv-cells.ts";
import { TableRow, type RowsTable } from "./table-row.ts";
import { yesOrNo } from "./yes-or-no.ts";

/** A record as a row: its cells by field, blank ones left out. What is wrong with it goes to `problems`. */
export function readRow(
  table: RowsTable,
  record: readonly string[],
  number: number,
  problems: Problem[],
): TableRow {
  const cells: Partial<Record<Field, Cell>> = {};
  for (const { column, field } of table.used) {
    const cell = record[column];
    if (cell !== undefined && !isBlank(cell)) cells[field] = cell;
  }
  reportRefusedColumns(table, record, number, problems);
  if (table.isPlain) return new TableRow(table, number, withStatus(cells, table));
  const spread: Partial<Record<Field, readonly number[]>> = {};
  const put = (field: Field, items: readonly Item[]): void => {
    cells[field] = items.map(({ text }) => text);
    spread[field] = items.map(({ column }) => column);
  };
  const media = mediaItems(table, record);
  if (isMediaLink(table, record)) delete cells.media;
  else if (media.length > 0) put("media", media);
  const { switches } = table.columns;
  const said = switches.filter((each) => isSwitchedOn(each, record, table, number, problems));
  const items = (field: "platforms" | "status"): Item[] =>
    said.flatMap((each) => (each.field === field ? [{ text: each.value, column: each.column }] : []));
  // Where all of them say no, the project's default is not meant either.
  if (switches.some(({ field }) => field === "platforms"))
    put("platforms", [...ownColumnItems(table, "platforms", record), ...items("platforms")]);
  const [status] = items("status");
  if (status !== undefined) put("status", [status]);
  const variants = variantsOf(table, record, number);
  return new TableRow(table, number, withStatus(cells, table, variants), {
    spread,
    variants,
    others: Object.fromEntries(table.kept.map(({ column, name }) => [name, record[column] ?? ""])),
  });
}

/** Whether what stands in the row's column of media is a link. */
export function isMediaLink({ links }: RowsTable, record: readonly string[]): boolean {
  return links.some(({ column, values }) => values.has(foldValue(record[column] ?? "")));
}

const TIME_FIELDS = ["scheduled_at", "date", "time"] as const;

/** A row without a time is a draft where the project says so, unless it says itself what it is. */
function withStatus(
  cells: Readonly<Partial<Record<Field, Cell>>>,
  { isDraftWithoutTime }: RowsTable,
  variants: readonly RowVariant[] = [],
): Readonly<Partial<Record<Field, Cell>>> {
  if (!isDraftWithoutTime || cells.status !== undefined) return cells;
  const isTimed = [cells, ...variants.map((each) => each.cells)].some((each) =>
    TIME_FIELDS.some((field) => each[field] !== undefined),
  );
  return isTimed ? cells : { ...cells, status: "draft" };
}

/** Columns that ask, with a yes, for what plancast does not do. */
function reportRefusedColumns(
  { columns, source }: RowsTable,
  record: readonly string[],
  number: number,
  problems: Problem[],
): void {
  for (const column of columns.refused) {
    const text = record[column] ?? "";
    if (isBlank(text) || yesOrNo(text) === false) continue;
    const message = `"${text.trim()}" asks for what plancast does not do: a post has a fixed time, which is in the file. Fill in the time, and leave this cell blank.`;
    problems.push(problem("row/refused", message, source.at(number, column)));
  }
}

interface Item {
  readonly text: string;
  readonly column: number;
}

/** What the field's own column holds, as the first of several items. */
function ownColumnItems({ used }: RowsTable, of: Field, record: readonly string[]): Item[] {
  return used.flatMap(({ column, field }) => {
    const text = record[column] ?? "";
    return field !== of || isBlank(text) ? [] : [{ text, column }];
  });
}

/** The media of a row whose columns `Image 1`, `Image 2` and so on all stand for them, in their order. */
function mediaItems(table: RowsTable, record: readonly string[]): Item[] {
  return ownColumnItems(table, "media", record).flatMap(({ text, column }) =>
    splitMedia(text)
      .map((part) => ({ text: part.trim(), column }))
      .filter((part) => part.text !== ""),
  );
}

/** Whether a column of yes and no says yes. */
function isSwitchedOn(
  { column, value }: { readonly column: number; readonly value: string },
  record: readonly string[],
  { source }: RowsTable,
  number: number,
  problems: Problem[],
): boolean {
  const text = record[column] ?? "";
  const said = isBlank(text) ? false : yesOrNo(text);
  if (said === undefined) {
    const message = `"${text.trim()}" says neither yes nor no to ${value}. Write TRUE or FALSE, or yes or no.`;
    problems.push(problem("row/yes-or-no", message, source.at(number, column)));
  }
  return said === true;
}

function variantsOf({ columns, source }: RowsTable, record: readonly string[], number: number): RowVariant[] {
  const filled = columns.variants.filter(({ column }) => !isBlank(record[column] ?? ""));
  return [...new Set(filled.map(({ platform }) => platform))].map((platform) => {
    const own = filled.filter((each) => each.platform === platform);
    return {
      platform,
      cells: Object.fromEntries(own.map(({ field, column }) => [field, record[column] ?? ""])),
      at: (field) => source.at(number, own.find((each) => each.field === field)?.column),
    };
  });
}
