/** A post of the service as a row that means just the same, or the reason why there is none. */
import { createHash } from "node:crypto";
import { utcMs } from "../calendar/canonical.ts";
import { DERIVED_KEY_PREFIX, type RemotePost } from "../calendar/post.ts";
import type { Cell } from "../calendar/row.ts";
import { findZone } from "../calendar/zone.ts";
import { localText } from "../validate/local-time.ts";
import type { Aliases } from "../validate/platforms.ts";
import type { ColumnName } from "./column-name.ts";
import type { WrittenRow } from "./format.ts";

/** What the row of a post may rely on. */
export interface RowContext {
  /** The zone in which a time is read that names none; without one, times are written in UTC. */
  readonly timezone: string | undefined;
  readonly aliases: Aliases;
}

/** Longest id that a row may have, characters. */
const ID_LENGTH = 200;

const POST_PREFIX = "post_";

/** The id that keeps the row the same post when its text or time changes: the post's own, in the form `post_<id>`. */
export function rowId(postId: string): string {
  const id = postId.startsWith(POST_PREFIX) ? postId : POST_PREFIX + postId;
  return id.length <= ID_LENGTH ? id : hashedRowId(postId);
}

/** The id of a row whose own is too long, or another's. */
export function hashedRowId(postId: string): string {
  return POST_PREFIX + createHash("sha256").update(postId).digest("hex").slice(0, 16);
}

/** @param key the row's key; one that is derived from what the row says is not written */
export function postToRow(
  post: RemotePost,
  key: string,
  context: RowContext,
): { readonly row: WrittenRow } | { readonly reason: string } {
  const { content, scheduledAt } = post;
  if (content === undefined) return { reason: "the service does not tell their text" };
  if (scheduledAt === undefined) return { reason: "the service does not tell their time" };
  if (post.platforms === undefined) return { reason: "the service does not tell their platforms" };
  const platforms = post.platforms.map((name) => platformNameInRow(name, context.aliases));
  if (!platforms.every((name) => name !== undefined))
    return { reason: "aliases in the project file give the names of their platforms to others" };
  const zone = context.timezone === undefined ? undefined : findZone(context.timezone);
  const media = post.mediaIds ?? [];
  const row = new Map<ColumnName, Cell>();
  if (!key.startsWith(DERIVED_KEY_PREFIX)) row.set("id", key);
  row.set("scheduled_at", zone === undefined ? scheduledAt : localText(zone, utcMs(scheduledAt)));
  row.set("platforms", platforms);
  if (content !== "") row.set("content", content);
  if (media.length > 0) row.set("media", media);
  return { row };
}

/** A name that is read as the identifier: itself, unless an alias has taken it. */
function platformNameInRow(identifier: string, aliases: Aliases): string | undefined {
  if ((aliases.get(identifier) ?? identifier) === identifier) return identifier;
  return [...aliases].find(([, meant]) => meant === identifier)?.[0];
}
