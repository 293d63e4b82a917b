/**
 * What a publisher does with a post on one account: from what the store knows to the next step, and from a result to what
 * the store must know. Whoever takes a step first writes its claim, and then only the holder of the claim changes it. Pure.
 *
 * | state of a post on an account | next step |
 * | ----------------------------- | --------- |
 * | none, or waiting              | send it, unless it is too late |
 * | sending or unknown, claimed   | nothing until the claim ends |
 * | sending, the claim is over    | ask the network; without a way to ask, it stays unknown |
 * | unknown, with a next time     | ask the network then |
 * | waiting, with a next time     | nothing until then |
 * | published, failed, expired, unknown | nothing |
 */

import { withoutUndefined } from "../../model/data.ts";
import { isOverOnAccount } from "../../model/publication.ts";
import { type StoredPost, type StoredPublication, possiblySentUntil } from "../store/records.ts";
import type { PublishResult } from "../../networks/network.ts";

export interface Step {
  /** `end`: nothing may be sent any more. */
  readonly kind: "send" | "ask" | "end";
  /** What the store must know before the step. */
  readonly publication: StoredPublication;
}

export interface StepTerms {
  readonly platform: string;
  readonly accountId: string;
  /** Ms since the epoch. */
  readonly at: number;
  /** How late a post may still be published, in ms. */
  readonly lateMs: number;
  readonly claim: NonNullable<StoredPublication["claim"]>;
  /** Why the account cannot get the post at all. */
  readonly problem: string | undefined;
  /** Whether the network was asked, and certainly does not have the post. */
  readonly isAbsent: boolean;
}

/** Undefined if there is nothing to do. */
export function nextStep(post: StoredPost, terms: StepTerms): Step | undefined {
  const { platform, accountId, at, claim, problem, isAbsent } = terms;
  if (post.cancelled_at !== undefined || post.published_at !== undefined) return undefined;
  const before = post.publications?.[platform];
  if (before !== undefined && (isOverOnAccount(before) || isClaimedByOther(before, terms))) return undefined;
  if (!isAbsent && before?.next_at !== undefined && Date.parse(before.next_at) > at) return undefined;
  if (!isAbsent && (before?.state === "sending" || before?.state === "unknown"))
    return { kind: "ask", publication: { ...before, sent_at: possiblySentUntil(before), claim } };
  const fresh: StoredPublication = {
    account_id: accountId,
    state: "sending",
    attempts: (before?.attempts ?? 0) + 1,
    sent_at: new Date(at).toISOString(),
    parts: before?.parts ?? [],
  };
  const end =
    problem === undefined
      ? tooLate(post, before, { last: lastReason(before), ...terms })
      : ({ state: "failed", reason: problem } as const);
  return end === undefined
    ? { kind: "send", publication: { ...fresh, claim } }
    : { kind: "end", publication: { ...fresh, ...end } };
}

function isClaimedByOther({ claim }: StoredPublication, { at, claim: own }: StepTerms): boolean {
  return claim !== undefined && claim.token !== own.token && Date.parse(claim.until) > at;
}

export interface ResultTerms {
  /** Ms since the epoch. */
  readonly at: number;
  readonly lateMs: number;
  /** When another attempt may start, in ms. */
  readonly nextAt: number;
  /** Whether the network can be asked. */
  readonly canSettle: boolean;
}

/** How long after its time plancast asks the network what happened to a post, in ms. */
const ASK_FOR_MS = 24 * 3_600_000;

/** What the store must know after an attempt, or after asking the network. */
export function afterResult(
  post: StoredPost,
  publication: StoredPublication,
  result: PublishResult,
  { at, lateMs, nextAt, canSettle }: ResultTerms,
): StoredPublication {
  const { next_at: _next, reason: _reason, claim: _claim, ...rest } = publication;
  if (result.state === "published")
    return withoutUndefined({ ...rest, state: result.state, url: result.url, reason: result.note });
  const { reason } = result;
  if (result.state === "failed" && !result.retry) {
    const late =
      result.isLate === true ? tooLate(post, publication, { at, lateMs, last: QUEUED }) : undefined;
    return { ...rest, state: "failed", reason, ...late };
  }
  const next_at = new Date(nextAt).toISOString();
  if (result.state === "failed") return { ...rest, state: "waiting", next_at, reason };
  const isAsked = canSettle && at < Date.parse(post.scheduled_at) + ASK_FOR_MS;
  return { ...rest, state: "unknown", reason, ...(isAsked ? { next_at } : {}) };
}

const INTERRUPTED = "plancast ended while it was sending";
const QUEUED = "requests to the network had to wait";

/** Why the last attempt did not publish the post; undefined if there was none. */
export function lastReason(before: StoredPublication | undefined): string | undefined {
  return before?.reason ?? (before?.state === "sending" ? INTERRUPTED : undefined);
}

/** How a post ends if it is too late to publish it; undefined if it is not. */
function tooLate(
  post: StoredPost,
  before: StoredPublication | undefined,
  { at, lateMs, last }: Pick<StepTerms, "at" | "lateMs"> & { readonly last: string | undefined },
): Pick<StoredPublication, "state" | "reason"> | undefined {
  const deadline = deadlineOf(post, lateMs);
  if (at < deadline.at) return undefined;
  if (deadline.why === "expired") {
    const failure = last === undefined ? "" : `. The last attempt failed: ${last}`;
    const reason = `it expired ${new Date(deadline.at).toISOString().replace(".000Z", "Z")}${failure}`;
    // After an attempt, a part of a thread may be there.
    const isOneText = post.thread === undefined && post.first_comment === undefined;
    return { state: before === undefined || isOneText ? "expired" : "failed", reason };
  }
  const reason =
    last === undefined
      ? "plancast did not run when the post was due, and it is too late now"
      : `until it was too late: ${last}`;
  return { state: "failed", reason };
}

/** When it is too late to publish a post, and why. */
export interface Deadline {
  /** Ms since the epoch. */
  readonly at: number;
  readonly why: "late" | "expired";
}

/** The only rule for "too late": a post that is past its time by this much, in ms, or that has expired. */
export function deadlineOf(
  { scheduled_at: due, expires }: Pick<StoredPost, "scheduled_at" | "expires">,
  lateMs: number,
): Deadline {
  const late = Date.parse(due) + lateMs;
  const expiry = expires === undefined ? Infinity : Date.parse(expires);
  return expiry <= late ? { at: expiry, why: "expired" } : { at: late, why: "late" };
}

/** Whether a part of the post may be on the account already, so that it is too late to cancel it. */
export function hasBegun(publication: Pick<StoredPublication, "state" | "parts"> | undefined): boolean {
  if (publication === undefined) return false;
  const isWithout = ["waiting", "failed", "expired"].includes(publication.state);
  return !isWithout || publication.parts.length > 0;
}

/** The result on a platform, once nothing more happens there. */
export function resultOf(
  platform: string,
  publication: Omit<StoredPublication, "claim">,
): NonNullable<StoredPost["results"]>[number] {
  const { state, url, reason = "no result is known" } = publication;
  if (state === "published") return withoutUndefined({ platform, url, note: publication.reason });
  if (state === "expired") return { platform, error: reason, code: state };
  const error =
    state === "failed" && !hasBegun(publication)
      ? reason
      : `It may be published, at least in part: ${reason}`;
  return { platform, error };
}
