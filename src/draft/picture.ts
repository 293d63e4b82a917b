/** From what the service says of a picture that it made to the picture's bytes, and to a file of the project. */

import { link, mkdtemp, open, readFile, realpath, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, posix, relative, sep } from "node:path";
import { readMedia } from "../media/read-media.ts";
import type { WebMedia } from "../media/web-media.ts";
import { reasonOf } from "../model/failure.ts";
import { STATE_FOLDER } from "../sync/state/project-state.ts";

export interface Picture {
  readonly bytes: Uint8Array;
  /** The end of its file's name, such as `png`. */
  readonly extension: string;
}

export interface PictureFault {
  readonly code: string;
  readonly message: string;
  /** Its address gives it no more, also not later. */
  readonly isGone?: boolean;
}

/** The bytes of a picture that was made; a fault where they cannot be had, or are no picture. */
export async function loadPicture(
  { url, base64 }: { readonly url?: string | undefined; readonly base64?: string | undefined },
  addresses: WebMedia,
): Promise<Picture | PictureFault> {
  if (base64 !== undefined) return checkPicture(Buffer.from(base64, "base64"));
  if (url === undefined)
    return {
      code: "service/unreadable",
      message: "The service tells neither the picture's address nor its bytes.",
    };
  const file = await addresses.resolve(url, true);
  if (file === undefined || "code" in file)
    return file ?? { code: "media/url-unreachable", message: "The picture could not be downloaded." };
  const path = await addresses.pathOf({ ...file, url });
  return typeof path === "string" ? checkPicture(await readFile(path)) : path;
}

async function checkPicture(bytes: Uint8Array): Promise<Picture | PictureFault> {
  const folder = await mkdtemp(join(tmpdir(), "plancast-picture-"));
  try {
    const path = join(folder, "picture");
    await writeFile(path, bytes);
    const { mime = "unknown" } = await readMedia(path);
    const extension = EXTENSIONS.get(mime);
    if (extension !== undefined) return { bytes, extension };
    return { code: "media/type", message: `What the service gave is no picture by its bytes: ${mime}.` };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const EXTENSIONS: ReadonlyMap<string, string> = new Map([
  ["image/png", "png"],
  ["image/apng", "png"],
  ["image/jpeg", "jpg"],
  ["image/webp", "webp"],
  ["image/gif", "gif"],
]);

/** More than anybody makes of one row. */
const MAX_NAMES = 1000;

/**
 * Writes a picture into the project, beside its calendar or in the folder `media` there. Gives the name by which the
 * calendar finds it. A file of that name is never replaced: one that holds the same is taken, else the next name is.
 * @param name of the row
 */
export async function savePicture(
  root: string,
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
      // The next name counts only when this one is taken.
      if (await createFile(join(root, folder, file), bytes, join(root, STATE_FOLDER))) return file;
    }
    return { code: "disk/not-writable", message: `There are ${MAX_NAMES} files named ${stem} already.` };
  } catch (error) {
    return { code: "disk/not-writable", message: `The picture cannot be written: ${reasonOf(error)}.` };
  }
}

/** A folder of the project itself, and no link to another place. */
async function isOwnFolder(root: string, folder: string): Promise<boolean> {
  try {
    const [top, real] = await Promise.all([realpath(root), realpath(join(root, folder))]);
    const isInside = relative(top, real).split(sep).join("/") === posix.normalize(folder);
    return isInside && (await stat(real)).isDirectory();
  } catch {
    return false;
  }
}

/**
 * Whether the file holds the bytes now; false where another is there. The name comes to be when the file is whole, so
 * that a crash leaves no half of a picture under it.
 */
async function createFile(path: string, bytes: Uint8Array, scratch: string): Promise<boolean> {
  const part = join(scratch, "picture.part");
  await writeSynced(part, "w", bytes);
  try {
    await link(part, path).catch((error: unknown) => {
      if (isExistsError(error)) throw error;
      // A file system without links.
      return writeSynced(path, "wx", bytes);
    });
    return true;
  } catch (error) {
    if (!isExistsError(error)) throw error;
    const there = await readFile(path).catch(() => undefined);
    return there?.equals(bytes) === true;
  } finally {
    await rm(part, { force: true });
  }
}

async function writeSynced(path: string, flags: "w" | "wx", bytes: Uint8Array): Promise<void> {
  const file = await open(path, flags);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

function isExistsError(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EEXIST";
}

/** Names that Windows keeps for devices. */
const DEVICES = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

/** A name for a file on any system, which no list of media takes for several. */
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
