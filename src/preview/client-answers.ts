/**
 * A client's answers: reads the file that the client's page downloads, and decides what it changes. The file comes back by
 * email, so anything may be in it: it has a size limit, and it is used as a whole or not at all. Also makes the names and
 * seals of posts, by which the page and its answers identify them. Pure.
 */

import { hash } from "node:crypto";
import { z } from "zod";
import { groupBy, isObject } from "../model/data.ts";
import { Failure } from "../model/failure.ts";
import type { ListedMedia, ListedPost, UtcTime } from "../model/post.ts";
import { rowMark } from "../model/row.ts";
import type { AnswerRefusal } from "../report/outcomes/approvals.ts";
import { type AnswersFile, type ClientAnswer, type PostSeal, MAX_COMMENT } from "./preview-data.ts";

/** Largest file, in bytes: a comment on each of a thousand posts a week for a year. */
export const MAX_ANSWERS_BYTES = 32 * 1_048_576;
const MAX_ANSWERS = 50_000;
const VERSION = 1;

const hashText = z.string().regex(/^[\w-]{16}$/, "must be a hash of 16 characters");
const day = z.string().regex(/^\d{4}-\d\d-\d\d$/, "must be a day");
const time = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/, "must be a time in UTC");

const seal = z.strictObject({ text: hashText, networks: hashText, time: hashText, media: hashText });

const answer = z.strictObject({
  post: hashText,
  seal,
  answer: z.enum(["approved", "changes"]).optional(),
  comment: z.string().max(MAX_COMMENT).optional(),
  shown: z.string().max(400),
});

const answersFile = z.strictObject({
  plancast_answers: z.literal(VERSION),
  page: z.strictObject({
    project: z.string().max(1_000).optional(),
    made: time,
    from: day,
    to: day,
  }),
  saved: time,
  answers: z.array(answer).max(MAX_ANSWERS),
});

/**
 * @param name of the file, for messages
 * @param project the name in plancast.yaml
 * Throws a Failure unless the file is from a page of this project and answers each post at most once.
 */
export function parseAnswers(text: string, name: string, project: string | undefined): AnswersFile {
  const value = parseJson(text, name);
  const version = isObject(value) ? value["plancast_answers"] : undefined;
  if (typeof version === "number" && version !== VERSION)
    throw new Failure(
      "approvals/version",
      `${name} is from a page of another version of plancast (version ${version} of the format).`,
      "Update plancast, or make the page again with `plancast preview --for-client`.",
    );
  const read = answersFile.safeParse(value);
  if (!read.success) {
    const [issue] = read.error.issues;
    const place = issue?.path.map(String).join(".") ?? "";
    throw notAnswers(name, `${place === "" ? "the file" : place}: ${issue?.message ?? "not valid"}`);
  }
  const { page, answers } = read.data;
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
        "approvals/duplicate",
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

// How answers name a post and what they cover. A name stays the same when the post changes. A seal does not, so an answer to
// an earlier version is recognised. Both are hashes: a page for clients must not show ids and paths.

/** 96 bits: nobody can find another post with the same part. */
const LENGTH = 16;

function digest(value: unknown): string {
  return hash("sha256", JSON.stringify(value), "base64url").slice(0, LENGTH);
}

/** The names of all posts of a project, in their order. Rows without an id that say the same are counted. */
export function postNames(posts: readonly ListedPost[]): ReadonlyMap<ListedPost, string> {
  const counts = new Map<string, number>();
  return new Map(
    posts.map((post) => {
      const count = (counts.get(post.key) ?? 0) + 1;
      counts.set(post.key, count);
      return [post, digest(["plancast post", post.key, count])];
    }),
  );
}

/** Parts of a listed post that say where it comes from, or have a hash of their own. Everything else is its text. */
const NOT_TEXT: ReadonlySet<string> = new Set([
  "key",
  "source",
  "at",
  "timezone",
  "status",
  "platforms",
  "scheduledAt",
  "expires",
  "media",
]);

export function sealOf(post: ListedPost): PostSeal {
  const texts = Object.entries(post)
    .filter(([name, value]) => !NOT_TEXT.has(name) && value !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return {
    text: digest(texts),
    networks: digest(post.platforms),
    time: digest(post.expires === undefined ? post.scheduledAt : [post.scheduledAt, post.expires]),
    media: digest(post.media.map(mediaMark)),
  };
}

/**
 * The content of a file counts, wherever the file is. For a web address, the seal has only the address, because not every
 * machine has its file.
 */
function mediaMark(media: ListedMedia): readonly string[] {
  if (media.kind === "id") return ["id", media.id];
  if (media.kind === "url") return ["url", media.url];
  if ("url" in media && media.url !== undefined) return ["url", media.url];
  return "sha256" in media ? ["file", media.sha256] : ["path", media.path];
}

/** The parts of a post that differ. */
function changedParts(one: PostSeal, other: PostSeal): (keyof PostSeal)[] {
  return (["text", "networks", "time", "media"] as const).filter((part) => one[part] !== other[part]);
}
