/**
 * Asks in the terminal before a key goes to a new origin, and remembers the answer on this machine. The file is outside
 * every checkout, and contains a salted hash of each key, never the key: only those who have the key can write an entry
 * for it.
 */

import { createHash, randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, mkdir, open, realpath, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join } from "node:path";
import { z } from "zod";
import { findRepository } from "../../disk/git.ts";
import { isWithin } from "../../disk/place.ts";
import { sendKeyQuestion } from "../../problems/connection-texts.ts";
import { escapeTerminal } from "../../report/text/escape.ts";
import type { Confirmation } from "../../service/connect/obtain-key.ts";
import type { Project } from "../../settings/config.ts";
import type { Env } from "../../settings/environment.ts";
import type { Run } from "../shell/command.ts";
import type { Shell } from "../shell/shell.ts";

const FILE = "confirmed-keys.json";
/** The oldest entries are dropped: nobody uses this many keys. */
const MAX_ENTRIES = 500;
const MAX_BYTES = 1024 * 1024;

const fileSchema = z.object({
  version: z.literal(1),
  keys: z.array(z.object({ origin: z.string(), salt: z.string(), sha256: z.string() })),
});

type Entry = z.infer<typeof fileSchema>["keys"][number];

export interface RememberedKeys {
  readonly has: (origin: string, key: string) => Promise<boolean>;
  /** Returns where it is stored; undefined if that is impossible. */
  readonly add: (origin: string, key: string) => Promise<string | undefined>;
}

/**
 * @param repository absolute path of the project's repository, or of the project: files in it are not trusted. It may
 * be the home folder of people who keep that in git.
 */
export function rememberedKeys(env: Env, repository: string, project = repository): RememberedKeys {
  const folder = configFolder(env);
  const checkout = repository === homeOf(env) ? project : repository;
  return {
    has: async (origin, key) => (await read(folder, checkout)).some((entry) => isOf(entry, origin, key)),
    add: async (origin, key) => {
      try {
        return await write(folder, checkout, entryOf(origin, key));
      } catch {
        return undefined;
      }
    },
  };
}

/** XDG_CONFIG_HOME if it is set, else the system's usual folder for settings. */
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

function entryOf(origin: string, key: string): Entry {
  const salt = randomUUID();
  return { origin, salt, sha256: hashOf(salt, origin, key) };
}

function isOf(entry: Entry, origin: string, key: string): boolean {
  return entry.origin === origin && entry.sha256 === hashOf(entry.salt, origin, key);
}

function hashOf(...parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

/** Anything but a regular file of this user outside the checkout counts as empty. */
async function read(folder: string, checkout: string): Promise<Entry[]> {
  let file: FileHandle | undefined;
  try {
    if (isWithin(await resolved(checkout), await resolved(folder))) return [];
    file = await open(join(folder, FILE), constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    const about = await file.stat();
    const isOwn = process.getuid === undefined || about.uid === process.getuid();
    if (!about.isFile() || !isOwn || about.size > MAX_BYTES) return [];
    return fileSchema.parse(JSON.parse(await file.readFile("utf8"))).keys;
  } catch {
    return [];
  } finally {
    await file?.close();
  }
}

async function write(folder: string, checkout: string, entry: Entry): Promise<string | undefined> {
  const real = await resolved(folder);
  if (isWithin(await resolved(checkout), real)) return undefined;
  await mkdir(real, { recursive: true, mode: 0o700 });
  const keys = [...(await read(folder, checkout)), entry].slice(-MAX_ENTRIES);
  const path = join(real, FILE);
  const part = `${path}.${randomUUID()}`;
  const file = await open(part, "wx", 0o600);
  try {
    await file.writeFile(`${JSON.stringify({ version: 1, keys }, null, 2)}\n`);
    await file.close();
    await rename(part, path);
    return path;
  } catch (error) {
    await file.close();
    await rm(part, { force: true });
    throw error;
  }
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

/** Answers in this process: a command that opens the service again must not ask again, even after a no. */
const answers = new WeakMap<Shell, Map<string, boolean>>();

function nameOf(origin: string, key: string): string {
  return JSON.stringify([origin, key]);
}

export function keyConfirmation({ flags, shell, console }: Run): Confirmation {
  const answered = answers.get(shell) ?? new Map<string, boolean>();
  answers.set(shell, answered);
  const storeFor = async ({ root }: Project): Promise<RememberedKeys> =>
    rememberedKeys(shell.env, (await findRepository(root))?.root ?? root, root);
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
