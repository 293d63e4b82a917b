/**
 * The result of an apply: for people in a terminal, in Markdown for a step summary, as annotations that GitHub shows
 * beside the rows, and as the document of `apply --format json`.
 */

import { groupBy } from "../../model/data.ts";
import type {
  ApplyResult,
  Change,
  Outcome,
  OutcomeReason,
  PendingChange,
  StepResult,
} from "../../model/plan.ts";
import { idOf } from "../../model/post.ts";
import type { WriteResult } from "../../service/records.ts";
import type { DocumentOf } from "../documents/parts.ts";
import type { applySchema } from "../documents/runs.ts";
import { actionMark, joinParts } from "../plan/plan-text.ts";
import { type PostView, FIELD_NAMES, postView } from "../plan/plan-view.ts";
import type { Annotation } from "../problems/github.ts";
import { terminalText } from "../text/escape.ts";
import { fullTime } from "../text/local-time.ts";
import { escapeMarkdown, markdownTable } from "../text/markdown.ts";
import { counted, formatDuration, plural } from "../text/numbers.ts";
import type { Style } from "../text/style.ts";
import { advice, clipText, paragraph, sections } from "../text/wrap.ts";
import { type TriggerDocument, afterApplySentence } from "./write-outcome.ts";

type ApplyDocument = DocumentOf<typeof applySchema>;
type OutcomeDocument = ApplyDocument["outcomes"][number];

function applySummary(result: ApplyResult | undefined): ApplyDocument["summary"] {
  const outcomes = result?.outcomes ?? [];
  const done = (action: Outcome["action"]): number =>
    outcomes.filter((each) => each.status === "done" && each.action === action).length;
  const ended = (status: Outcome["status"]): number =>
    outcomes.filter((each) => each.status === status).length;
  return {
    created: done("create"),
    replaced: done("replace"),
    cancelled: done("cancel"),
    adopted: done("adopt"),
    uploaded: result?.uploaded ?? 0,
    failed: ended("failed"),
    unknown: ended("unknown"),
    not_started: ended("not_started"),
    missing: result?.missing ?? 0,
  };
}

/** Text of `appliedText` for a run without changes. */
const NOTHING = "Applied: nothing";

/** `Applied: 2 created; 1 failed`. */
function appliedText({ summary }: ApplyDocument): string {
  const done = counted([
    [summary.created, "created"],
    [summary.replaced, "replaced"],
    [summary.cancelled, "cancelled"],
    [summary.adopted, "adopted"],
    [summary.uploaded, summary.uploaded === 1 ? "file uploaded" : "files uploaded"],
  ]);
  const notDone = counted([
    [summary.failed, "failed"],
    [summary.unknown, "unknown"],
    [summary.not_started, "not started"],
    [summary.missing, "missing"],
  ]);
  return `${done === "" ? NOTHING : `Applied: ${done}`}${notDone === "" ? "" : `; ${notDone}`}`;
}

/** The document of an apply; `undefined` means that it was refused before its first change. */
export function applyDocument(result: ApplyResult | undefined, after?: TriggerDocument): ApplyDocument {
  return {
    version: 1,
    summary: applySummary(result),
    outcomes: (result?.outcomes ?? []).map(outcomeDocument),
    requests: result?.requests ?? 0,
    waited_ms: Math.round(result?.waitedMs ?? 0),
    ...(after !== undefined && { automation: after }),
  };
}

function outcomeDocument(outcome: Outcome): OutcomeDocument {
  const { key, action, status } = outcome;
  switch (outcome.status) {
    case "done":
      return { key, action, status, post_id: outcome.postId };
    case "failed":
      return { key, action, status, code: outcome.code, message: reasonText(outcome.reason) };
    case "unknown":
      return { key, action, status, message: reasonText(outcome.reason) };
    case "not_started":
      return { key, action, status };
    default:
      return outcome satisfies never;
  }
}

