/**
 * Everything above the posts: the calendar's name, the counts and the notes; then the controls: filters, the search, the view,
 * and the month or week that it shows.
 */

import { formatNumber } from "../../model/text.ts";
import { plural } from "../../report/text/numbers.ts";
import type { PreviewData, PreviewPost, PreviewStatus } from "../preview-data.ts";
import { monthOf } from "./parts/days.ts";
import { ICONS, element, icon, toolbar } from "./parts/dom.ts";
import { type Filters, type Model, type View, STATUS_LABELS, STATUS_NAMES, VIEWS } from "./parts/model.ts";
import { platformMark, platformTitle, problemList } from "./parts/post-parts.ts";
import { inZone, monthTitle, readersWeek, readersWeeks, shortDay, weekTitle } from "./parts/reader.ts";

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
    return `${here}, ${formatNumber(posts.length)} of ${all} ${posts.length === 1 ? "matches" : "match"}.`;
  return inPeriod.length === posts.length ? `${here}.` : `${here}, ${countsOf(posts)} in all.`;
}

/** `12 posts and 1 to cancel` */
function countsOf(posts: readonly PreviewPost[]): string {
  const cancels = posts.filter(({ status }) => status === "cancel").length;
  const others = plural(posts.length - cancels, "post");
  return cancels === 0 ? others : `${others} and ${formatNumber(cancels)} to cancel`;
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

// Filters, which are also the legend.

type Change = (filters: Filters) => void;

/** Statuses with their number of posts, without unused ones. */
export function statusChips({ data }: Model, filters: Filters, change: Change): HTMLElement {
  const counts = new Map<PreviewStatus, number>();
  for (const { status } of data.posts) counts.set(status, (counts.get(status) ?? 0) + 1);
  const chips = STATUS_NAMES.filter((name) => counts.has(name) || filters.statuses.has(name)).map((name) => {
    const { label, meaning, icon: drawn } = STATUS_LABELS[name];
    const press = (): void => change({ ...filters, statuses: toggled(filters.statuses, name) });
    return chip(
      `is-${name}`,
      filters.statuses.has(name),
      meaning,
      press,
      icon(ICONS[drawn]),
      label,
      countBadge(counts.get(name)),
    );
  });
  const wrong = data.posts.filter(({ problems }) => problems.length > 0).length;
  if (wrong > 0) {
    const press = (): void => change({ ...filters, problems: !filters.problems });
    chips.push(
      chip(
        "is-problem",
        filters.problems,
        "Posts with problems",
        press,
        icon(ICONS.warning),
        "Problems",
        countBadge(wrong),
      ),
    );
  }
  return toolbar("chips", "Filter by status", chips);
}

export function platformChips({ data }: Model, filters: Filters, change: Change): HTMLElement | undefined {
  if (data.platforms.length < 2) return undefined;
  const sorted = [...data.platforms].sort((one, other) => one.title.localeCompare(other.title, "en"));
  const chips = sorted.map((platform) => {
    const press = (): void => change({ ...filters, platforms: toggled(filters.platforms, platform.name) });
    return chip(
      "is-platform",
      filters.platforms.has(platform.name),
      undefined,
      press,
      platformMark(platform),
      platformTitle(platform),
    );
  });
  return toolbar("chips", "Filter by network", chips);
}

/** More campaigns would hide the posts. The search finds them all. */
const MAX_CAMPAIGNS = 20;

/** Campaigns with their number of posts, the largest first. */
export function campaignChips({ data }: Model, filters: Filters, change: Change): HTMLElement | undefined {
  const counts = new Map([...filters.campaigns].map((name) => [name, 0]));
  for (const { campaign } of data.posts)
    if (campaign !== undefined) counts.set(campaign, (counts.get(campaign) ?? 0) + 1);
  if (counts.size === 0) return undefined;
  const sorted = [...counts].sort(([, one], [, other]) => other - one);
  const shown = sorted.filter(([name], index) => index < MAX_CAMPAIGNS || filters.campaigns.has(name));
  const chips = shown.map(([name, count]) => {
    const press = (): void => change({ ...filters, campaigns: toggled(filters.campaigns, name) });
    const label = element("bdi", {}, name);
    return chip("is-campaign", filters.campaigns.has(name), undefined, press, label, countBadge(count));
  });
  return toolbar("chips", "Filter by campaign", chips);
}

function chip(
  name: string,
  isPressed: boolean,
  title: string | undefined,
  onclick: () => void,
  ...children: (Node | string)[]
): HTMLElement {
  return element(
    "button",
    { class: `filter ${name}`, type: "button", "aria-pressed": String(isPressed), title, onclick },
    ...children,
  );
}

function countBadge(number = 0): HTMLElement {
  return element("span", { class: "count" }, formatNumber(number));
}

function toggled<T>(set: ReadonlySet<T>, value: T): ReadonlySet<T> {
  const next = new Set(set);
  if (!next.delete(value)) next.add(value);
  return next;
}

// The search.

export function searchInput(): HTMLInputElement {
  return element("input", {
    type: "search",
    class: "search",
    id: "search",
    placeholder: "Search posts",
    "aria-label": "Search posts",
    "aria-keyshortcuts": "/",
    autocomplete: "off",
    spellcheck: "false",
  });
}

export function searchBox(input: HTMLInputElement): HTMLElement {
  const key = element("kbd", { "aria-hidden": "true" }, "/");
  return element("div", { class: "search-box" }, icon(ICONS.search), input, key);
}

interface SearchActions {
  /** Whether the key may start a search. */
  readonly isFree: () => boolean;
  readonly onText: (text: string) => void;
}

/** `/` goes to the search; Esc clears and leaves it. */
export function bindSearch(input: HTMLInputElement, { isFree, onText }: SearchActions): void {
  const tell = (): void => onText(input.value);
  input.addEventListener("input", tell);
  // Browsers with a clear button in the box send this event.
  input.addEventListener("search", tell);
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
    if (event.key === "/" && !isTyping && isFree()) {
      event.preventDefault();
      input.focus();
      input.select();
    }
    // An Esc that ends an input method's composition is not for the page.
    if (event.key === "Escape" && event.target === input && !event.isComposing) {
      event.preventDefault();
      input.value = "";
      input.blur();
      tell();
    }
  });
}

