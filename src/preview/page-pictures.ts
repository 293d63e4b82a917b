/** Pictures of the page: small ones inside it up to a limit, or addresses of files beside it. */

import { readFile } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";
import { pathToFileURL } from "node:url";
import type { MediaFile } from "../model/post.ts";

/** Larger files are not embedded, bytes. A picture made for a screen has less. */
const MAX_PICTURE = 200_000;
/** All that one page carries, bytes. A page of this size still opens at once and goes through mail. */
const MAX_ALL = 8_000_000;
/** What browsers show. */
const SHOWN = new Set(["image/png", "image/apng", "image/jpeg", "image/gif", "image/webp", "image/avif"]);

/** Whether browsers show this file, and it lies in the project. */
export function isBrowserImage({ mime, url }: MediaFile): boolean {
  return url === undefined && SHOWN.has(mime);
}

/**
 * Pictures as `data:` addresses, by the SHA-256 of their bytes.
 * @param files in the order in which they matter; what comes last is left out first
 */
export async function embeddedImageUrls(
  root: string,
  files: readonly MediaFile[],
): Promise<ReadonlyMap<string, string>> {
  const embedded = new Map<string, string>();
  let room = MAX_ALL;
  for (const file of files) {
    const { sha256, bytes, path, mime } = file;
    if (!isBrowserImage(file) || embedded.has(sha256) || bytes > Math.min(MAX_PICTURE, room)) continue;
    // One at a time: what fits depends on what came before.
    const data = await readFile(join(root, path)).catch(() => undefined);
    // It may have changed since it was looked at.
    if (data === undefined || data.length !== bytes) continue;
    room -= bytes;
    embedded.set(sha256, `data:${mime.replace("apng", "png")};base64,${data.toString("base64")}`);
  }
  return embedded;
}

/**
 * Relative addresses by the SHA-256 of the pictures' bytes.
 * @param root of the project @param folder that the page is written into; both absolute
 */
export function relativeImageUrls(
  root: string,
  folder: string,
  files: readonly MediaFile[],
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const file of files) {
    if (isBrowserImage(file)) found.set(file.sha256, relativeUrl(folder, join(root, file.path)));
  }
  return found;
}

function relativeUrl(folder: string, file: string): string {
  const path = relative(folder, file);
  // On another drive.
  if (isAbsolute(path)) return pathToFileURL(path).href;
  // A name may hold what means something in an address; with a dot first, none is taken for another scheme or host.
  return `./${path.split(sep).map(encodeURIComponent).join("/")}`;
}
