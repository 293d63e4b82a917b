/**
 * The parts that a post may have besides its text, networks, time and media: one table for all code that reads, compares,
 * stores, sends or shows them. Calendars, JSON and the lockfile use the same names as this code.
 *
 * In a row, an absent part is empty. In a record of the service, an absent part is unknown: the service does not show it.
 * A post without these parts has the same fingerprint as before plancast knew them. In one cell of a table, signs or lines
 * separate alt texts and the texts of a thread: they are split and joined here.
 */

import { sameList } from "./text.ts";

export interface PostExtras {
  /**
   * Descriptions of the media for people who do not see them, in the order of the media. Empty for a medium without a
   * description; empty descriptions at the end are left out.
   */
  readonly alt?: readonly string[] | undefined;
  /** Texts that follow the post as replies, in order. */
  readonly thread?: readonly string[] | undefined;
  /**
   * How many of the media belong to each text of the thread, from its first. The media before them belong to the post
   * itself. Zeros at the end are left out.
   */
  readonly thread_media?: readonly number[] | undefined;
  /** A comment of the same account, right after the post and its thread. */
  readonly first_comment?: string | undefined;
  /** Address of the post that this one answers. */
  readonly reply_to?: string | undefined;
  /** Address of the post that this one shows below its text. */
  readonly quote?: string | undefined;
  /** What readers can choose from, with the text as the question. */
  readonly poll?: readonly string[] | undefined;
  /** How long the poll runs: `1d`. Only with a poll. */
  readonly poll_length?: string | undefined;
  /** `yes` if a person may choose several answers. */
  readonly poll_multiple?: string | undefined;
  /** From this time on, nobody publishes the post any more. In UTC, as its own time, and later than that. */
  readonly expires?: string | undefined;
  /** What single networks need for the post, sorted: `mastodon.visibility: unlisted` (options/catalogue.ts). */
  readonly options?: readonly string[] | undefined;
}

/** The maximum number of texts in a thread after the post itself. One row must not become hundreds of posts. */
export const MAX_REPLIES = 50;

export type ExtraPart = keyof PostExtras;

/** Every part with its empty value, in the order in which they are shown. */
export const EMPTY_EXTRAS = {
  alt: [],
  thread: [],
  thread_media: [],
  first_comment: "",
  reply_to: "",
  quote: "",
  poll: [],
  poll_length: "",
  poll_multiple: "",
  expires: "",
  options: [],
} as const satisfies Readonly<Required<PostExtras>>;

/** TypeScript returns the keys of a literal as strings. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
export const EXTRA_PARTS = Object.keys(EMPTY_EXTRAS) as readonly ExtraPart[];

/** Without these parts, a post would say something else, so a post that would lose one is not scheduled at all. */
export const NEEDED_EXTRAS = ["thread_media", "reply_to", "quote", "poll"] as const satisfies ExtraPart[];

/** The parts that are addresses of other posts. */
export const REFERENCES = ["reply_to", "quote"] as const satisfies ExtraPart[];

export type Reference = (typeof REFERENCES)[number];

/** How long a poll runs if its row does not say it: as on the networks' own pages. */
export const DEFAULT_POLL_LENGTH = "1d";

/** The choices of a poll in one cell: lines, or texts with `|` between them. */
export function splitChoices(cell: string): readonly string[] {
  return cell.split(/\r\n?|\n/.test(cell.trim()) ? /\r\n?|\n/ : "|");
}

/** The media of each text of a post: of the post itself, and then of its thread. */
export function mediaByText<Medium>(
  media: readonly Medium[],
  { thread_media: counts = [] }: Pick<PostExtras, "thread_media">,
): readonly (readonly Medium[])[] {
  let end = media.length - counts.reduce((sum, each) => sum + each, 0);
  return [media.slice(0, end), ...counts.map((count) => media.slice(end, (end += count)))];
}

/** Whether it is too late to publish the post, whatever its own time. `now`: ms since the epoch. */
export function isExpired({ expires }: Pick<PostExtras, "expires">, now: number): boolean {
  return expires !== undefined && Date.parse(expires) <= now;
}

/** For services that store none of them. */
export const NO_EXTRAS: ReadonlySet<ExtraPart> = new Set();

/** For services that store all of them, and show them in their records. */
export const ALL_EXTRAS: ReadonlySet<ExtraPart> = new Set(EXTRA_PARTS);

const NONE: PostExtras = {};

/** The parts that are not empty, in the order of the table. Nearly every post has none. */
export function filledExtras(post: PostExtras): PostExtras {
  if (!hasExtras(post)) return NONE;
  const filled = EXTRA_PARTS.filter((part) => isFilled(post[part]));
  return Object.fromEntries(filled.map((part) => [part, post[part]]));
}

/** A loop instead of `some`, because a plan asks this several times for each post. */
export function hasExtras(post: PostExtras): boolean {
  for (const part of EXTRA_PARTS) if (isFilled(post[part])) return true;
  return false;
}

function isFilled(value: PostExtras[ExtraPart]): boolean {
  return value !== undefined && value.length > 0;
}

/**
 * The parts that a service stores; for a platform, those that it also publishes there. A set of parts is one, for a
 * service for which all platforms are equal.
 */
export interface SupportedExtras {
  has(part: ExtraPart, platform?: string): boolean;
  /** Whether anything is sent for an option, such as `mastodon.visibility: unlisted`. Default: for each. */
  sends?(option: string): boolean;
}

