/** What a check is: a function from a post (and one of its platforms), or from all posts, to what is wrong. */
import type { CheckCode } from "../calendar/checks.ts";
import type { Post, ResolvedMedia } from "../calendar/post.ts";
import type { Field } from "../calendar/row.ts";
import type { PlatformLimits } from "./platform-limits.ts";

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
