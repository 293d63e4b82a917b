/** Turns a record into a row, and refuses what must not be published. */

import { splitAlt, splitThread } from "../../model/extras.ts";
import { splitMedia } from "../../model/address.ts";
import { groupBy } from "../../model/data.ts";
import { type Position, type Problem, problem } from "../../model/problem.ts";
import { type Assumed, type Cell, type RowVariant, cellText, isUntimed } from "../../model/row.ts";
import { type Field, JOINED_FIELDS } from "../../model/fields.ts";
import { isBlank, withParagraph } from "../../model/text.ts";
import { yesOrNo } from "../../settings/languages/languages.ts";
import { type ItemPlace, NOTHING, type RowsTable, type Switch, TableRow } from "./rows-table.ts";
import type { TableRecord } from "./table-header.ts";
import { statusSaid, strongest } from "./yes-or-no.ts";

/** A record as a row: its cells by field, without blank ones. Its faults go to `problems`. */
export function readRow(table: RowsTable, read: TableRecord, problems: Problem[]): TableRow {
  const { cells: record, number, values } = read;
  const cells: Partial<Record<Field, Cell>> = {};
  for (const { column, field } of table.used) {
    const cell = record[column];
    if (cell !== undefined && !isBlank(cell)) cells[field] = values?.get(column) ?? cell;
  }
  reportRefusedColumns(table, record, number, problems);
  if (table.isPlain) return new TableRow(table, number, withStatus(cells, table.isDraftWithoutTime));
  const spread: Partial<Record<Field, readonly Item[]>> = {};
  const put = (field: Field, items: readonly Item[]): void => {
    cells[field] = items.map(({ text }) => text);
    spread[field] = items;
  };
  const media = mediaItems(table, read);
  if (media.length > 0) put("media", media);
  const alt = altItems(table, read, problems);
  if (alt !== undefined) put("alt", alt);
  const options = optionItems(table, read);
  if (options.length > 0) put("options", options);
  const { ofPlatforms, ofStatus } = table.switches;
  for (const field of JOINED_FIELDS) {
    if ((table.columnsOf.get(field)?.length ?? 0) < 2) continue;
    const items = filledItems(table, field, read);
    if (items.length > 0 || field === "platforms") put(field, items);
  }
  const isOn = (each: Switch): boolean => isSwitchedOn(each, record, table);
  // If all of them say no, the project's default does not apply either.
  if (ofPlatforms.length > 0) {
    const named = ofPlatforms.filter(isOn).map(({ value: text, column }) => ({ text, column }));
    put("platforms", [...filledItems(table, "platforms", read), ...named]);
  }
  const status = ofStatus.length === 0 ? undefined : switchedStatus(ofStatus, isOn, record);
  if (status !== undefined) put("status", [status]);
  Object.assign(cells, withAppended(cells, table, record));
  const variants = variantsOf(table, read);
  return new TableRow(table, number, withStatus(cells, table.isDraftWithoutTime, variants), {
    spread,
    variants,
    blankAnswers: blankAnswers(table, record),
    ...(table.decided.length === 0 ? {} : { decided: table.decided.map((column) => record[column] ?? "") }),
    others: table.kept.length === 0 ? NOTHING.others : othersOf(table, record),
  });
}

/** What blank answers mean: nobody said that the post is ready, or that it is already out. */
function blankAnswers({ switches, keyOf }: RowsTable, record: readonly string[]): readonly Assumed[] {
  return switches.ofStatus
    .filter(({ column }) => isBlank(record[column] ?? ""))
    .map(({ column, value }) => ({
      what: "answer",
      from: "blank",
      value: value === "ready" ? "draft" : "ready",
      name: keyOf(column),
    }));
}

/** The cells of kept columns. A post without a key has no cell. */
function othersOf({ kept, source }: RowsTable, record: readonly string[]): Readonly<Record<string, string>> {
  const cells = kept.map(({ column, name }) => [name, record[column] ?? ""] as const);
  return Object.fromEntries(source.hasKeys === true ? cells.filter(([, text]) => !isBlank(text)) : cells);
}

/** A row without a time is a draft if the project says so, unless the row has a status. */
function withStatus(
  cells: Readonly<Partial<Record<Field, Cell>>>,
  isDraftWithoutTime: boolean,
  variants: readonly RowVariant[] = [],
): Readonly<Partial<Record<Field, Cell>>> {
  if (!isDraftWithoutTime || cells.status !== undefined) return cells;
  return isUntimed({ cells, variants }) ? { ...cells, status: "draft" } : cells;
}

