/** What a check is: a function from a post (and one of its platforms), or from all posts, to what is wrong. */

import type { MediaFile, Post, ResolvedMedia } from "../../model/post.ts";
import type { Field } from "../../model/fields.ts";
import { formatNumber } from "../../model/text.ts";
import type { CheckCode } from "../../problems/checks.ts";
import type { Limits } from "../../settings/limits.ts";
import type { PlatformLimits } from "../networks/platform-limits.ts";

/** A post as checks see it. */
export interface CheckedPost extends Omit<Post, "media"> {
  /** Undefined while some part of them is not in order: then nothing can be said of them. */
  readonly media: readonly ResolvedMedia[] | undefined;
}

/** What is wrong: data for a problem, whose place the post knows. */
export interface Finding {
  readonly message: string;
  readonly field: Field;
  /** Of a list, counted from 0. */
  readonly item?: number;
}

/** What is wrong with a post in the light of the others. */
export interface RowFinding extends Finding {
  readonly post: CheckedPost;
}

/** The title of a platform, for messages. */
export type TitleOf = (platform: string) => string;

export type PostRule = (post: CheckedPost) => readonly Finding[];
export type PlatformRule = (post: CheckedPost, platform: PlatformLimits) => readonly Finding[];
export type RowsRule = (posts: readonly CheckedPost[], titleOf: TitleOf) => readonly RowFinding[];

export type Rule = { readonly code: CheckCode } & (
  | { readonly of: "post"; readonly find: PostRule }
  | { readonly of: "platform"; readonly find: PlatformRule }
  /** Only for posts that have media. */
  | { readonly of: "media"; readonly find: PlatformRule }
  | { readonly of: "rows"; readonly find: RowsRule }
);

/** Most rows are in order. */
export const NO_FINDINGS: readonly Finding[] = [];

/** What networks tell apart. */
export type MediaKind = "picture" | "GIF" | "video";

interface KnownMedia {
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

/** A count with its noun: `1 picture`, `2 pictures`; none of them is `no pictures`. */
export function countWithNoun(count: number, noun: string): string {
  return `${count === 0 ? "no" : formatNumber(count)} ${noun}${count === 1 ? "" : "s"}`;
}