// The view, the part of the calendar that it shows, and the way to posts outside it.

interface BarActions {
  /** Moves forward by this many months or weeks. */
  readonly step: (by: number) => void;
  readonly goToToday: () => void;
  readonly show: (view: View) => void;
}

const VIEW_LABELS: Readonly<Record<View, readonly [label: string, path: string]>> = {
  month: ["Month", ICONS.grid],
  week: ["Week", ICONS.week],
  list: ["List", ICONS.list],
};

/** @param title of the month or week that is shown */
export function periodBar(title: string, view: View, { step, goToToday, show }: BarActions): HTMLElement[] {
  const noun = view === "week" ? "week" : "month";
  const stepButton = (label: string, path: string, by: number): HTMLElement =>
    element(
      "button",
      { class: "button square", type: "button", "aria-label": label, onclick: () => step(by) },
      icon(path),
    );
  const tabs = VIEWS.map((name) => {
    const [label, path] = VIEW_LABELS[name];
    return element(
      "button",
      { class: "tab", type: "button", "aria-pressed": String(view === name), onclick: () => show(name) },
      icon(path),
      label,
    );
  });
  return [
    element("h2", { class: "month-title" }, title),
    element(
      "div",
      { class: "steps" },
      stepButton(`Previous ${noun}`, ICONS.left, -1),
      element("button", { class: "button", type: "button", onclick: goToToday }, "Today"),
      stepButton(`Next ${noun}`, ICONS.right, 1),
    ),
    toolbar("tabs", "View", tabs),
  ];
}

interface Period {
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
