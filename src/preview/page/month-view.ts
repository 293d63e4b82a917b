/** A month as a grid of days, and its keys: arrows move through days, Enter opens a day's posts. */

import type { PreviewData, PreviewPost } from "../preview-data.ts";
import {
  DAYS_A_WEEK,
  fullDay,
  lastDayOf,
  longWeekday,
  mondayOf,
  monthOf,
  monthTitle,
  plusDays,
  plusMonths,
  shortWeekday,
} from "./days.ts";
import { ICONS, element, icon } from "./dom.ts";
import { numberText, plural } from "./model.ts";
import { thumbnail } from "./post-card.ts";
import { STATUS_LABELS, daySign, mediaOf, platformMarks, platformsOf, problemSign } from "./post-parts.ts";

/** Further posts are only counted. */
const POSTS_A_DAY = 4;
/** As many as a cell has space for beside the time. */
const MARKS_A_POST = 4;
/** Characters of a text that fit in a cell. */
const TEXT_LENGTH = 160;

interface MonthActions {
  readonly openPost: (post: PreviewPost) => void;
  /** Shows a day's posts in the list. */
  readonly openDay: (day: string) => void;
  /** Shows the month of a day, with that day focused. */
  readonly goTo: (day: string) => void;
}

interface MonthShown {
  readonly month: string;
  readonly today: string;
  /** The day that Tab goes to. */
  readonly day: string;
  readonly posts: ReadonlyMap<string, readonly PreviewPost[]>;
  /** Whether all posts of a day are shown, as on paper, where none can be opened. */
  readonly isWhole: boolean;
  readonly data: PreviewData;
}

export function monthGrid(shown: MonthShown, actions: MonthActions): HTMLElement {
  const first = mondayOf(`${shown.month}-01`);
  const last = lastDayOf(shown.month);
  const names = Array.from({ length: DAYS_A_WEEK }, (_, day) => plusDays(first, day)).map((day) =>
    element("th", { scope: "col", abbr: longWeekday(day) }, shortWeekday(day)),
  );
  const weeks: HTMLElement[] = [];
  for (let monday = first; monday <= last; monday = plusDays(monday, DAYS_A_WEEK)) {
    const days = Array.from({ length: DAYS_A_WEEK }, (_, day) => plusDays(monday, day));
    weeks.push(element("tr", {}, ...days.map((day) => dayCell(day, shown, actions))));
  }
  const grid = element(
    "table",
    { class: "month", role: "grid", "aria-label": monthTitle(shown.month) },
    element("thead", {}, element("tr", {}, ...names)),
    element("tbody", {}, ...weeks),
  );
  grid.addEventListener("keydown", (event) => moveByKey(event, shown, actions));
  return grid;
}

function dayCell(day: string, shown: MonthShown, actions: MonthActions): HTMLElement {
  if (monthOf(day) !== shown.month) return element("td", { class: "day is-other" });
  const posts = shown.posts.get(day) ?? [];
  const isToday = day === shown.today;
  const isFull = posts.length > POSTS_A_DAY && !shown.isWhole;
  const chips = isFull ? posts.slice(0, POSTS_A_DAY - 1) : posts;
  const more = posts.length - chips.length;
  const cell = element(
    "td",
    {
      class: `day${isToday ? " is-today" : ""}${posts.length > 0 ? " has-posts" : ""}`,
      "data-day": day,
      tabindex: day === shown.day ? 0 : -1,
      "aria-current": isToday ? "date" : undefined,
    },
    element("span", { class: "unseen" }, `${fullDay(day)}, ${summaryOf(posts)} `),
    element("span", { class: "number", "aria-hidden": "true" }, String(Number(day.slice(-2)))),
    dots(posts),
    daySign(posts, shown.data),
    ...chips.map((post) => chip(post, shown.data, actions)),
    more === 0
      ? undefined
      : element(
          "button",
          {
            class: "more-posts",
            type: "button",
            // Tab goes from a day to the next element, not to the posts of all other days.
            tabindex: day === shown.day ? 0 : -1,
            onclick: () => actions.openDay(day),
          },
          `${more} more`,
        ),
  );
  cell.addEventListener("click", ({ target }) => {
    // On a phone, a day shows only dots, and opens as a whole.
    const isOnPost = target instanceof Element && target.closest("button") !== null;
    if (!isOnPost && posts.length > 0 && matchMedia("(max-width: 720px)").matches) actions.openDay(day);
  });
  return cell;
}