/** Not escaped. Starts in lower case and has no full stop, except in the service's own words. */
export function reasonText(reason: OutcomeReason): string {
  switch (reason.kind) {
    case "message":
      return reason.message;
    case "published-before-cancel":
      return "the post was published before plancast could cancel it";
    case "published-before-replace":
      return "the old post was published before plancast could replace it; no new post was scheduled";
    case "both-published":
      return `the old post (${reason.oldId}) was published before plancast could cancel it; the new one is scheduled as ${reason.newId}`;
    case "old-not-cancelled": {
      const why = reason.why === undefined ? "" : `${reasonText(reason.why)}; `;
      return `${why}the new post is scheduled as ${reason.newId}; the next apply cancels the old one, ${reason.oldId}`;
    }
    case "new-not-scheduled": {
      const why = reason.why === undefined ? "the run stopped in between" : reasonText(reason.why);
      return `the old post (${reason.oldId}) is cancelled, but the new one is not scheduled: ${why}`;
    }
    case "old-gone": {
      const left = reason.newId === undefined ? "so there is" : `so the next apply cancels ${reason.newId}:`;
      return `the old post (${reason.oldId}) was gone before plancast could cancel it, perhaps because another clone replaced it, ${left} no new one`;
    }
    case "upload-unknown":
      return `plancast could not upload its media: ${reasonText(reason.why)}`;
    case "file-changed":
      return `${reason.file} changed during the run`;
    case "clock-set-back":
      return `plancast did not check ${reason.address}, because the clock was set back. Run again`;
    case "id-of-other-row":
      return `the service gave it the id ${reason.postId}, which already belongs to "${reason.otherKey}"`;
    case "not-updated": {
      const parts = reason.parts.map((part) => FIELD_NAMES[part]).join(", ");
      return `the service changed ${reason.postId} only in part: it kept the old ${parts}`;
    }
    case "run-ended":
      return "the run ended before the service answered";
    default:
      return reason satisfies never;
  }
}

/** A step, in the form of the service's answer. */
export function inWords<T>(step: StepResult<T>): WriteResult<T> {
  return "reason" in step ? { ...step, message: reasonText(step.reason) } : step;
}

/** Failed and unknown changes, at their rows. */
export function outcomeAnnotations(
  { outcomes }: ApplyDocument,
  changes: readonly Change[],
): readonly Annotation[] {
  const places = placesOf(changes);
  return outcomes.flatMap((outcome): Annotation[] => {
    const { status, code = "unknown outcome", message = "" } = outcome;
    if (status !== "failed" && status !== "unknown") return [];
    return [{ code, severity: "error", message, ...places(outcome) }];
  });
}

interface Place {
  readonly file?: string;
  readonly line?: number;
  readonly cell?: string;
}

/** The place of an outcome's row; for a missing row, its file. */
function placesOf(changes: readonly Change[]): (outcome: OutcomeDocument) => Place {
  const places = new Map(
    changes.map((change): [string, Place] => [
      `${change.action} ${change.key}`,
      change.action === "cancel" ? { file: change.file } : change.desired.at("content"),
    ]),
  );
  return ({ action, key }) => places.get(`${action} ${key}`) ?? {};
}

/** What the document does not say. */
interface AppliedRows {
  /** What was applied, with the place of each outcome's row. */
  readonly changes: readonly Change[];
  /** IANA zone for times. */
  readonly timezone: string;
  readonly interrupted: boolean;
}

interface ApplyTextOptions extends AppliedRows {
  /** How long a create with an unknown outcome waits, in ms (`safety.settle`). */
  readonly settleMs: number;
  /** Also lists completed changes, and every change that was not started. */
  readonly verbose: boolean;
}

/** The maximum number of not-started changes to list. All others are only counted. */
const MAX_NOT_STARTED = 10;

/** The result of an apply: first everything that is not done, with what to do; then the numbers. */
export function applyText(document: ApplyDocument, style: Style, options: ApplyTextOptions): string {
  const { settleMs, verbose, interrupted } = options;
  const { outcomes } = document;
  const viewOf = viewsOf(options.changes, options.timezone);
  return terminalText(
    sections([
      verbose
        ? outcomes.flatMap((each) => (each.status === "done" ? outcomeLines(each, viewOf, style) : []))
        : [],
      ...byNextStep(outcomes, settleMs).map(([step, those]) =>
        unfinishedLines(those, step, viewOf, style, verbose),
      ),
      interrupted ? paragraph("Interrupted: plancast started nothing new after the signal.", style) : [],
      totalLines(document, style),
    ]),
  );
}

/** Outcomes of one kind with the same advice; failed first, then unknown, then not started. */
function byNextStep(
  outcomes: readonly OutcomeDocument[],
  settleMs: number,
): readonly (readonly [string, readonly OutcomeDocument[]])[] {
  const sorted = (["failed", "unknown", "not_started"] as const).flatMap((status) =>
    outcomes.filter((each) => each.status === status),
  );
  return [...groupBy(sorted, (outcome) => nextStep(outcome, settleMs))];
}

