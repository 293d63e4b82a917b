/** Rules about pictures and videos. */

import { canConvert } from "../../media/pictures/make-picture.ts";
import type { MediaFile } from "../../model/post.ts";
import { durationMs } from "../../model/clock.ts";
import { formatNumber, twoDigits } from "../../model/text.ts";
import {
  type Limits,
  mostPixels,
  pixelsOf,
  ratioOf,
  sizeBytes,
  sizeInUnitOf,
  takesType,
} from "../../settings/limits.ts";
import type { AccountLimits } from "../networks/account-limits.ts";
import { countText } from "./count-text.ts";
import { typeNeedsMedia } from "./option-rules.ts";
import {
  type CheckedPost,
  type Finding,
  type Rule,
  type MediaKind,
  NO_FINDINGS,
  countWithNoun,
  mediaFiles,
  isPostFile,
} from "./rule.ts";

/** Media that the row names by id may be enough. */
export const mediaMissing: Rule = {
  code: "media/required",
  severity: "warning",
  rule: "A post has a picture or video if the network requires one.",
  cause: "The network does not accept a post without a picture or video.",
  fix: "Add one, or remove that platform from the row.",
  of: "platform",
  isRefusal: true,
  check: (post, { platform, title, limits: { media_required } }) => {
    if (post.media === undefined || media_required === undefined || media_required === "no")
      return NO_FINDINGS;
    if (typeNeedsMedia(post, platform)) return NO_FINDINGS;
    const files = mediaFiles(post);
    if (files.length < post.media.length) return NO_FINDINGS;
    if (files.some(({ kind }) => media_required === "any" || kind === "video")) return NO_FINDINGS;
    const what = media_required === "any" ? "a picture or video" : "a video";
    const message = `${title} needs ${what} in each post. Name a file in media, or remove ${title} from the row.`;
    return [{ message, field: "media" }];
  },
};

/** Limits for each kind, and for all together. */
export const tooManyMedia: Rule = {
  code: "media/too-many",
  severity: "warning",
  rule: "A post has no more pictures and videos than the network accepts.",
  cause: "The post has more pictures or videos than the network accepts.",
  fix: "Remove some, or give that network its own media in a column such as `media:twitter`.",
  of: "media",
  isRefusal: true,
  check: (post, { title, limits }) => {
    const { media = [] } = post;
    const limitOf = { picture: limits.images, GIF: limits.gifs, video: limits.videos } as const;
    const files = mediaFiles(post, limits);
    const findings: Finding[] = [];
    for (const kind of ["picture", "GIF", "video"] as const satisfies readonly MediaKind[]) {
      const items = files.filter((each) => each.kind === kind).map(({ item }) => item);
      findings.push(...tooMany(items, limitOf[kind], kind, title));
    }
    return [...findings, ...tooMany([...media.keys()], limits.media, "picture or video", title)];
  },
};

/** The problem is reported at the first item over the limit. */
function tooMany(
  items: readonly number[],
  limit: number | undefined,
  what: string,
  title: string,
): Finding[] {
  const item = limit === undefined ? undefined : items[limit];
  if (limit === undefined || item === undefined) return [];
  if (limit === 0) {
    const them = items.length === 1 ? "it" : "them";
    return [{ message: `${title} accepts no ${what}. Remove ${them} from the row.`, field: "media", item }];
  }
  const nouns = what === "picture or video" ? `${limit} pictures and videos` : countWithNoun(limit, what);
  const message = `The row has ${items.length}, but ${title} accepts only ${nouns} in a post. Remove ${items.length - limit}.`;
  return [{ message, field: "media", item }];
}

export const mixedMedia: Rule = {
  code: "media/mixed",
  severity: "warning",
  rule: "A post does not mix pictures, GIFs and videos if the network accepts only one kind.",
  cause: "The post mixes kinds of media, but the network accepts only one kind in a post.",
  fix: "Keep one kind, or make two posts.",
  of: "media",
  isRefusal: true,
  check: (post, { title, limits }) => {
    if (limits.mixed !== false) return NO_FINDINGS;
    const files = mediaFiles(post, limits);
    const other = files.find(({ kind }) => kind !== files[0]?.kind);
    if (other === undefined) return NO_FINDINGS;
    const kinds = [...new Set(files.map(({ kind }) => `${kind}s`))].join(" and ");
    const message = `${title} accepts only one kind of media in a post, but the row has ${kinds}. Split it into two posts.`;
    return [{ message, field: "media", item: other.item }];
  },
};

