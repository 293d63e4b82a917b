/** The top of the page: the calendar's name, the time zone, the counts, and notes before the posts. */

import type { PreviewData, PreviewPost } from "../preview-data.ts";
import { monthOf, monthTitle, todayIn } from "./days.ts";
import { ICONS, element, icon } from "./dom.ts";
import { numberText, plural } from "./model.ts";
import { problemList } from "./post-parts.ts";

export function todayOf({ timezone, today }: PreviewData): string {
  return todayIn(timezone, today);
}

/** The current month if a post is still due in it, else that of the next post, else of the last. */
export function initialMonth(data: PreviewData): string {
  const today = todayOf(data);
  return monthOf((data.posts.find(({ day }) => day >= today) ?? data.posts.at(-1))?.day ?? today);
}

/** The day of a month on which the reader starts. */
export function initialDay(month: string, data: PreviewData): string {
  const today = todayOf(data);
  return monthOf(today) === month ? today : `${month}-01`;
}

/** The calendar's name, its zone, and the time of the data. */
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

// Notes before the posts: why there is no plan, and rows that cannot be shown.

const GONE = "plancast preview --serve has stopped, so this page no longer updates.";

export function noticeList(data: PreviewData, isGone: boolean): HTMLElement | undefined {
  const notices = [...(isGone ? [{ kind: "alert", text: GONE } as const] : []), ...data.notices].map(
    ({ kind, text }) =>
      element("p", { class: `notice is-${kind}` }, icon(ICONS.warning), element("bdi", {}, text)),
  );
  const all = [...notices, looseProblems(data)].filter((each) => each !== undefined);
  return all.length === 0 ? undefined : element("div", { class: "notices" }, ...all);
}

/** Problems without a shown post: of rows that could not be understood, and of files. */
function looseProblems(data: PreviewData): HTMLElement | undefined {
  const shown = new Set(data.posts.flatMap(({ problems }) => problems));
  const loose = data.problems.filter((_, place) => !shown.has(place));
  if (loose.length === 0) return undefined;
  const hasError = loose.some(({ severity }) => severity === "error");
  return element(
    "details",
    { class: `notice is-${hasError ? "alert" : "note"}`, open: hasError && loose.length <= 5 },
    element(
      "summary",
      {},
      `${plural(loose.length, "problem")} in rows and files that are not shown as posts`,
    ),
    problemList(loose),
  );
}
