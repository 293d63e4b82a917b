/** What a rule is: an object that says what it demands, how severe a breach is, and finds the breaches. */

import type { MediaFile, Post, ResolvedMedia } from "../../model/post.ts";
import type { Field } from "../../model/fields.ts";
import { formatNumber } from "../../model/text.ts";
import type { ProblemEntry, RuleCode } from "../../problems/catalogue.ts";
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
export interface PostFinding extends Finding {
  readonly post: CheckedPost;
}

/** The title of a platform, for messages. */
export type TitleOf = (platform: string) => string;

/**
 * A rule: its code, its texts for `plancast rules` and docs, the severity it has unless the project sets another, and
 * its check. The check gets one post, or one post for each of its platforms whose limits are known, or all posts.
 */
export type Rule = ProblemEntry & { readonly code: RuleCode } & (
    | { readonly of: "post"; readonly check: (post: CheckedPost) => readonly Finding[] }
    | { readonly of: "platform"; readonly check: PlatformCheck }
    /** Only for posts that have media. */
    | { readonly of: "media"; readonly check: PlatformCheck }
    | {
        readonly of: "all-posts";
        readonly check: (posts: readonly CheckedPost[], titleOf: TitleOf) => readonly PostFinding[];
      }
  );

type PlatformCheck = (post: CheckedPost, platform: PlatformLimits) => readonly Finding[];

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
