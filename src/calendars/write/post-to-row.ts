/** Turns a post of the service into a row with exactly the same meaning, or gives the reason why that is impossible. */

import { createHash } from "node:crypto";
import type { Aliases } from "../../checks/networks/network-names.ts";
import { localText, findZone } from "../../checks/when/local-time.ts";
import { utcMs } from "../../model/canonical.ts";
import { EXTRA_PARTS, filledExtras } from "../../model/extras.ts";
import { type RemotePost, DERIVED_KEY_PREFIX } from "../../model/post.ts";
import { type Problem, problem } from "../../model/problem.ts";
import type { Cell } from "../../model/row.ts";
import { groupBy } from "../../model/data.ts";
import type { ProblemCode } from "../../problems/catalogue.ts";
import type { ColumnName, WrittenRow } from "./written-row.ts";

/** Settings that the row of a post can rely on. */
interface RowContext {
  /** The zone of times that have no zone. Without it, times are written in UTC. */
  readonly timezone: string | undefined;
  readonly aliases: Aliases;
}

/** Longest id that a row may have, in characters. */
const ID_LENGTH = 200;

const POST_PREFIX = "post_";

/** The id that keeps the row the same post after edits of text or time: the post's own, in the form `post_<id>`. */
export function rowId(postId: string): string {
  const id = postId.startsWith(POST_PREFIX) ? postId : POST_PREFIX + postId;
  return id.length <= ID_LENGTH ? id : hashedRowId(postId);
}

/** The id of a row if its own is too long or taken. */
export function hashedRowId(postId: string): string {
  return POST_PREFIX + createHash("sha256").update(postId).digest("hex").slice(0, 16);
}

/** @param key the row's key; it is not written if it is derived from the row's content */
export function postToRow(
  post: RemotePost,
  key: string,
  context: RowContext,
): { readonly row: WrittenRow } | { readonly reason: string } {
  const { content, scheduledAt, noRow } = post;
  if (noRow !== undefined) return { reason: NO_ROW[noRow] };
  if (content === undefined) return { reason: "the service does not show their text" };
  if (scheduledAt === undefined) return { reason: "the service does not show their time" };
  if (post.platforms === undefined) return { reason: "the service does not show their platforms" };
  const platforms = post.platforms.map((name) => platformNameInRow(name, context.aliases));
  if (!platforms.every((name) => name !== undefined))
    return { reason: "aliases in plancast.yaml use the names of their platforms for other platforms" };
  const zone = context.timezone === undefined ? undefined : findZone(context.timezone);
  const media = post.mediaIds ?? [];
  const row = new Map<ColumnName, Cell>();
  if (!key.startsWith(DERIVED_KEY_PREFIX)) row.set("id", key);
  const timeText = (time: string): string => (zone === undefined ? time : localText(zone, utcMs(time)));
  row.set("scheduled_at", timeText(scheduledAt));
  row.set("platforms", platforms);
  if (content !== "") row.set("content", content);
  if (media.length > 0) row.set("media", media);
  const extras = filledExtras(post);
  for (const part of EXTRA_PARTS) {
    const value = extras[part];
    if (value !== undefined) row.set(part, value);
  }
  if (extras.expires !== undefined) row.set("expires", timeText(extras.expires));
  return { row };
}

const NO_ROW: Readonly<Record<NonNullable<RemotePost["noRow"]>, string>> = {
  repeats: "the service repeats them, and a row would be only one post",
  "own-parts": "one of their networks has its own text, media or time, which the row would lose",
};

/** A name that counts as an identifier, unless it is an alias of another identifier. */
function platformNameInRow(identifier: string, aliases: Aliases): string | undefined {
  if ((aliases.get(identifier) ?? identifier) === identifier) return identifier;
  return [...aliases].find(([, meant]) => meant === identifier)?.[0];
}

/** A post that cannot become a row, and why: the text after "are left out:". */
export interface SkippedPost {
  readonly postId: string;
  readonly reason: string;
}

/** The reason why a post cannot become a row, from the fault of that row. */
const REASONS: Partial<Record<ProblemCode, string>> = {
  "row/missing-field": "they have no text and media, or no platform",
  "row/duplicate-post": "another post has the same text at the same time on the same platform",
  "platform/format": "no row can name their platforms",
};

/** Why a post is left out, by what is wrong with its row. */
export function skipReason({ code, message }: Problem): string {
  return REASONS[code] ?? message.replace(/\.$/, "");
}

/** Maximum number of ids that a warning names. The JSON report has them all. */
const NAMED_IDS = 10;

/** One warning for each reason to leave posts out. */
export function skippedPostProblems(skipped: readonly SkippedPost[]): Problem[] {
  return [...groupBy(skipped, ({ reason }) => reason)].map(([reason, group]) => {
    const ids = group.map(({ postId }) => postId);
    const posts = ids.length === 1 ? "1 scheduled post is" : `${ids.length} scheduled posts are`;
    return problem("pull/left-out", `${posts} left out: ${reason}. ${idList(ids)}`);
  });
}

/** If a service's records do not contain media, the posts may still have media. */
export function unknownMediaProblems(ids: readonly string[]): Problem[] {
  if (ids.length === 0) return [];
  const message =
    "The service does not show the media of its posts, so the rows have none. If a post has media, " +
    `add them before you change its row: plancast sends a changed row as it is. ${idList(ids)}`;
  return [problem("pull/media-untold", message)];
}

function idList(ids: readonly string[]): string {
  const more = ids.length > NAMED_IDS ? `, and ${ids.length - NAMED_IDS} more` : "";
  return `(${ids.slice(0, NAMED_IDS).join(", ")}${more})`;
}