interface PlacedExtras extends PostExtras {
  readonly platforms: readonly string[];
}

/** A service that lacks polls lacks these, too. One message is enough. */
const POLL_DETAILS: ReadonlySet<ExtraPart> = new Set(["poll_length", "poll_multiple"]);

const NOTHING_LACKS: ReturnType<typeof lackingPlatforms> = [];

/** The filled parts that a service does not publish everywhere, each with the platforms that lack it. */
export function lackingPlatforms(
  post: PlacedExtras,
  supports: SupportedExtras = NO_EXTRAS,
): readonly (readonly [part: ExtraPart, platforms: readonly string[]])[] {
  if (!hasExtras(post)) return NOTHING_LACKS;
  return EXTRA_PARTS.filter((part) => isFilled(post[part]) && !POLL_DETAILS.has(part))
    .map((part) => [part, post.platforms.filter((platform) => !supports.has(part, platform))] as const)
    .filter(([, platforms]) => platforms.length > 0);
}

/** The posts without the parts that no platform gets: the service cannot show them, so they count for nothing. */
export function supportedPosts<Post extends PlacedExtras>(
  posts: readonly Post[],
  supports?: SupportedExtras,
): readonly Post[] {
  if (!posts.some(hasExtras)) return posts;
  return posts.map((given) => {
    const post = withSentOptions(given, supports);
    const lost = lackingPlatforms(post, supports).filter(
      ([, platforms]) => platforms.length === post.platforms.length,
    );
    if (lost.length === 0) return post;
    return { ...post, ...Object.fromEntries(lost.map(([part]) => [part, undefined])) };
  });
}

function withSentOptions<Post extends PlacedExtras>(post: Post, supports: SupportedExtras = NO_EXTRAS): Post {
  const { options = [] } = post;
  const sent = options.filter((option) => supports.sends?.(option) !== false);
  return sent.length === options.length ? post : { ...post, options: sent.length === 0 ? undefined : sent };
}

// Alt texts in one cell of a table. `Alt text 1` and `Alt text 2` are columns of their own.

/** plancast tries the separators in this order, so that a text may contain the later ones. */
const ALT_SEPARATORS = ["||", "|", "\n"] as const;

/** The alt texts in a cell, one for each medium. The cell of a post with one medium is one text, whatever it contains. */
export function splitAlt(cell: string, media: number): readonly string[] {
  const text = cell.replaceAll(/\r\n?/g, "\n");
  const separator = media > 1 ? ALT_SEPARATORS.find((each) => text.includes(each)) : undefined;
  return separator === undefined ? [text] : text.split(separator);
}

/** A cell that `splitAlt` reads as these texts; undefined if no cell is. */
export function joinAlt(texts: readonly string[], media: number): string | undefined {
  const cells = [texts.join(" | "), `${texts.join(" | ")} |`, texts.join(" || "), `${texts.join(" || ")} ||`];
  return cells.find((cell) => sameList(trimmedTexts(splitAlt(cell, media)), trimmedTexts(texts)));
}

/** The texts without spaces around them, and without empty texts at the end. */
export function trimmedTexts(texts: readonly string[]): readonly string[] {
  const trimmed = texts.map((text) => text.trim());
  while (trimmed.at(-1) === "") trimmed.pop();
  return trimmed;
}

// A thread in one cell of a table: its texts, with a line `---` between them.

const THREAD_LINE = /^[ \t]*-{3,}[ \t]*$/gm;

/** The texts of a cell that are not blank. */
export function splitThread(cell: string): readonly string[] {
  return placedTexts(cell).map(({ text }) => text);
}

/** A text of a thread, and where it is in its cell, in UTF-16 units. */
interface PlacedText {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Like `splitThread`, with the places of the texts. */
export function placedTexts(cell: string): readonly PlacedText[] {
  return splitByFences(cell).filter(({ text }) => text.trim() !== "");
}

/** The texts between lines `---`, also blank ones, without blank lines before them and blank space after them. */
export function splitByFences(cell: string): readonly PlacedText[] {
  const found: PlacedText[] = [];
  let start = 0;
  for (const { 0: line, index } of [...cell.matchAll(THREAD_LINE), { 0: "", index: cell.length }]) {
    const whole = cell.slice(start, index);
    const [blank = ""] = BLANK_LINES.exec(whole) ?? [];
    const written = whole.slice(blank.length).trimEnd();
    const from = start + blank.length;
    found.push({ text: written.replaceAll(/\r\n?/g, "\n"), start: from, end: from + written.length });
    start = index + line.length;
  }
  return found;
}

const BLANK_LINES = /^(?:[ \t]*(?:\r\n?|\n))+/;

/** What a cell says for each text of a thread, in order; blank for a text without any. */
export function splitByText(cell: string): readonly string[] {
  return cell.split(THREAD_LINE).map((part) => part.trim());
}

/** The reverse of `splitByText`. */
export function joinByText(parts: readonly string[]): string {
  return parts.join("\n---\n");
}

/** A cell that `splitThread` reads as these texts; undefined if no cell is. */
export function joinThread(texts: readonly string[]): string | undefined {
  const cell = texts.join("\n---\n");
  return sameList(splitThread(cell), texts) ? cell : undefined;
}
