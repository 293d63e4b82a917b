/** Where in the calendar the reader is, and what is there. */
import type { PreviewData, PreviewPost } from "../preview/preview-data.ts";
import { monthOf, monthTitle, todayIn } from "./days.ts";
import { element } from "./dom.ts";
import { numberText, plural } from "./model.ts";

export function todayOf({ timezone, today }: PreviewData): string {
  return todayIn(timezone, today);
}

/** Today's month if a post is still to come in it, else that of the next post, else of the last. */
export function initialMonth(data: PreviewData): string {
  const today = todayOf(data);
  return monthOf((data.posts.find(({ day }) => day >= today) ?? data.posts.at(-1))?.day ?? today);
}

/** The day of a month that the reader begins with. */
export function initialDay(month: string, data: PreviewData): string {
  const today = todayOf(data);
  return monthOf(today) === month ? today : `${month}-01`;
}

/** Whose calendar it is, in which zone, and of when. */
export function pageHead({ title, timezone, madeAt }: PreviewData): HTMLElement[] {
  return [
    element("h1", {}, element("bdi", {}, title)),
    element("p", { class: "quiet" }, `Times are in ${timezone}. Made ${madeAt}.`),
  ];
}

/** @param posts those that the filters let through */
export function statusLine(
  posts: readonly PreviewPost[],
  month: string,
  data: PreviewData,
  isFiltered: boolean,
): string {
  const inMonth = posts.filter(({ day }) => monthOf(day) === month).length;
  const all = data.posts.length;
  const rest = isFiltered
    ? `${plural(posts.length, "post")} of ${numberText(all)} match`
    : `${plural(all, "post")} in all`;
  return `${plural(inMonth, "post")} in ${monthTitle(month)}, ${rest}.`;
}
