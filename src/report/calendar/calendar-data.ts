/**
 * The calendar for other programs. As JSON, and as a feed for subscriptions (RFC 5545): equal posts give equal bytes,
 * so there is no time of creation and no counter. Times in the feed are in UTC.
 */

import { createHash } from "node:crypto";
import { utcMs, utcTime } from "../../model/canonical.ts";
import type { ListedPost } from "../../model/post.ts";
import { type Problem, rowName } from "../../model/problem.ts";
import type { CalendarDocument } from "../documents/calendars.ts";
import { mediaName, slotDocument, sourceDocument } from "../plan/plan-json.ts";
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
        post: { content, platforms, scheduled_at: scheduledAt, media: media.map(mediaName) },
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
    ...shown.flatMap((post) => event(post, options)),
    "END:VCALENDAR",
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join("");
}

function event(post: ListedPost, { project, titleOf }: IcsOptions): string[] {
  const { key, content, platforms, status } = post;
  const start = utcMs(post.scheduledAt);
  const titles = platforms.map(titleOf);
  const isDraft = status === "draft";
  const first = clipText(content.split("\n", 1)[0] ?? "", SUMMARY_LENGTH);
  const summary = `${isDraft ? "Draft: " : ""}${titles.join(", ")}${first === "" ? "" : `: ${first}`}`;
  return [
    "BEGIN:VEVENT",
    `UID:${uid(project, key)}`,
    `DTSTAMP:${STAMP}`,
    "SEQUENCE:0",
    `DTSTART:${utcForm(start)}`,
    `DTEND:${utcForm(start + SHOWN_MS)}`,
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
  const files = media.map(mediaName);
  return [
    ...(content === "" ? [] : [content]),
    ...(files.length === 0 ? [] : [`Media: ${files.join(", ")}`]),
    ...(campaign === undefined ? [] : [`Campaign: ${campaign}`]),
    `Row: ${rowName(source, at())}`,
  ].join("\n\n");
}

/** `20270301T080000Z`: programs show it in the zone of the reader. */
function utcForm(ms: number): string {
  return utcTime(ms).replaceAll(/[-:]/g, "");
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
