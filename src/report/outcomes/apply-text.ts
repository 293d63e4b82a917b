/** The result of an apply for people: in a terminal, and in Markdown for a step summary. */

import { groupBy } from "../../model/data.ts";
import type { ApplyResult, Change, Outcome, PendingChange } from "../../model/plan.ts";
import { actionMark, joinParts } from "../plan/plan-text.ts";
import { type PostView, idOf, postView } from "../plan/plan-view.ts";
import { terminalText } from "../text/escape.ts";
import { escapeMarkdown } from "../text/markdown.ts";
import { fullTime } from "../text/local-time.ts";
import { formatDuration, plural } from "../text/numbers.ts";
import { advice, clipText, paragraph, sections } from "../text/wrap.ts";
import type { Style } from "../text/style.ts";
import { NOTHING, appliedText, reasonText } from "./apply-summary.ts";
import { type AfterApply, afterApplySentence } from "./write-outcome.ts";

interface ApplyTextOptions {
  /** What was applied, with the place of each outcome's row. */
  readonly changes: readonly Change[];
  /** IANA zone for times. */
  readonly timezone: string;
  /** How long a create with an unknown outcome waits, in ms (`safety.settle`). */
  readonly settleMs: number;
  /** Also lists completed changes, and every change that was not started. */
  readonly verbose: boolean;
}

type Unfinished = Exclude<Outcome, { status: "done" }>;

/** The maximum number of not-started changes to list. All others are only counted. */
const MAX_NOT_STARTED = 10;

/** The result of an apply: first everything that is not done, with what to do; then the numbers. */
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
      result.interrupted
        ? paragraph("Interrupted: plancast started nothing new after the signal.", style)
        : [],
      totalLines(result, style),
    ]),
  );
}

/** Outcomes of one kind with the same advice; failed first, then unknown, then not started. */
function byNextStep(
  outcomes: readonly Unfinished[],
  settleMs: number,
): readonly (readonly [string, readonly Unfinished[]])[] {
  const sorted = (["failed", "unknown", "not_started"] as const).flatMap((status) =>
    outcomes.filter((each) => each.status === status),
  );
  return [...groupBy(sorted, (outcome) => nextStep(outcome, settleMs))];
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
  if (result.outcomes.length === 0 && result.uploaded === 0) return ["Nothing to do."];
  const waited =
    result.waitedMs < 1000 ? "" : `, ${formatDuration(result.waitedMs)} waiting for the rate limit`;
  return [
    // On one line, however long, because scripts and people look for it.
    appliedText(result),
    ...(result.requests === 0
      ? []
      : paragraph(`${plural(result.requests, "request")} sent${waited}.`, style)),
  ];
}

const AGAIN = "run plancast apply again";

/** What to do about known codes; the service's own codes have no slash. */
const BY_CODE: ReadonlyMap<string, string> = new Map([
  ["validation_error", `Fix the row in the calendar as the message says, then ${AGAIN}.`],
  ["unauthorized", `Check the key (PLANCAST_API_KEY, or service.key_env), then ${AGAIN}.`],
  ["service/unauthorized", `Check the key (PLANCAST_API_KEY, or service.key_env), then ${AGAIN}.`],
  ["forbidden", `Use a key with write permission, then ${AGAIN}.`],
  ["service/forbidden", `Use a key with write permission, then ${AGAIN}.`],
  ["platform_error", `Check on the service that the platform is connected, then ${AGAIN}.`],
  ["rate_limit_exceeded", `Wait as long as the service asks, then ${AGAIN}.`],
  ["service/rate-limited", `Wait as long as the service asks, then ${AGAIN}.`],
  ["schedule/past", `Give the row a later time, then ${AGAIN}.`],
  ["apply/half-replaced", `R${AGAIN.slice(1)} now: this row has no scheduled post.`],
  ["apply/not-updated", `Delete the post on the service, then ${AGAIN}: it creates a new post for the row.`],
  ["media/changed", `Check with plancast plan that this is the right file, then ${AGAIN}.`],
]);

/** What the user can do if the outcome is not "done". `settleMs`: how long an unknown create waits. */
function nextStep(outcome: Unfinished, settleMs: number): string {
  switch (outcome.status) {
    case "failed":
      return (
        BY_CODE.get(outcome.code) ??
        `Fix the problem in the message, then ${AGAIN}. plancast does not repeat changes that are already made.`
      );
    case "unknown":
      return outcome.action === "cancel"
        ? "Run plancast apply again. If the post is already cancelled, that counts as done."
        : `Run plancast apply again after ${formatDuration(settleMs)}. It checks for the post before it tries again, ` +
            "so nothing is scheduled twice.";
    case "not_started":
      return "Run plancast apply again to do the rest.";
    default:
      return outcome satisfies never;
  }
}

/** Finds the change that an outcome belongs to. */
type ViewOf = (outcome: Outcome) => PostView | undefined;

