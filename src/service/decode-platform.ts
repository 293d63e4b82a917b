/** Platforms by whatever a record calls them: of a post, or of a connected account. */
import { isObject } from "./decode-list.ts";
import { idFrom, idIn, pickText, unreadable } from "./record.ts";
import type { Json, PlatformRecord } from "./records.ts";

/**
 * The platform of a connected account's record, lower case: what tells it plainly, else every name that may be it;
 * undefined when there is none.
 */
export function platformNames(value: unknown): readonly string[] | undefined {
  const names = typeof value === "string" ? [value] : isObject(value) ? namesIn(value) : [];
  return names.length === 0 ? undefined : names.map((name) => name.trim().toLowerCase());
}

/** Reads one connected account; a text is its platform, and its id as well. Throws a Failure for what is neither. */
export function decodePlatform(value: unknown, endpoint: string): PlatformRecord {
  const record = isObject(value) ? value : {};
  const id = isObject(value) ? idIn(value) : idFrom(value);
  const platform = platformName(value)?.trim().toLowerCase();
  if (id === undefined && platform === undefined) throw unreadable(endpoint, record, "an account");
  const name = pickText(record, ACCOUNT_KEYS);
  return {
    ...(id !== undefined && { id }),
    ...(platform !== undefined && { platform }),
    ...(name !== undefined && { name }),
    record,
  };
}

const ACCOUNT_KEYS = [
  "account_name",
  "accountName",
  "username",
  "handle",
  "display_name",
  "displayName",
  "name",
];

/** Keys that name a platform and nothing else, before those that may name the account. */
const PLATFORM_KEYS = ["platform", "identifier", "slug", "network", "provider", "service"];

function namesIn(record: Json): string[] {
  const telling = PLATFORM_KEYS.map((key) => record[key]).find((each) => each !== undefined && each !== null);
  if (typeof telling === "string") return [telling];
  if (isObject(telling)) return namesIn(telling);
  return ["type", "name", "id"].map((key) => record[key]).filter((each) => typeof each === "string");
}

/** A platform's identifier: the value itself, or of an object the most telling of its names. */
export function platformName(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (!isObject(value)) return undefined;
  const [first] = namesIn(value);
  const isTold = PLATFORM_KEYS.some((key) => typeof value[key] === "string");
  // `{ id: "twitter", name: "X (Twitter)" }`, but also `{ id: "acc_12", name: "twitter" }`.
  const plain = typeof value["id"] === "string" && /^[a-z]+$/.test(value["id"]) ? value["id"] : undefined;
  return isTold ? first : (plain ?? first);
}
