/**
 * Lists in pages. A cursor says after which item the next page begins, by that item's place in the order rather than
 * by a count, so that posts that come and go between two pages neither repeat nor hide one.
 */
import type { PageQuery } from "./requests.ts";
import { ServiceError } from "./service-error.ts";

/** A larger limit is taken as this one: the page says by `next_cursor` that there is more. */
const MAX_PAGE_SIZE = 1000;

export interface Page<T> {
  readonly data: T[];
  /** To be sent back as `cursor`; null at the end of the list. */
  readonly next_cursor: string | null;
}

/** The page after `cursor`. `items` are sorted by `place`, which no two share and which sorts as text. */
export function pageOf<T>(items: readonly T[], place: (item: T) => string, query: PageQuery): Page<T> {
  const after = query.cursor === undefined ? undefined : decodeCursor(query.cursor);
  const rest = after === undefined ? items : items.filter((item) => place(item) > after);
  const data = rest.slice(0, Math.min(query.limit, MAX_PAGE_SIZE));
  const last = data.at(-1);
  const isWhole = last === undefined || data.length === rest.length;
  return { data, next_cursor: isWhole ? null : Buffer.from(place(last)).toString("base64url") };
}

function decodeCursor(cursor: string): string {
  const place = Buffer.from(cursor, "base64url").toString("utf8");
  // Decoding skips what it does not understand, so the way back shows whether there was such.
  if (place === "" || Buffer.from(place).toString("base64url") !== cursor) {
    throw new ServiceError("validation_error", "cursor: must be a next_cursor that this service gave.");
  }
  return place;
}