export const mediaInThread: Rule = {
  code: "media/in-thread",
  severity: "error",
  rule: "Only texts of a thread on a network that has them have pictures or videos of their own.",
  cause: "The account gets the thread as one text, so nobody would see which picture belongs where.",
  fix: "Name the files in `media`, or give that network a row of its own.",
  of: "platform",
  check: ({ thread_media }, { title, account }) => {
    if (thread_media === undefined || account === undefined || account.joinsTexts === undefined)
      return NO_FINDINGS;
    const message = `Texts of the thread have pictures or videos of their own, and ${title} gets the thread as one text. Name the files in media, or give ${title} a row of its own.`;
    return [{ message, field: "thread_media" }];
  },
};

/** Common names of types, if they differ from the type's own. */
const NAMES = new Map([
  ["webp", "WebP"],
  ["webm", "WebM"],
  ["quicktime", "MOV"],
  ["x-m4v", "M4V"],
  ["matroska", "MKV"],
]);

/** The type by the file's bytes, whatever its extension. */
export const unsupportedType: Rule = {
  code: "media/unsupported",
  severity: "warning",
  rule: "The network accepts the type of each media file. plancast looks at the content of the file, not at its name.",
  cause: "The network does not accept files of this type.",
  fix: "Export it as one of the types in the message.",
  of: "media",
  isRefusal: true,
  check: (post, { title, limits, account }) => {
    return mediaFiles(post).flatMap(({ file, kind, item }) => {
      const taken = kind === "video" ? limits.video_types : limits.image_types;
      if (taken === undefined || takesType(taken, file.mime) || isConverted(file, account)) return [];
      const types = taken.map(nameOf).join(", ");
      const goal = taken.length === 1 ? types : "one of these";
      const message = `The content of "${file.path}" is ${nameOf(file.mime)}, but ${title} accepts ${types}. Export it as ${goal}.`;
      return [{ message, field: "media", item } as const];
    });
  },
};

/** Whether plancast makes a picture fit when it publishes. */
function isConverted(file: MediaFile, account: AccountLimits | undefined): boolean {
  return account?.convertsPictures === true && canConvert(file);
}

function nameOf(mime: string): string {
  const subtype = mime.slice(mime.indexOf("/") + 1).replace("vnd.", "");
  return NAMES.get(subtype) ?? subtype.toUpperCase();
}

export const mediaTooLarge: Rule = {
  code: "media/too-large",
  severity: "warning",
  rule: "A media file is not larger than the network allows.",
  cause: "The file is larger than the network allows.",
  fix: "Export it in a smaller size.",
  of: "media",
  isRefusal: true,
  check: (post, { title, limits, account }) => {
    const files = mediaFiles(post, limits);
    const single = files.flatMap(({ file, kind, item }) => {
      const limit = maxSizeOf(kind, limits);
      if (limit === undefined || file.bytes <= sizeBytes(limit)) return [];
      if (isConverted(file, account)) return [];
      const message = `"${file.path}" has ${sizeInUnitOf(file.bytes, limit)}, but ${title} accepts a ${kind} of at most ${spaced(limit)}. Export it in a smaller size.`;
      return [{ message, field: "media", item } as const];
    });
    return [...single, ...tooLargeTogether(files, limits.media_size, title)];
  },
};

function tooLargeTogether(
  files: readonly { readonly file: MediaFile }[],
  limit: string | undefined,
  title: string,
): readonly Finding[] {
  const bytes = files.reduce((sum, { file }) => sum + file.bytes, 0);
  if (limit === undefined || bytes <= sizeBytes(limit)) return NO_FINDINGS;
  const message = `The files of the post have ${sizeInUnitOf(bytes, limit)} together, but ${title} accepts at most ${spaced(limit)}. Export them in a smaller size.`;
  return [{ message, field: "media" }];
}

export const tooSmall: Rule = {
  code: "media/too-small",
  severity: "warning",
  rule: "A media file is not smaller than the network allows.",
  cause: "The file is smaller than the network allows.",
  fix: "Export it in a larger size.",
  of: "media",
  isRefusal: true,
  check: (post, { title, limits: { image_size_min: limit } }) => {
    if (limit === undefined) return NO_FINDINGS;
    return mediaFiles(post).flatMap(({ file, kind, item }) => {
      if (kind === "video" || file.bytes >= sizeBytes(limit)) return [];
      const message = `"${file.path}" has ${sizeInUnitOf(file.bytes, limit)}, but ${title} accepts a picture of at least ${spaced(limit)}. Export it in a larger size.`;
      return [{ message, field: "media", item } as const];
    });
  },
};

