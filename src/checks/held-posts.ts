/** Which posts a hold withholds. Decided when each post has its time: rows without one have their slots by then. */

import { utcMs } from "../model/canonical.ts";
import { isSameJson } from "../model/data.ts";
import { type Hold, HOLDS_FILE, isActive, wasActiveAt } from "../model/holds.ts";
import type { Post } from "../model/post.ts";
import { type Problem, problem } from "../model/problem.ts";
import { rowMark } from "../model/row.ts";
import type { Calendar } from "../settings/calendar-settings.ts";
import type { Config } from "../settings/config.ts";
import { RowFilter, columnsNotFound } from "./filter-rows.ts";
import { platformNames } from "./calendar-reading.ts";
import { RowView } from "./row-view.ts";

/** Whether the conditions of a hold fit a post. */
type FitsHold = (hold: Hold, post: Post) => boolean;

export class HeldPosts {
  readonly #holds: readonly Hold[];
  readonly #fits: FitsHold;

  constructor(holds: readonly Hold[], calendars: readonly Calendar[], config: Config) {
    this.#holds = holds;
    this.#fits = holds.length === 0 ? () => false : conditionsOf(holds, calendars, config);
  }

  /** The posts that commands have cancelled for holds: ids, and the newest hold of each. */
  get cancelledPosts(): ReadonlyMap<string, Hold> {
    return new Map(this.#holds.flatMap((hold) => [...hold.posts].map((id) => [id, hold] as const)));
  }

  /** Whether a post was cancelled for a hold that has not ended. @param holdId the hold, as the lockfile says */
  keepsBack(postId: string, holdId: string | undefined, now: number): boolean {
    return this.#holds.some((hold) => isActive(hold, now) && (hold.id === holdId || hold.posts.has(postId)));
  }

  /** The hold for the whole project now. */
  forAll(now: number): Hold | undefined {
    return this.#holds.find((hold) => isActive(hold, now) && Object.keys(hold.only).length === 0);
  }

  /** Whether a hold of another version of the file still withholds the same. */
  hasSame({ id, only, until }: Hold, now: number): boolean {
    return this.#holds.some(
      (hold) =>
        hold.id === id &&
        isActive(hold, now) &&
        isSameJson(hold.only, only) &&
        (hold.until ?? Infinity) >= (until ?? Infinity),
    );
  }

  /** The hold that withholds a post now; of several, the first. */
  holdOf(post: Post, now: number): Hold | undefined {
    return this.#holds.find((hold) => isActive(hold, now) && this.#fits(hold, post));
  }

  /** The hold that withheld a post when it was due. */
  holdWhenDue(post: Post): Hold | undefined {
    if (post.scheduledAt === "") return undefined;
    const due = utcMs(post.scheduledAt);
    return this.#holds.find((hold) => wasActiveAt(hold, due) && this.#fits(hold, post));
  }
}

/** The coming posts that go out if one hold ends. @param left the holds that still count */
export function freedPosts<Each extends Post>(
  ended: HeldPosts,
  left: HeldPosts,
  posts: readonly Each[],
  now: number,
): readonly Each[] {
  return posts.filter(
    (post) =>
      (post.scheduledAt === "" || utcMs(post.scheduledAt) > now) &&
      ended.holdOf(post, now) !== undefined &&
      left.holdOf(post, now) === undefined,
  );
}

/** A hold by a column that was renamed would withhold nothing any more. */
export function unknownHoldColumns(
  calendars: readonly Calendar[],
  holds: readonly Hold[],
  now: number,
): readonly Problem[] {
  return holds
    .filter((hold) => isActive(hold, now))
    .flatMap(({ id, only }) =>
      columnsNotFound(calendars, () => [only]).map((name) => {
        const message = `The hold ${id} is for rows by their "${name}", but no calendar has this column, so nobody knows which rows it withholds. Name the column as before, or correct the hold in ${HOLDS_FILE}.`;
        return problem("hold/unknown-column", message, { file: HOLDS_FILE });
      }),
    );
}

function conditionsOf(holds: readonly Hold[], calendars: readonly Calendar[], config: Config): FitsHold {
  const { aliases } = platformNames(config);
  const filters = new Map(holds.map((hold) => [hold, RowFilter.of([hold.only], aliases)]));
  const rows = new Map<string, RowView[]>();
  for (const calendar of calendars) {
    for (const row of calendar.rows) {
      const mark = rowMark(row);
      rows.set(mark, [...(rows.get(mark) ?? []), new RowView(row, calendar)]);
    }
  }
  return (hold, post) => {
    const filter = filters.get(hold);
    return (
      filter === undefined || (rows.get(rowMark(post.source)) ?? []).some((row) => filter.fits(row, post))
    );
  };
}
