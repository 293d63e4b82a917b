/** The top of the page: the calendar's name, the time zone, the counts, and notes before the posts. */

import type { PreviewData, PreviewPost } from "../preview-data.ts";
import { monthOf } from "./parts/days.ts";
import { inZone } from "./parts/reader.ts";
import type { Period } from "./toolbar.ts";
import { element, icon } from "./parts/dom.ts";
import { ICONS } from "./parts/icons.ts";
import { numberText, plural } from "./parts/model.ts";
import { problemList } from "./parts/post-parts.ts";

/** The current day in the project's zone. */
export function todayOf({ timezone, today }: PreviewData): string {
  return inZone(new Date(), timezone)?.day ?? today;
}

/**
 * The month of the current day if a post is still due in it, otherwise that of the next post, otherwise of the last.
 */
export function initialDay(data: PreviewData): string {
  const today = todayOf(data);
  const month = monthOf((data.posts.find(({ day }) => day >= today) ?? data.posts.at(-1))?.day ?? today);
  return dayInMonth(month, data);
}

/** The day of a month on which the reader starts. */
export function dayInMonth(month: string, data: PreviewData): string {
  const today = todayOf(data);
  return monthOf(today) === month ? today : `${month}-01`;
}

const FOR_CLIENTS =
  "Approve each post, or ask for changes. Then download your answers, and send the file back to whoever sent you this page.";

/** The calendar's name, its zone, and the time of the data. */
export function pageHead({ title, timezone, madeAt, counts, client, posts }: PreviewData): HTMLElement[] {
  return [
    element("h1", {}, element("bdi", {}, title)),
    element(
      "p",
      { class: "quiet" },
      `Times are in ${timezone}. `,
      element("span", { class: "made" }, `Made ${madeAt}.`),
      counts === undefined ? "" : ` ${counts}.`,
    ),
    ...(client === undefined || posts.length === 0 ? [] : [element("p", { class: "lead" }, FOR_CLIENTS)]),
  ];
}

/**
 * How many posts there are. A post to cancel also has a card, but no row any more, so it counts separately.
 * @param posts those that the filters let through
 */
export function statusLine(
  posts: readonly PreviewPost[],
  { title, holds }: Period,
  data: PreviewData,
  isFiltered: boolean,
): string {
  // The empty page says it below.
  if (data.posts.length === 0) return "";
  const all = plural(data.posts.length, "post");
  if (posts.length === 0) return `No match among ${all}.`;
  const inPeriod = posts.filter(({ day }) => holds(day));
  const here = `${inPeriod.length === 0 ? "No posts" : countsOf(inPeriod)} in ${title}`;
  if (isFiltered)
    return `${here}, ${numberText(posts.length)} of ${all} ${posts.length === 1 ? "matches" : "match"}.`;
  return inPeriod.length === posts.length ? `${here}.` : `${here}, ${countsOf(posts)} in all.`;
}

/** `12 posts and 1 to cancel` */
function countsOf(posts: readonly PreviewPost[]): string {
  const cancels = posts.filter(({ status }) => status === "cancel").length;
  const others = plural(posts.length - cancels, "post");
  return cancels === 0 ? others : `${others} and ${numberText(cancels)} to cancel`;
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