function maxSizeOf(kind: MediaKind, { image_size, gif_size, video_size }: Limits): string | undefined {
  switch (kind) {
    case "picture":
      return image_size;
    case "GIF":
      return gif_size ?? image_size;
    case "video":
      return video_size;
  }
}

/** Formats `5MiB` as `5 MiB`. */
function spaced(size: string): string {
  return size.replace(/^([\d.]+) ?([a-z]+)$/i, "$1 $2");
}

/** Whole pixels rarely give an exact ratio: 1080 × 565 px is meant as 1.91:1. */
const RATIO_TOLERANCE = 0.01;

export const wrongDimensions: Rule = {
  code: "media/dimensions",
  severity: "warning",
  rule: "The network accepts the width and height of each picture and video.",
  cause: "The picture or video has fewer or more pixels than the network allows.",
  fix: "Export it in a different size.",
  of: "media",
  isRefusal: true,
  check: (post, { title, limits, account }) => {
    const { image_pixels_min, image_pixels_max } = limits;
    const tooMany = mediaFiles(post).flatMap(({ file, kind, item }) => {
      const { width = 0, height = 0 } = file.facts ?? {};
      const most = mostPixels(file.mime, limits) ?? Infinity;
      if (width * height <= most || isConverted(file, account)) return [];
      const message = `"${file.path}" has ${width} × ${height} px, but ${title} accepts a ${kind} of at most ${formatNumber(most)} px in all. Export it in a smaller size.`;
      return [{ message, field: "media", item } as const];
    });
    if (image_pixels_min === undefined && image_pixels_max === undefined) return tooMany;
    return pictures(post, ({ path, width, height }) => {
      const least = pixelsOf(image_pixels_min ?? "0x0");
      const most = pixelsOf(image_pixels_max ?? "999999x999999");
      const isSmall = width < least.width || height < least.height;
      if (!isSmall && width <= most.width && height <= most.height) return undefined;
      const bound = isSmall ? least : most;
      const limit = `at ${isSmall ? "least" : "most"} ${bound.width} × ${bound.height} px`;
      return `"${path}" has ${width} × ${height} px, but ${title} accepts pictures of ${limit}. Export it in a ${isSmall ? "larger" : "smaller"} size.`;
    });
  },
};

export const wrongRatio: Rule = {
  code: "media/aspect-ratio",
  severity: "warning",
  rule: "The network accepts the shape of each picture (width to height), and cuts nothing off.",
  cause: "The picture is too narrow or too wide, so the network refuses it or cuts a part off.",
  fix: "Crop it.",
  of: "media",
  check: (post, { title, limits }) => {
    const { image_ratio_min, image_ratio_max } = limits;
    if (image_ratio_min === undefined && image_ratio_max === undefined) return NO_FINDINGS;
    return pictures(post, ({ path, width, height }) => {
      const ratio = width / height;
      const isNarrow =
        image_ratio_min !== undefined && ratio < ratioOf(image_ratio_min) * (1 - RATIO_TOLERANCE);
      const isWide =
        image_ratio_max !== undefined && ratio > ratioOf(image_ratio_max) * (1 + RATIO_TOLERANCE);
      if (!isNarrow && !isWide) return undefined;
      const limit = isNarrow ? `narrower than ${image_ratio_min}` : `wider than ${image_ratio_max}`;
      return `"${path}" has ${width} × ${height} px (${ratioText(ratio)}), ${limit}, so ${title} refuses or cuts it. Crop it.`;
    });
  },
};

type Picture = Pick<MediaFile, "path"> & { readonly width: number; readonly height: number };

/** The faults of each picture with known dimensions. */
function pictures(post: CheckedPost, wrong: (picture: Picture) => string | undefined): readonly Finding[] {
  return mediaFiles(post).flatMap(({ file: { path, facts = {} }, kind, item }) => {
    const { width, height } = facts;
    if (kind === "video" || width === undefined || height === undefined) return [];
    const message = wrong({ path, width, height });
    return message === undefined ? [] : [{ message, field: "media", item }];
  });
}

