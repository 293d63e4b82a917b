/** Which rows a run covers: `only:` of plancast.yaml, and --only. Nothing happens to the other rows. */

import { type Post, DERIVED_KEY_PREFIX, rowIdsOf } from "./post.ts";
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

/** The readable parts of a row that a filter leaves out. */
export interface FilteredRow {
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

/** The rows that a filter leaves out. Their posts do not change. */
export class FilteredRows {
  readonly #rows: readonly FilteredRow[];
  readonly #invalid: readonly FilteredRow[];
  readonly #keys: ReadonlySet<string>;

  /**
   * @param planned keys of the planned rows: posts under these keys belong to them
   * @param invalid rows that --only-valid leaves out, which no filter counts
   */
  constructor(
    rows: readonly FilteredRow[],
    planned: ReadonlySet<string> = new Set(),
    invalid: readonly FilteredRow[] = [],
  ) {
    this.#rows = rows;
    this.#invalid = invalid;
    this.#keys = new Set(
      [...rows, ...invalid].flatMap(({ keys }) => keys).filter((key) => !planned.has(key)),
    );
  }

  /** These rows, and the rows with errors that the filter also leaves out. */
  withInvalid(invalid: readonly FilteredRow[], planned: ReadonlySet<string>): FilteredRows {
    return new FilteredRows(this.#rows, planned, [...this.#invalid, ...invalid]);
  }

  /** Whether nothing is left out. */
  get isEmpty(): boolean {
    return this.#rows.length === 0 && this.#invalid.length === 0;
  }

  /** How many rows the calendars in scope have. */
  count(inScope: (file: string) => boolean): number {
    return this.#rows.filter(({ file, isPart }) => isPart !== true && inScope(file)).length;
  }

  /** Whether a post with this key belongs to a row that the filter leaves out. */
  has(key: string): boolean {
    if (this.#keys.size === 0) return false;
    return rowIdsOf(key).some((id) => this.#keys.has(id));
  }

  /** Rows without an id whose present key owns no post. A post under an earlier key may belong to them. */
  unmatched(isOwned: (key: string) => boolean): readonly FilteredRow[] {
    return [...this.#rows, ...this.#invalid].filter(
      ({ keys }) => !keys.some((key) => isOwned(key) || !key.startsWith(DERIVED_KEY_PREFIX)),
    );
  }
}
