/** A client's answers beside the rows: what plancast wrote into calendars, and what it refused. */

import type { SealedPart } from "../../model/post-seal.ts";
import type { UtcTime } from "../../model/post.ts";
import { SEALED_PARTS, listSome } from "../../problems/plan-texts.ts";
import type { ApprovalsDocument } from "../documents/calendars.ts";
import { escapeTerminal, terminalText } from "../text/escape.ts";
import { fullTime, localTime, shortTime } from "../text/local-time.ts";
import { counted, plural } from "../text/numbers.ts";
import type { Style } from "../text/style.ts";
import { advice, clipText, paragraph, sections } from "../text/wrap.ts";

/** Why an answer changes nothing. */
export type AnswerRefusal =
  | { readonly code: "approvals/unknown-post" | "approvals/past" | "approvals/skipped" }
  | { readonly code: "approvals/changed"; readonly parts: readonly SealedPart[] }
  /** A file that was saved later has been used before. */
  | { readonly code: "approvals/older"; readonly newer: "approved" | "changes"; readonly saved: UtcTime }
  /** Several words mean the status, most frequent first. */
  | {
      readonly code: "approvals/status";
      readonly status: "ready" | "draft";
      readonly words: readonly (readonly [word: string, rows: number])[];
    }
  /** The given word has another meaning in this calendar. */
  | { readonly code: "approvals/status"; readonly status: "ready" | "draft"; readonly given: string }
  /** The status comes from a yes-or-no column with this name. */
  | { readonly code: "approvals/status"; readonly column: string }
  | { readonly code: "write/not-written"; readonly message: string }
  | { readonly code: "write/file-changed" };

export type AnswerResult =
  /** With --dry-run, plancast writes nothing. */
  | { readonly kind: "written"; readonly before: string | undefined; readonly after: string }
  | { readonly kind: "unchanged"; readonly status: string }
  /** The row has other posts that the client has not approved. */
  | { readonly kind: "waiting" }
  /** There may be a comment. */
  | { readonly kind: "unanswered" }
  | { readonly kind: "refused"; readonly refusal: AnswerRefusal };

/** More files are only counted in a question. */
const MAX_NAMED = 5;

/** Asks before it adds a status to calendars that have none. @param areTables whether all of them have columns */
export function addStatusQuestion(files: readonly string[], areTables: boolean): string {
  const more = files.length - MAX_NAMED;
  const names = [...files.slice(0, MAX_NAMED), ...(more > 0 ? [plural(more, "other file")] : [])];
  const have = files.length === 1 ? "has" : "have";
  const what = areTables ? "status column" : "status";
  return `${escapeTerminal(names.join(", "))} ${have} no ${what}. Add one and write the answers there?`;
}

export interface ReportedAnswer {
  /** The row's post; undefined if no row has it. */
  readonly post:
    | {
        readonly file: string;
        readonly line: number;
        /** `calendars/march.csv:4` */
        readonly place: string;
        readonly id: string | undefined;
        readonly scheduledAt: UtcTime;
        /** Display names. */
        readonly networks: readonly string[];
        readonly content: string;
      }
    | undefined;
  /** What the client saw, as the file says. */
  readonly shown: string;
  readonly answer: "approved" | "changes" | undefined;
  readonly comment: string | undefined;
  readonly result: AnswerResult;
  /** Whether apply schedules the post although the client has not approved it. */
  readonly isReadyUnapproved: boolean;
  /** Whether apply schedules the post, or may schedule it, although the client rejected it. */
  readonly isRejectedInPlan: boolean;
  /** Whether only its content identifies the row, so that later edits are not noticed. */
  readonly hasNoId: boolean;
}

export interface ApprovalsReport {
  readonly page: {
    readonly project?: string | undefined;
    readonly made: UtcTime;
    readonly from: string;
    readonly to: string;
  };
  readonly saved: UtcTime;
  /** How many posts were on the page. */
  readonly posts: number;
  /** Listed in the order of the calendars. */
  readonly answers: readonly ReportedAnswer[];
  readonly isDryRun: boolean;
  /** IANA zone for times. */
  readonly timezone: string;
}

export function approvalsText(report: ApprovalsReport, style: Style): string {
  const { answers, page, saved, timezone } = report;
  const files = [
    ...new Set(
      answers
        .filter((each) => !each.isRejectedInPlan && !isSilent(each))
        .flatMap(({ post }) => post?.file ?? []),
    ),
  ];
  const pageDays = page.from === page.to ? page.from : `${page.from} to ${page.to}`;
  const head = `Answers for ${pageDays}, saved ${shortTime(saved, timezone)} for the page of ${shortTime(page.made, timezone)}.`;
  const unknown = answers.filter(({ post, isRejectedInPlan }) => post === undefined && !isRejectedInPlan);
  const rejected = answers.filter(({ isRejectedInPlan }) => isRejectedInPlan);
  return terminalText([
    ...sections([
      rejectedLines(rejected, report, style),
      paragraph(head, style),
      ...files.map((file) => [
        style.colors.bold(escapeTerminal(file)),
        ...answers
          .filter((each) => each.post?.file === file && !each.isRejectedInPlan && !isSilent(each))
          .flatMap((each) => answerLines(each, report, style)),
      ]),
      ...unknown.map((each) => answerLines(each, report, style)),
      paragraph(summary(report), style),
    ]),
    ...adviceFor(report).flatMap((each) => advice(each, style)),
  ]);
}

