/** The keys of the embedded service, one for each scope: makes them, keeps them in a file, and recognises them. */

import { createHash, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { readRegular, writeAtomic } from "../../disk/files.ts";
import type { Place } from "../../disk/place.ts";
import type { Random } from "../store/records.ts";

/** What a key may do, from little to much; each includes those before it. Source: the interface, section 5. */
const SCOPES = ["read", "write", "admin"] as const;

export type Scope = (typeof SCOPES)[number];

/** One key for each scope. */
export type ApiKeys = Readonly<Record<Scope, string>>;

const KEY_BYTES = 24;

export function makeApiKeys(random: Random): ApiKeys {
  const key = (scope: Scope) => `pck_${scope}_${Buffer.from(random(KEY_BYTES)).toString("base64url")}`;
  return { read: key("read"), write: key("write"), admin: key("admin") };
}

/** The scope of the key in an Authorization header; undefined for no key, or one that is not ours. */
export function scopeOfKey(authorization: string | undefined, keys: ApiKeys): Scope | undefined {
  const [, given] = /^bearer +(\S+) *$/i.exec(authorization ?? "") ?? [];
  if (given === undefined) return undefined;
  // Every key is compared, in constant time, so that the time taken tells nothing about any of them.
  const matches = SCOPES.filter((scope) => isSame(given, keys[scope]));
  return matches.at(-1);
}

/**
 * As scopeOfKey, and also for a browser's way to send a key: as the password that it asks its user for (RFC 7617).
 * The name beside it may be any.
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

function isSame(one: string, other: string): boolean {
  return timingSafeEqual(digest(one), digest(other));
}

/** Digests have one length, which timingSafeEqual asks for. */
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

const keysSchema = z.object({
  read: z.string().min(20),
  write: z.string().min(20),
  admin: z.string().min(20),
});

/** The keys of a store that `plancast serve` serves: made once, so that its clients know them after a restart. */
export async function loadOrCreateKeys(folder: Place, random: Random): Promise<ApiKeys> {
  const place = folder.in("keys.json");
  const kept = keysSchema.safeParse(await readJson(place));
  if (kept.success) return kept.data;
  const keys = makeApiKeys(random);
  await writeAtomic(place, `${JSON.stringify(keys)}\n`, { mode: 0o600 });
  return keys;
}

async function readJson(place: Place): Promise<unknown> {
  try {
    return JSON.parse((await readRegular(place)).toString("utf8"));
  } catch {
    // None yet, or none that can be read: then new ones are made.
    return undefined;
  }
}
