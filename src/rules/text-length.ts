import type { Count, Limits } from "../calendar/limits.ts";
import { NO_FINDINGS, type CheckedPost, type Finding, type PlatformRule } from "./check.ts";
import { countText, fitsWithoutCounting } from "./count-text.ts";
import { mediaFiles } from "./media-kind.ts";
import { formatNumber } from "../calendar/number-text.ts";

/** What surprises people in a way of counting. */
const NOTES: Readonly<Record<Count, string>> = {
  characters: "",
  utf16: "; an emoji counts 2 or more",
  graphemes: "",
  bytes: "; letters beyond ASCII have 2 to 4",
  twitter: "; links count 23, emoji and wide letters 2",
  mastodon: "; links count 23",
  threads: "; an emoji counts 4 or more, its bytes",
};

/** One limit on the length of a text. */
interface TextLimit {
  readonly count: Count;
  readonly limit: number;
}

/** How long a text is against one limit, both in what `count` counts. */
export interface TextLength extends TextLimit {
  readonly length: number;
}

/** content/too-long: the text as the network counts it, and its bytes where those are limited besides. */
export const textTooLong: PlatformRule = (post, { title, limits }) => {
  for (const limit of textLimits(post, limits)) {
    const finding = tooLong(post, limit, title);
    if (finding !== undefined) return [finding];
  }
  return NO_FINDINGS;
};

/** How much of each of its limits a text takes, in the order in which they are checked. */
export function textLengths(post: CheckedPost, limits: Limits): TextLength[] {
  return textLimits(post, limits).map((each) => ({ ...each, length: countText(post.content, each.count) }));
}

function textLimits(post: CheckedPost, limits: Limits): TextLimit[] {
  const text = limits.text_images !== undefined && hasOnlyPictures(post) ? limits.text_images : limits.text;
  return [
    ...(text === undefined ? [] : [{ count: limits.count ?? "characters", limit: text }]),
    ...(limits.text_bytes === undefined ? [] : [{ count: "bytes", limit: limits.text_bytes } as const]),
  ];
}

function tooLong(
  { content: text, platforms }: CheckedPost,
  { count, limit }: TextLimit,
  title: string,
): Finding | undefined {
  if (fitsWithoutCounting(text, count, limit)) return undefined;
  const length = countText(text, count);
  if (length <= limit) return undefined;
  const what = count === "bytes" ? "bytes" : `characters as ${title} counts them`;
  const of = count === "bytes" ? ` that ${title} takes` : "";
  const way = platforms.length > 1 ? `, or give ${title} a text of its own` : "";
  const message =
    `The text has ${formatNumber(length)} of ${formatNumber(limit)} ${what}${of}${NOTES[count]}. ` +
    `Shorten it by ${formatNumber(length - limit)}${way}.`;
  return { message, field: "content" };
}

function hasOnlyPictures(post: CheckedPost): boolean {
  const files = mediaFiles(post);
  return (
    files.length > 0 && files.length === post.media?.length && files.every(({ kind }) => kind !== "video")
  );
}