function unfinishedLines(
  outcomes: readonly OutcomeDocument[],
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

function heading(outcomes: readonly OutcomeDocument[], { colors }: Style): string {
  const changes = plural(outcomes.length, "change");
  const status = outcomes[0]?.status;
  if (status === "failed") return colors.red(`${changes} failed`);
  return status === "unknown"
    ? colors.yellow(`${changes} with an unknown outcome`)
    : colors.bold(`${changes} not started`);
}

function totalLines(document: ApplyDocument, style: Style): string[] {
  const { outcomes, summary, requests, waited_ms: waitedMs } = document;
  if (outcomes.length === 0 && summary.uploaded === 0 && summary.missing === 0) return ["Nothing to do."];
  const waited = waitedMs < 1000 ? "" : `, ${formatDuration(waitedMs)} waiting for the rate limit`;
  return [
    // On one line, however long, because scripts and people look for it.
    appliedText(document),
    ...(requests === 0 ? [] : paragraph(`${plural(requests, "request")} sent${waited}.`, style)),
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
  ["platform_error", `Check on the service that the network is connected, then ${AGAIN}.`],
  ["rate_limit_exceeded", `Wait as long as the service asks, then ${AGAIN}.`],
  ["service/rate-limited", `Wait as long as the service asks, then ${AGAIN}.`],
  ["schedule/past", `Give the row a later time, then ${AGAIN}.`],
  ["apply/half-replaced", `R${AGAIN.slice(1)} now: this row has no scheduled post.`],
  ["apply/not-updated", `Delete the post on the service, then ${AGAIN}: it creates a new post for the row.`],
  ["media/changed", `Check with plancast plan that this is the right file, then ${AGAIN}.`],
]);

/** What the user can do if the outcome is not "done". `settleMs`: how long an unknown create waits. */
function nextStep({ status, action, code = "" }: OutcomeDocument, settleMs: number): string {
  if (status === "not_started") return "Run plancast apply again to do the rest.";
  if (status === "failed")
    return (
      BY_CODE.get(code) ??
      `Fix the problem in the message, then ${AGAIN}. plancast does not repeat changes that are already made.`
    );
  return action === "cancel"
    ? "Run plancast apply again. If the post is already cancelled, that counts as done."
    : `Run plancast apply again after ${formatDuration(settleMs)}. It checks for the post before it tries again, so nothing is scheduled twice.`;
}

/** Finds the change that an outcome belongs to. */
type ViewOf = (outcome: OutcomeDocument) => PostView | undefined;

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
function outcomeLines(outcome: OutcomeDocument, viewOf: ViewOf, style: Style): string[] {
  const { colors } = style;
  const view = viewOf(outcome);
  const post = outcome.post_id ?? "";
  const parts = [
    { text: view === undefined ? "" : fullTime(view.when) },
    { text: view?.networks.join(", ") ?? "" },
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
function whyLines({ status, action, code, message }: OutcomeDocument): string[] {
  if (message === undefined) return [];
  return [`${status === "failed" ? code : unknownOutcomeText(action)}: ${message}`];
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

const TABLE_HEAD = ["Change", "Outcome", "Time", "Networks", "Row", "Why"];

/** The result of an apply, for a step summary: the numbers, then what is not done. */
export function applyMarkdown(
  document: ApplyDocument,
  { changes, timezone, interrupted }: AppliedRows,
): string {
  const { outcomes, automation: after } = document;
  const viewOf = viewsOf(changes, timezone);
  const unfinished = outcomes.filter(({ status }) => status !== "done");
  const rows = unfinished.slice(0, MAX_ROWS).map((outcome) => rowCells(outcome, viewOf));
  const left = unfinished.length - rows.length;
  return [
    `### ${appliedText(document)}\n`,
    ...(rows.length === 0 ? [] : [`\n${markdownTable(TABLE_HEAD, rows)}`]),
    ...(left === 0 ? [] : [`\n**${plural(left, "more change")}** not done.\n`]),
    ...(interrupted ? ["\nInterrupted: plancast started nothing new after the signal.\n"] : []),
    ...(after === undefined ? [] : [`\n${label(afterApplySentence(after))}\n`]),
  ].join("");
}

function rowCells(outcome: OutcomeDocument, viewOf: ViewOf): readonly string[] {
  const view = viewOf(outcome);
  return [
    outcome.action,
    `**${outcome.status.replace("_", " ")}**`,
    view === undefined ? "" : escapeMarkdown(fullTime(view.when)),
    label(view?.networks.join(", ") ?? ""),
    view === undefined ? label(outcome.key) : `<code>${label(view.place)}</code>`,
    label(whyLines(outcome).join(" ")),
  ];
}

function label(text: string): string {
  return escapeMarkdown(clipText(text, MAX_TEXT));
}

/** Creates that the run postponed, and what to do. */
export function pendingText(pending: readonly PendingChange[]): string {
  const them = pending.length === 1 ? "it" : "them";
  const way = pending.some(({ until }) => until !== undefined)
    ? "Run plancast apply again later."
    : "Check on the service whether they exist, then run plancast resolve.";
  return `${plural(pending.length, "post")} pending: an earlier run may have scheduled ${them}. ${way}\n`;
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
