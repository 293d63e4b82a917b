/** A month or a week as a grid of days, and its keys: arrows move through days, Enter opens a day's posts. */

import { formatNumber } from "../../model/text.ts";
import { plural } from "../../report/text/numbers.ts";
import type { PreviewData, PreviewPost } from "../preview-data.ts";
import { thumbnail } from "./cards/pictures.ts";
import { inOtherMonth, plusDays } from "./parts/days.ts";
import { ICONS, element, icon } from "./parts/dom.ts";
import { STATUS_LABELS } from "./parts/model.ts";
import {
  NEXT_SLOT,
  daySign,
  mediaOf,
  mediaTitle,
  platformMarks,
  platformsOf,
  problemSign,
} from "./parts/post-parts.ts";
import { fullDay, longWeekday, readersClock, readersWeek, shortWeekday } from "./parts/reader.ts";

/** In a month, further posts of a day are only counted. */
const POSTS_A_DAY = 4;
/** The number of marks that fit into a cell next to a short time, such as `09:00`. */
const MARKS_A_POST = 4;
const SHORT_TIME = 5;
/** More characters of a text than a cell shows. Browsers take long to lay out what they then hide. */
const TEXT_LENGTH = { month: 120, week: 240 };

export interface GridActions {
  readonly openPost: (post: PreviewPost) => void;
  /** Whether a post can be dragged. */
  readonly canMove: (post: PreviewPost) => boolean;
  /** Shows a day's posts in the list. */
  readonly openDay: (day: string) => void;
  /** Shows a day in the grid, and focuses it. */
  readonly goTo: (day: string) => void;
}

export interface GridShown {
  readonly kind: "month" | "week";
  /** The title of all days together: `March 2027`. */
  readonly title: string;
  readonly weeks: readonly (readonly string[])[];
  /** Whether a day is of another month, and stays empty. */
  readonly isOther: (day: string) => boolean;
  readonly today: string;
  /** The day that Tab goes to. */
  readonly day: string;
  readonly posts: ReadonlyMap<string, readonly PreviewPost[]>;
  /** Whether all posts of a day are shown, as on paper, where none can be opened. */
  readonly isWhole: boolean;
  readonly data: PreviewData;
}

export function dayGrid(shown: GridShown, actions: GridActions): HTMLElement {
  const [first = []] = shown.weeks;
  const names = first.map((day) =>
    element("th", { scope: "col", role: "columnheader", abbr: longWeekday(day) }, shortWeekday(day)),
  );
  const weeks = shown.weeks.map((days) =>
    element("tr", { role: "row" }, ...days.map((day) => dayCell(day, shown, actions))),
  );
  const grid = element(
    "table",
    {
      class: `month is-${shown.kind}${isDense(shown) ? " is-dense" : ""}`,
      role: "grid",
      "aria-label": shown.title,
    },
    // The roles stay where a narrow screen shows the days as a list.
    element("thead", { role: "rowgroup" }, element("tr", { role: "row" }, ...names)),
    element("tbody", { role: "rowgroup" }, ...weeks),
  );
  grid.addEventListener("keydown", (event) => moveByKey(event, shown, actions));
  return grid;
}

/** The posts below each other that a sheet of paper has space for, with two lines of each text and its picture. */
const POSTS_A_SHEET = 11;

/** Whether a month on paper needs more space than a sheet has. */
function isDense({ kind, isWhole, weeks, isOther, posts }: GridShown): boolean {
  if (kind !== "month" || !isWhole) return false;
  const postsOf = (day: string): number => (isOther(day) ? 0 : (posts.get(day)?.length ?? 0));
  const tallest = weeks.map((week) => Math.max(...week.map(postsOf)));
  return tallest.reduce((sum, count) => sum + count, 0) > POSTS_A_SHEET;
}

function dayCell(day: string, shown: GridShown, actions: GridActions): HTMLElement {
  if (shown.isOther(day)) return element("td", { class: "day is-other", role: "gridcell" });
  const posts = shown.posts.get(day) ?? [];
  const isToday = day === shown.today;
  const isFull = shown.kind === "month" && posts.length > POSTS_A_DAY && !shown.isWhole;
  const chips = isFull ? posts.slice(0, POSTS_A_DAY - 1) : posts;
  const more = posts.length - chips.length;
  const cell = element(
    "td",
    {
      class: `day${isToday ? " is-today" : ""}${posts.length > 0 ? " has-posts" : ""}`,
      role: "gridcell",
      "data-day": day,
      tabindex: day === shown.day ? 0 : -1,
      "aria-current": isToday ? "date" : undefined,
    },
    element("span", { class: "unseen" }, `${fullDay(day)}, ${summaryOf(posts)} `),
    dayNumber(day, shown.kind),
    signs(posts),
    daySign(posts, shown.data),
    ...chips.map((post) => chip(post, shown, actions)),
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
    // On a phone, a day of a month shows only dots, and opens as a whole.
    const isOnPost = target instanceof Element && target.closest("button") !== null;
    const isSmall = shown.kind === "month" && matchMedia("(max-width: 720px)").matches;
    if (!isOnPost && posts.length > 0 && isSmall) actions.openDay(day);
  });
  return cell;
}

