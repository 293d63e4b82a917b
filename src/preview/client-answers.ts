/**
 * A client's answers: reads the file that the client's page downloads, and decides what it changes. The file comes back by
 * email, so anything may be in it: it has a size limit, and it is used as a whole or not at all. Pure.
 */

import { z } from "zod";
import {
  type ApprovalRecord,
  type RecordedAnswer,
  sealSchema,
  utcTimeSchema,
} from "../calendars/approval-record.ts";
import { changedParts, hiddenName, keysOfPosts, sealOf } from "../model/post-seal.ts";
import { groupBy, isObject } from "../model/data.ts";
import { Failure } from "../model/failure.ts";
import type { ListedPost, UtcTime } from "../model/post.ts";
import { rowMark } from "../model/row.ts";
import type { AnswerRefusal } from "../report/outcomes/approvals.ts";
import { type AnswersFile, type ClientAnswer, MAX_COMMENT } from "./preview-data.ts";

/** Largest file, in bytes: a comment on each of a thousand posts a week for a year. */
export const MAX_ANSWERS_BYTES = 32 * 1_048_576;
const MAX_ANSWERS = 50_000;
const VERSION = 1;

const hashText = z.string().regex(/^[\w-]{16}$/, "must be a hash of 16 characters");
const day = z.string().regex(/^\d{4}-\d\d-\d\d$/, "must be a day");

const answer = z.strictObject({
  post: hashText,
  seal: sealSchema,
  answer: z.enum(["approved", "changes"]).optional(),
  comment: z.string().max(MAX_COMMENT).optional(),
  shown: z.string().max(400),
});

const answersFile = z.strictObject({
  plancast_answers: z.literal(VERSION),
  page: z.strictObject({
    project: z.string().max(1_000).optional(),
    made: utcTimeSchema,
    from: day,
    to: day,
  }),
  saved: utcTimeSchema,
  answers: z.array(answer).max(MAX_ANSWERS),
});

/** How far a client's clock may be ahead, in ms. With a wrong clock, no later answer would ever count. */
const MAX_AHEAD_MS = 86_400_000;

/**
 * @param name of the file, for messages
 * @param project the name in plancast.yaml @param now in ms
 * Throws a Failure unless the file is from a page of this project and answers each post at most once.
 */
export function parseAnswers(
  text: string,
  name: string,
  project: string | undefined,
  now: number,
): AnswersFile {
  const value = parseJson(text, name);
  const version = isObject(value) ? value["plancast_answers"] : undefined;
  if (typeof version === "number" && version !== VERSION)
    throw new Failure(
      "run/newer-version",
      `${name} is from a page of another version of plancast (version ${version} of the format).`,
      "Update plancast, or make the page again with `plancast preview --for-client`.",
    );
  const read = answersFile.safeParse(value);
  if (!read.success) {
    const [issue] = read.error.issues;
    const place = issue?.path.map(String).join(".") ?? "";
    throw notAnswers(name, `${place === "" ? "the file" : place}: ${issue?.message ?? "not valid"}`);
  }
  const { page, answers, saved } = read.data;
  if (Date.parse(saved) > now + MAX_AHEAD_MS)
    throw new Failure(
      "approvals/file",
      `${name} was saved at ${saved}, which is in the future. Nothing was written, so rejected posts may still be in the plan.`,
      "Set them to draft by hand. Ask your client to correct the clock of the device, and to download the answers again.",
    );
  if (page.project !== undefined && project !== undefined && page.project !== project)
    throw new Failure(
      "approvals/other-project",
      `${name} has answers for the project "${page.project}", but this project is "${project}".`,
      "Run the command in the folder of that project.",
    );
  const seen = new Set<string>();
  for (const { post, shown } of answers) {
    if (seen.has(post))
      throw new Failure(
        "approvals/file",
        `${name} has two answers to one post: "${shown}".`,
        "Somebody edited the file. Ask for the file as the page downloaded it.",
      );
    seen.add(post);
  }
  return read.data;
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    throw notAnswers(name, "it is not JSON");
  }
}

export function notAnswers(name: string, why: string): Failure {
  return new Failure(
    "approvals/file",
    `${name} is not a file with answers: ${why}.`,
    "Ask your client for the file that the page downloaded, and save it unchanged.",
  );
}

// The decisions: answers are matched with the posts as they are now.

export interface DecidedAnswer {
  readonly answer: ClientAnswer;
  /** Undefined if no row has it. */
  readonly post: ListedPost | undefined;
  readonly decision: AnswerDecision;
}

type AnswerDecision =
  /** The status that the post's row should have. */
  | { readonly kind: "status"; readonly status: "ready" | "draft" }
  /** The row has other posts that are not approved. */
  | { readonly kind: "waiting" }
  /** It changes nothing. There may be a comment. */
  | { readonly kind: "unanswered" }
  | { readonly kind: "refused"; readonly refusal: AnswerRefusal };

/**
 * @param posts all posts of the project, in the order of `listWholePosts` @param record the newest answers so far
 * @param pastUntil posts before this time are past @returns in the order of the posts; answers without a post are last
 */