/** `3 posts, 1 with problems` */
function summaryOf(posts: readonly PreviewPost[]): string {
  if (posts.length === 0) return "no posts";
  const wrong = posts.filter(({ problems }) => problems.length > 0).length;
  return plural(posts.length, "post") + (wrong === 0 ? "" : `, ${numberText(wrong)} with problems`);
}

/** Fits a cell on a phone. */
function dots(posts: readonly PreviewPost[]): HTMLElement {
  const shown = posts.slice(0, 3).map(({ status }) => element("span", { class: `dot is-${status}` }));
  const more = posts.length > 3 ? element("span", { class: "dot-count" }, String(posts.length)) : undefined;
  return element("span", { class: "dots", "aria-hidden": "true" }, ...shown, more);
}

function chip(post: PreviewPost, data: PreviewData, { openPost }: MonthActions): HTMLElement {
  const { status, clock, content = "" } = post;
  const { icon: name, label } = STATUS_LABELS[status];
  const media = mediaOf(post, data);
  const text = content === "" ? "" : content.slice(0, TEXT_LENGTH).replaceAll(/\s+/g, " ");
  return element(
    "button",
    { class: `chip is-${status}`, type: "button", tabindex: -1, onclick: () => openPost(post) },
    element(
      "span",
      { class: "chip-head" },
      icon(ICONS[name]),
      element("span", { class: "unseen" }, `${label} `),
      element("span", { class: "clock" }, clock),
      problemSign(post, data),
      platformMarks(platformsOf(post, data), MARKS_A_POST),
    ),
    element(
      "span",
      { class: "chip-body" },
      element("span", { class: "chip-text", dir: "auto" }, text === "" ? mediaNames(media) : text),
      thumbnail(media),
    ),
  );
}

function mediaNames(media: PreviewData["media"]): string {
  return media.map(({ name }) => name).join(", ");
}

function moveByKey(event: KeyboardEvent, { posts }: MonthShown, actions: MonthActions): void {
  const cell = event.target;
  if (!(cell instanceof HTMLTableCellElement) || hasModifier(event)) return;
  const day = cell.dataset["day"];
  if (day === undefined) return;
  const first = posts.get(day)?.[0];
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    if (first !== undefined) actions.openPost(first);
    return;
  }
  const to = dayByKey(event.key, day);
  if (to === undefined) return;
  event.preventDefault();
  actions.goTo(to);
}

export function hasModifier({ ctrlKey, altKey, metaKey }: KeyboardEvent): boolean {
  return ctrlKey || altKey || metaKey;
}

/**
 * The target of a key while nothing has the focus: Page Up and Page Down change the month, arrows go to the day itself.
 */
export function dayByFreeKey(key: string, day: string): string | undefined {
  if (key.startsWith("Arrow")) return day;
  return key.startsWith("Page") ? dayByKey(key, day) : undefined;
}

/** The target of a key from a day; undefined for other keys. */
function dayByKey(key: string, day: string): string | undefined {
  const inMonth = (other: string): string => {
    const last = lastDayOf(other);
    const same = `${other}-${day.slice(-2)}`;
    return same < last ? same : last;
  };
  switch (key) {
    case "ArrowLeft":
      return plusDays(day, -1);
    case "ArrowRight":
      return plusDays(day, 1);
    case "ArrowUp":
      return plusDays(day, -DAYS_A_WEEK);
    case "ArrowDown":
      return plusDays(day, DAYS_A_WEEK);
    case "Home":
      return mondayOf(day);
    case "End":
      return plusDays(mondayOf(day), DAYS_A_WEEK - 1);
    case "PageUp":
      return inMonth(plusMonths(monthOf(day), -1));
    case "PageDown":
      return inMonth(plusMonths(monthOf(day), 1));
    default:
      return undefined;
  }
}
