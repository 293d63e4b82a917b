/** How plans name the media of a post: by their files, wherever that is known. */

import { displayAddress, fileNameInAddress } from "../../model/address.ts";
import type { UploadedFile } from "../../model/plan.ts";
import type { ResolvedMedia, ResolvedPost } from "../../model/post.ts";
import { formatBytes } from "../text/numbers.ts";

/** The files that the lockfile knows, by the service's id. */
export type UploadedFiles = ReadonlyMap<string, UploadedFile>;

/** The difference between two lists of media, even if their names are equal. */
export function mediaDifference(
  before: string | undefined,
  after: string,
): { readonly before: string | undefined; readonly after: string } {
  return { before, after: before === after ? `${after}, another file with this name` : after };
}

export function mediaText({ media }: Pick<ResolvedPost, "media">): string {
  return listed(mediaLabels({ media }));
}

/** A name for each. */
export function mediaLabels({ media }: Pick<ResolvedPost, "media">): readonly string[] {
  return media.map(mediaLabel);
}

/** Media on the service, by their ids. */
export function uploadedMediaText(ids: readonly string[], files: UploadedFiles): string {
  return listed(ids.map((id) => uploadedLabel(id, files)));
}

function mediaLabel(media: ResolvedMedia): string {
  if (media.kind === "id") return media.id;
  if (media.kind === "url") return displayAddress(media.url);
  const { url, bytes } = media;
  if (url === undefined) return fileLabel(media);
  return `${fileNameInAddress(url) ?? "file"} ${formatBytes(bytes)} from ${new URL(url).host}`;
}

/** The file that was uploaded under this id, if the lockfile knows it. */
export function uploadedLabel(id: string, files: UploadedFiles): string {
  const file = files.get(id);
  return file === undefined ? id : fileLabel(file);
}

function fileLabel({ path, bytes }: UploadedFile): string {
  return `${path.slice(path.lastIndexOf("/") + 1)} ${formatBytes(bytes)}`;
}

function listed(items: readonly string[]): string {
  return items.length === 0 ? "none" : items.join(", ");
}
