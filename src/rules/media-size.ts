import { sizeBytes, sizeInUnitOf, type Limits } from "../calendar/limits.ts";
import { NO_FINDINGS, type PlatformRule } from "./check.ts";
import { mediaFiles, type MediaKind } from "./media-kind.ts";

/** media/too-large */
export const tooLarge: PlatformRule = (post, { title, limits }) => {
  return mediaFiles(post, limits).flatMap(({ file, kind, item }) => {
    const limit = maxSizeOf(kind, limits);
    if (limit === undefined || file.bytes <= sizeBytes(limit)) return [];
    const message = `"${file.path}" has ${sizeInUnitOf(file.bytes, limit)}, and ${title} takes a ${kind} of at most ${spaced(limit)}. Export it smaller.`;
    return [{ message, field: "media", item } as const];
  });
};

/** media/too-small */
export const tooSmall: PlatformRule = (post, { title, limits: { image_size_min: limit } }) => {
  if (limit === undefined) return NO_FINDINGS;
  return mediaFiles(post).flatMap(({ file, kind, item }) => {
    if (kind === "video" || file.bytes >= sizeBytes(limit)) return [];
    const message = `"${file.path}" has ${sizeInUnitOf(file.bytes, limit)}, and ${title} takes a picture of at least ${spaced(limit)}. Export it larger.`;
    return [{ message, field: "media", item } as const];
  });
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

/** `5 MiB` of `5MiB`. */
function spaced(size: string): string {
  return size.replace(/ ?([a-z]+)$/i, " $1");
}
