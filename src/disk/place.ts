/**
 * Where files may be written, replaced and removed. A checkout can contain links that an attacker chose, so a path is
 * not enough. All code in this folder that changes the disk takes a Place, and only this folder makes one.
 */

import type { Stats } from "node:fs";
import { dirname, isAbsolute, join, parse, relative, resolve, sep } from "node:path";
import { Failure, errorCode } from "../model/failure.ts";
import { findRepository } from "./git.ts";
import { lstat, realpath } from "./machine.ts";

/** A file or folder. It does not have to exist yet. No link in the checkout leads to it. */
export class Place {
  /** Absolute, with links resolved. */
  readonly path: string;

  protected constructor(path: string) {
    this.path = path;
  }

  /** Only for this folder: the caller has checked the path. */
  static checked(path: string): Place {
    return new Place(path);
  }

  /** The entry with this name in the folder. Throws for a name that could lead out of it. */
  in(...names: readonly string[]): Place {
    for (const name of names) {
      if (!isPlainName(name)) throw new Error(`${JSON.stringify(name)} is not the name of a file.`);
    }
    return new Place(join(this.path, ...names));
  }

  /** The entry with this name in the same folder. */
  beside(name: string): Place {
    return Place.checked(dirname(this.path)).in(name);
  }
}

function isPlainName(name: string): boolean {
  return name !== "" && name !== "." && name !== ".." && !/[/\\\0]/.test(name);
}

/** Folders that a path from a checkout must never lead into. */
const OFF_LIMITS = [".git", ".plancast"];

/**
 * The place of a file that the project names, such as its lockfile or a calendar. Throws a Failure if a link leads
 * there, or if the path leaves the project.
 * @param root of the project, absolute
 * @param path relative to the root
 */
export async function placeInProject(root: string, path: string): Promise<Place> {
  const limit = await realpath(root);
  const file = resolve(limit, path);
  const names = relative(limit, file).split(sep);
  if (!isWithin(limit, file) || names.some((name) => OFF_LIMITS.some((folder) => isSpellingOf(folder, name))))
    throw new Failure(
      "disk/outside",
      `${path} is outside the project, so plancast does not use it.`,
      "Name a file in the project.",
    );
  return (await walk(file, limit)).place;
}

/** A file to write, as the user typed it. */
export interface TypedPlace {
  readonly place: Place;
  /** Whether it is in the checkout. Elsewhere, it may be a link or a device, such as /dev/stdout. */
  readonly isInCheckout: boolean;
}

/**
 * The place of a file that the user typed, which may be anywhere. Throws a Failure if a link in the checkout leads
 * there.
 * @param from a folder of the checkout in which the command works
 */
export async function placeTyped(path: string, from: string): Promise<TypedPlace> {
  return walk(resolve(path), await checkoutFolder(await realpath(from)));
}

/** The folder of the repository that contains a folder, otherwise the folder itself. */
export async function checkoutFolder(folder: string): Promise<string> {
  return (await findRepository(folder))?.root ?? folder;
}

/** A folder's path from the root of its repository, with `/`; empty for the root. */
export async function folderInCheckout(folder: string): Promise<string> {
  const real = await realpath(folder);
  return relative(await checkoutFolder(real), real).replaceAll(sep, "/");
}

/** Follows links up to `limit`, and refuses links below it. */
async function walk(path: string, limit: string): Promise<TypedPlace> {
  const top = await lstat(limit);
  let real = parse(path).root;
  let isInCheckout = isSame(top, await lstat(real));
  const names = relative(real, path).split(sep);
  for (const [index, name] of names.entries()) {
    const next = join(real, name);
    const found = await statsOf(next);
    if (found === undefined) return { place: Place.checked(join(real, ...names.slice(index))), isInCheckout };
    if (!found.isSymbolicLink()) {
      real = next;
      isInCheckout ||= isSame(top, found);
      continue;
    }
    if (isInCheckout) throw linked(relative(limit, next));
    // Outside the checkout, links belong to this machine. A broken one stays as it is.
    real = await realpath(next).catch(() => next);
    isInCheckout = isWithin(limit, real);
  }
  return { place: Place.checked(real), isInCheckout };
}

function isSame(one: Stats, other: Stats): boolean {
  return one.dev === other.dev && one.ino === other.ino;
}

/** Whether a path is a folder or something in it. Both are absolute. */
export function isWithin(folder: string, path: string): boolean {
  const inside = relative(folder, path);
  return inside !== ".." && !inside.startsWith(`..${sep}`) && !isAbsolute(inside);
}

/** Facts of the name itself, not of a link's target; undefined if nothing has that name. */
export async function statsOf(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return undefined;
    throw error;
  }
}

function linked(path: string): Failure {
  return new Failure(
    "disk/linked",
    `${path} is a symbolic link, and plancast does not write through links in a checkout.`,
    "Replace the link with the file or folder itself, or name another file.",
  );
}

// The spellings that some disk takes for a folder's name. Most ignore case. HFS+ and ext4 can ignore invisible characters
// and treat `ſ` as `s`. Windows ignores dots and spaces at the end, has streams (`name::$INDEX_ALLOCATION`) and short
// names (`git~1`).

/** The start of the short name that Windows derives from a long one, without the number. */
const SHORT_NAME_LENGTH = 6;

/** Whether some disk treats `name` as `folder`, which is in small letters. If in doubt, it refuses the name. */
export function isSpellingOf(folder: string, name: string): boolean {
  const [plain = ""] = name
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "")
    .normalize("NFKC")
    // It uses both upper and lower case, so that letters such as `ſ`, which change in only one direction, become the
    // same.
    .toUpperCase()
    .toLowerCase()
    .split(":", 1);
  const trimmed = withoutEnd(plain);
  return trimmed === folder || isShortNameOf(folder, trimmed);
}

function withoutEnd(name: string): string {
  let end = name.length;
  while (name[end - 1] === "." || name[end - 1] === " ") end -= 1;
  return name.slice(0, end);
}

/**
 * Windows uses the first letters without dots. If many names begin alike, it uses two letters and four hexadecimal
 * digits.
 */
function isShortNameOf(folder: string, name: string): boolean {
  const letters = folder.replaceAll(".", "");
  const [, start = ""] = /^([^~]{1,6})~\d{1,6}$/.exec(name) ?? [];
  if (start === letters.slice(0, SHORT_NAME_LENGTH)) return true;
  return start.startsWith(letters.slice(0, 2)) && /^..[0-9a-f]{4}$/.test(start);
}
