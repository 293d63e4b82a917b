import type { Change } from "../calendar/change.ts";
import type { ApplyResult, Outcome } from "../calendar/outcome.ts";
import { appliedText, NOTHING } from "./apply-summary.ts";
import { terminalText } from "./escape-terminal.ts";
import { formatDuration } from "./format-duration.ts";
import { nextStep } from "./next-step.ts";
import { outcomeLines, viewsOf, type ViewOf } from "./outcome-text.ts";
import { advice, paragraph } from "./paragraph.ts";
import { plural } from "./plural.ts";
import { sections } from "./sections.ts";
import type { Style } from "./style.ts";

export interface ApplyTextOptions {
  /** What was applied: says where the row of each outcome stands. */
  readonly changes: readonly Change[];
  /** IANA zone to show times in. */
  readonly timezone: string;
  /** How long a create of unknown outcome is left alone, ms (`safety.settle`). */
  readonly settleMs: number;
  /** Lists what is done too, and every change that was not started. */
  readonly verbose: boolean;
}

type Unfinished = Exclude<Outcome, { status: "done" }>;

/** Changes that were not started are listed up to this many, then counted. */
const MAX_NOT_STARTED = 10;

/** What an apply did: first whatever is not done, with what to do next; then the numbers. */
export function applyText(result: ApplyResult, style: Style, options: ApplyTextOptions): string {
  const { settleMs, verbose } = options;
  const viewOf = viewsOf(options.changes, options.timezone);
  const done = result.outcomes.filter((each) => each.status === "done");
  const unfinished = result.outcomes.filter((each): each is Unfinished => each.status !== "done");
  return terminalText(
    sections([
      verbose ? done.flatMap((each) => outcomeLines(each, viewOf, style)) : [],
      ...byNextStep(unfinished, settleMs).map(([step, those]) =>
        unfinishedLines(those, step, viewOf, style, verbose),
      ),
      result.interrupted ? paragraph("Interrupted: nothing new was begun after the signal.", style) : [],
      totalLines(result, style),
    ]),
  );
}

/** Outcomes that ended alike and that ask for the same; failed first, then unknown, then not started. */
function byNextStep(
  outcomes: readonly Unfinished[],
  settleMs: number,
): readonly (readonly [string, readonly Unfinished[]])[] {
  const groups = new Map<string, Unfinished[]>();
  for (const status of ["failed", "unknown", "not_started"] as const) {
    for (const outcome of outcomes.filter((each) => each.status === status)) {
      const step = nextStep(outcome, settleMs);
      const group = groups.get(step);
      if (group === undefined) groups.set(step, [outcome]);
      else group.push(outcome);
    }
  }
  return [...groups];
}

function unfinishedLines(
  outcomes: readonly Unfinished[],
  step: string,
  viewOf: ViewOf,
  style: Style,
  verbose: boolean,
): string[] {
  const shown =
    verbose || outcomes[0]?.status !== "not_started" ? outcomes : outcomes.slice(0, MAX_NOT_STARTED);
  const more = outcomes.length - shown.length;
  return [
    heading(outcomes, style),
    ...shown.flatMap((each) => outcomeLines(each, viewOf, style)),
    ...(more > 0 ? [`    and ${plural(more, "more", "more")}; --verbose lists them`] : []),
    ...advice(step, style),
  ];
}

function heading(outcomes: readonly Unfinished[], { colors }: Style): string {
  const changes = plural(outcomes.length, "change");
  const status = outcomes[0]?.status ?? "not_started";
  switch (status) {
    case "failed":
      return colors.red(`${changes} failed`);
    case "unknown":
      return colors.yellow(`${changes} with an unknown outcome`);
    case "not_started":
      return colors.bold(`${changes} not started`);
    default:
      return status satisfies never;
  }
}

function totalLines(result: ApplyResult, style: Style): string[] {
  const applied = appliedText(result);
  if (applied === NOTHING) return ["Nothing to do."];
  const waited =
    result.waitedMs < 1000 ? "" : `, ${formatDuration(result.waitedMs)} of waiting for the rate limit`;
  return [
    // On one line, however long: scripts and eyes look for it.
    applied,
    ...paragraph(`${plural(result.requests, "request")} sent${waited}.`, style),
  ];
}
