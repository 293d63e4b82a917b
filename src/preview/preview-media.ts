import type { ListedMedia } from "../calendar/listed-post.ts";
import type { MediaFile } from "../calendar/post.ts";
import { displayAddress } from "../calendar/media-address.ts";
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
  if (media.kind === "url")
    return {
      kind: "unknown",
      name: visibleText(displayAddress(media.url)),
      why: "Nothing is downloaded for a look.",
    };
  if (media.kind === "id")
    return {
      kind: "unknown",
      name: visibleText(media.id),
      why: "It is on the service, which does not show it.",
    };
  const name = visibleText(media.path.slice(media.path.lastIndexOf("/") + 1));
  if (!("sha256" in media)) return { kind: "unknown", name, why: "The file cannot be used." };
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
    ...whyNot(media, source),
  };
}

/** Said where the picture would stand; what the page carries itself is always there. */
function whyNot({ mime, url }: MediaFile, source: string | undefined): Pick<PreviewMedia, "why"> {
  if (mime.startsWith("video/") || source?.startsWith("data:")) return {};
  if (url !== undefined) return { why: "It comes from an address, and lies in no file beside this page." };
  if (source === undefined) return { why: `Browsers do not show ${mime}.` };
  return { why: "Larger pictures stay beside the page, and this one is not there." };
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
