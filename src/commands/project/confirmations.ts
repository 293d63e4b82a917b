/**
 * What this user has confirmed, in small files outside every checkout. A checkout is not trusted, so neither a file in
 * it nor a link can replace these files. The confirmed keys are here, and the confirmed plans in `confirm/command.ts`.
 */

import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join } from "node:path";
import { z } from "zod";
import { constants, mkdir, newId, open, readdir, realpath, rename, rm, unlink } from "../../disk/machine.ts";
import { checkoutFolder, isWithin } from "../../disk/place.ts";
import { sendKeyQuestion } from "../../problems/connection-texts.ts";
import { escapeTerminal } from "../../report/text/escape.ts";
import type { Confirmation } from "../../service/http/key.ts";
import type { Project } from "../../settings/config.ts";
import type { Env } from "../../settings/environment.ts";
import type { Run } from "../shell/command.ts";

function nameOf(origin: string, key: string): string {
  return JSON.stringify([origin, key]);
}

/** How a command finds out whether a key may be sent: what was confirmed before, and otherwise a question. */
export function keyConfirmation({ flags, shell, console }: Run): Confirmation {
  const { answered } = shell;
  const storeFor = async ({ root }: Project): Promise<RememberedKeys> =>
    rememberedKeys(shell.env, await checkoutFolder(root), root);
  return {
    trustUrls: flags["trust-url"],
    canAsk: shell.isInteractive,
    isRemembered: async (origin, key, project) =>
      answered.get(nameOf(origin, key)) === true || (await (await storeFor(project)).has(origin, key)),
    ask: async (use, key, project) => {
      const name = nameOf(use.origin, key);
      const before = answered.get(name);
      if (before !== undefined) return before;
      const isYes = await shell.confirm(`${escapeTerminal(sendKeyQuestion(use, project.file))} [y/N] `);
      answered.set(name, isYes);
      if (isYes && (await (await storeFor(project)).add(use.origin, key)) === undefined)
        console.note("plancast cannot save this answer here, so it will ask again next time.\n");
      return isYes;
    },
  };
}

const KEYS_FILE = "confirmed-keys.json";
/** The oldest entries are dropped: nobody uses this many keys. */
const MAX_ENTRIES = 500;

const keysSchema = z.object({
  version: z.literal(1),
  keys: z.array(z.object({ origin: z.string(), salt: z.string(), sha256: z.string() })),
});

type Entry = z.infer<typeof keysSchema>["keys"][number];

interface RememberedKeys {
  readonly has: (origin: string, key: string) => Promise<boolean>;
  /** Returns where it is stored; undefined if that is impossible. */
  readonly add: (origin: string, key: string) => Promise<string | undefined>;
}

/**
 * @param repository absolute path of the project's repository, or of the project: files in it are not trusted. It may
 * be the home folder of people who keep that in git.
 */
export function rememberedKeys(env: Env, repository: string, project = repository): RememberedKeys {
  const files = new OwnFiles(env, repository, project);
  return {
    has: async (origin, key) => (await read(files)).some((entry) => isOf(entry, origin, key)),
    add: async (origin, key) => {
      try {
        const keys = [...(await read(files)), entryOf(origin, key)].slice(-MAX_ENTRIES);
        return await files.write(KEYS_FILE, `${JSON.stringify({ version: 1, keys }, null, 2)}\n`);
      } catch {
        return undefined;
      }
    },
  };
}

function entryOf(origin: string, key: string): Entry {
  const salt = newId();
  return { origin, salt, sha256: hashOf(salt, origin, key) };
}

function isOf(entry: Entry, origin: string, key: string): boolean {
  return entry.origin === origin && entry.sha256 === hashOf(entry.salt, origin, key);
}

function hashOf(...parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

/** A damaged file counts as empty. */
async function read(files: OwnFiles): Promise<Entry[]> {
  const text = await files.read(KEYS_FILE);
  if (text === undefined) return [];
  try {
    return keysSchema.parse(JSON.parse(text)).keys;
  } catch {
    return [];
  }
}

const MAX_BYTES = 1024 * 1024;
/** Bits of a file's mode that let others write it. */
const OTHERS_WRITE = 0o022;

/** Files of this user in the folder for settings. */
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
    const part = `${path}.${newId(path)}`;
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