export function decideAnswers(
  { answers, saved }: Pick<AnswersFile, "answers" | "saved">,
  posts: readonly ListedPost[],
  record: ApprovalRecord,
  pastUntil: UtcTime,
): readonly DecidedAnswer[] {
  const byName = new Map(answers.map((each) => [each.post, each]));
  const accepted = new Map<ListedPost, ClientAnswer>();
  const refused = new Map<ListedPost, AnswerRefusal>();
  for (const [post, key] of keysOfPosts(posts)) {
    const name = hiddenName(key);
    const answer = byName.get(name);
    if (answer === undefined) continue;
    byName.delete(name);
    const newer = newerAnswer({ ...answer, saved }, record.get(key));
    const refusal = newer ?? refusalOf(answer, post, pastUntil);
    accepted.set(post, answer);
    if (refusal !== undefined) refused.set(post, refusal);
  }
  const rows = groupBy(posts, ({ source }) => rowMark(source));
  const found = [...accepted].map(([post, answer]): DecidedAnswer => {
    const refusal = refused.get(post);
    if (refusal !== undefined) return { answer, post, decision: { kind: "refused", refusal } };
    if (answer.answer === undefined) return { answer, post, decision: { kind: "unanswered" } };
    const due = (rows.get(rowMark(post.source)) ?? []).filter(({ scheduledAt }) => scheduledAt >= pastUntil);
    const said = due.map((each) => (refused.has(each) ? undefined : accepted.get(each)?.answer));
    return { answer, post, decision: rowDecision(said, answer) };
  });
  return [...found, ...[...byName.values()].flatMap((answer) => decideLost(answer) ?? [])];
}

/** An answer to a post that no row has; undefined if the client said nothing. */
function decideLost(answer: ClientAnswer): DecidedAnswer | undefined {
  if (answer.answer !== undefined)
    return {
      answer,
      post: undefined,
      decision: { kind: "refused", refusal: { code: "approvals/unknown-post" } },
    };
  return answer.comment === undefined
    ? undefined
    : { answer, post: undefined, decision: { kind: "unanswered" } };
}

/**
 * Whether the next apply schedules a post that the client has not approved, because its row is ready. An approval that
 * was refused does not count. @param status the row's status, after the answers were written
 */
export function isReadyUnapproved(
  { answer, post, decision }: DecidedAnswer,
  status: ListedPost["status"],
  pastUntil: UtcTime,
): boolean {
  if (post === undefined || status !== "ready" || post.scheduledAt < pastUntil) return false;
  const refusal = decision.kind === "refused" ? decision.refusal : undefined;
  if (refusal?.code === "approvals/older" && refusal.newer === "approved") return false;
  return answer.answer !== "approved" || decision.kind === "refused";
}

/** @param said the answers to all posts of a row that are still due */
function rowDecision(said: readonly ClientAnswer["answer"][], { answer }: ClientAnswer): AnswerDecision {
  if (said.includes("changes"))
    return answer === "changes" ? { kind: "status", status: "draft" } : { kind: "waiting" };
  return said.every((each) => each === "approved")
    ? { kind: "status", status: "ready" }
    : { kind: "waiting" };
}

/** Why an answer does not count: a file with a newer answer was used before. */
function newerAnswer(
  { answer, seal, saved }: ClientAnswer & { readonly saved: UtcTime },
  recorded: RecordedAnswer | undefined,
): AnswerRefusal | undefined {
  if (answer === undefined || recorded === undefined || saved >= recorded.saved) return undefined;
  if (answer === recorded.answer && changedParts(seal, recorded.seal).length === 0) return undefined;
  return { code: "approvals/older", newer: recorded.answer, saved: recorded.saved };
}

/** The record with the answers of a file. Answers to posts that are gone, past or skipped say nothing about later ones. */
export function recordAnswers(
  record: ApprovalRecord,
  decided: readonly DecidedAnswer[],
  posts: readonly ListedPost[],
  saved: UtcTime,
): ApprovalRecord {
  const keys = keysOfPosts(posts);
  const next = new Map(record);
  for (const { answer, post, decision } of decided) {
    const key = post && keys.get(post);
    const isLate = decision.kind === "refused" && decision.refusal.code !== "approvals/changed";
    if (key === undefined || answer.answer === undefined || isLate) continue;
    if ((next.get(key)?.saved ?? "") > saved) continue;
    next.set(key, { answer: answer.answer, saved, seal: answer.seal });
  }
  return next;
}

/**
 * Without an answer, nothing changes, so nothing is refused. A client who rejected an earlier version has not approved the
 * new one, so the rejection counts.
 */
function refusalOf(
  { seal, answer }: ClientAnswer,
  post: ListedPost,
  pastUntil: UtcTime,
): AnswerRefusal | undefined {
  if (answer === undefined) return undefined;
  const parts = changedParts(seal, sealOf(post));
  if (parts.length > 0 && answer === "approved") return { code: "approvals/changed", parts };
  if (post.status === "skip") return { code: "approvals/skipped" };
  return post.scheduledAt < pastUntil ? { code: "approvals/past" } : undefined;
}
