/** A plan for a terminal: what changes, day by day, then the totals and the guards that stop it. */

import type { Action } from "../../model/plan.ts";
import { escapeTerminal, terminalText } from "../text/escape.ts";
import { plural } from "../text/numbers.ts";
import { type Span, advice, paragraph, sections, textWidth, wrap } from "../text/wrap.ts";
import { type Style, oneLine } from "../text/style.ts";
import { diffSpans } from "../text/word-diff.ts";
import {
  type DayView,
  type Difference,
  type PlanRun,
  type PlanView,
  type PostView,
  FIELD_NAMES,
  changeCounts,
  requestsSentence,
  unchangedCounts,
} from "./plan-view.ts";

export interface PlanTextOptions {
  /** Shows every change, and each text in full. */
  readonly verbose: boolean;
  /** With more changes, days are only counted. */
  readonly maxChanges?: number;
}

/** Nobody reads more in a terminal. */
const MAX_CHANGES = 200;
/** Lines of a post's text: enough to recognise it. */
const MAX_LINES = 3;

const LEGEND: readonly (readonly [PostView["action"], string])[] = [
  ["create", "create"],
  ["replace", "replace"],
  ["cancel", "cancel"],
  ["adopt", "adopt"],
  ["hold", "on hold"],
];

/** `plan --format text`. Problems are shown on stderr, so nothing is added if they stopped the run. */
export async function planRunText({ planned, style, verbose }: PlanRun): Promise<string> {
  return planned === undefined ? "" : planText(planned.view(), style, { verbose });
}

/** A plan for a terminal: the changes, day by day, then the numbers and the guards. */
export function planText(view: PlanView, style: Style, options: PlanTextOptions): string {
  return terminalText(
    sections([
      view.days.length > 0 ? headingLines(view, style) : [],
      ...dayLines(view, style, options),
      totalLines(view, style),
      guardLines(view, style),
    ]),
  );
}

function headingLines({ timezone, days }: PlanView, style: Style): string[] {
  const actions = new Set(days.flatMap(({ posts }) => posts.map(({ action }) => action)));
  const signs = LEGEND.filter(([action]) => actions.has(action)).map(
    ([action, meaning]) => `${actionMark(action, style)} ${meaning}`,
  );
  return paragraph(`Times are in ${timezone}.`, style).concat(signs.length > 0 ? [signs.join("   ")] : []);
}

function dayLines(
  view: PlanView,
  style: Style,
  { verbose, maxChanges = MAX_CHANGES }: PlanTextOptions,
): string[][] {
  if (!verbose && view.changes > maxChanges)
    return [...listedCancels(view, style, maxChanges), countedDays(view, style)];
  const maxLines = verbose ? undefined : MAX_LINES;
  return view.days.map(({ day, posts }) => [
    style.colors.bold(day),
    ...posts.flatMap((post) => postLines(post, style, { maxLines })),
  ]);
}

/** Cancels are always shown, because a reviewer must not miss them. */
function listedCancels({ days }: PlanView, style: Style, most: number): string[][] {
  const cancels = days.flatMap(({ day, posts }) =>
    posts.filter(({ action }) => action === "cancel").map((post) => ({ day, post })),
  );
  if (cancels.length === 0) return [];
  const more = cancels.length - most;
  return [
    [
      style.colors.bold(`To cancel: ${plural(cancels.length, "post")}`),
      ...cancels
        .slice(0, most)
        .flatMap(({ day, post }, index) => [
          ...(cancels[index - 1]?.day === day ? [] : [`  ${day}`]),
          ...postLines(post, style, { maxLines: 1 }),
        ]),
      ...(more > 0 ? [`  and ${plural(more, "more", "more")}; --verbose lists them`] : []),
    ],
  ];
}

function countedDays({ days, changes }: PlanView, style: Style): string[] {
  const widest = Math.max(...days.map(({ day }) => day.length));
  return [
    ...days.map(
      (each) => `${style.colors.bold(each.day.padEnd(widest))}  ${changeCounts(countActions(each))}`,
    ),
    "",
    ...paragraph(
      `${plural(changes, "change")} in ${plural(days.length, "day")} are too many to list. ` +
        "Add --verbose to list them, or name a calendar to see only its posts.",
      style,
    ),
  ];
}

function countActions({ posts }: DayView): Record<Action, number> {
  const counts = { create: 0, replace: 0, cancel: 0, adopt: 0 };
  for (const { action } of posts) if (action !== "keep" && action !== "hold") counts[action] += 1;
  return counts;
}

function totalLines(view: PlanView, style: Style): string[] {
  const doing = changeCounts(view.summary);
  const rest = unchangedCounts(view);
  if (doing === "") return paragraph(`Nothing to do${rest === "" ? "" : `: ${rest}`}.`, style);
  return [
    // On one line, however long, because scripts and people look for it.
    `Plan: ${doing}${rest === "" ? "" : `; ${rest}`}`,
    ...paragraph(requestsSentence(view), style),
  ];
}

