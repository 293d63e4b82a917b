import type { Code } from "../calendar/codes.ts";
import { problem, type Problem } from "../calendar/problem.ts";

/** A post that is no row, and why: what follows "are left out:". */
export interface SkippedPost {
  readonly postId: string;
  readonly reason: string;
}

/** What a mistake in a row means of the post that it was made from. */
const REASONS: Partial<Record<Code, string>> = {
  "row/missing-field": "they have no text and media, or no platform",
  "row/duplicate-post": "another post says the same at the same time on the same platform",
  "platform/format": "no row can name their platforms",
};

/** Why a post is left out, by what is wrong with its row. */
export function skipReason({ code, message }: Problem): string {
  return REASONS[code] ?? message.replace(/\.$/, "");
}

/** Ids that a warning names; the JSON report has them all. */
const NAMED_IDS = 10;

/** One warning for each reason for which posts are left out. */
export function skippedPostProblems(leftOut: readonly SkippedPost[]): Problem[] {
  const byReason = new Map<string, string[]>();
  for (const { postId, reason } of leftOut) {
    const ids = byReason.get(reason);
    if (ids === undefined) byReason.set(reason, [postId]);
    else ids.push(postId);
  }
  return [...byReason].map(([reason, ids]) => {
    const posts = ids.length === 1 ? "1 scheduled post is" : `${ids.length} scheduled posts are`;
    return problem("pull/left-out", `${posts} left out: ${reason}. ${idList(ids)}`);
  });
}

/** A service that leaves the media out of its records may have some all the same. */
export function unknownMediaProblems(ids: readonly string[]): Problem[] {
  if (ids.length === 0) return [];
  const message =
    "The service does not tell the media of its posts, so the rows have none. Where a post has media, " +
    `add them to its row before you change it: a changed row is sent as it stands. ${idList(ids)}`;
  return [problem("pull/media-untold", message)];
}

function idList(ids: readonly string[]): string {
  const more = ids.length > NAMED_IDS ? `, and ${ids.length - NAMED_IDS} more` : "";
  return `(${ids.slice(0, NAMED_IDS).join(", ")}${more})`;
}
