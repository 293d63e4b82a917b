/** Turns the service's answer about a picture that it made into the picture's bytes, and into a file of the project. */

import { readFile } from "node:fs/promises";
import { posix } from "node:path";
import { createWhole, makeTemporaryFolder, readRegular, statsAt } from "../disk/files.ts";
import { placeInProject } from "../disk/place.ts";
import { readMedia } from "../media/read-media.ts";
import type { WebMedia } from "../media/web-media.ts";
import type { UndraftedReason } from "../model/plan.ts";
import { Failure, reasonOf } from "../model/failure.ts";
import type { Project } from "../settings/config.ts";

export interface Picture {
  readonly bytes: Uint8Array;
  /** Its file extension, such as `png`. */
  readonly extension: string;
}

export interface PictureFault {
  readonly code: string;
  readonly reason: UndraftedReason;
  /** The picture can no longer be downloaded from its address. */
  readonly isGone?: boolean;
}

/** The bytes of a new picture, or a fault if they are unavailable or not a picture. */
export async function loadPicture(
  { url, base64 }: { readonly url?: string | undefined; readonly base64?: string | undefined },
  addresses: WebMedia,
): Promise<Picture | PictureFault> {
  if (base64 !== undefined) return checkPicture(Buffer.from(base64, "base64"));
  if (url === undefined) return { code: "service/unreadable", reason: { kind: "no-picture" } };
  const file = await addresses.resolve(url, true);
  if (file === undefined) return { code: "media/url-unreachable", reason: { kind: "not-downloaded" } };
  const path = "code" in file ? file : await addresses.pathOf({ ...file, url });
  if (typeof path === "string") return checkPicture(await readFile(path));
  return { ...path, reason: { kind: "message", message: path.message } };
}

async function checkPicture(bytes: Uint8Array): Promise<Picture | PictureFault> {
  const folder = await makeTemporaryFolder("plancast-picture-");
  try {
    const file = folder.place.in("picture");
    await createWhole(file, bytes);
    const { mime = "unknown" } = await readMedia(file.path);
    const extension = EXTENSIONS.get(mime);
    if (extension !== undefined) return { bytes, extension };
    return { code: "media/type", reason: { kind: "no-image", mime } };
  } finally {
    await folder.remove();
  }
}

const EXTENSIONS: ReadonlyMap<string, string> = new Map([
  ["image/png", "png"],
  ["image/apng", "png"],
  ["image/jpeg", "jpg"],
  ["image/webp", "webp"],
  ["image/gif", "gif"],
]);

/** No row needs more pictures. */
const MAX_NAMES = 1000;

/**
 * Writes a picture into the project, beside its calendar or in the folder `media` there. Returns the name by which the
 * calendar finds it. Never replaces a file: if the name is taken by the same picture, reuses it, otherwise tries the
 * next name.
 * @param name of the row
 */
export async function savePicture(
  { root, state }: Pick<Project, "root" | "state">,
  calendar: string,
  name: string,
  { bytes, extension }: Picture,
): Promise<string | PictureFault> {
  const folder = posix.dirname(calendar);
  const inner = (await isOwnFolder(root, posix.join(folder, "media"))) ? "media" : "";
  const stem = fileName(name);
  try {
    for (let count = 1; count <= MAX_NAMES; count += 1) {
      const file = posix.join(inner, `${stem}${count === 1 ? "" : `-${count}`}.${extension}`);
      const place = await placeInProject(root, posix.join(folder, file));
      // plancast tries the next name only if this name is taken.
      if (await createWhole(place, bytes, state)) return file;
      const there = await readRegular(place).catch(() => undefined);
      if (there?.equals(bytes) === true) return file;
    }
    return { code: "disk/not-writable", reason: { kind: "names-taken", stem, count: MAX_NAMES } };
  } catch (error) {
    return { code: "disk/not-writable", reason: { kind: "not-writable", why: reasonOf(error) } };
  }
}

/** A folder in the project, not a link to another place. */
async function isOwnFolder(root: string, folder: string): Promise<boolean> {
  try {
    return (await statsAt(await placeInProject(root, folder)))?.isDirectory() === true;
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}

/** Reserved names of devices on Windows. */
const DEVICES = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

/** A file name that is valid on any system and contains no separator of media lists. */
function fileName(name: string): string {
  const plain = name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "")
    .slice(0, 60);
  if (plain === "" || DEVICES.test(plain)) return `picture${plain === "" ? "" : `-${plain}`}`;
  return plain;
}