function dayNumber(day: string, kind: GridShown["kind"]): HTMLElement {
  return element(
    "span",
    { class: "number", "aria-hidden": "true" },
    // On a phone, a week has no column headers.
    kind === "week" ? element("span", { class: "weekday" }, `${shortWeekday(day)} `) : undefined,
    String(Number(day.slice(-2))),
  );
}

/** `3 posts, 1 with problems` */
function summaryOf(posts: readonly PreviewPost[]): string {
  if (posts.length === 0) return "no posts";
  const wrong = posts.filter(({ problems }) => problems.length > 0).length;
  return plural(posts.length, "post") + (wrong === 0 ? "" : `, ${formatNumber(wrong)} with problems`);
}

/** Text that fits into a cell on a phone: the signs of the chips. */
function signs(posts: readonly PreviewPost[]): HTMLElement {
  // Two and a number take as much space as three.
  const shown = posts
    .slice(0, posts.length > 3 ? 2 : 3)
    .map(({ status }) =>
      element("span", { class: `dot is-${status}` }, icon(ICONS[STATUS_LABELS[status].icon])),
    );
  const more = posts.length > 3 ? element("span", { class: "dot-count" }, String(posts.length)) : undefined;
  return element("span", { class: "dots", "aria-hidden": "true" }, ...shown, more);
}

const CHIPS = new WeakMap<Element, PreviewPost>();

/** The post of a chip in a grid. */
export function postOfChip(chip: Element): PreviewPost | undefined {
  return CHIPS.get(chip);
}

function chip(post: PreviewPost, { data, kind }: GridShown, { openPost, canMove }: GridActions): HTMLElement {
  const most = TEXT_LENGTH[kind];
  const { status, clock, slot, content = "" } = post;
  const { icon: name, label } = STATUS_LABELS[status];
  const media = mediaOf(post, data);
  const time = readersClock(clock);
  const sign = problemSign(post, data);
  // Without half of a character at its end.
  const start = content
    .slice(0, most)
    .replace(/\p{Surrogate}$/u, "")
    .replaceAll(/\s+/g, " ");
  const text = content.length > most ? `${start}…` : start;
  const made = element(
    "button",
    {
      class: `chip is-${status}${canMove(post) ? " is-movable" : ""}`,
      type: "button",
      tabindex: -1,
      title: slot === "next" ? `${time}, ${NEXT_SLOT}` : undefined,
      onclick: () => openPost(post),
    },
    element(
      "span",
      { class: "chip-head" },
      icon(ICONS[name]),
      element("span", { class: "unseen" }, `${label} `),
      element("span", { class: "clock" }, time),
      slot === "next" ? element("span", { class: "unseen" }, ` ${NEXT_SLOT} `) : undefined,
      sign,
      platformMarks(
        platformsOf(post, data),
        MARKS_A_POST - Number(time.length > SHORT_TIME) - Number(sign !== undefined),
      ),
    ),
    element(
      "span",
      { class: "chip-body" },
      element("span", { class: "chip-text", dir: "auto" }, text === "" ? mediaNames(media) : text),
      thumbnail(media),
    ),
  );
  CHIPS.set(made, post);
  return made;
}

function mediaNames(media: PreviewData["media"]): string {
  return media.map(mediaTitle).join(", ");
}

function moveByKey(event: KeyboardEvent, { kind, posts }: GridShown, actions: GridActions): void {
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
  const to = dayByKey(event.key, day, kind);
  if (to === undefined) return;
  event.preventDefault();
  actions.goTo(to);
}

export function hasModifier({ ctrlKey, altKey, metaKey }: KeyboardEvent): boolean {
  return ctrlKey || altKey || metaKey;
}

/**
 * The target of a key if nothing has the focus: Page Up and Page Down change the month or week, and arrows go to the
 * day.
 */
export function dayByFreeKey(key: string, day: string, kind: GridShown["kind"]): string | undefined {
  if (key.startsWith("Arrow")) return day;
  return key.startsWith("Page") ? dayByKey(key, day, kind) : undefined;
}

/** The target of a key from a day; undefined for other keys. */
function dayByKey(key: string, day: string, kind: GridShown["kind"]): string | undefined {
  switch (key) {
    case "ArrowLeft":
      return plusDays(day, -1);
    case "ArrowRight":
      return plusDays(day, 1);
    case "ArrowUp":
      return plusDays(day, -7);
    case "ArrowDown":
      return plusDays(day, 7);
    case "Home":
      return readersWeek(day)[0];
    case "End":
      return readersWeek(day).at(-1);
    case "PageUp":
      return periodLater(day, kind, -1);
    case "PageDown":
      return periodLater(day, kind, 1);
    default:
      return undefined;
  }
}

/** The same day of another month or week. */
export function periodLater(day: string, kind: GridShown["kind"], by: number): string {
  return kind === "week" ? plusDays(day, 7 * by) : inOtherMonth(day, by);
}
