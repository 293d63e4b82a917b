/** Pictures of the project as addresses that lead to them from a page beside them. */
import { isAbsolute, join, relative, sep } from "node:path";
import { pathToFileURL } from "node:url";
import type { MediaFile } from "../calendar/post.ts";
import { isBrowserImage } from "./embed-pictures.ts";

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
