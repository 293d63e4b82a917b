/**
 * What addresses gave when they were last applied, as the lockfile remembers it. Their content is taken to be fixed, so
 * nobody need look again.
 */
import { hash } from "node:crypto";
import { getOwn } from "./entry.ts";
import type { KeptFacts, Lockfile, Pin } from "./lockfile.ts";
import type { MediaFacts, MediaFile } from "./post.ts";
import { displayAddress } from "./media-address.ts";

/** A file from the web. */
type WebFile = MediaFile & { readonly url: string };

export function isWebFile(file: MediaFile): file is WebFile {
  return file.url !== undefined;
}

/** What stands for an address where it is kept: signed ones are secrets. */
export function addressKey(url: string): string {
  return hash("sha256", url);
}

/** The file that an address gave; undefined where that was never uploaded or adopted. */
export function pinnedFile(
  { urls = {}, media }: Pick<Lockfile, "urls" | "media">,
  url: string,
): MediaFile | undefined {
  const pin = getOwn(urls, addressKey(url));
  const cached = pin === undefined ? undefined : getOwn(media, pin.sha256);
  if (pin === undefined || cached === undefined) return undefined;
  const { sha256, mime } = pin;
  return {
    kind: "file",
    path: displayAddress(url),
    url,
    sha256,
    bytes: cached.bytes,
    mime,
    facts: fromKeptFacts(pin),
  };
}

/** The lockfile's entry for a file from the web, by its key. */
export function pinEntry({ url, path, sha256, mime, facts = {} }: WebFile): [string, Pin] {
  return [addressKey(url), { address: path, sha256, mime, ...toKeptFacts(facts) }];
}

/** What a header told, as it is kept in files. */
export function toKeptFacts({ lengthMs, ...rest }: MediaFacts): KeptFacts {
  return { ...rest, ...(lengthMs === undefined ? {} : { length_ms: lengthMs }) };
}

/** The same, read again. */
export function fromKeptFacts({ width, height, length_ms: lengthMs, damage }: KeptFacts): MediaFacts {
  return {
    ...(width === undefined ? {} : { width }),
    ...(height === undefined ? {} : { height }),
    ...(lengthMs === undefined ? {} : { lengthMs }),
    ...(damage === undefined ? {} : { damage }),
  };
}