function ratioText(ratio: number): string {
  return `${Math.round(ratio * 100) / 100}:1`;
}

/** Encoders round the length of a video up to whole frames and sound packets. */
const TOLERANCE_MS = 500;

export const videoTooLong: Rule = {
  code: "media/too-long",
  severity: "warning",
  rule: "A video is not longer than the network allows.",
  cause: "The video is longer than the network allows.",
  fix: "Shorten the video.",
  of: "media",
  isRefusal: true,
  check: (post, { title, limits: { video_length } }) => {
    if (video_length === undefined) return NO_FINDINGS;
    const limit = durationMs(video_length);
    return mediaFiles(post).flatMap(({ file, item }) => {
      const length = file.facts?.lengthMs;
      if (length === undefined || length <= limit + TOLERANCE_MS) return [];
      const message = `"${file.path}" lasts ${clockText(length)}, but ${title} accepts videos of at most ${clockText(limit)}. Shorten the video.`;
      return [{ message, field: "media", item } as const];
    });
  },
};

/** `2:20`, or `1:02:20`; fractions of a second are rounded up. */
function clockText(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const end = `${twoDigits(seconds % 60)} min`;
  return hours === 0 ? `${minutes}:${end}` : `${hours}:${twoDigits(minutes)}:${end.replace("min", "h")}`;
}

export const brokenMedia: Rule = {
  code: "media/broken",
  severity: "warning",
  rule: "A picture or video is complete and not damaged.",
  cause: "The file is incomplete or damaged. Perhaps an export, an upload or a sync did not finish.",
  fix: "Export it again.",
  of: "post",
  check: (post) => {
    if (post.media === undefined || post.media.length === 0) return NO_FINDINGS;
    return mediaFiles(post).flatMap(({ file: { path, facts }, item }) => {
      if (facts?.damage === undefined) return [];
      const what =
        facts.damage === "cut-short"
          ? "is incomplete: its end is missing"
          : "is damaged: plancast cannot read it";
      return [{ message: `"${path}" ${what}. Export or copy it again.`, field: "media", item } as const];
    });
  },
};

export const altTooLong: Rule = {
  code: "media/alt-too-long",
  severity: "warning",
  rule: "An alt text is not longer than the network allows.",
  cause: "The alt text is longer than the network allows.",
  fix: "Shorten it.",
  of: "media",
  isRefusal: true,
  check: ({ alt = [] }, { title, limits: { alt: limit } }) => {
    if (limit === undefined) return NO_FINDINGS;
    return alt.flatMap((text, item) => {
      const length = countText(text, "characters");
      if (length <= limit) return [];
      const message = `The alt text has ${formatNumber(length)} of ${formatNumber(limit)} characters that ${title} allows. Shorten it by ${formatNumber(length - limit)}.`;
      return [{ message, field: "alt", item } as const];
    });
  },
};

/** The calendar of a post. Files with one post make one calendar with the others of their folder. */
function calendarOf({ source: { file } }: CheckedPost): string {
  return isPostFile(file) ? file.slice(0, file.lastIndexOf("/") + 1) : file;
}

/**
 * People who do not see a picture depend on it. Otherwise, teams without any alt texts would get a warning for each
 * picture.
 */
export const altMissing: Rule = {
  code: "media/alt-missing",
  severity: "warning",
  rule: "Each picture has an alt text, if other pictures of the calendar have one.",
  cause: "The calendar has alt texts, but not for this picture.",
  fix: "Describe the picture in `alt` for people who do not see it.",
  of: "all-posts",
  check: (posts) => {
    const described = new Set(posts.filter(({ alt }) => alt !== undefined).map(calendarOf));
    const seen = new Set<string>();
    return posts.flatMap((post) => {
      if (!described.has(calendarOf(post))) return [];
      return mediaFiles(post).flatMap(({ file, kind, item }) => {
        // The posts of one row share its pictures.
        const mark = JSON.stringify([post.source.file, post.source.sheet, post.source.line, file.path]);
        if (kind === "video" || (post.alt?.[item] ?? "") !== "" || seen.has(mark)) return [];
        seen.add(mark);
        const message = `"${file.path}" has no alt text. Describe the picture in alt, for people who do not see it.`;
        return [{ post, message, field: "media" as const, item }];
      });
    });
  },
};
