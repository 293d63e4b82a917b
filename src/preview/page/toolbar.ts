/** The controls above the posts: filters, which are also the legend, the month and the view, and the search. */

import type { PreviewStatus } from "../preview-data.ts";
import { monthTitle, plusMonths } from "./days.ts";
import { ICONS, element, icon } from "./dom.ts";
import { type Filters, type Model, numberText } from "./model.ts";
import { STATUS_LABELS, STATUS_NAMES, platformMark } from "./post-parts.ts";

type Change = (filters: Filters) => void;

/** Statuses with their number of posts, without unused ones. */
export function statusChips({ data }: Model, filters: Filters, change: Change): HTMLElement {
  const counts = new Map<PreviewStatus, number>();
  for (const { status } of data.posts) counts.set(status, (counts.get(status) ?? 0) + 1);
  const chips = STATUS_NAMES.filter((name) => counts.has(name)).map((name) => {
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
  return element("div", { class: "chips", role: "group", "aria-label": "Filter by status" }, ...chips);
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
      platform.title,
    );
  });
  return element("div", { class: "chips", role: "group", "aria-label": "Filter by platform" }, ...chips);
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

/** The view of the posts. */
export type View = "month" | "list";

interface BarActions {
  readonly goToMonth: (month: string) => void;
  readonly goToToday: () => void;
  readonly show: (view: View) => void;
}

export function monthBar(
  month: string,
  view: View,
  { goToMonth, goToToday, show }: BarActions,
): HTMLElement[] {
  const step = (label: string, path: string, by: number): HTMLElement =>
    element(
      "button",
      {
        class: "button square",
        type: "button",
        "aria-label": label,
        onclick: () => goToMonth(plusMonths(month, by)),
      },
      icon(path),
    );
  const tab = (name: View, label: string, path: string): HTMLElement =>
    element(
      "button",
      { class: "tab", type: "button", "aria-pressed": String(view === name), onclick: () => show(name) },
      icon(path),
      label,
    );
  return [
    element("h2", { class: "month-title" }, monthTitle(month)),
    element(
      "div",
      { class: "steps" },
      step("Previous month", ICONS.left, -1),
      element("button", { class: "button", type: "button", onclick: goToToday }, "Today"),
      step("Next month", ICONS.right, 1),
    ),
    element(
      "div",
      { class: "tabs", role: "group", "aria-label": "View" },
      tab("month", "Month", ICONS.grid),
      tab("list", "List", ICONS.list),
    ),
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
    const isTyping = event.target instanceof HTMLInputElement;
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
