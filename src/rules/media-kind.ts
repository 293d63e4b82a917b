import type { Limits } from "../calendar/limits.ts";
import type { MediaFile } from "../calendar/post.ts";
import type { CheckedPost } from "./check.ts";

/** What networks tell apart. */
export type MediaKind = "picture" | "GIF" | "video";

export interface KnownMedia {
  readonly file: MediaFile;
  readonly kind: MediaKind;
  /** Place among the post's media, from 0. */
  readonly item: number;
}

/** The media of a post that are files, each with its kind. Nothing is known of media that the row names by id. */
export function mediaFiles({ media }: CheckedPost, limits: Limits = {}): KnownMedia[] {
  return (media ?? []).flatMap((file, item) =>
    file.kind === "file" ? [{ file, kind: kindOf(file, limits), item }] : [],
  );
}

/** A GIF is a picture where the network says nothing of GIFs. */
function kindOf({ mime }: MediaFile, { gifs }: Limits): MediaKind {
  if (mime.startsWith("video/")) return "video";
  return mime === "image/gif" && gifs !== undefined ? "GIF" : "picture";
}
