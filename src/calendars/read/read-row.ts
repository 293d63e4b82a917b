/** Turns a table's record into a row, and refuses what must not be published. */

import { splitAlt, splitThread } from "../../model/extras.ts";
import { splitMedia } from "../../model/address.ts";
import { type Position, type Problem, problem } from "../../model/problem.ts";
import { foldValue } from "../../model/row-filter.ts";
import { type Assumed, type Cell, type RowVariant, isUntimed } from "../../model/row.ts";
import type { Field } from "../../model/fields.ts";
import { isBlank, withParagraph } from "../../model/text.ts";
import { yesOrNo } from "../../settings/languages/languages.ts";
import { NOTHING, type RowsTable, type Switch, TableRow } from "./rows-table.ts";
import { statusSaid, strongest } from "./yes-or-no.ts";

/** A record as a row: its cells by field, without blank ones. Its faults go to `problems`. */
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
  if (table.isPlain) return new TableRow(table, number, withStatus(cells, table.isDraftWithoutTime));
  const spread: Partial<Record<Field, readonly number[]>> = {};
  const put = (field: Field, items: readonly Item[]): void => {
    cells[field] = items.map(({ text }) => text);
    spread[field] = items.map(({ column }) => column);
  };
  const media = mediaItems(table, record);
  if (isMediaLink(table, record)) delete cells.media;
  else if (media.length > 0) put("media", media);
  const alt = altItems(table, record, number, problems);
  if (alt !== undefined) put("alt", alt);
  const { ofPlatforms, ofStatus } = table.switches;
  const isOn = (each: Switch): boolean => isSwitchedOn(each, record, table);
  // If all of them say no, the project's default does not apply either.
  if (ofPlatforms.length > 0) {
    const named = ofPlatforms.filter(isOn).map(({ value: text, column }) => ({ text, column }));
    put("platforms", [...ownColumnItems(table, "platforms", record), ...named]);
  }
  const status = ofStatus.length === 0 ? undefined : switchedStatus(ofStatus, isOn, record);
  if (status !== undefined) put("status", [status]);
  Object.assign(cells, withAppended(cells, table, record));
  const variants = variantsOf(table, record, number);
  return new TableRow(table, number, withStatus(cells, table.isDraftWithoutTime, variants), {
    spread,
    variants,
    blankAnswers: blankAnswers(table, record),
    ...(table.decided.length === 0 ? {} : { decided: table.decided.map((column) => record[column] ?? "") }),
    others:
      table.kept.length === 0
        ? NOTHING.others
        : Object.fromEntries(table.kept.map(({ column, name }) => [name, record[column] ?? ""])),
  });
}

/** What a blank answer means: nobody said that the post is ready, or that it is already out. @param value what a yes means */
export function blankAnswer(name: string, value: string): Assumed {
  return { what: "answer", from: "blank", value: value === "ready" ? "draft" : "ready", name };
}

function blankAnswers({ switches, keyOf }: RowsTable, record: readonly string[]): readonly Assumed[] {
  return switches.ofStatus
    .filter(({ column }) => isBlank(record[column] ?? ""))
    .map(({ column, value }) => blankAnswer(keyOf(column), value));
}

/** Whether the media cell of this row holds a link. */
export function isMediaLink({ links }: RowsTable, record: readonly string[]): boolean {
  return links.some(({ column, values }) => values.has(foldValue(record[column] ?? "")));
}

/** A row without a time is a draft if the project says so, unless the row has a status. */
export function withStatus(
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
    problems.push(refusedCell(text, source.at(number, column)));
  }
}

export function refusedCell(text: string, at: Position): Problem {
  const message = `plancast cannot schedule "${text.trim()}", because each post needs a fixed time. Fill in the time, and leave this cell blank.`;
  return problem("row/type", message, at);
}

/**
 * The problem of a row that a note or a title keeps back.
 * @param why what says so, as a sentence without its end @param way what to do if the row may be published
 */
export function heldBack(why: string, way: string, at: Position): Problem {
  const message = `${why}, so plancast does not publish the row. If it may be published, ${way}. If not, give the row the status draft or skip, or delete it.`;
  return problem("row/held-back", message, at);
}

interface Item {
  readonly text: string;
  readonly column: number;
}

/** The value in the field's own column, as the first of several items. */
function ownColumnItems({ columnsOf }: RowsTable, of: Field, record: readonly string[]): Item[] {
  const items: Item[] = [];
  for (const column of columnsOf.get(of) ?? []) {
    const text = record[column] ?? "";
    if (!isBlank(text)) items.push({ text, column });
  }
  return items;
}

/**
 * The alt texts of a row with columns `Alt text 1`, `Alt text 2` and so on, in the order of its media: blank for a medium
 * without an alt text. Undefined if one column holds all of them. If the media have several columns too, the first text
 * belongs to the first of these columns, and so on.
 */
function altItems(
  { columnsOf, source }: RowsTable,
  record: readonly string[],
  number: number,
  problems: Problem[],
): Item[] | undefined {
  const ofMedia = columnsOf.get("media") ?? [];
  const ofAlt = columnsOf.get("alt") ?? [];
  if (ofAlt.length < 2 || ofAlt.every((column) => isBlank(record[column] ?? ""))) return undefined;
  const texts = ofAlt.map((column): Item => ({ text: record[column] ?? "", column }));
  if (ofMedia.length < 2) return texts;
  return texts.flatMap((item, index) => {
    const medium = ofMedia[index];
    const count = medium === undefined ? 1 : mediaIn(record[medium] ?? "").length;
    if (count > 0) {
      const own = splitAlt(item.text, count);
      return [...own, ...Array<string>(Math.max(0, count - own.length)).fill("")].map((text) => ({
        ...item,
        text,
      }));
    }
    if (!isBlank(item.text))
      problems.push(problem("row/unused-value", NO_MEDIUM, source.at(number, item.column)));
    return [];
  });
}

const NO_MEDIUM =
  "This alt text belongs to a column of media that is blank in this row, so plancast does not use it. Fill in that column, or remove the text.";

/** The media of a row with columns `Image 1`, `Image 2` and so on, in their order. */
function mediaItems(table: RowsTable, record: readonly string[]): Item[] {
  return ownColumnItems(table, "media", record).flatMap(({ text, column }) =>
    mediaIn(text).map((part) => ({ text: part, column })),
  );
}

/** The media that a cell names. */
function mediaIn(text: string): readonly string[] {
  return splitMedia(text)
    .map((part) => part.trim())
    .filter((part) => part !== "");
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
  if (content === undefined && typeof pool === "string" && added.length > 0)
    return { pool: splitThread(pool).map((text) => (isBlank(text) ? text : paragraphs(text, added))) };
  const isWaiting = media === undefined || prompt !== undefined;
  const [first, ...rest] = content === undefined && typeof thread === "string" ? splitThread(thread) : [];
  if (added.length === 0 || (content === undefined && first === undefined && isWaiting)) return {};
  const text = paragraphs(content ?? first, added);
  return first === undefined ? { content: text } : { thread: [text, ...rest] };
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

function variantsOf({ columns, source }: RowsTable, record: readonly string[], number: number): RowVariant[] {
  const filled = columns.variants.filter(
    ({ column, field }) => field !== "status" && !isBlank(record[column] ?? ""),
  );
  return [...new Set(filled.map(({ platform }) => platform))].map((platform) => {
    const own = filled.filter((each) => each.platform === platform);
    return {
      platform,
      cells: Object.fromEntries(own.map(({ field, column }) => [field, record[column] ?? ""])),
      at: (field) => source.at(number, own.find((each) => each.field === field)?.column),
    };
  });
}
