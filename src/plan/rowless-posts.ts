import type { RemotePost } from "../calendar/post.ts";
import type { Diff } from "./diff.ts";

/** A scheduled post without a row. */
export interface RowlessPost {
  readonly post: RemotePost;
  /** The key under which the project owns it; undefined where it does not. */
  readonly ownedAs: string | undefined;
}

/** The scheduled posts that no row of the calendars stands for, earliest first. */
export function rowlessPosts({ changes, unmanaged }: Diff): readonly RowlessPost[] {
  const owned = changes.flatMap((change): RowlessPost[] =>
    change.action === "cancel" && !change.retiring ? [{ post: change.remote, ownedAs: change.key }] : [],
  );
  const strange = unmanaged.map((post): RowlessPost => ({ post, ownedAs: undefined }));
  return [...owned, ...strange].sort((one, other) => compareText(dueAt(one), dueAt(other)));
}

function dueAt({ post }: RowlessPost): string {
  return `${post.scheduledAt ?? ""} ${post.id}`;
}

function compareText(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