/** A count is enough for a post without an answer. */
function isSilent({ answer, comment }: ReportedAnswer): boolean {
  return answer === undefined && comment === undefined;
}

/** First of all, and in red: posts that go out against the client's word. */
function rejectedLines(
  rejected: readonly ReportedAnswer[],
  report: ApprovalsReport,
  style: Style,
): readonly string[] {
  if (rejected.length === 0) return [];
  const what = `${plural(rejected.length, "rejected post")} ${rejected.length === 1 ? "is" : "are"} still in the plan. Set the status to draft by hand, or fix what follows and run the command again:`;
  return [
    ...paragraph(what, style).map((line) => style.colors.red(line)),
    ...rejected.flatMap((each) => answerLines(each, report, style)),
  ];
}

/** More posts are only counted. */
const MAX_PLACES = 10;

/** Graphemes of a post's text. */
const TEXT_LENGTH = 100;

function answerLines(each: ReportedAnswer, report: ApprovalsReport, style: Style): string[] {
  const { post, shown, comment, result } = each;
  const { colors } = style;
  const head =
    post === undefined
      ? `Not found: ${shown}`
      : [
          post.id === undefined ? post.place : `${post.place} ${post.id}`,
          fullTime(localTime(post.scheduledAt, report.timezone)),
          post.networks.join(", "),
        ].join(` ${style.marks.separator} `);
  const paint =
    result.kind === "refused" ? colors.red : each.answer === "approved" ? colors.green : colors.yellow;
  return [
    ...paragraph(head, style, "  "),
    ...(post === undefined || post.content === ""
      ? []
      : paragraph(clipText(post.content, TEXT_LENGTH), style, "    ").map(colors.dim)),
    ...paragraph(resultText(each, report), style, "    ").map((line) => paint(line)),
    ...(each.isReadyUnapproved
      ? paragraph(each.answer === undefined ? SCHEDULED : STOPPED, style, "    ").map(colors.yellow)
      : []),
    ...(comment === undefined
      ? []
      : comment
          .split(/\r\n|[\r\n]/)
          .flatMap((line, index) =>
            paragraph(index === 0 ? `Comment: ${line}` : line, style, index === 0 ? "    " : "      "),
          )),
  ];
}

const SCHEDULED = "Its status is ready: the next apply schedules it.";
/** The record of answers has it. */
const STOPPED = "Its status is ready: plan and apply stop at it. (row/not-approved)";

const ANSWERS = { approved: "Approved", changes: "Changes requested" };

function resultText({ answer, result }: ReportedAnswer, { isDryRun }: ApprovalsReport): string {
  const said = answer === undefined ? "No answer" : ANSWERS[answer];
  switch (result.kind) {
    case "written": {
      const before = result.before === undefined ? "blank" : `"${result.before}"`;
      const verb = isDryRun ? "would change" : "changed";
      return `${said}: the status ${verb} from ${before} to "${result.after}".`;
    }
    case "unchanged":
      return `${said}: the status is already "${result.status}".`;
    case "waiting":
      return `${said}, but the row has other posts that are not approved, so its status stays.`;
    case "unanswered":
      return `${said}.`;
    case "refused":
      return `${said}, but not written: ${refusalText(result.refusal)} (${result.refusal.code})`;
    default:
      return result satisfies never;
  }
}

/** Not escaped. */
function refusalText(refusal: AnswerRefusal): string {
  switch (refusal.code) {
    case "approvals/older":
      return `your client answered later, on ${shortTime(refusal.saved, "UTC")} UTC: ${ANSWERS[refusal.newer].toLowerCase()}.`;
    case "approvals/unknown-post":
      return "no row has this post. The row was changed or removed, or has an error. Make a new page.";
    case "approvals/past":
      return "the time of the post has passed.";
    case "approvals/skipped":
      return "the row is skipped. Change its status by hand if you want to publish it.";
    case "approvals/changed": {
      const parts = refusal.parts.map((part) => SEALED_PARTS[part]);
      return `the ${parts.join(" and the ")} of the post changed after the page was made. Make a new page.`;
    }
    case "approvals/status":
      return statusText(refusal);
    case "write/not-written":
      return refusal.message;
    case "write/file-changed":
      return "somebody changed the calendar while plancast ran. Run the command again.";
    default:
      return refusal satisfies never;
  }
}

