import { sizeBytes, sizeLike, type Limits } from "../calendar/limits.ts";
import { NOTHING, type PlatformCheck } from "./check.ts";
import { mediaFiles, type MediaKind } from "./media-kind.ts";

/** media/too-large */
export const tooLarge: PlatformCheck = (post, { title, limits }) => {
  return mediaFiles(post, limits).flatMap(({ file, kind, item }) => {
    const limit = largest(kind, limits);
    if (limit === undefined || file.bytes <= sizeBytes(limit)) return [];
    const message = `"${file.path}" has ${sizeLike(file.bytes, limit)}, and ${title} takes a ${kind} of at most ${spaced(limit)}. Export it smaller.`;
    return [{ message, field: "media", item } as const];
  });
};

/** media/too-small */
export const tooSmall: PlatformCheck = (post, { title, limits: { image_size_min: limit } }) => {
  if (limit === undefined) return NOTHING;
  return mediaFiles(post).flatMap(({ file, kind, item }) => {
    if (kind === "video" || file.bytes >= sizeBytes(limit)) return [];
    const message = `"${file.path}" has ${sizeLike(file.bytes, limit)}, and ${title} takes a picture of at least ${spaced(limit)}. Export it larger.`;
    return [{ message, field: "media", item } as const];
  });
};

function largest(kind: MediaKind, { image_size, gif_size, video_size }: Limits): string | undefined {
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
