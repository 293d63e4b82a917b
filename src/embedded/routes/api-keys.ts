/** The keys of the embedded service, one for each scope: creates them, saves them in a file, and recognises them. */

import { z } from "zod";
import type { Random } from "../../model/random.ts";
import { isSameSecret } from "../../service/http/key.ts";
import { readRegular, writeAtomic } from "../../disk/files.ts";
import type { Place } from "../../disk/place.ts";

/** What a key permits, in ascending order; each scope includes the previous ones. Source: the interface, section 5. */
const SCOPES = ["read", "write", "admin"] as const;

export type Scope = (typeof SCOPES)[number];

/** One key for each scope. */
export type ApiKeys = Readonly<Record<Scope, string>>;

const KEY_BYTES = 24;

export function makeApiKeys(random: Random): ApiKeys {
  const key = (scope: Scope) => `pck_${scope}_${Buffer.from(random(KEY_BYTES)).toString("base64url")}`;
  return { read: key("read"), write: key("write"), admin: key("admin") };
}

/** The scope of the key in an Authorization header; undefined for a missing or unknown key. */
export function scopeOfKey(authorization: string | undefined, keys: ApiKeys): Scope | undefined {
  const [, given] = /^bearer +(\S+) *$/i.exec(authorization ?? "") ?? [];
  if (given === undefined) return undefined;
  // Compares every key in constant time, so that the time reveals nothing.
  const matches = SCOPES.filter((scope) => isSameSecret(given, keys[scope]));
  return matches.at(-1);
}

/**
 * Like scopeOfKey, and also accepts a browser's way to send a key: as the password in a login dialog (RFC 7617), with
 * any user name.
 */
export function scopeOfBrowser(authorization: string | undefined, keys: ApiKeys): Scope | undefined {
  const [, encoded] = /^basic +([\w+/=-]+) *$/i.exec(authorization ?? "") ?? [];
  if (encoded === undefined) return scopeOfKey(authorization, keys);
  const [, ...password] = Buffer.from(encoded, "base64").toString("utf8").split(":");
  return scopeOfKey(`Bearer ${password.join(":")}`, keys);
}

export function allows(has: Scope, needed: Scope): boolean {
  return SCOPES.indexOf(has) >= SCOPES.indexOf(needed);
}

const keysSchema = z.object({
  read: z.string().min(20),
  write: z.string().min(20),
  admin: z.string().min(20),
});

/**
 * The keys of a service that several machines run, so that clients can use any of them.
 * @param shared gives the text that the first machine made
 */
export async function sharedKeys(
  shared: (make: () => string) => Promise<string>,
  random: Random,
): Promise<ApiKeys> {
  return keysSchema.parse(JSON.parse(await shared(() => JSON.stringify(makeApiKeys(random)))));
}

/** The keys of a store for `plancast serve`: created once, so that clients can use them after a restart. */
export async function loadOrCreateKeys(folder: Place, random: Random): Promise<ApiKeys> {
  const place = folder.in("keys.json");
  const kept = keysSchema.safeParse(await readJson(place));
  if (kept.success) return kept.data;
  const keys = makeApiKeys(random);
  await saveKeys(folder, keys);
  return keys;
}

/** Replaces the keys of a store. */
export async function saveKeys(folder: Place, keys: ApiKeys): Promise<void> {
  await writeAtomic(folder.in("keys.json"), `${JSON.stringify(keys)}\n`, { mode: 0o600 });
}

async function readJson(place: Place): Promise<unknown> {
  try {
    return JSON.parse((await readRegular(place)).toString("utf8"));
  } catch {
    // If there are no keys yet, or the file is unreadable, it creates new keys.
    return undefined;
  }
}
