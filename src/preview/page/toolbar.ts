/** The controls above the posts: filters, which are also the legend, the search, the view, and the month or week that it shows. */

import { type View, type Filters, type Model, VIEWS, numberText, plural } from "./parts/model.ts";
import type { PreviewStatus, PreviewPost } from "../preview-data.ts";
import { element, icon, toolbar } from "./parts/dom.ts";
import { ICONS } from "./parts/icons.ts";
import { platformMark, platformName } from "./parts/post-parts.ts";
import { STATUS_LABELS, STATUS_NAMES } from "./parts/statuses.ts";
import { monthOf } from "./parts/days.ts";
import { monthTitle, readersWeek, readersWeeks, shortDay, weekTitle } from "./parts/reader.ts";

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
      platformName(platform),
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
  return element("span", { class: "count" }, numberText(number));
}

function toggled<T>(set: ReadonlySet<T>, value: T): ReadonlySet<T> {
  const next = new Set(set);
  if (!next.delete(value)) next.add(value);
  return next;
}

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

// The part of the calendar that a view shows, and the way to posts outside it.

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
