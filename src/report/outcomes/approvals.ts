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

type AnswerDocument = ApprovalsDocument["answers"][number];

/** What an answer does to the status of its row. */
export type AnswerResult = Pick<AnswerDocument, "result" | "status" | "code" | "message">;

export function refusedAs(refusal: AnswerRefusal): AnswerResult {
  return { result: "refused", code: refusal.code, message: refusalText(refusal) };
}

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

/** @param timezone IANA zone of the times */
export function approvalsText(document: ApprovalsDocument, timezone: string, style: Style): string {
  const { page, saved } = document;
  const linesOf = (answers: readonly AnswerDocument[]): string[] =>
    answers.flatMap((each) => answerLines(each, document.dry_run, timezone, style));
  const rejected = document.answers.filter((each) => each.rejected_in_plan);
  const others = document.answers.filter((each) => !each.rejected_in_plan);
  // A count is enough for a post without an answer.
  const said = others.filter(({ answer, comment }) => answer !== undefined || comment !== undefined);
  const files = [...new Set(said.flatMap(({ source }) => source?.file ?? []))];
  const pageDays = page.from === page.to ? page.from : `${page.from} to ${page.to}`;
  const head = `Answers for ${pageDays}, saved ${shortTime(saved, timezone)} for the page of ${shortTime(page.made, timezone)}.`;
  return terminalText([
    ...sections([
      rejected.length === 0 ? [] : [...rejectedHead(rejected.length, style), ...linesOf(rejected)],
      paragraph(head, style),
      ...files.map((file) => [
        style.colors.bold(escapeTerminal(file)),
        ...linesOf(said.filter(({ source }) => source?.file === file)),
      ]),
      ...others.filter(({ source }) => source === undefined).map((each) => linesOf([each])),
      paragraph(summaryText(document), style),
    ]),
    ...adviceFor(document).flatMap((each) => advice(each, style)),
  ]);
}

/** First of all, and in red: posts that go out against the client's word. */
function rejectedHead(count: number, style: Style): readonly string[] {
  const what = `${plural(count, "rejected post")} ${count === 1 ? "is" : "are"} still in the plan. Set the status to draft by hand, or fix what follows and run the command again:`;
  return paragraph(what, style).map((line) => style.colors.red(line));
}

/** Graphemes of a post's text. */
const TEXT_LENGTH = 100;

function answerLines(each: AnswerDocument, isDryRun: boolean, timezone: string, style: Style): string[] {
  const { place, id, scheduled_at: at, networks = [], content = "", shown, comment, result } = each;
  const { colors } = style;
  const head =
    place === undefined || at === undefined
      ? `Not found: ${shown}`
      : [
          id === undefined ? place : `${place} ${id}`,
          fullTime(localTime(at, timezone)),
          networks.join(", "),
        ].join(` ${style.marks.separator} `);
  const paint = result === "refused" ? colors.red : each.answer === "approved" ? colors.green : colors.yellow;
  return [
    ...paragraph(head, style, "  "),
    ...(content === "" ? [] : paragraph(clipText(content, TEXT_LENGTH), style, "    ").map(colors.dim)),
    ...paragraph(resultText(each, isDryRun), style, "    ").map((line) => paint(line)),
    ...(each.ready_unapproved
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

function resultText({ answer, result, status, code, message }: AnswerDocument, isDryRun: boolean): string {
  const said = answer === undefined ? "No answer" : ANSWERS[answer];
  switch (result) {
    case "written": {
      const before = typeof status?.before === "string" ? `"${status.before}"` : "blank";
      const verb = isDryRun ? "would change" : "changed";
      return `${said}: the status ${verb} from ${before} to "${status?.after}".`;
    }
    case "unchanged":
      return `${said}: the status is already "${status?.after}".`;
    case "waiting":
      return `${said}, but the row has other posts that are not approved, so its status stays.`;
    case "unanswered":
      return `${said}.`;
    case "refused":
      return `${said}, but not written: ${message} (${code})`;
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

/** @param posts how many were on the page */
export function approvalsDocument(
  document: Omit<ApprovalsDocument, "version" | "summary">,
  posts: number,
): ApprovalsDocument {
  const { answers } = document;
  const count = (isCounted: (each: AnswerDocument) => boolean): number => answers.filter(isCounted).length;
  const written = answers.filter(({ result }) => result === "written");
  return {
    version: 1,
    ...document,
    summary: {
      approved: count(({ answer }) => answer === "approved"),
      changes: count(({ answer }) => answer === "changes"),
      unanswered: posts - count(({ answer }) => answer !== undefined),
      comments: count(({ comment }) => comment !== undefined),
      rows: new Set(written.map(({ place }) => place)).size,
      refused: count(({ result }) => result === "refused"),
      ready_unapproved: count((each) => each.ready_unapproved === true),
      rejected_in_plan: count((each) => each.rejected_in_plan === true),
    },
  };
}

/** More posts are only counted. */
const MAX_PLACES = 10;

function summaryText({ summary, answers, dry_run: isDryRun }: ApprovalsDocument): string {
  const { approved, changes, unanswered, rows, refused, ready_unapproved: ready } = summary;
  const said = counted([
    [approved, "approved"],
    [changes, "with requested changes"],
    [unanswered, "unanswered"],
  ]);
  const unapproved = answers.flatMap(({ ready_unapproved: isReady, id, place = "" }) =>
    isReady ? [escapeTerminal(id ?? place)] : [],
  );
  return [
    `${plural(approved + changes + unanswered, "post")} on the page${said === "" ? "" : `: ${said}`}.`,
    `${isDryRun ? "Would write" : "Wrote"} the status of ${plural(rows, "row")}.`,
    ...(refused === 0 ? [] : [`${plural(refused, "answer")} refused.`]),
    ...(ready === 0
      ? []
      : [`Ready without an approval: ${plural(ready, "post")} (${listSome(unapproved, MAX_PLACES)}).`]),
  ].join(" ");
}

function adviceFor({ summary, answers, dry_run: isDryRun }: ApprovalsDocument): string[] {
  const { rows, refused, ready_unapproved: ready } = summary;
  const hold =
    ready === 0
      ? []
      : ["Until your client approves a post, set its status to draft: apply schedules every ready post."];
  // Only its content identifies this row, so later edits are not noticed.
  const unnamed = answers.filter(
    ({ answer, source, id }) => answer === "approved" && source !== undefined && id === undefined,
  ).length;
  if (unnamed > 0)
    hold.push(
      `Give ${unnamed === 1 ? "1 approved row" : `${unnamed} approved rows`} an id: plancast notices later edits only in rows with an id.`,
    );
  if (isDryRun || (rows === 0 && refused === 0)) return hold;
  return [
    ...hold,
    rows > 0
      ? "Review the changes, for example with `git diff`, and commit them with plancast.approvals.json. Then `plancast plan` shows what apply would do."
      : "Make a new page with `plancast preview --for-client` and send it to your client.",
  ];
}
