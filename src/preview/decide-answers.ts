/** Matches a client's answers with the posts as they are now, and decides what the status of each row should be. Pure. */

import type { ListedPost, UtcTime } from "../model/post.ts";
import { groupBy } from "../model/data.ts";
import { rowMark } from "../model/row.ts";
import type { AnswerRefusal } from "../report/outcomes/approvals.ts";
import { changedParts, postNames, sealOf } from "./post-seal.ts";
import type { ClientAnswer } from "./preview-data.ts";

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
 * @param posts all posts of the project, in the order of `listPosts` @param pastUntil posts before this time are past
 * @returns in the order of the posts; answers without a post are last
 */
export function decideAnswers(
  answers: readonly ClientAnswer[],
  posts: readonly ListedPost[],
  pastUntil: UtcTime,
): readonly DecidedAnswer[] {
  const names = postNames(posts);
  const byName = new Map(answers.map((each) => [each.post, each]));
  const accepted = new Map<ListedPost, ClientAnswer>();
  const refused = new Map<ListedPost, AnswerRefusal>();
  for (const [post, name] of names) {
    const answer = byName.get(name);
    if (answer === undefined) continue;
    byName.delete(name);
    const refusal = refusalOf(answer, post, pastUntil);
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

/** Without an answer, nothing changes, so nothing is refused. */
function refusalOf(
  { seal, answer }: ClientAnswer,
  post: ListedPost,
  pastUntil: UtcTime,
): AnswerRefusal | undefined {
  if (answer === undefined) return undefined;
  const parts = changedParts(seal, sealOf(post));
  if (parts.length > 0) return { code: "approvals/changed", parts };
  if (post.status === "skip") return { code: "approvals/skipped" };
  return post.scheduledAt < pastUntil ? { code: "approvals/past" } : undefined;
}
