/** The part of the calendar that a view shows, and the way to posts outside it. */

import type { PreviewPost } from "../preview-data.ts";
import type { View } from "./address.ts";
import { monthOf } from "./parts/days.ts";
import { element } from "./parts/dom.ts";
import { plural } from "./parts/model.ts";
import { monthTitle, readersWeek, readersWeeks, shortDay, weekTitle } from "./parts/reader.ts";

export interface Period {
  /** `March 2027`, `1–7 March 2027` */
  readonly title: string;
  readonly weeks: readonly (readonly string[])[];
  readonly holds: (day: string) => boolean;
}

/** The month or week of a day. A list begins in a month. */
export function periodOf(view: View, day: string): Period {
  if (view === "week") {
    const week = readersWeek(day);
    return { title: weekTitle(day), weeks: [week], holds: (other) => week.includes(other) };
  }
  const month = monthOf(day);
  return {
    title: monthTitle(month),
    weeks: readersWeeks(month),
    holds: (other) => monthOf(other) === month,
  };
}

/**
 * The day whose week to show: of the month's first post, if nobody chose a day of the month and its first week is empty.
 * @param posts those that the filters let through, earliest first
 */
export function dayOfWeek(day: string, posts: readonly PreviewPost[], today: string): string {
  const month = monthOf(day);
  const isChosen = day !== `${month}-01` || day === today;
  if (isChosen || posts.some((post) => periodOf("week", day).holds(post.day))) return day;
  return posts.find((post) => monthOf(post.day) === month)?.day ?? day;
}

/**
 * What to say and offer when a period has none of the shown posts; undefined if it has some.
 * @param posts those that the filters let through, earliest first
 */
export function wayToPosts(
  posts: readonly PreviewPost[],
  { title, weeks, holds }: Period,
  { isFiltering, goTo }: { readonly isFiltering: boolean; readonly goTo: (day: string) => void },
): HTMLElement | undefined {
  if (posts.length === 0 || posts.some(({ day }) => holds(day))) return undefined;
  const start = weeks[0]?.[0] ?? "";
  const nearest = posts.find(({ day }) => day >= start) ?? posts.at(-1);
  if (nearest === undefined) return undefined;
  const label = isFiltering
    ? `Show ${plural(posts.length, "match", "matches")}`
    : `Go to ${shortDay(nearest.day)} ${nearest.day.slice(0, 4)}`;
  return element(
    "p",
    { class: "way" },
    isFiltering ? `No match in ${title}.` : `No posts in ${title}.`,
    element("button", { class: "button", type: "button", onclick: () => goTo(nearest.day) }, label),
  );
}