/** Columns whose cells ask, with a yes, for something that plancast does not do. */
function reportRefusedColumns(
  { columns, source }: RowsTable,
  record: readonly string[],
  number: number,
  problems: Problem[],
): void {
  for (const column of columns.refused) {
    const text = record[column] ?? "";
    if (isBlank(text) || yesOrNo(text) === false) continue;
    const message = `plancast cannot schedule "${text.trim()}", because each post needs a fixed time. Fill in the time, and leave this cell blank.`;
    problems.push(problem("row/type", message, source.at(number, column)));
  }
}

/**
 * The problem of a row that a note or a title keeps back.
 * @param why what says so, as a sentence without its end @param way what to do if the row may be published
 */
export function heldBack(why: string, way: string, at: Position): Problem {
  const message = `${why}, so plancast does not publish the row. If it may be published, ${way}. If not, give the row the status draft or skip, or delete it.`;
  return problem("row/held-back", message, at);
}

/** A text of a row, and where it is. */
interface Item extends ItemPlace {
  readonly text: string;
}

/** The text of a cell, or the items of a list there. */
function itemsIn({ cells, values }: TableRecord, column: number): readonly Item[] {
  const value = values?.get(column) ?? cells[column] ?? "";
  return typeof value === "string"
    ? [{ text: value, column }]
    : value.map((text, item) => ({ text, column, item }));
}

/** What the field's own columns hold. The cell of a thread may have several texts. */
function filledItems({ columnsOf }: RowsTable, of: Field, record: TableRecord): Item[] {
  const all = (columnsOf.get(of) ?? []).flatMap((column) => itemsIn(record, column));
  const texts =
    of === "thread" ? all.flatMap((each) => splitThread(each.text).map((text) => ({ ...each, text }))) : all;
  return texts.filter(({ text }) => !isBlank(text));
}

/**
 * The alt texts of a row with columns `Alt text 1`, `Alt text 2` and so on, in the order of its media: blank for a medium
 * without an alt text. Undefined if one column holds all of them. If the media have several columns too, the first text
 * belongs to the first of these columns, and so on.
 */
function altItems(
  { columnsOf, source }: RowsTable,
  record: TableRecord,
  problems: Problem[],
): Item[] | undefined {
  const ofMedia = columnsOf.get("media") ?? [];
  const ofAlt = columnsOf.get("alt") ?? [];
  if (ofAlt.length < 2 || ofAlt.every((column) => isBlank(record.cells[column] ?? ""))) return undefined;
  if (ofMedia.length < 2) return ofAlt.flatMap((column) => itemsIn(record, column));
  return ofAlt.flatMap((column, index) => {
    const medium = ofMedia[index];
    const count = medium === undefined ? 1 : mediaIn(record, medium).length;
    const items = itemsIn(record, column);
    if (count > 0) {
      const own = items.flatMap((each) =>
        splitAlt(each.text, items.length > 1 ? 1 : count).map((text) => ({ ...each, text })),
      );
      return [
        ...own,
        ...Array.from({ length: Math.max(0, count - own.length) }, () => ({ text: "", column })),
      ];
    }
    if (items.some(({ text }) => !isBlank(text)))
      problems.push(problem("row/unused-value", NO_MEDIUM, source.at(record.number, column)));
    return [];
  });
}

const NO_MEDIUM =
  "This alt text belongs to a column of media that is blank in this row, so plancast does not use it. Fill in that column, or remove the text.";

/** The media of a row with columns `Image 1`, `Image 2` and so on, in their order. */
function mediaItems({ columnsOf }: RowsTable, record: TableRecord): Item[] {
  return (columnsOf.get("media") ?? []).flatMap((column) => mediaIn(record, column));
}

/** The options that a row says in columns of their own, after those in the column `options`. */
function optionItems({ columns }: RowsTable, record: TableRecord): Item[] {
  const named = columns.options.flatMap(({ column, name }) => {
    const text = cellText(record.values?.get(column) ?? record.cells[column]);
    return isBlank(text) ? [] : [{ text: `${name}: ${text.trim()}`, column }];
  });
  if (named.length === 0) return [];
  const column = columns.fields.indexOf("options");
  const lines = (record.cells[column] ?? "").split("\n").filter((text) => !isBlank(text));
  return [...lines.map((text) => ({ text, column })), ...named];
}

