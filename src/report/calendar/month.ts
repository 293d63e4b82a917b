/** A month of a calendar for the terminal: a grid that fits the width, or a list of days if that is too narrow. */

import { ENGLISH_MONTHS, ENGLISH_WEEKDAYS } from "../../checks/when/written-forms.ts";
import { groupBy } from "../../model/data.ts";
import type { ListedPost } from "../../model/post.ts";
import { formatNumber, twoDigits } from "../../model/text.ts";
import { terminalText } from "../text/escape.ts";
import { localTime, shortTime } from "../text/local-time.ts";
import { plural } from "../text/numbers.ts";
import { clipText, padded, tableLines, wrap } from "../text/wrap.ts";
import { type Style, oneLine } from "../text/style.ts";

export interface MonthOptions {
  /** `YYYY-MM` */
  readonly month: string;
  /** `YYYY-MM-DD` in the zone. */
  readonly today: string;
  /** IANA zone of all days and times. */
  readonly timezone: string;
  /** A platform's display name. */
  readonly titleOf: (platform: string) => string;
}

const GAP = 2;
/** A narrower cell holds only a time and half a word, in columns. */
const MIN_CELL = 10;
/** Lines of each post in the grid: its time and networks, and then its text. */
const HEAD_LINES = 2;
const TEXT_LINES = 2;
const POSTS_A_DAY = 4;
/** Graphemes of a text that fit in a cell or on a line. */
const TEXT_LENGTH = 120;

/** A post with its date in the month. */
interface Entry {
  readonly post: ListedPost;
  readonly day: string;
  readonly clock: string;
}

export function monthText(posts: readonly ListedPost[], options: MonthOptions, style: Style): string {
  const all = posts.map((post) => entryOf(post, options));
  const shown = all.filter(({ day }) => day.startsWith(options.month));
  const [year = "", month] = options.month.split("-");
  const name = `${ENGLISH_MONTHS[Number(month) - 1] ?? ""} ${year}`;
  const head = style.colors.bold(name) + style.colors.dim(`  times in ${oneLine(options.timezone, style)}`);
  const cell = Math.floor((style.tableWidth - GAP * 6) / 7);
  const body = cell < MIN_CELL ? listLines(shown, options, style) : gridLines(shown, cell, options, style);
  const others = all.length - shown.length;
  const elsewhere = others === 0 ? "" : `, ${plural(others, "post")} in other months`;
  const total = `${plural(shown.length, "post")} in ${name}${elsewhere}`;
  return terminalText([head, "", ...body, "", total, ...campaignLines(shown, style)]);
}

/** `Campaigns: Spring 4, Launch 2`, the largest first. None without campaigns. */
function campaignLines(entries: readonly Entry[], style: Style): string[] {
  const groups = groupBy(
    entries.flatMap(({ post }) => post.campaign ?? []),
    (campaign) => campaign,
  );
  if (groups.size === 0) return [];
  const counts = Array.from(groups, ([name, { length }]) => ({ name, length }));
  const sorted = counts.toSorted((one, other) => other.length - one.length);
  const text = `Campaigns: ${sorted.map(({ name, length }) => `${name} ${formatNumber(length)}`).join(", ")}`;
  return wrap([{ text: oneLine(text, style) }], { width: style.width, ellipsis: style.marks.ellipsis });
}

/**
 * The default month: the current one if a post is still due in it, otherwise that of the next post, otherwise that of
 * the last one. `posts`: earliest first.
 */
export function defaultMonth(posts: readonly ListedPost[], now: string, timezone: string): string {
  const next = posts.find(({ scheduledAt }) => scheduledAt >= now) ?? posts.at(-1);
  return shortTime(next?.scheduledAt ?? now, timezone).slice(0, 7);
}

function entryOf(post: ListedPost, { timezone }: MonthOptions): Entry {
  const [day = "", clock = ""] = shortTime(post.scheduledAt, timezone).split(" ");
  return { post, day, clock };
}

function row(cells: readonly string[]): string {
  return cells.join(" ".repeat(GAP)).trimEnd();
}

