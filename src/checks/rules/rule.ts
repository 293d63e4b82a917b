/** The type of a rule: an object with a requirement, a severity, and a function that finds violations. */

import type { MediaFile, Post, ResolvedMedia, UtcTime } from "../../model/post.ts";
import type { Field } from "../../model/fields.ts";
import { formatNumber } from "../../model/text.ts";
import type { ProblemEntry, RuleCode } from "../../problems/catalogue.ts";
import type { Carried } from "../../model/options/carried.ts";
import type { Limits } from "../../settings/limits.ts";
import type { ClosedTimes } from "../slots/closed-times.ts";
import type { PlatformLimits } from "../networks/network-names.ts";
import type { SealedPart } from "../../model/post-seal.ts";

/** A post as checks see it. */
export interface CheckedPost extends Omit<Post, "media" | "optionMedia"> {
  /** Undefined while some of them are faulty: then rules about media do not apply. */
  readonly media: readonly ResolvedMedia[] | undefined;
  readonly optionMedia?: readonly ResolvedMedia[];
}

/** A violation: data for a problem. The post knows its place. */
export interface Finding {
  readonly message: string;
  readonly field: Field;
  /** Index in a list, from 0. */
  readonly item?: number;
}

/** A violation that depends on other posts. */
export interface PostFinding extends Finding {
  readonly post: CheckedPost;
}

/** The posts that their client has answered, but not approved as they are. */
export interface Approvals {
  readonly of: (post: Pick<Post, "source" | "platforms">) => Unapproved | undefined;
}

export interface Unapproved {
  readonly answer: "approved" | "changes";
  /** When the client gave the answer. */
  readonly saved: UtcTime;
  /** What has changed since. */
  readonly changed: readonly SealedPart[];
}

/** The title of a platform, for messages. */
export type TitleOf = (platform: string) => string;

/**
 * A rule: its code, its texts for `plancast rules` and docs, its default severity, and its check. The check gets one
 * post, or one post for each of its platforms with known limits, or all posts.
 */
export type Rule = ProblemEntry & { readonly code: RuleCode } & (
    | { readonly of: "post"; readonly check: (post: CheckedPost) => readonly Finding[] }
    /** About the time of a post. */
    | {
        readonly of: "time";
        readonly check: (post: CheckedPost, closed: ClosedTimes, titleOf: TitleOf) => readonly Finding[];
      }
    /** About the client's answers. */
    | {
        readonly of: "approval";
        readonly check: (post: CheckedPost, approvals: Approvals) => readonly Finding[];
      }
    /** About options. What the service carries is undefined if that is not known. */
    | {
        readonly of: "option";
        readonly check: (post: CheckedPost, carried: Carried | undefined) => readonly Finding[];
      }
    | ({ readonly of: "platform" } & PlatformRule)
    /** Only for posts that have media. */
    | ({ readonly of: "media" } & PlatformRule)
    | {
        readonly of: "all-posts";
        readonly check: (posts: readonly CheckedPost[], titleOf: TitleOf) => readonly PostFinding[];
      }
  );

export interface PlatformRule {
  readonly check: PlatformCheck;
  /** Whether networks refuse these posts. Where plancast publishes itself, that is an error. */
  readonly isRefusal?: true;
}

type PlatformCheck = (post: CheckedPost, platform: PlatformLimits) => readonly Finding[];

/** Most rows have no faults. */
export const NO_FINDINGS: readonly Finding[] = [];

/** The kinds of media that networks treat differently. */
export type MediaKind = "picture" | "GIF" | "video";

interface KnownMedia {
  readonly file: MediaFile;
  readonly kind: MediaKind;
  /** Index among the post's media, from 0. */
  readonly item: number;
}

/** The files among a post's media, each with its kind. Nothing is known about media that the row names by id. */
export function mediaFiles({ media }: CheckedPost, limits: Limits = {}): KnownMedia[] {
  return (media ?? []).flatMap((file, item) =>
    file.kind === "file" ? [{ file, kind: kindOf(file, limits), item }] : [],
  );
}

/** A GIF counts as a picture if it does not move, and on networks without limits for GIFs. */
function kindOf({ mime, facts }: MediaFile, { gifs }: Limits): MediaKind {
  if (mime.startsWith("video/")) return "video";
  const mayMove = mime === "image/gif" && (facts?.width === undefined || facts.lengthMs !== undefined);
  return mayMove && gifs !== undefined ? "GIF" : "picture";
}

/** A count with its noun: `1 picture`, `2 pictures`, `no pictures`. */
export function countWithNoun(count: number, noun: string): string {
  return `${count === 0 ? "no" : formatNumber(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** Whether a file holds one post, and no other. */
export function isPostFile(file: string): boolean {
  return /\.(?:md|tweet)$/i.test(file);
}

/** A text of a post: what messages call it, and where it is. */
export interface PostText extends Omit<Finding, "message"> {
  readonly name: string;
  readonly text: string;
}

/** The texts that a post publishes. */
export function textsOf(post: CheckedPost): readonly PostText[] {
  const alt = (post.alt ?? []).map((text, item): PostText => ({
    name: "The alt text",
    text,
    field: "alt",
    item,
  }));
  return [contentOf(post), ...alt, ...repliesOf(post)];
}

/** The text of the post itself. */
export function contentOf({ content }: Pick<CheckedPost, "content">): PostText {
  return { name: "The text", text: content, field: "content" };
}

/** The texts after the post. */
export function repliesOf({ thread = [], first_comment: comment }: CheckedPost): readonly PostText[] {
  return [
    ...thread.map((text, item): PostText => ({
      name: `Reply ${item + 1} of the thread`,
      text,
      field: "thread",
      item,
    })),
    ...(comment === undefined
      ? []
      : [{ name: "The first comment", text: comment, field: "first_comment" as const }]),
  ];
}