function statusText(refusal: Extract<AnswerRefusal, { readonly code: "approvals/status" }>): string {
  if ("column" in refusal) return `"${refusal.column}" sets the status with yes or no. Change it by hand.`;
  const { status } = refusal;
  if ("given" in refusal)
    return `in this calendar, "${refusal.given}" does not mean ${status}. Add the word to \`status_values\` in plancast.yaml, or use another one.`;
  const words = refusal.words.map(([word, rows]) => `"${word}" (${plural(rows, "row")})`).join(", ");
  return `several words of this calendar mean ${status}: ${words}. Choose one with --${status} WORD.`;
}

function countOf({ answers }: ApprovalsReport, isCounted: (each: ReportedAnswer) => boolean): number {
  return answers.filter(isCounted).length;
}

/** What the numbers of a report are, by their names in JSON. */
function countsOf(report: ApprovalsReport) {
  const written = report.answers.filter(({ result }) => result.kind === "written");
  const rows = new Set(written.map(({ post }) => JSON.stringify([post?.place])));
  const decided = countOf(report, ({ answer }) => answer !== undefined);
  return {
    approved: countOf(report, ({ answer }) => answer === "approved"),
    changes: countOf(report, ({ answer }) => answer === "changes"),
    unanswered: report.posts - decided,
    comments: countOf(report, ({ comment }) => comment !== undefined),
    rows: rows.size,
    refused: countOf(report, ({ result }) => result.kind === "refused"),
    ready_unapproved: countOf(report, (each) => each.isReadyUnapproved),
    rejected_in_plan: countOf(report, (each) => each.isRejectedInPlan),
  };
}

function summary(report: ApprovalsReport): string {
  const counts = countsOf(report);
  const said = counted([
    [counts.approved, "approved"],
    [counts.changes, "with requested changes"],
    [counts.unanswered, "unanswered"],
  ]);
  const verb = report.isDryRun ? "Would write" : "Wrote";
  const refused = counts.refused === 0 ? "" : ` ${plural(counts.refused, "answer")} refused.`;
  const unapproved = report.answers.flatMap(({ isReadyUnapproved, post }) =>
    isReadyUnapproved && post !== undefined ? [escapeTerminal(post.id ?? post.place)] : [],
  );
  const ready =
    counts.ready_unapproved === 0
      ? ""
      : ` Ready without an approval: ${plural(counts.ready_unapproved, "post")} (${listSome(unapproved, MAX_PLACES)}).`;
  return `${plural(report.posts, "post")} on the page${said === "" ? "" : `: ${said}`}. ${verb} the status of ${plural(counts.rows, "row")}.${refused}${ready}`;
}

function adviceFor(report: ApprovalsReport): string[] {
  const { rows, refused, ready_unapproved: ready } = countsOf(report);
  const hold =
    ready === 0
      ? []
      : ["Until your client approves a post, set its status to draft: apply schedules every ready post."];
  const unnamed = countOf(report, ({ answer, hasNoId }) => answer === "approved" && hasNoId);
  if (unnamed > 0)
    hold.push(
      `Give ${unnamed === 1 ? "1 approved row" : `${unnamed} approved rows`} an id: plancast notices later edits only in rows with an id.`,
    );
  if (report.isDryRun || (rows === 0 && refused === 0)) return hold;
  return [
    ...hold,
    rows > 0
      ? "Review the changes, for example with `git diff`, and commit them with plancast.approvals.json. Then `plancast plan` shows what apply would do."
      : "Make a new page with `plancast preview --for-client` and send it to your client.",
  ];
}

export function approvalsDocument(report: ApprovalsReport): ApprovalsDocument {
  const { page, saved, answers, isDryRun } = report;
  return {
    version: 1,
    page,
    saved,
    dry_run: isDryRun,
    summary: countsOf(report),
    answers: answers.map(({ post, shown, answer, comment, result, isReadyUnapproved, isRejectedInPlan }) => ({
      source: post && { file: post.file, line: post.line },
      id: post?.id,
      scheduled_at: post?.scheduledAt,
      networks: post?.networks,
      content: post?.content,
      shown,
      answer,
      comment,
      result: result.kind,
      status:
        result.kind === "written"
          ? { before: result.before ?? null, after: result.after }
          : result.kind === "unchanged"
            ? { before: result.status, after: result.status }
            : undefined,
      code: result.kind === "refused" ? result.refusal.code : undefined,
      message: result.kind === "refused" ? refusalText(result.refusal) : undefined,
      ready_unapproved: isReadyUnapproved || undefined,
      rejected_in_plan: isRejectedInPlan || undefined,
    })),
  };
}
