/**
 * Blank cells that mean "as in the row above", and rows of a table that are not posts: notes, titles and comments.
 */

import { type Problem, problem } from "../../model/problem.ts";
import { type Field, fieldNamed } from "../../model/fields.ts";
import { clipped, foldName, formatNumber, isBlank, rowsText } from "../../model/text.ts";
import { readWhen } from "../../checks/when/read-when.ts";
import type { Columns } from "../columns/columns.ts";
import { holdsBack, isTotal, statusWord, yesOrNo } from "../../settings/languages/languages.ts";
import type { Cell } from "../../model/row.ts";
import type { TableSource } from "./format.ts";
import { heldBack } from "./read-row.ts";
import type { FieldColumn, RowsTable } from "./rows-table.ts";
import type { TableRecord } from "./table-header.ts";

/** Fills in blank cells from the row above, in some columns. */
export class CarriedColumns {
  readonly #columns: readonly number[];
  readonly #marks: readonly number[];
  readonly #last = new Map<number, TableRecord>();

  /** @param marks columns that each mark one platform: a row with any mark has its own platforms */
  constructor(columns: readonly number[], marks: readonly number[]) {
    this.#columns = columns;
    this.#marks = marks.filter((column) => columns.includes(column));
  }

  /** The next record, with the cells of records above. */
  fill(record: TableRecord): TableRecord {
    const { cells } = record;
    let filled: string[] | undefined;
    let values: Map<number, Cell> | undefined;
    if (this.#marks.some((column) => !isBlank(cells[column] ?? "")))
      for (const column of this.#marks) this.#last.delete(column);
    for (const column of this.#columns) {
      const cell = cells[column] ?? "";
      const last = this.#last.get(column);
      if (!isBlank(cell)) this.#last.set(column, record);
      else if (last !== undefined) {
        filled ??= Array.from({ length: Math.max(cells.length, column + 1) }, (_none, at) => cells[at] ?? "");
        filled[column] = last.cells[column] ?? "";
        const value = last.values?.get(column);
        if (value !== undefined) values = new Map(values ?? record.values).set(column, value);
      }
    }
    return filled === undefined ? record : { ...record, cells: filled, values: values ?? record.values };
  }
}

/** The columns that `carry:` names, by their field or their header; and the names that no column has. */
export function carriedColumns(
  carry: readonly string[],
  { fields, switches }: Pick<Columns, "fields" | "switches">,
  names: readonly string[],
): { readonly columns: readonly number[]; readonly unknown: readonly string[] } {
  const columns = new Set<number>();
  const unknown: string[] = [];
  for (const name of carry) {
    const field = fieldNamed(name);
    const found = [...names.keys()].filter((column) => foldName(names[column] ?? "") === foldName(name));
    if (field !== undefined) {
      found.push(...[...fields.keys()].filter((column) => fields[column] === field));
      found.push(...switches.filter((each) => each.field === field).map(({ column }) => column));
    }
    if (field === undefined && found.length === 0) unknown.push(name);
    for (const column of found) columns.add(column);
  }
  return { columns: [...columns], unknown };
}

export function unknownCarried(unknown: readonly string[], source: TableSource, record: number): Problem[] {
  return unknown.map((name) => {
    const message = `\`carry:\` in plancast.yaml names \`${name}\`, but no column has that name. Use a field, such as \`date\`, or copy the header.`;
    return problem("columns/not-found", message, source.at(record));
  });
}

/** Longest list of rows in the warning. */
const MAX_NAMED = 8;

/** Any of these fields is enough to publish something. */
const PUBLISHED: readonly Field[] = ["content", "pool", "thread", "media", "prompt", "image_prompt"];

/** Fields whose column may contain a title. An id or a network in a separate row may be a post with lost cells. */
const TITLE_FIELDS: readonly Field[] = ["date", "scheduled_at", "time"];

/**
 * The problem of a row with only a text that `carry:` would make a second post in the same minute on the same networks.
 * It may be a footnote, or the rest of the text above.
 * @param filled the cells with those of the rows above
 */
export function onlyTextProblem(
  { used, filling, columns, source }: RowsTable,
  cells: readonly string[],
  filled: readonly string[],
  record: number,
): readonly Problem[] {
  const [own, ...more] = [...filling, ...columns.switches].filter(
    ({ column }) => !isBlank(cells[column] ?? ""),
  );
  const hasTime = used.some(
    ({ field, column }) => (field === "time" || field === "scheduled_at") && !isBlank(filled[column] ?? ""),
  );
  if (own?.field !== "content" || more.length > 0 || !hasTime) return NO_PROBLEMS;
  return [problem("row/missing-field", ONLY_TEXT, source.at(record, own.column))];
}

const NO_PROBLEMS: readonly Problem[] = [];

const ONLY_TEXT =
  "The row has only a text, so with `carry:` it would be a second post at the same time on the same networks. If it is a note, move it to the first column and write `# ` before it. " +
  "If it belongs to the text above, put it into that cell. If it is a post, fill in its time or network.";

/** A comment at the start of a row: `# July`. A hashtag has no blank after its sign. */
const COMMENT = /^\s*#+\s/;

/**
 * Whether a row is certainly not a post: it fills only columns that plancast does not read. Or it has one cell, with a
 * title, a total, a comment or the status of a ready post. A row with `#` before its date is commented out.
 * @param isTitle whether cells are merged over columns
 */
export function isNoPost(table: RowsTable, cells: readonly string[], isTitle: boolean): boolean {
  if (isCommentedOut(table, cells) || isTotalRow(table, cells)) return true;
  let first: FieldColumn | undefined;
  for (const each of table.filling) {
    if (isBlank(cells[each.column] ?? "")) continue;
    if (first !== undefined) return false;
    first = each;
  }
  if (asksForMore(table, cells)) return false;
  if (first === undefined) return true;
  if (!PUBLISHED.includes(first.field) && isTotal(cells[first.column] ?? "")) return true;
  const isOnly = cells.filter((cell) => !isBlank(cell)).length === 1;
  // A sheet often has its list of statuses in rows that nobody has filled in yet.
  if (first.field === "status") return isOnly && !isUnplanned(cells[first.column] ?? "");
  if (!isOnly || PUBLISHED.includes(first.field)) return false;
  if (isTitle) return true;
  const text = cells[first.column] ?? "";
  const isInFirst = table.used.every(({ column }) => column >= first.column);
  return isInFirst && (COMMENT.test(text) || (TITLE_FIELDS.includes(first.field) && isTitleText(text)));
}

/**
 * Whether `#` in front of a date takes a row out, as in `# 2036-04-04,15:00,Hello`. `#N/A` is the result of a formula
 * that failed.
 */
function isCommentedOut({ used }: RowsTable, cells: readonly string[]): boolean {
  const first = used[0];
  if (first?.column !== 0 || cells[0]?.includes("#") !== true) return false;
  if (!TITLE_FIELDS.includes(first.field)) return false;
  const [, date] = /^\s*#+\s*(\S.*)$/su.exec(cells[0]) ?? [];
  return date !== undefined && /\d/.test(date) && !("code" in readWhen(date, undefined));
}

/** A sum below a column: `3`, `1,250 €`, `45 %`. */
const SUM = /^[\s\d.,%€$£+-]*$/;

/** Whether a row is the last line of a table, such as `Total,,,12`: nothing in it is a text, a medium or a date. */
function isTotalRow({ filling }: RowsTable, cells: readonly string[]): boolean {
  // Nearly every row has content, which is found faster than a name. A blank cell is also a sum.
  for (const { column, field } of filling)
    if (PUBLISHED.includes(field) && !SUM.test(cells[column] ?? "")) return false;
  const filled = filling.filter(({ column }) => !isBlank(cells[column] ?? ""));
  const isNamed = ({ column, field }: FieldColumn): boolean =>
    !PUBLISHED.includes(field) && isTotal(cells[column] ?? "");
  const isSum = ({ column, field }: FieldColumn): boolean =>
    !TITLE_FIELDS.includes(field) && SUM.test(cells[column] ?? "");
  return filled.every((each) => isSum(each) || isNamed(each)) && filled.some(isNamed);
}

/** Whether a yes-or-no cell says yes, or something other than no. */
function asksForMore({ asking }: RowsTable, cells: readonly string[]): boolean {
  return asking.some((column) => {
    const text = cells[column] ?? "";
    return !isBlank(text) && yesOrNo(text) !== false && !isTotal(text);
  });
}

/** Whether a status takes its row out of the plan anyway. */
function isUnplanned(text: string): boolean {
  const status = statusWord(text);
  return status === "draft" || status === "skip";
}

/** Whether a cell in a column of dates holds words and not a date, such as `Week 2: July 15–21` or `BACKLOG`. */
function isTitleText(text: string): boolean {
  const isOfWords = /\s/.test(text.trim()) || heldTitle(text) || statusWord(text) !== undefined;
  return /\p{L}{3}/u.test(text) && isOfWords && "code" in readWhen(text, undefined);
}

/** A title above rows. */
export interface Section {
  readonly column: number;
  readonly record: number;
  /** Its text, if the rows below must not be published. */
  readonly held: string | undefined;
}

/** The section after a row that is not a post. A title ends the section that began in the same column. */
export function sectionAfter(
  before: Section | undefined,
  cells: readonly string[],
  record: number,
): Section | undefined {
  const [title, ...more] = [...cells.entries()].filter(([, text]) => !isBlank(text));
  if (title === undefined || more.length > 0) return before;
  const [column, text] = title;
  if (heldTitle(text)) return { column, record, held: text.trim() };
  return before === undefined || before.column === column ? { column, record, held: undefined } : before;
}

/** Whether the rows below a title must wait, such as `On hold`, `Ideas` or `BACKLOG - do not schedule`. */
function heldTitle(text: string): boolean {
  return (
    BACKLOG.test(text) ||
    holdsBack(text) ||
    isUnplanned(text) ||
    isUnplanned(text.trim().replace(/s:?$/i, ""))
  );
}

const BACKLOG = /\bbacklog\b|\bparking lot\b/i;

/** The problem of a row below a title that keeps its rows back. */
export function sectionProblems(
  section: Section | undefined,
  source: TableSource,
  record: number,
): Problem[] {
  if (section?.held === undefined) return [];
  const at = source.at(section.record, section.column);
  const place = at.cell ?? `line ${source.lineOf(section.record)}`;
  const why = `The row is below the title "${clipped(section.held)}" (${place})`;
  return [heldBack(why, "move it above the title", source.at(record))];
}

/** The warning that counts the rows that are left out; none without any. */
export function noPostWarning(source: TableSource, records: readonly number[]): Problem[] {
  const [first] = records;
  if (first === undefined) return [];
  const at = source.at(first);
  const lines = records.slice(0, MAX_NAMED).map((record) => source.lineOf(record));
  const more =
    records.length > lines.length ? ` and ${formatNumber(records.length - lines.length)} more` : "";
  const isOne = records.length === 1;
  const count = rowsText(records.length);
  const place = `${at.cell === undefined ? "line" : "row"}${isOne ? "" : "s"}`;
  const kinds = isOne
    ? "It is a title, a total or a note, starts with `#`, or has only a status"
    : "They are titles, totals or notes, start with `#`, or have only a status";
  const message = `plancast left out ${count} (${place} ${lines.join(", ")}${more}). ${kinds}. If ${isOne ? "it" : "one of them"} is a post, fill in its text, date or media.`;
  return [problem("row/not-a-post", message, at)];
}
