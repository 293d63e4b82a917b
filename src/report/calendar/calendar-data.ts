/**
 * The calendar for other programs. As JSON, and as a feed for subscriptions (RFC 5545): equal posts give equal bytes,
 * so there is no time of creation and no counter. Times are in the project's zone. The feed describes that zone
 * (3.6.5) only for the range of its own times.
 */

import { createHash } from "node:crypto";
import type { IANAZone } from "luxon";
import { findZone } from "../../checks/when/local-time.ts";
import { utcMs, utcTime } from "../../model/canonical.ts";
import type { ListedPost } from "../../model/post.ts";
import { type Problem, rowName } from "../../model/problem.ts";
import { twoDigits } from "../../model/text.ts";
import type { CalendarDocument } from "../documents/calendars.ts";
import { mediaText, slotDocument, sourceDocument } from "../plan/plan-json.ts";
import { problemDocument } from "../problems/problems-json.ts";
import { visibleText } from "../text/escape.ts";
import { clipText, graphemes } from "../text/wrap.ts";

export function calendarDocument(
  posts: readonly ListedPost[],
  problems: readonly Problem[],
  timezone: string,
): CalendarDocument {
  return {
    version: 1,
    timezone,
    posts: posts.map(
      ({ key, status, source, campaign, slot, series, content, platforms, scheduledAt, media }) => ({
        key,
        status,
        source: sourceDocument(source),
        ...(campaign === undefined ? {} : { campaign }),
        ...slotDocument(slot),
        ...(series === undefined ? {} : { series }),
        post: { content, platforms, scheduled_at: scheduledAt, media: media.map(mediaText) },
      }),
    ),
    problems: problems.map(problemDocument),
  };
}

interface IcsOptions {
  /** The feed's name for subscribers. */
  readonly name: string;
  /** Distinguishes posts of this project from others with the same ids; empty if the project has no name. */
  readonly project: string;
  /** IANA zone of the times. */
  readonly timezone: string;
  /** A platform's display name. */
  readonly titleOf: (platform: string) => string;
}

/** A post has no duration; programs show this one, in ms. */
const SHOWN_MS = 15 * 60_000;
/** Graphemes of a text in the summary of an event. */
const SUMMARY_LENGTH = 60;
/** RFC 5545, 3.1: octets of a line without its line end. */
const MAX_LINE = 75;
/**
 * RFC 5545 requires the time of the last revision here, which a calendar in files does not have. Programs read feeds as
 * a whole, so they show the current content. A constant keeps the feed the same until a post changes.
 */
const STAMP = "20000101T000000Z";

/** Drafts are in it as tentative; rows to skip are not. Each line ends with CRLF. */
export function calendarIcs(posts: readonly ListedPost[], options: IcsOptions): string {
  const { name, timezone } = options;
  const shown = posts.filter(({ status }) => status !== "skip");
  // UTC has its own form, and needs no description.
  const zone = /^(?:utc|gmt)$/i.test(timezone) ? undefined : findZone(timezone);
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//plancast//plancast//EN",
    "CALSCALE:GREGORIAN",
    `NAME:${escaped(name)}`,
    `X-WR-CALNAME:${escaped(name)}`,
    `X-WR-TIMEZONE:${escaped(timezone)}`,
    "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
    "X-PUBLISHED-TTL:PT1H",
    ...(zone === undefined || shown.length === 0 ? [] : zoneLines(zone, shown.flatMap(spanOf))),
    ...shown.flatMap((post) => event(post, options, zone)),
    "END:VCALENDAR",
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join("");
}

/** Start and end of a post, in ms since the epoch. */
function spanOf({ scheduledAt }: ListedPost): [number, number] {
  const start = utcMs(scheduledAt);
  return [start, start + SHOWN_MS];
}

function event(post: ListedPost, { project, titleOf }: IcsOptions, zone: IANAZone | undefined): string[] {
  const { key, content, platforms, status } = post;
  const [start, end] = spanOf(post);
  const titles = platforms.map(titleOf);
  const isDraft = status === "draft";
  const first = clipText(content.split("\n", 1)[0] ?? "", SUMMARY_LENGTH);
  const summary = `${isDraft ? "Draft: " : ""}${titles.join(", ")}${first === "" ? "" : `: ${first}`}`;
  return [
    "BEGIN:VEVENT",
    `UID:${uid(project, key)}`,
    `DTSTAMP:${STAMP}`,
    "SEQUENCE:0",
    `DTSTART${timeIn(zone, start)}`,
    `DTEND${timeIn(zone, end)}`,
    `SUMMARY:${escaped(summary)}`,
    `DESCRIPTION:${escaped(description(post))}`,
    ...(titles.length === 0 ? [] : [`CATEGORIES:${titles.map(escaped).join(",")}`]),
    `STATUS:${isDraft ? "TENTATIVE" : "CONFIRMED"}`,
    // A post does not block time.
    "TRANSP:TRANSPARENT",
    "END:VEVENT",
  ];
}