function viewsOf(changes: readonly Change[], timezone: string): ViewOf {
  const found = new Map(changes.map((change) => [name(change), change]));
  return (outcome) => {
    const change = found.get(name(outcome));
    return change === undefined ? undefined : postView(change, timezone);
  };
}

function name({ action, key }: Pick<Outcome, "action" | "key">): string {
  return `${action} ${key}`;
}

/** The lines of one outcome: the post, its place, and the result. */
function outcomeLines(outcome: Outcome, viewOf: ViewOf, style: Style): string[] {
  const { colors } = style;
  const view = viewOf(outcome);
  const post = outcome.status === "done" ? outcome.postId : "";
  const parts = [
    { text: view === undefined ? "" : fullTime(view.when) },
    { text: view?.platforms.join(", ") ?? "" },
    // Without a place, even a derived key is useful.
    { text: (view === undefined ? outcome.key : idOf(outcome.key)) ?? "", paint: colors.bold },
    { text: view?.place ?? "", paint: colors.dim },
    { text: post, paint: colors.dim },
  ];
  const indent = " ".repeat(4);
  const [first = "", ...rest] = joinParts(parts, style, style.width - indent.length);
  return [
    `  ${actionMark(outcome.action, style)} ${first}`,
    ...rest.map((line) => indent + line),
    ...whyLines(outcome).flatMap((line) => paragraph(line, style, indent)),
  ];
}

/** Why it is not done, or its result is unknown. */
function whyLines(outcome: Outcome): string[] {
  switch (outcome.status) {
    case "failed":
      return [`${outcome.code}: ${reasonText(outcome.reason)}`];
    case "unknown":
      return [`${unknownOutcomeText(outcome.action)}: ${reasonText(outcome.reason)}`];
    case "done":
    case "not_started":
      return [];
    default:
      return outcome satisfies never;
  }
}

function unknownOutcomeText(action: Outcome["action"]): string {
  switch (action) {
    case "create":
      return "It may or may not have been scheduled";
    case "replace":
      return "The new version may or may not have been scheduled";
    case "cancel":
      return "It may or may not have been cancelled";
    case "adopt":
      return "It may or may not have been adopted";
    default:
      return action satisfies never;
  }
}

/** For a run that was refused before its first change. */
export const NOTHING_APPLIED = `### ${NOTHING}\n`;

/** Maximum number of changes that are listed, because people read a step summary. */
const MAX_ROWS = 100;
const MAX_TEXT = 400;

const TABLE_HEAD =
  "| Change | Outcome | Time | Platforms | Row | Why |\n| --- | --- | --- | --- | --- | --- |\n";

/** The result of an apply, for a step summary: the numbers, then what is not done. */
export function applyMarkdown(
  result: ApplyResult,
  changes: readonly Change[],
  timezone: string,
  after: AfterApply | undefined,
): string {
  const viewOf = viewsOf(changes, timezone);
  const unfinished = result.outcomes.filter(({ status }) => status !== "done");
  const rows = unfinished.slice(0, MAX_ROWS).map((outcome) => rowLine(outcome, viewOf));
  const left = unfinished.length - rows.length;
  return [
    `### ${appliedText(result)}\n`,
    ...(rows.length === 0 ? [] : [`\n${TABLE_HEAD}${rows.join("")}`]),
    ...(left === 0 ? [] : [`\n**${plural(left, "more change")}** not done.\n`]),
    ...(result.interrupted ? ["\nInterrupted: plancast started nothing new after the signal.\n"] : []),
    ...(after === undefined ? [] : [`\n${label(afterApplySentence(after))}\n`]),
  ].join("");
}

function rowLine(outcome: Outcome, viewOf: ViewOf): string {
  const view = viewOf(outcome);
  const cells = [
    outcome.action,
    `**${outcome.status.replace("_", " ")}**`,
    view === undefined ? "" : escapeMarkdown(fullTime(view.when)),
    label(view?.platforms.join(", ") ?? ""),
    view === undefined ? label(outcome.key) : `<code>${label(view.place)}</code>`,
    label(whyLines(outcome).join(" ")),
  ];
  return `| ${cells.join(" | ")} |\n`;
}

function label(text: string): string {
  return escapeMarkdown(clipText(text, MAX_TEXT));
}

/** Creates that the run postponed, and what to do. */
export function heldText(held: readonly PendingChange[]): string {
  const them = held.length === 1 ? "it" : "them";
  const way = held.some(({ until }) => until !== undefined)
    ? "Run plancast apply again later."
    : "Check on the service whether they exist, then run plancast resolve.";
  return `${plural(held.length, "post")} on hold: an earlier run may have scheduled ${them}. ${way}\n`;
}

/** The pull request with the lockfile; Markdown. */
export function lockfilePullRequest(lockfile: string): { readonly title: string; readonly body: string } {
  return {
    title: `Update ${lockfile}`,
    body: "plancast has applied the calendars. The lockfile records which posts on the service belong to this project, so merge it soon.",
  };
}

export const LOCKFILE_NOT_SAVED =
  "\n**The changed lockfile is not in the repository.** The job's log shows why.\n";
