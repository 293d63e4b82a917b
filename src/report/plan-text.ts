import type { Action } from "../calendar/change.ts";
import { terminalText } from "./escape-terminal.ts";
import { guardAdvice } from "./guard-advice.ts";
import { unchangedCounts, changeCounts, requestsSentence } from "./plan-counts.ts";
import type { DayView, PlanView } from "./plan-view.ts";
import { plural } from "./plural.ts";
import { actionMark, postLines } from "./post-text.ts";
import type { PostView } from "./post-view.ts";
import { advice, paragraph } from "./paragraph.ts";
import { sections } from "./sections.ts";
import type { Style } from "./style.ts";

export interface PlanTextOptions {
  /** Shows every change, and each text whole. */
  readonly verbose: boolean;
  /** With more changes than this, days are only counted. */
  readonly maxChanges?: number;
}

/** More than this nobody reads in a terminal. */
const MAX_CHANGES = 200;
/** Lines of a post's text: enough to know it again. */
const MAX_LINES = 3;

const LEGEND: readonly (readonly [PostView["action"], string])[] = [
  ["create", "create"],
  ["replace", "replace"],
  ["cancel", "cancel"],
  ["adopt", "adopt"],
  ["hold", "on hold"],
];

/** A plan for a terminal: what changes, day by day, then the numbers and what stands in the way. */
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

/** What would be taken away is always named: it is what a reviewer must not miss. */
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
      `${plural(changes, "change")} in ${plural(days.length, "day")} are too many to list here. ` +
        "Add --verbose to see each, or name a calendar to see only its posts.",
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
    // On one line, however long: scripts and eyes look for it.
    `Plan: ${doing}${rest === "" ? "" : `; ${rest}`}`,
    ...paragraph(requestsSentence(view), style),
  ];
}

function guardLines(view: PlanView, style: Style): string[] {
  if (view.guards.length === 0) return [];
  const wayOn = guardAdvice(view);
  return [
    style.colors.red("Apply will refuse this plan:"),
    ...view.guards.flatMap(({ code, message }) => paragraph(`${code}: ${message}`, style, "  ")),
    ...(wayOn === undefined ? [] : advice(wayOn, style)),
  ];
}
