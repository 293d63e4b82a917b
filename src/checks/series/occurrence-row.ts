/**
 * The row of one post of a series: the same cells, with another day, its own key, and the values of the variables
 * `{date}` and `{n}` in its texts. Pure.
 */

import { once } from "../../model/data.ts";
import type { Field } from "../../model/fields.ts";
import { occurrenceKey } from "../../model/post.ts";
import type { Cell, RawRow, RowVariant } from "../../model/row.ts";
import { clockText } from "../when/written-forms.ts";
import type { PlannedDay, SeriesRow } from "./occurrences.ts";
import type { PoolText } from "./pool.ts";

/** Fields whose texts may have variables. */
const TEXT_FIELDS = ["content", "alt", "thread", "thread_alt", "first_comment"] as const satisfies Field[];

/** What all posts of a series have in common. */
export interface SeriesFacts {
  /** As written. */
  readonly rule: string;
  /** Of `Occurrence`. */
  readonly digest?: string;
  /** Writes the dates in texts. Without it, texts keep their variables. */
  readonly writeDay?: (day: string) => string;
  /** The text that the post takes from the row's pool. */
  readonly text?: PoolText | undefined;
}

/** The row as one post of the series. */
export function occurrenceRow(
  row: RawRow,
  { day, number, exception }: PlannedDay,
  { id, time: own }: Pick<SeriesRow, "id" | "time">,
  { rule, digest, writeDay, text }: SeriesFacts,
): RawRow {
  const {
    scheduled_at: whole,
    repeat: _repeat,
    except: _except,
    pool: _pool,
    spacing: _spacing,
    ...rest
  } = row.cells;
  const moved = exception?.to;
  const date = moved?.day ?? day;
  const time = moved?.time ?? own;
  const change = (cell: Cell): Cell =>
    writeDay === undefined
      ? cell
      : mapCell(cell, (text) => replaceVariables(text, number, () => writeDay(date)));
  const withTexts = <Cells extends Readonly<Partial<Record<Field, Cell>>>>(cells: Cells): Cells => {
    const texts = TEXT_FIELDS.flatMap((field) => {
      const cell = cells[field];
      return cell === undefined ? [] : [[field, change(cell)] as const];
    });
    return { ...cells, ...Object.fromEntries(texts) };
  };
  const variants = row.variants.map((variant): RowVariant => {
    const { time: ownTime, ...cells } = variant.cells;
    const kept = moved?.time === undefined && ownTime !== undefined ? { time: ownTime } : {};
    return {
      platform: variant.platform,
      cells: withTexts({ ...cells, ...kept }),
      at: (field, item) => variant.at(field, item),
    };
  });
  // A row with one cell for both has its day and its time there.
  const placeOf = (field: Field | undefined): Field | undefined =>
    whole !== undefined && (field === "date" || field === "time") ? "scheduled_at" : field;
  return {
    file: row.file,
    ...(row.sheet === undefined ? {} : { sheet: row.sheet }),
    line: row.line,
    cells: withTexts({
      ...rest,
      ...(text === undefined ? {} : { content: text.text }),
      id: occurrenceKey(id, day),
      date,
      ...(time === undefined ? {} : { time: clockText(time) }),
    }),
    variants,
    at: (field, item) =>
      field === "content" && text !== undefined ? row.at("pool", text.item) : row.at(placeOf(field), item),
    ...(row.others === undefined ? {} : { others: row.others }),
    ...(row.namesAccounts === undefined ? {} : { namesAccounts: row.namesAccounts }),
    occurrence: {
      row: id,
      day,
      number,
      rule,
      ...(digest === undefined || moved !== undefined ? {} : { digest }),
      ...(text === undefined ? {} : { text: text.mark }),
    },
  };
}

function mapCell(cell: Cell, change: (text: string) => string): Cell {
  return typeof cell === "string" ? change(cell) : cell.map(change);
}

/** A word in braces. Anything else in braces is text. */
const VARIABLE = /\{\s{0,3}(\p{L}[\p{L}\p{N}_]{0,30})\s{0,3}\}/gu;

/**
 * Other words in braces stay as they are.
 * @param n number of the post in its series, from 1
 * @param date writes the local day of the post
 */
function replaceVariables(text: string, n: number, date: () => string): string {
  if (!text.includes("{")) return text;
  return text.replaceAll(VARIABLE, (whole, name: string) => {
    if (name === "n") return String(n);
    return name === "date" ? date() : whole;
  });
}

/** The first word in braces in a text, such as `{name}`; undefined without any. */
export function wordInBraces(text: string): string | undefined {
  return text.includes("{") ? (text.match(VARIABLE)?.[0] ?? undefined) : undefined;
}

/**
 * Writes a day, such as `2027-03-01`, in the form of a language: `1 March 2027`.
 * @param languageTag BCP 47, such as `en-GB`
 */
export function dayWriter(languageTag: string): (day: string) => string {
  const format = once(() => new Intl.DateTimeFormat(languageTag, { dateStyle: "long", timeZone: "UTC" }));
  // Versions of Node differ in their blanks.
  return (day) => format().format(Date.parse(day)).replaceAll(/\s/gu, " ");
}
