import type { MediaFile, MediaReference, Post } from "./post.ts";

/** Media of a row as far as they could be looked at: files that are in order are known by their bytes. */
export type ListedMedia = MediaFile | MediaReference;

/** A post as people look through a calendar: also one that is not planned yet, or whose media are not in order. */
export interface ListedPost extends Omit<Post, "media"> {
  readonly status: "ready" | "draft" | "skip";
  readonly media: readonly ListedMedia[];
}
