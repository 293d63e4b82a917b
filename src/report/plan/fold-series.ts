/** Posts of one row that repeats, as one: `weekly: 8 posts, the last on Mon 26 April 2027`. */

import { groupBy } from "../../model/data.ts";
import { plural } from "../text/numbers.ts";
import { type DayView, type PostView, rowClock } from "./plan-view.ts";

/** Fewer posts are shown one by one. */
const MIN_POSTS = 3;

/** The days of a plan, with the posts of a series on the day of its first one. Cancels are always shown. */
export function foldSeries(days: readonly DayView[]): readonly DayView[] {
  const series = groupBy(
    days.flatMap(({ posts }) => posts.filter(canFold)),
    markOf,
  );
  const folded = new Map<PostView, PostView | undefined>();
  for (const posts of series.values()) {
    const [first, ...rest] = posts;
    const last = posts.at(-1);
    if (first === undefined || last === undefined || posts.length < MIN_POSTS) continue;
    folded.set(first, { ...first, folded: { posts: posts.length, label: labelOf(posts.length, last) } });
    for (const each of rest) folded.set(each, undefined);
  }
  if (folded.size === 0) return days;
  return days.flatMap(({ day, posts }) => {
    const left = posts.flatMap((post) => (folded.has(post) ? (folded.get(post) ?? []) : post));
    return left.length === 0 ? [] : [{ day, posts: left }];
  });
}

function canFold({ series, action }: PostView): boolean {
  return series !== undefined && action !== "cancel" && action !== "pending";
}

/** Equal for posts of a row that would look alike, apart from their days and variables. */
function markOf({ action, series, networks, differences, media, reason }: PostView): string {
  const changed = differences.map(({ field }) => field);
  return JSON.stringify([action, series?.row, series?.text, networks, changed, media, reason]);
}

function labelOf(count: number, last: PostView): string {
  return `${last.series?.rule ?? ""}: ${plural(count, "post")}, the last on ${rowClock(last).day}`;
}
