/** Which rows a run covers: `only:` of plancast.yaml, and --only. Nothing happens to the other rows. */

import { type Post, rowIdsOf } from "./post.ts";
import { foldName, tidyName } from "./text.ts";

/**
 * Names of columns, each with the values that its cells may have. `platform` and `date` have a meaning of their own.
 */
export type Only = Readonly<Record<string, string | readonly string[]>>;

/** One condition for a row. */
export type Condition =
  | {
      readonly kind: "column";
      readonly name: string;
      readonly values: ReadonlySet<string>;
    }
  | { readonly kind: "platform"; readonly names: readonly string[] }
  /** Days as `YYYY-MM-DD`, both ends included. */
  | { readonly kind: "date"; readonly spans: readonly Span[] };

interface Span {
  readonly from: string;
  readonly to: string;
}

/** A value that no filter can have, with what to write instead. */
export class FilterFault extends Error {
  readonly key: string;

  constructor(key: string, message: string) {
    super(message);
    this.name = "FilterFault";
    this.key = key;
  }
}

/** The conditions for a row, which must all hold. Throws a FilterFault. */
export function parseConditions(only: Only): Condition[] {
  return Object.entries(only).map(([label, value]) => {
    const values = typeof value === "string" ? [value] : value;
    const name = foldName(label);
    if (name === "platform" || name === "platforms")
      return { kind: "platform", names: values.map(foldValue) };
    if (name === "date") return { kind: "date", spans: values.map((each) => spanOf(label, each)) };
    return { kind: "column", name, values: new Set(values.map(foldValue)) };
  });
}

/** The names of columns that filters ask for, folded. Throws a FilterFault. */
export function filterColumns(filters: readonly Only[]): string[] {
  return filters.flatMap(parseConditions).flatMap((each) => (each.kind === "column" ? each.name : []));
}

/** Reads `Client=Acme` from the command line, where the flag may be repeated. Throws a FilterFault. */
export function parseFilters(texts: readonly string[]): Only {
  const found = new Map<string, string[]>();
  for (const text of texts) {
    const equals = text.indexOf("=");
    const name = text.slice(0, equals).trim();
    if (equals < 1 || name === "") {
      throw new FilterFault(
        text,
        `"${text}" is not a filter. Write NAME=VALUE, such as platform=linkedin or date=2027-03-01..2027-03-31.`,
      );
    }
    found.set(name, [...(found.get(name) ?? []), text.slice(equals + 1)]);
  }
  return Object.fromEntries(found);
}

/** The first month that a filter of dates names, as `YYYY-MM`. Throws a FilterFault. */
export function firstMonth(only: Only): string | undefined {
  const spans = parseConditions(only).flatMap((each) => (each.kind === "date" ? each.spans : []));
  const named = spans.flatMap(({ from, to }) => (from !== "" ? from : to === "9999" ? [] : to));
  return named.sort()[0]?.slice(0, 7);
}

/** The form in which cells are compared with the values of a filter. */
export function foldValue(text: string): string {
  return tidyName(text.normalize("NFC")).toLowerCase();
}

const DAY = /^\d{4}-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?$/;

/** `2027-03-01`, `2027-03`, `2027-03-01..2027-03-31`, or a span with one end open. */
function spanOf(key: string, text: string): Span {
  const [from = "", to = from, ...more] = text.split("..").map((part) => part.trim());
  const isRead =
    [from, to].every((end) => end === "" || DAY.test(end)) && from + to !== "" && more.length === 0;
  if (isRead)
    return { from: from === "" ? "" : from.padEnd(10, "-01"), to: to === "" ? "9999" : to.padEnd(10, "-31") };
  throw new FilterFault(
    key,
    `"${text}" is not a day or a range of days. Write 2027-03-01, 2027-03, or 2027-03-01..2027-03-31.`,
  );
}

/** The readable parts of a row that a run leaves out. */
export interface StayingRow {
  readonly why: "filter" | "errors";
  readonly file: string;
  /** The row's id, or the keys of the posts that it would become. Empty if both are unknown. */
  readonly keys: readonly string[];
  /** The text in canonical form. */
  readonly content: string;
  /** When and where it would be published, if that is known. */
  readonly places: readonly Pick<Post, "scheduledAt" | "platforms">[];
  /** Whether it is only some posts of a row that repeats, so that the row itself is in the run. */
  readonly isPart?: boolean;
}

/** What a run does not plan, although posts may belong to it. These posts stay as they are. */
export interface LeftOut {
  readonly rows: readonly StayingRow[];
  /** Calendars outside the scope that plancast cannot read. A missing row may have moved there. */
  readonly brokenOthers: readonly string[];
  /** Whether the command line limits the run to some rows. */
  readonly isFiltered: boolean;
  /** Calendars with left-out rows that have errors and no id: any of their posts may belong to these rows. */
  readonly rowsWithoutId: readonly string[];
}

/** How many rows of the calendars in scope a filter leaves out. */
export function countFiltered(rows: readonly StayingRow[], inScope: (file: string) => boolean): number {
  return rows.filter(({ why, file, isPart }) => why === "filter" && isPart !== true && inScope(file)).length;
}

/**
 * Finds out whether a post with a key belongs to one of the rows.
 * @param planned posts under these keys belong to rows of the run
 */
export function belongsTo(
  rows: readonly StayingRow[],
  planned: readonly Pick<Post, "key">[],
): (key: string) => boolean {
  const ids = new Set(rows.flatMap(({ keys }) => keys));
  if (ids.size > 0) for (const { key } of planned) ids.delete(key);
  return (key) => ids.size > 0 && rowIdsOf(key).some((id) => ids.has(id));
}
