import { pixelsOf, ratioOf } from "../calendar/limits.ts";
import type { MediaFile } from "../calendar/post.ts";
import { NO_FINDINGS, type CheckedPost, type Finding, type PlatformRule } from "./check.ts";
import { mediaFiles } from "./media-kind.ts";

/** Whole pixels seldom make a ratio to the digit: 1080 × 565 px is meant for 1.91:1. */
const RATIO_TOLERANCE = 0.01;

/** media/dimensions */
export const wrongDimensions: PlatformRule = (post, { title, limits }) => {
  const { image_pixels_min, image_pixels_max } = limits;
  if (image_pixels_min === undefined && image_pixels_max === undefined) return NO_FINDINGS;
  return pictures(post, ({ path, width, height }) => {
    const least = pixelsOf(image_pixels_min ?? "0x0");
    const most = pixelsOf(image_pixels_max ?? "999999x999999");
    const isSmall = width < least.width || height < least.height;
    if (!isSmall && width <= most.width && height <= most.height) return undefined;
    const bound = isSmall ? least : most;
    const limit = `at ${isSmall ? "least" : "most"} ${bound.width} × ${bound.height} px`;
    return `"${path}" has ${width} × ${height} px, and ${title} takes pictures of ${limit}. Export it ${isSmall ? "larger" : "smaller"}.`;
  });
};

/** media/aspect-ratio */
export const wrongRatio: PlatformRule = (post, { title, limits }) => {
  const { image_ratio_min, image_ratio_max } = limits;
  if (image_ratio_min === undefined && image_ratio_max === undefined) return NO_FINDINGS;
  return pictures(post, ({ path, width, height }) => {
    const ratio = width / height;
    const isNarrow =
      image_ratio_min !== undefined && ratio < ratioOf(image_ratio_min) * (1 - RATIO_TOLERANCE);
    const isWide = image_ratio_max !== undefined && ratio > ratioOf(image_ratio_max) * (1 + RATIO_TOLERANCE);
    if (!isNarrow && !isWide) return undefined;
    const limit = isNarrow ? `narrower than ${image_ratio_min}` : `wider than ${image_ratio_max}`;
    return `"${path}" has ${width} × ${height} px (${ratioText(ratio)}), ${limit}: ${title} refuses or cuts it. Crop it.`;
  });
};

type Picture = Pick<MediaFile, "path"> & { readonly width: number; readonly height: number };

/** What is wrong with each picture whose width and height are known. */
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