function guardLines(view: PlanView, style: Style): string[] {
  if (view.guards.length === 0) return [];
  return [
    style.colors.red("Apply will refuse this plan:"),
    ...view.guards.flatMap(({ code, message }) => paragraph(`${code}: ${message}`, style, "  ")),
    ...advice(view.guardAdvice, style),
  ];
}

/** Column of a post's details, below its platforms: after `  + 09:00  `. */
const INDENT = " ".repeat(11);

/** Minimum for the first changes of a text, columns, also in a narrow terminal. */
const DIFF_COLUMNS = 600;

interface PostTextOptions {
  /** Lines of a text at most; unlimited when absent. */
  readonly maxLines: number | undefined;
}

/** A post as lines for a terminal: mark, time, platforms; then text, media and reason below. */
function postLines(post: PostView, style: Style, { maxLines }: PostTextOptions): string[] {
  const width = style.width - INDENT.length;
  const body = post.action === "keep" ? [] : bodyLines(post, style, width, maxLines);
  return [...headLines(post, style, width), ...body.map((line) => INDENT + line)];
}

/** The lines below a post's first line: its text, or what happens to it, then the rest. `width` in columns. */
export function bodyLines(
  post: Pick<PostView, "content" | "differences" | "media" | "reason">,
  style: Style,
  width: number,
  maxLines: number | undefined,
): string[] {
  return [...textLines(post, style, width, maxLines), ...factLines(post, style, width)];
}

/** The sign before a post. */
export function actionMark(action: PostView["action"], { colors, marks }: Style): string {
  switch (action) {
    case "create":
      return colors.green("+");
    case "replace":
      return colors.yellow(marks.replace);
    case "cancel":
      return colors.red("-");
    case "adopt":
      return colors.cyan("=");
    case "hold":
      return colors.magenta("?");
    case "keep":
      return " ";
    default:
      return action satisfies never;
  }
}

function headLines(post: PostView, style: Style, width: number): string[] {
  const { colors } = style;
  const parts: Span[] = [
    { text: post.platforms.join(", ") },
    { text: post.id ?? "", paint: colors.bold },
    { text: post.place, paint: colors.dim },
  ];
  const [first = "", ...rest] = joinParts(parts, style, width);
  const clock = post.when.clock.padEnd(5);
  return [
    `  ${actionMark(post.action, style)} ${colors.bold(clock)}  ${first}`,
    ...rest.map((line) => INDENT + line),
  ];
}

/** Joins parts with separators, on as many lines as needed. */
export function joinParts(parts: readonly Span[], style: Style, width: number): string[] {
  const lines: Span[][] = [];
  let used = 0;
  for (const { text, ...look } of parts) {
    if (text === "") continue;
    const part = { ...look, text: escapeTerminal(text) };
    const separator = ` ${style.marks.separator} `;
    const line = lines.at(-1);
    const needed = used + separator.length + textWidth(part.text);
    if (line !== undefined && needed <= width) line.push({ text: separator }, part);
    else lines.push([part]);
    used = line !== undefined && needed <= width ? needed : textWidth(part.text);
  }
  return lines.flatMap((line) => wrap(line, { width, ellipsis: style.marks.ellipsis }));
}

/** The post's text after a bar, which separates it from plancast's own words. */
function textLines(
  { content, differences }: Pick<PostView, "content" | "differences">,
  style: Style,
  width: number,
  maxLines: number | undefined,
): string[] {
  const changed = differences.find(({ field }) => field === "content");
  const spans =
    changed?.before === undefined
      ? [{ text: oneLine(content ?? "", style) }]
      : diffSpans(changed.before, changed.after, style, maxLines === undefined);
  const diffLines = (lines: number): number => Math.max(3 * lines, Math.ceil(DIFF_COLUMNS / width));
  const limit =
    maxLines === undefined ? {} : { maxLines: changed === undefined ? maxLines : diffLines(maxLines) };
  const bar = style.colors.dim(style.marks.bar);
  return wrap(spans, { ...limit, width: width - 2, ellipsis: style.marks.ellipsis }).map(
    (line) => `${bar} ${line}`,
  );
}

function factLines(
  { differences, media, reason }: Pick<PostView, "differences" | "media" | "reason">,
  style: Style,
  width: number,
): string[] {
  const facts = differences.flatMap((each) => differenceText(each, style));
  if (media.length > 0 && !differences.some(({ field }) => field === "mediaIds")) {
    facts.push(`media: ${media.join(", ")}`);
  }
  if (reason !== undefined) facts.push(reason);
  return facts.flatMap((fact) =>
    wrap([{ text: oneLine(fact, style) }], { width, ellipsis: style.marks.ellipsis }),
  );
}

function differenceText({ field, before, after }: Difference, { marks }: Style): string[] {
  if (field !== "content") return [`${FIELD_NAMES[field]}: ${before ?? "not known"} ${marks.arrow} ${after}`];
  return before === undefined ? ["The text has changed. The service does not show the old text."] : [];
}
