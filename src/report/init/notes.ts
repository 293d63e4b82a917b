/**
 * What `plancast init` says besides its questions: its notes, the workflow of several projects, and the first posts,
 * for a person who checks that plancast understood the calendar.
 */

import { networkTitles } from "../../checks/networks/network-names.ts";
import { shownZone } from "../../checks/when/local-time.ts";
import { displayAddress } from "../../model/address.ts";
import type { LeftOutRow } from "../../calendars/proposal/read-proposal.ts";
import { compareText, formatNumber } from "../../model/text.ts";
import { type MediaReference, type Post, writtenMedia } from "../../model/post.ts";
import { type Position, sheetOf } from "../../model/problem.ts";
import { escapeTerminal } from "../text/escape.ts";
import { localTime } from "../text/local-time.ts";
import { plural } from "../text/numbers.ts";
import { type Style, oneLine } from "../text/style.ts";
import { clipText, clipToWidth, wrap } from "../text/wrap.ts";

/** About a time zone that nobody chose. @param hasVariable whether it is from the variable TZ */
export function machineZoneText(zone: string, hasVariable: boolean): string {
  const from = hasVariable ? "the variable TZ" : "this machine's settings";
  return `Times are in ${zone}, the time zone from ${from}. If your team uses another one, change timezone in plancast.yaml.`;
}

export const BEFORE_MERGE_DRIVER =
  "If several people apply, run this in each clone, so that git can merge their lockfiles:";

/** What `init` did with the workflow of all projects. Paths start at the repository. */
export type SharedWorkflow =
  | { readonly kind: "written" | "replaced" | "extended" | "unchanged"; readonly path: string }
  /** It has to be edited by hand. `lines` show how. */
  | { readonly kind: "by-hand"; readonly path: string; readonly lines: readonly string[] };

/** Sentences for people, and the line before the lines to copy, if there are some. */
export function sharedWorkflowText(
  { kind, path }: SharedWorkflow,
  { variable, secret }: { readonly variable: string; readonly secret: string },
): { readonly notes: readonly string[]; readonly before: string } {
  const secrets = `On GitHub, add the secret ${variable} to the environment publish, and a key that can only read as the secret ${secret}. Add the address and ${variable} to the variable PLANCAST_TRUSTED_ORIGINS: see docs/run/several-projects.md.`;
  switch (kind) {
    case "written":
      return { notes: [`${path} plans and applies all projects. ${secrets}`], before: "" };
    case "replaced":
      return { notes: [`${path} ran one project, and now runs all. ${secrets}`], before: "" };
    case "extended":
      return { notes: [`${path} now passes on the key in ${variable}. ${secrets}`], before: "" };
    case "unchanged":
      return { notes: [secrets], before: "" };
    case "by-hand":
      return { notes: [secrets], before: `Change two steps in ${path}:` };
    default:
      return kind satisfies never;
  }
}

/** How many posts `init` shows, and how many lines of each text. */
const SHOWN_POSTS = 3;
const SHOWN_LINES = 10;

/** The maximum number of characters that a shown text may have. */
const SHOWN_TEXT = 1_000;

/** The maximum number of left-out rows that `init` names. */
const SHOWN_ROWS = 5;

/**
 * The next posts in full, and the rows that are left out, so that a person can check that plancast reads the calendar
 * correctly.
 */
export function nextPostsLines(
  {
    posts,
    leftOut,
    now,
  }: { readonly posts: readonly Post[]; readonly leftOut: readonly LeftOutRow[]; readonly now: number },
  timezone: string,
  style: Style,
): string[] {
  const later = posts
    .filter(({ scheduledAt }) => Date.parse(scheduledAt) > now)
    .toSorted((one, other) => compareText(one.scheduledAt, other.scheduledAt));
  const past = posts.length - later.length;
  const pastText =
    past === 0
      ? []
      : [`${plural(past, "post")} in the past: plancast does not publish ${past === 1 ? "it" : "them"}.`];
  if (later.length === 0)
    return [
      posts.length === 0 ? "No row is ready." : "No post is still to come.",
      ...pastText,
      ...leftOutLines(leftOut, style),
    ];
  const heading =
    later.length <= SHOWN_POSTS
      ? "plancast will publish:"
      : `The next ${SHOWN_POSTS} of ${formatNumber(later.length)} posts that plancast will publish:`;
  return [
    style.colors.bold(heading),
    ...later.slice(0, SHOWN_POSTS).flatMap((post) => postLines(post, timezone, style)),
    `Times are in ${escapeTerminal(shownZone(timezone))}.`,
    ...pastText,
    ...leftOutLines(leftOut, style),
  ];
}

function postLines(post: Post, timezone: string, style: Style): string[] {
  const { day, clock } = localTime(post.scheduledAt, timezone);
  const { content, media, first_comment = "" } = post;
  return [
    `  ${day} ${clock}  ${escapeTerminal(networkTitles(post.platforms))}`,
    ...textLines(content, style),
    ...(first_comment === "" ? [] : [oneClipped(`First comment: ${first_comment}`, style)]),
    ...(media.length === 0 ? [] : [oneClipped(`Media: ${media.map(nameOfMedia).join(", ")}`, style)]),
  ];
}

/** A whole text, unless it is very long. */
function textLines(content: string, style: Style): string[] {
  const { ellipsis } = style.marks;
  const options = { width: style.width - INDENT.length, ellipsis };
  const lines = clipText(content, SHOWN_TEXT)
    .split("\n")
    .flatMap((line) => (line.trim() === "" ? [""] : wrap([{ text: oneLine(line, style) }], options)));
  const shown = lines.length <= SHOWN_LINES ? lines : [...lines.slice(0, SHOWN_LINES - 1), ellipsis];
  return content === "" ? [] : shown.map((line) => (line === "" ? "" : INDENT + line));
}

const INDENT = "    ";

function oneClipped(text: string, style: Style): string {
  return clipToWidth(INDENT + oneLine(text, style), style.width, style.marks.ellipsis);
}

function nameOfMedia(media: MediaReference): string {
  return media.kind === "url" ? displayAddress(media.url) : writtenMedia(media);
}

function leftOutLines(rows: readonly LeftOutRow[], style: Style): string[] {
  if (rows.length === 0) return [];
  const shown = rows.slice(0, SHOWN_ROWS).map(({ at, word, status }) => {
    const said = word === undefined ? "" : `${clipText(word, SHOWN_WORD)}, `;
    return oneClipped(`${placeText(at)}: ${said}${status === "draft" ? "draft" : "left out"}`, style);
  });
  const more = rows.length - shown.length;
  return [
    `${plural(rows.length, "row")} ${rows.length === 1 ? "is a draft" : "are drafts"} or left out:`,
    ...shown,
    ...(more === 0 ? [] : [`${INDENT}and ${more} more`]),
  ];
}

/** The maximum number of characters of a status. */
const SHOWN_WORD = 40;

/** A row as people find it: `row 4` of a sheet, `line 4` of another file. */
function placeText({ line, cell }: Pick<Position, "line" | "cell">): string {
  const sheet = sheetOf({ cell });
  return sheet === undefined ? `line ${line}` : `row ${line} of the sheet "${sheet}"`;
}
