import type { PlatformRule } from "./check.ts";
import { mediaFiles } from "./media-kind.ts";

/** Names that people know, where they are not the type's own. */
const NAMES = new Map([
  ["webp", "WebP"],
  ["webm", "WebM"],
  ["quicktime", "MOV"],
  ["x-m4v", "M4V"],
  ["matroska", "MKV"],
]);

/** media/unsupported: the type by the file's bytes, whatever its name ends in. */
export const unsupportedType: PlatformRule = (post, { title, limits }) => {
  return mediaFiles(post).flatMap(({ file, kind, item }) => {
    const taken = kind === "video" ? limits.video_types : limits.image_types;
    // A moving PNG is a PNG to whoever does not know of them.
    const mime = file.mime === "image/apng" ? "image/png" : file.mime;
    if (taken === undefined || taken.includes(mime)) return [];
    const types = taken.map(nameOf).join(", ");
    const message = `"${file.path}" is ${nameOf(mime)} by its bytes, and ${title} takes ${types}. Export it as one of these.`;
    return [{ message, field: "media", item } as const];
  });
};

function nameOf(mime: string): string {
  const subtype = mime.slice(mime.indexOf("/") + 1);
  return NAMES.get(subtype) ?? subtype.toUpperCase();
}
