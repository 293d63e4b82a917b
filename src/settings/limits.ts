/**
 * The limits of a network: one form for the published limits and a project's own, so that a project writes exactly what
 * the table holds.
 */

import { z } from "zod";
import { DURATION, DURATION_FORM } from "../model/clock.ts";

const UNIT_BYTES = new Map([
  ["B", 1],
  ["kB", 1e3],
  ["MB", 1e6],
  ["GB", 1e9],
  ["KiB", 1024],
  ["MiB", 1024 ** 2],
  ["GiB", 1024 ** 3],
]);
/** The form of a size. */
export const SIZE = /^(\d{1,9}(?:\.\d{1,3})?) ?(B|[kMG]B|[KMG]iB)$/;
/** Describes a size, to follow "must be". */
export const SIZE_FORM = "a number and a unit, such as 900kB, 5MB or 5MiB";
const RATIO = /^(\d{1,5}(?:\.\d{1,3})?):(\d{1,5}(?:\.\d{1,3})?)$/;
const PIXELS = /^(\d{1,6})x(\d{1,6})$/;

/** A size such as `5MB`, as text, so that the generated schema can contain its pattern. */
export const sizeSchema = z.string().regex(SIZE, SIZE_FORM);
/** A duration such as `2m`, as text, for the same reason. */
export const durationSchema = z.string().regex(DURATION, DURATION_FORM);
const ratio = z.string().regex(RATIO, "width and height, such as 4:5 or 1.91:1");
const pixels = z.string().regex(PIXELS, "width and height in px, such as 250x250");
const count = z.int().min(0).max(1_000_000_000);
const types = z.array(z.string().regex(/^[a-z]+\/[a-z0-9.+-]+$/, "a media type, such as image/png"));

/** How a network counts a text; see count-text.ts. */
const COUNTS = ["characters", "utf16", "graphemes", "bytes", "twitter", "mastodon", "threads"] as const;

export type Count = (typeof COUNTS)[number];

/** What each way of counting counts. */
export const COUNT_MEANINGS: Readonly<Record<Count, string>> = {
  characters: "Unicode code points",
  utf16: "UTF-16 units; an emoji counts as 2 or more",
  graphemes: "characters as people see them; an emoji counts as 1",
  bytes: "bytes of UTF-8",
  twitter: "code points; an emoji, CJK or other wide character counts as 2, and a link as 23",
  mastodon: "graphemes; a link counts as 23, and a mention counts without its server",
  threads: "code points, but an emoji counts as its bytes in UTF-8",
};

/** Limits of one network, or of one platform of a project. Absent means unlimited. */
export const limitsSchema = z.strictObject({
  text: count.optional().describe("Longest text, in the unit of `count`."),
  count: z
    .enum(COUNTS)
    .optional()
    .describe(
      `Unit of the length of a text; characters by default. ${COUNTS.map((each) => `\`${each}\`: ${COUNT_MEANINGS[each]}`).join(". ")}.`,
    ),
  text_images: count
    .optional()
    .describe("Longest text of a post that has only pictures, if it differs from `text`."),
  text_bytes: count.optional().describe("Longest text in bytes of UTF-8, in addition to `text`."),
  alt: count.optional().describe("Longest alt text, in Unicode code points."),
  hashtags: count.optional().describe("Maximum number of hashtags in a text."),
  links: count.optional().describe("Maximum number of different links in a text."),
  poll_choices: count.optional().describe("Maximum number of choices of a poll."),
  poll_choice: count.optional().describe("Longest choice of a poll, in characters as people see them."),
  media_required: z
    .enum(["no", "any", "video"])
    .optional()
    .describe("Whether a post must have a picture or video (any), or a video."),
  media: count.optional().describe("Maximum number of pictures and videos together."),
  images: count.optional().describe("Maximum number of pictures."),
  gifs: count.optional().describe("Maximum number of GIFs, if they do not count as pictures."),
  videos: count.optional().describe("Maximum number of videos."),
  mixed: z.boolean().optional().describe("Whether one post may contain pictures and videos."),
  image_types: types.optional().describe("Accepted media types of pictures."),
  video_types: types.optional().describe("Accepted media types of videos."),
  image_size: sizeSchema.optional().describe("Largest file size of a picture."),
  image_size_min: sizeSchema.optional().describe("Smallest file size of a picture."),
  gif_size: sizeSchema.optional().describe("Largest file size of a GIF, if it differs from other pictures."),
  video_size: sizeSchema.optional().describe("Largest file size of a video."),
  image_pixels_min: pixels.optional().describe("Smallest width and height of a picture."),
  image_pixels_max: pixels.optional().describe("Largest width and height of a picture."),
  image_area: count.optional().describe("Largest width times height of a picture, in px."),
  gif_area: count.optional().describe("The same for a GIF, if it differs from other pictures."),
  video_area: count.optional().describe("Largest width times height of a video, in px."),
  image_ratio_min: ratio
    .optional()
    .describe("Narrowest shape of a picture, as width to height, such as 4:5."),
  image_ratio_max: ratio
    .optional()
    .describe("Widest shape of a picture, as width to height, such as 1.91:1."),
  media_size: sizeSchema.optional().describe("Largest size of all files of a post together."),
  video_length: durationSchema.optional().describe("Longest video."),
});

export type Limits = z.infer<typeof limitsSchema>;

/** A network with its published limits. */
export interface NetworkFacts {
  /** Display name. */
  readonly title: string;
  /** Names that services and people use, in lower case, without spaces and punctuation. The first is the usual one. */
  readonly names: readonly [string, ...string[]];
  /** Year and month of the last comparison of the limits with their sources. */
  readonly checked: string;
  /** Addresses of the pages with the limits. */
  readonly sources: readonly string[];
  readonly limits: Limits;
}

/** Whether a list of media types has the type. Readers without support for animated PNGs show them as PNGs. */
export function takesType(types: readonly string[], mime: string): boolean {
  return types.includes(mime === "image/apng" ? "image/png" : mime);
}

export type AreaLimits = Pick<Limits, "image_area" | "gif_area" | "video_area">;

/** The most px that a file of a type may have; undefined if all are accepted. */
export function mostPixels(mime: string, limits: AreaLimits): number | undefined {
  if (mime.startsWith("video/")) return limits.video_area;
  return mime === "image/gif" ? (limits.gif_area ?? limits.image_area) : limits.image_area;
}

/** Bytes of a size that the schema has accepted. */
export function sizeBytes(text: string): number {
  const [, number = "", unit = ""] = SIZE.exec(text) ?? [];
  return Number(number) * (UNIT_BYTES.get(unit) ?? Number.NaN);
}

/** Bytes in the unit of a limit, rounded away from the limit so that the two never look equal. */
export function sizeInUnitOf(bytes: number, limit: string): string {
  const unit = SIZE.exec(limit)?.[2] ?? "B";
  const tenths = (bytes / (UNIT_BYTES.get(unit) ?? 1)) * 10;
  const rounded = (bytes > sizeBytes(limit) ? Math.ceil(tenths) : Math.floor(tenths)) / 10;
  return `${rounded} ${unit}`;
}

/** Width by height of a ratio that the schema has accepted. */
export function ratioOf(text: string): number {
  const [, width = "", height = ""] = RATIO.exec(text) ?? [];
  return Number(width) / Number(height);
}

/** Px of dimensions that the schema has accepted. */
export function pixelsOf(text: string): { width: number; height: number } {
  const [, width = "", height = ""] = PIXELS.exec(text) ?? [];
  return { width: Number(width), height: Number(height) };
}
