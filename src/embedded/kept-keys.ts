import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { writeAtomic } from "../state/write-atomic.ts";
import { makeApiKeys, type ApiKeys } from "./api-keys.ts";
import type { Random } from "./random-id.ts";

const keysSchema = z.object({
  read: z.string().min(20),
  write: z.string().min(20),
  admin: z.string().min(20),
});

/** The keys of a store that `plancast serve` serves: made once, so that its clients know them after a restart. */
export async function loadOrCreateKeys(folder: string, random: Random): Promise<ApiKeys> {
  const path = join(folder, "keys.json");
  const kept = keysSchema.safeParse(await readJson(path));
  if (kept.success) return kept.data;
  const keys = makeApiKeys(random);
  await writeAtomic(path, `${JSON.stringify(keys)}\n`, folder, 0o600);
  return keys;
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, "utf8"));
  } catch {
    // None yet, or none that can be read: then new ones are made.
    return undefined;
  }
}
