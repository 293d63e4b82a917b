/**
 * Small files of this user in the folder for settings, outside every checkout: what a person has confirmed. A checkout
 * is not trusted, so neither a file in it nor a link can replace these files.
 */

import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, mkdir, open, readdir, realpath, rename, rm, unlink } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join } from "node:path";
import { isWithin } from "../../disk/place.ts";
import type { Env } from "../../settings/environment.ts";

const MAX_BYTES = 1024 * 1024;
/** Bits of a file's mode that let others write it. */
const OTHERS_WRITE = 0o022;

export class OwnFiles {
  readonly #folder: string;
  readonly #checkout: string;

  /**
   * @param repository absolute path of the project's repository, or of the project: files in it are not trusted. It may
   * be the home folder of people who keep that in git.
   */
  constructor(env: Env, repository: string, project = repository) {
    this.#folder = configFolder(env);
    this.#checkout = repository === homeOf(env) ? project : repository;
  }

  /** The text of a file. Undefined for anything but a regular file that only this user can write. */
  async read(name: string): Promise<string | undefined> {
    let file: FileHandle | undefined;
    try {
      if (await this.#isInCheckout()) return undefined;
      file = await open(join(this.#folder, name), constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
      const about = await file.stat();
      const isOwn =
        process.getuid === undefined || (about.uid === process.getuid() && (about.mode & OTHERS_WRITE) === 0);
      if (!about.isFile() || !isOwn || about.size > MAX_BYTES) return undefined;
      return await file.readFile("utf8");
    } catch {
      return undefined;
    } finally {
      await file?.close();
    }
  }

  /** Replaces a file. Returns its path; undefined if the folder is in the checkout. Throws if it cannot be written. */
  async write(name: string, text: string): Promise<string | undefined> {
    if (await this.#isInCheckout()) return undefined;
    const real = await resolved(this.#folder);
    await mkdir(real, { recursive: true, mode: 0o700 });
    const path = join(real, name);
    const part = `${path}.${randomUUID()}`;
    const file = await open(part, "wx", 0o600);
    try {
      await file.writeFile(text);
      await file.close();
      await rename(part, path);
      return path;
    } catch (error) {
      await file.close();
      await rm(part, { force: true });
      throw error;
    }
  }

  /** Makes an empty file. Of all processes that try, exactly one gets true. Throws if it cannot be written. */
  async create(name: string): Promise<boolean> {
    if (await this.#isInCheckout()) return false;
    const real = await resolved(this.#folder);
    await mkdir(real, { recursive: true, mode: 0o700 });
    const file = await open(join(real, name), "wx", 0o600);
    await file.close();
    return true;
  }

  /** Removes a file. Of all processes that try, exactly one gets true. */
  async remove(name: string): Promise<boolean> {
    try {
      if (await this.#isInCheckout()) return false;
      await unlink(join(this.#folder, name));
      return true;
    } catch {
      return false;
    }
  }

  /** Names of all files. */
  async names(): Promise<readonly string[]> {
    return readdir(this.#folder).catch(() => []);
  }

  async #isInCheckout(): Promise<boolean> {
    return isWithin(await resolved(this.#checkout), await resolved(this.#folder));
  }
}

/** XDG_CONFIG_HOME if it is set, otherwise the system's usual folder for settings. */
export function configFolder(env: Env, platform: NodeJS.Platform = process.platform): string {
  const xdg = env["XDG_CONFIG_HOME"];
  if (xdg !== undefined && isAbsolute(xdg)) return join(xdg, "plancast");
  const home = homeOf(env);
  if (platform === "win32") return join(env["APPDATA"] || join(home, "AppData", "Roaming"), "plancast");
  if (platform === "darwin") return join(home, "Library", "Application Support", "plancast");
  return join(home, ".config", "plancast");
}

function homeOf(env: Env): string {
  return env["HOME"] || env["USERPROFILE"] || homedir();
}

/** A path without links, even if its end does not exist yet. */
async function resolved(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await resolved(parent), basename(path));
  }
}
