/** One page of a list, with the service's kind of paging. Pure. */

export interface Paging {
  /**
   * `none`: accepts any `limit`, and returns everything without one. `cap`: silently returns at most `cap`. The others
   * give the next page as a `Link` header, as an address in the body, or as a `next_cursor` that is sent back as
   * `cursor`.
   */
  readonly paging: "none" | "cap" | "link" | "next-url" | "next-cursor";
  /** The largest page of the three kinds with pages, and their size without a `limit`. */
  readonly pageSize: number;
  readonly cap: number;
  /** The service refuses a larger `limit`; undefined: it reduces it silently. */
  readonly refuseLimitAbove: number | undefined;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** The cursor of the next page; undefined on the last page, and for a service without pages. */
  readonly cursor: string | undefined;
  /** Whether there are more items, even without a cursor that leads to them. */
  readonly hasMore: boolean;
}

/**
 * The query parameter of the cursor, by kind of paging. In addresses it has another name, because clients must not read
 * them.
 */
export function cursorParameter(paging: Paging["paging"]): string | undefined {
  switch (paging) {
    case "none":
    case "cap":
      return undefined;
    case "link":
    case "next-url":
      return "after";
    case "next-cursor":
      return "cursor";
  }
}

/** @returns the page, or why the query is refused */
export function pageOf<T extends { readonly id: string }>(
  all: readonly T[],
  query: URLSearchParams,
  options: Paging,
  afterItem: (id: string) => ((item: T) => boolean) | undefined,
): Page<T> | { readonly refused: string } {
  const limit = query.get("limit") ?? undefined;
  if (limit !== undefined && !/^[1-9]\d{0,8}$/.test(limit))
    return { refused: "limit is not a positive integer" };
  const asked = limit === undefined ? undefined : Number(limit);
  if (asked !== undefined && asked > (options.refuseLimitAbove ?? Infinity)) {
    return { refused: `limit is larger than ${options.refuseLimitAbove}` };
  }
  const parameter = cursorParameter(options.paging);
  if (parameter === undefined) {
    const most = options.paging === "cap" ? options.cap : Infinity;
    const items = all.slice(0, Math.min(asked ?? most, most));
    return { items, cursor: undefined, hasMore: items.length < all.length };
  }
  const cursor = query.get(parameter) ?? undefined;
  const isAfter = cursor === undefined ? () => true : afterItem(decodeCursor(cursor));
  if (isAfter === undefined) return { refused: `${parameter} is not one that this service gave` };
  const rest = all.filter(isAfter);
  const items = rest.slice(0, Math.min(asked ?? options.pageSize, options.pageSize));
  const hasMore = items.length < rest.length;
  const last = items.at(-1);
  return { items, cursor: last !== undefined && hasMore ? encodeCursor(last.id) : undefined, hasMore };
}

function encodeCursor(id: string): string {
  return Buffer.from(`after ${id}`).toString("base64");
}

function decodeCursor(cursor: string): string {
  return Buffer.from(cursor, "base64").toString("utf8").slice("after ".length);
}