/** Unique and constant for a row while its key is. Made from the key's hash, because keys are any text. */
function uid(project: string, key: string): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([project, key]))
    .digest("hex");
  return `${hash.slice(0, 32)}@plancast`;
}

function description({ content, media, campaign, source, at }: ListedPost): string {
  const files = media.map(mediaText);
  return [
    ...(content === "" ? [] : [content]),
    ...(files.length === 0 ? [] : [`Media: ${files.join(", ")}`]),
    ...(campaign === undefined ? [] : [`Campaign: ${campaign}`]),
    `Row: ${rowName(source, at())}`,
  ].join("\n\n");
}

/** `;TZID=Europe/Paris:20270301T090000`, or `:20270301T080000Z` if the local time is ambiguous. */
function timeIn(zone: IANAZone | undefined, ms: number): string {
  const wall = zone === undefined ? undefined : wallText(zone, ms);
  if (zone === undefined || wall === undefined) return `:${utcTime(ms).replaceAll(/[-:]/g, "")}`;
  return `;TZID=${zone.name}:${wall}`;
}

/** A TEXT value (RFC 5545, 3.3.11), which cannot contain controls. */
function escaped(text: string): string {
  return visibleText(text)
    .replaceAll(/[\\;,]/g, String.raw`\$&`)
    .replaceAll("\n", String.raw`\n`);
}

/** Lines of at most 75 octets. Cuts a grapheme only if it is longer than a line. */
function folded(line: string): string {
  if (Buffer.byteLength(line) <= MAX_LINE) return line;
  let text = "";
  let used = 0;
  for (const piece of pieces(line)) {
    const size = Buffer.byteLength(piece);
    if (used + size > MAX_LINE) {
      text += "\r\n ";
      used = 1;
    }
    text += piece;
    used += size;
  }
  return text;
}

function* pieces(line: string): Iterable<string> {
  for (const grapheme of graphemes(line)) {
    if (Buffer.byteLength(grapheme) < MAX_LINE) yield grapheme;
    else yield* grapheme;
  }
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** The lines of a VTIMEZONE. @param times ms since the epoch, in any order */
function zoneLines(zone: IANAZone, times: readonly number[]): string[] {
  const sorted = times.toSorted((one, other) => one - other);
  const lines: string[] = [];
  let before = sorted[0] ?? 0;
  // Times before the first one are not needed, so its offset counts from the beginning.
  lines.push(...observance(zone, 0, offsetAt(zone, before), offsetAt(zone, before)));
  for (const time of sorted) {
    while (offsetAt(zone, before) !== offsetAt(zone, time)) {
      const change = firstChange(zone, before, time);
      lines.push(...observance(zone, change, offsetAt(zone, before), offsetAt(zone, change)));
      before = change;
    }
    before = time;
  }
  return ["BEGIN:VTIMEZONE", `TZID:${zone.name}`, ...lines, "END:VTIMEZONE"];
}

/**
 * The zone's local time, `20270301T093000`. Undefined if it occurs twice: by the RFC it means the first one, but
 * programs differ.
 */
function wallText(zone: IANAZone, ms: number): string | undefined {
  const wall = ms + offsetAt(zone, ms);
  const isTwice = [ms - DAY_MS, ms + DAY_MS].some((near) => {
    const other = wall - offsetAt(zone, near);
    return other !== ms && other + offsetAt(zone, other) === wall;
  });
  return isTwice ? undefined : basic(wall);
}

/** Ms. */
function offsetAt(zone: IANAZone, ms: number): number {
  return zone.offset(ms) * MINUTE_MS;
}

/** A minute at which the offset changes, after `from` and until `to`, where it differs. */
function firstChange(zone: IANAZone, from: number, to: number): number {
  const offset = offsetAt(zone, from);
  let [low, high] = [Math.floor(from / MINUTE_MS), Math.floor(to / MINUTE_MS)];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(zone, middle * MINUTE_MS) === offset) low = middle;
    else high = middle;
  }
  return high * MINUTE_MS;
}

/** An offset from an instant on. DTSTART is that instant on the clocks before the change. */
function observance(zone: IANAZone, since: number, from: number, to: number): string[] {
  const kind = to > from ? "DAYLIGHT" : "STANDARD";
  return [
    `BEGIN:${kind}`,
    `DTSTART:${basic(since + from)}`,
    `TZOFFSETFROM:${offsetText(from)}`,
    `TZOFFSETTO:${offsetText(to)}`,
    `END:${kind}`,
  ];
}

function offsetText(ms: number): string {
  const minutes = Math.abs(ms) / MINUTE_MS;
  const [hour, minute] = [Math.floor(minutes / 60), minutes % 60].map(twoDigits);
  return `${ms < 0 ? "-" : "+"}${hour}${minute}`;
}

function basic(wall: number): string {
  return new Date(wall).toISOString().slice(0, 19).replaceAll(/[-:]/g, "");
}