function gridLines(entries: readonly Entry[], cell: number, options: MonthOptions, style: Style): string[] {
  const names = ENGLISH_WEEKDAYS.map((name) => padded(name.slice(0, 3), cell, style));
  const lines = [style.colors.dim(row(names))];
  for (const [index, week] of weeksOf(options.month).entries()) {
    const cells = week.map((day) => (day === undefined ? [] : dayCell(day, entries, options, cell, style)));
    const height = Math.max(...cells.map(({ length }) => length));
    if (index > 0) lines.push("");
    for (let line = 0; line < height; line += 1) {
      lines.push(row(cells.map((those) => those[line] ?? " ".repeat(cell))));
    }
  }
  return lines;
}

/** The days of a month in weeks from Monday on: `2027-03-01`, or undefined for a day of another month. */
function weeksOf(month: string): readonly (readonly (string | undefined)[])[] {
  const [year = 0, number = 0] = month.split("-").map(Number);
  const last = new Date(Date.UTC(year, number, 0)).getUTCDate();
  // For JavaScript, a week begins on Sunday.
  const before = (new Date(month).getUTCDay() + 6) % 7;
  const dayAt = (place: number): string | undefined => {
    const day = place + 1 - before;
    return day >= 1 && day <= last ? `${month}-${twoDigits(day)}` : undefined;
  };
  return Array.from({ length: Math.ceil((before + last) / 7) }, (_none, week) =>
    ENGLISH_WEEKDAYS.map((_name, weekday) => dayAt(week * 7 + weekday)),
  );
}

/** The lines of one day, each as wide as the cell: the day, then its posts. */
function dayCell(
  day: string,
  entries: readonly Entry[],
  { today, titleOf }: MonthOptions,
  cell: number,
  style: Style,
): string[] {
  const { colors } = style;
  const date = String(Number(day.slice(-2)));
  const number = day === today ? `[${date}]` : date;
  const those = entries.filter((each) => each.day === day);
  const isFull = those.length > POSTS_A_DAY;
  const shown = isFull ? those.slice(0, POSTS_A_DAY - 1) : those;
  const lines = shown.flatMap((entry) => {
    const paint = paintOf(entry.post, style);
    const networks = entry.post.platforms.map(titleOf).join(", ");
    const head = cellLines(`${entry.clock} ${networks}`, HEAD_LINES, cell, style);
    const text = `${statusPrefix(entry.post)}${shortText(entry.post)}`;
    const below = cellLines(text, TEXT_LINES, cell, style);
    return [...(entry.post.status === "ready" ? head.map(colors.bold) : head), ...below].map(paint);
  });
  const paintNumber = day === today ? colors.bold : colors.dim;
  const more = isFull ? [colors.dim(padded(`+${those.length - shown.length} more`, cell, style))] : [];
  return [paintNumber(padded(number, cell, style)), ...lines, ...more];
}

/** A text as lines that are as wide as the cell. */
function cellLines(text: string, maxLines: number, cell: number, style: Style): string[] {
  const { ellipsis } = style.marks;
  return wrap([{ text: oneLine(text, style) }], { width: cell, maxLines, ellipsis }).map((line) =>
    padded(line, cell, style),
  );
}

function listLines(entries: readonly Entry[], { timezone, titleOf }: MonthOptions, style: Style): string[] {
  const days = new Map(entries.map(({ day, post }) => [day, localTime(post.scheduledAt, timezone).day]));
  return [...days].flatMap(([day, name], index) => [
    ...(index === 0 ? [] : [""]),
    style.colors.bold(name),
    ...tableLines(
      entries.filter((each) => each.day === day),
      [
        { title: "Time", cell: ({ clock }) => clock },
        { title: "Networks", cell: ({ post }) => post.platforms.map(titleOf).join(", "), mayTruncate: true },
        ...(entries.some(({ post }) => post.campaign !== undefined)
          ? [{ title: "Campaign", cell: ({ post }: Entry) => post.campaign ?? "", mayTruncate: true }]
          : []),
        { title: "Text", cell: ({ post }) => statusPrefix(post) + shortText(post), mayTruncate: true },
      ],
      style,
    ).slice(1),
  ]);
}

/** Also marked by a sign, not only by colour. */
function statusPrefix({ status }: ListedPost): string {
  return status === "ready" ? "" : `(${status}) `;
}

function shortText({ content, media }: ListedPost): string {
  return content === "" ? `(${plural(media.length, "file")}, no text)` : clipText(content, TEXT_LENGTH);
}

function paintOf({ status }: ListedPost, { colors }: Style): (text: string) => string {
  return status === "ready" ? (text) => text : colors.dim;
}