/** The media that a cell names. */
function mediaIn(record: TableRecord, column: number): Item[] {
  return itemsIn(record, column)
    .flatMap((each) =>
      each.item === undefined
        ? splitMedia(each.text).map((text) => ({ ...each, text: text.trim() }))
        : [each],
    )
    .filter(({ text }) => !isBlank(text));
}

/**
 * The fields to which columns are appended, with their cells as separate paragraphs. If a row has no text but a thread,
 * they are appended to its first text; if it has a pool, to each text of the pool. A row that still waits for its text
 * gets nothing, or it would look finished.
 */
function withAppended(
  cells: Readonly<Partial<Record<Field, Cell>>>,
  { columns }: RowsTable,
  record: readonly string[],
): Readonly<Partial<Record<Field, Cell>>> {
  if (columns.appended.length === 0) return {};
  const addedTo = (of: Field): readonly string[] =>
    columns.appended
      .filter(({ field }) => field === of)
      .map(({ column, isTags }) => asTags(isTags, (record[column] ?? "").trim()))
      .filter((text) => !isBlank(text));
  return { ...withText(cells, addedTo("content")), ...withComment(cells, addedTo("first_comment")) };
}

function withText(
  { content, thread, pool, media, prompt }: Readonly<Partial<Record<Field, Cell>>>,
  added: readonly string[],
): Readonly<Partial<Record<Field, Cell>>> {
  if (content === undefined && pool !== undefined && added.length > 0)
    return { pool: textsIn(pool).map((text) => (isBlank(text) ? text : paragraphs(text, added))) };
  const isWaiting = media === undefined || prompt !== undefined;
  const [first, ...rest] = content === undefined && thread !== undefined ? textsIn(thread) : [];
  if (added.length === 0 || (content === undefined && first === undefined && isWaiting)) return {};
  const text = paragraphs(content ?? first, added);
  return first === undefined ? { content: text } : { thread: [text, ...rest] };
}

/** The texts of a list, or of a text with lines `---`. */
function textsIn(cell: Cell): readonly string[] {
  return typeof cell === "string" ? splitThread(cell) : cell;
}

function withComment(
  { first_comment: own }: Readonly<Partial<Record<Field, Cell>>>,
  added: readonly string[],
): Readonly<Partial<Record<Field, Cell>>> {
  return added.length === 0 ? {} : { first_comment: paragraphs(own, added) };
}

function paragraphs(own: Cell | undefined, added: readonly string[]): string {
  return added.reduce(withParagraph, typeof own === "string" ? own : "");
}

/** A list of words under `Hashtags`, such as `spring, garden` or `spring garden`, as hashtags. Anything else stays as it is. */
function asTags(isTags: boolean, text: string): string {
  const words = text.split(/[,;\n]/.test(text) ? /[,;\n]/ : /\s+/).map((word) => word.trim());
  if (!isTags || !words.every((word) => /^[\p{L}\p{N}_]+$/u.test(word))) return text;
  return words.map((word) => `#${word}`).join(" ");
}

/**
 * The status that yes-or-no columns give a row. Undefined if they agree with the row's own status. A row is not ready
 * if any of these columns says so. A word such as `Rejected` means what it means in a status column.
 */
function switchedStatus(
  switches: readonly Switch[],
  isOn: (each: Switch) => boolean,
  record: readonly string[],
): Item | undefined {
  const found = switches.flatMap((each): Item[] => {
    const text = statusSaid(each.value, isOn(each), record[each.column] ?? "");
    return text === undefined ? [] : [{ text, column: each.column }];
  });
  return strongest(found);
}

/** Whether a cell of a yes-or-no column says yes. A value that nobody has explained has an error for the whole file. */
function isSwitchedOn({ column }: Switch, record: readonly string[], { values }: RowsTable): boolean {
  return values.get(column)?.read(record[column] ?? "").meaning === "yes";
}

/** The parts for single networks. A blank value clears a field only if the record says so. */
function variantsOf({ columns, source }: RowsTable, { cells, number, values }: TableRecord): RowVariant[] {
  const filled = columns.variants.filter(
    ({ column, field }) =>
      field !== "status" && (values?.has(column) === true || !isBlank(cells[column] ?? "")),
  );
  return [...groupBy(filled, ({ platform }) => platform)].map(([platform, own]) => ({
    platform,
    cells: Object.fromEntries(
      own.map(({ field, column }) => [field, values?.get(column) ?? cells[column] ?? ""]),
    ),
    at: (field, item) => source.at(number, own.find((each) => each.field === field)?.column, item),
  }));
}
