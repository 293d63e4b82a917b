import type { ListedMedia } from "../calendar/listed-post.ts";
import { shownAddress } from "../calendar/media-address.ts";
import { formatBytes } from "../report/format-bytes.ts";
import { visibleText } from "../report/visible-text.ts";
import type { PreviewMedia } from "./preview-data.ts";

/** Where a picture with these bytes (SHA-256, hex) can be had; undefined where the page cannot show it. */
export type SourceOf = (sha256: string) => string | undefined;

/** What one file is known by: equal bytes under one name are one. */
export function mediaKey(media: ListedMedia): string {
  if (media.kind === "url") return `url ${media.url}`;
  if (media.kind === "id") return `id ${media.id}`;
  return `file ${media.path} ${"sha256" in media ? media.sha256 : ""}`;
}

export function previewMedia(media: ListedMedia, sourceOf: SourceOf): PreviewMedia {
  if (media.kind === "url") return { kind: "unknown", name: visibleText(shownAddress(media.url)) };
  if (media.kind === "id") return { kind: "unknown", name: visibleText(media.id) };
  const name = visibleText(media.path.slice(media.path.lastIndexOf("/") + 1));
  if (!("sha256" in media)) return { kind: "unknown", name };
  const { mime, bytes, sha256, facts = {} } = media;
  const isVideo = mime.startsWith("video/");
  const source = isVideo ? undefined : sourceOf(sha256);
  return {
    kind: isVideo ? "video" : "picture",
    name,
    size: formatBytes(bytes),
    ...(facts.width === undefined || facts.height === undefined
      ? {}
      : { width: facts.width, height: facts.height }),
    ...(facts.lengthMs === undefined ? {} : { length: lengthText(facts.lengthMs) }),
    ...(source === undefined ? {} : { source }),
  };
}

/** As players show it: `0:34`, `1:02:03`. */
function lengthText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}
