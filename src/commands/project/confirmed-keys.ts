/**
 * Asks in the terminal before a key goes to a new origin, and remembers the answer on this machine. The file is outside
 * every checkout, and contains a salted hash of each key, never the key: only those who have the key can write an entry
 * for it.
 */

import { createHash, randomUUID } from "node:crypto";
import { z } from "zod";
import { checkoutFolder } from "../../disk/place.ts";
import { sendKeyQuestion } from "../../problems/connection-texts.ts";
import { escapeTerminal } from "../../report/text/escape.ts";
import type { Confirmation } from "../../service/connect/obtain-key.ts";
import type { Project } from "../../settings/config.ts";
import type { Env } from "../../settings/environment.ts";
import type { Run } from "../shell/command.ts";
import type { Shell } from "../shell/shell.ts";
import { OwnFiles } from "./own-files.ts";

const FILE = "confirmed-keys.json";
/** The oldest entries are dropped: nobody uses this many keys. */
const MAX_ENTRIES = 500;

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
  const files = new OwnFiles(env, repository, project);
  return {
    has: async (origin, key) => (await read(files)).some((entry) => isOf(entry, origin, key)),
    add: async (origin, key) => {
      try {
        const keys = [...(await read(files)), entryOf(origin, key)].slice(-MAX_ENTRIES);
        return await files.write(FILE, `${JSON.stringify({ version: 1, keys }, null, 2)}\n`);
      } catch {
        return undefined;
      }
    },
  };
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

/** A damaged file counts as empty. */
async function read(files: OwnFiles): Promise<Entry[]> {
  const text = await files.read(FILE);
  if (text === undefined) return [];
  try {
    return fileSchema.parse(JSON.parse(text)).keys;
  } catch {
    return [];
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
