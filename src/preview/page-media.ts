/**
 * What a page shows of media files: small pictures and thumbnails are embedded up to a limit, in a page for clients also
 * videos. For others, the page has the addresses of files beside it.
 */

import { isAbsolute, join, relative, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { DiskFile, hashFile } from "../media/media-file.ts";
import { decodablePixels, makePicture } from "../media/pictures/make-picture.ts";
import type { PictureCache } from "../media/pictures/picture-cache.ts";
import { PictureFault } from "../media/pictures/picture-fault.ts";
import { type ListedPost, type MediaFile, sentMedia } from "../model/post.ts";

/** Pictures up to this size are embedded as they are, in bytes. */
const SMALL = 60_000;
/** Like `SMALL`, for pictures that plancast cannot shrink. */
const SMALL_ENOUGH = 200_000;
/** Limit for all embedded pictures, in bytes. A page of this size still opens immediately and can be sent by mail. */
const MAX_ALL = 8_000_000;
/** Limit for the pixels that are decoded for one page: some seconds of work. */
const MAX_DECODED = 600_000_000;
/** A card on the page is not wider, px. */
const THUMBNAIL = { type: "image/webp", quality: 72, longestSides: [600], keepsNotes: false } as const;
/** Types that browsers show. */
const PICTURES = new Set(["image/png", "image/apng", "image/jpeg", "image/gif", "image/webp", "image/avif"]);
/** Types that browsers play, if they know the codec inside. */
const VIDEOS = new Set(["video/mp4", "video/webm", "video/quicktime", "video/x-m4v"]);

/** The files that a page shows for a post: its pictures and videos, and the cover of its videos. */
export function shownFiles(post: Pick<ListedPost, "media" | "optionMedia">): readonly MediaFile[] {
  return sentMedia(post).flatMap((each) => (each.kind === "file" && "sha256" in each ? each : []));
}

/** Whether browsers show this file, and it is in the project. */
export function isBrowserMedia({ mime, url }: MediaFile): boolean {
  return url === undefined && (PICTURES.has(mime) || VIDEOS.has(mime));
}

/**
 * Pictures as `data:` addresses, by the SHA-256 of their bytes: small ones as they are, others as thumbnails.
 * @param files in the order of their importance; the last ones are left out first
 * @param cache keeps the thumbnails for the next page
 */
export async function embeddedImageUrls(
  root: string,
  files: readonly MediaFile[],
  cache?: PictureCache,
): Promise<ReadonlyMap<string, string>> {
  const embedded = new Map<string, string>();
  const seen = new Set<string>();
  const thumbnails = new Thumbnails(root, cache);
  let room = MAX_ALL;
  for (const file of files) {
    const { mime, sha256, bytes } = file;
    if (!mime.startsWith("image/") || file.url !== undefined || seen.has(sha256)) continue;
    seen.add(sha256);
    const isShown = PICTURES.has(mime);
    // One at a time, because each one reduces the remaining space and needs memory.
    const thumbnail = isShown && bytes <= SMALL ? undefined : await thumbnails.of(file);
    const isBetter = thumbnail !== undefined && (!isShown || thumbnail.length < bytes);
    if (!isBetter && (!isShown || bytes > SMALL_ENOUGH)) continue;
    const shown = isBetter ? thumbnail : await shownBytes(root, file);
    if (shown === undefined || shown.length > Math.min(SMALL_ENOUGH, room)) continue;
    room -= shown.length;
    const type = isBetter ? THUMBNAIL.type : mime.replace("apng", "png");
    embedded.set(sha256, `data:${type};base64,${shown.toString("base64")}`);
  }
  return embedded;
}

/** The thumbnails of one page. */
class Thumbnails {
  readonly #root: string;
  readonly #cache: PictureCache | undefined;
  #work = MAX_DECODED;

  constructor(root: string, cache: PictureCache | undefined) {
    this.#root = root;
    this.#cache = cache;
  }

  /** Undefined for a picture that cannot be decoded, and after too much work. */
  async of(file: MediaFile): Promise<Buffer | undefined> {
    const pixels = decodablePixels(file);
    if (pixels === undefined) return undefined;
    const known = await this.#cache?.get(file.sha256);
    if (known !== undefined || pixels > this.#work) return known;
    this.#work -= pixels;
    const bytes = await shownBytes(this.#root, file);
    if (bytes === undefined) return undefined;
    try {
      const { data } = await makePicture(bytes, file.mime, THUMBNAIL);
      if (this.#cache !== undefined && (await isUnchanged(this.#root, file)))
        await this.#cache.put(file.sha256, data);
      return data;
    } catch (error) {
      if (error instanceof PictureFault) return undefined;
      throw error;
    }
  }
}

/** Whether a file still has the hash under which its thumbnail is kept. */
async function isUnchanged(root: string, { path, sha256 }: MediaFile): Promise<boolean> {
  return (await hashFile(join(root, path))).sha256 === sha256;
}

/**
 * The bytes as they are sent: without the place where a picture was taken. Undefined if they cannot be read, or have changed
 * since they were hashed.
 */
async function shownBytes(root: string, { path, mime, bytes: size }: MediaFile): Promise<Buffer | undefined> {
  try {
    const file = await DiskFile.open(join(root, path), mime);
    return file.size === size ? Buffer.from(await file.arrayBuffer()) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Like `embeddedImageUrls`, for a page that is sent without other files: videos fill the space that the pictures
 * leave.
 */
export async function embeddedMediaUrls(
  root: string,
  files: readonly MediaFile[],
  cache?: PictureCache,
): Promise<ReadonlyMap<string, string>> {
  const embedded = new Map(await embeddedImageUrls(root, files, cache));
  let room = [...embedded.values()].reduce((left, { length }) => left - (length * 3) / 4, MAX_ALL);
  for (const file of files) {
    const { mime, url, sha256, bytes: size } = file;
    if (!VIDEOS.has(mime) || url !== undefined || embedded.has(sha256) || size > room) continue;
    // One at a time, because each one reduces the remaining space.
    const bytes = await shownBytes(root, file);
    if (bytes === undefined) continue;
    room -= size;
    embedded.set(sha256, `data:${mime};base64,${bytes.toString("base64")}`);
  }
  return embedded;
}

/**
 * Relative addresses of pictures and videos, by the SHA-256 of their bytes.
 * @param root of the project @param folder that the page is written into; both absolute
 */
export function relativeMediaUrls(
  root: string,
  folder: string,
  files: readonly MediaFile[],
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const file of files) {
    if (isBrowserMedia(file)) found.set(file.sha256, relativeUrl(folder, join(root, file.path)));
  }
  return found;
}

function relativeUrl(folder: string, file: string): string {
  const path = relative(folder, file);
  // On another drive.
  if (isAbsolute(path)) return pathToFileURL(path).href;
  // Escapes special characters of addresses. The leading dot prevents a name from being read as a scheme or host.
  return `./${path.split(sep).map(encodeURIComponent).join("/")}`;
}
