/**
 * Small pictures by the SHA-256 of the picture that they come from, so that each is made once. They are in the user's cache
 * folder and never in a checkout: a pull request can neither add nor read one. You can delete the folder at any time.
 */

import { isAbsolute, join } from "node:path";
import {
  makeFolder,
  namesIn,
  readRegular,
  removeAbandoned,
  removeFile,
  statsAt,
  writeAtomic,
} from "../../disk/files.ts";
import { type Place, placeTyped } from "../../disk/place.ts";
import type { Env } from "../../settings/environment.ts";

/** Increase it when the same source gives another small picture. */
const VERSION = 1;
/** About 10,000 pictures. The oldest are removed. */
const MAX_BYTES = 200_000_000;

export class PictureCache {
  readonly #folder: Place;
  readonly #maxBytes: number;
  #hasNew = false;

  /**
   * Does work with the cache, and then keeps it within its limit.
   * @param root of the project, absolute @param now ms since the epoch
   */
  static async use<T>(
    { root, env, now }: { readonly root: string; readonly env: Env; readonly now: number },
    work: (cache: PictureCache | undefined) => Promise<T>,
  ): Promise<T> {
    const cache = await PictureCache.open(root, env);
    const result = await work(cache);
    await cache?.trim(now);
    return result;
  }

  private constructor(folder: Place, maxBytes: number) {
    this.#folder = folder;
    this.#maxBytes = maxBytes;
  }

  /**
   * Undefined if there is no cache folder, if it is in the checkout, or if it cannot be used.
   * @param root of the project, absolute
   */
  static async open(root: string, env: Env, maxBytes = MAX_BYTES): Promise<PictureCache | undefined> {
    const path = cacheFolder(env);
    if (path === undefined) return undefined;
    try {
      const { place, isInCheckout } = await placeTyped(join(path, `pictures-${VERSION}`), root);
      if (isInCheckout) return undefined;
      await makeFolder(place);
      return new PictureCache(place, maxBytes);
    } catch {
      return undefined;
    }
  }

  /** A WebP; undefined if it is not there, or damaged. */
  async get(sha256: string): Promise<Buffer | undefined> {
    const bytes = await readRegular(this.#placeOf(sha256)).catch(() => undefined);
    return bytes !== undefined && isWholeWebp(bytes) ? bytes : undefined;
  }

  /** A picture that cannot be kept is made again the next time. */
  async put(sha256: string, webp: Uint8Array): Promise<void> {
    this.#hasNew = true;
    await writeAtomic(this.#placeOf(sha256), webp).catch(() => undefined);
  }

  /** Removes the oldest pictures beyond the limit. @param now ms since the epoch */
  async trim(now: number): Promise<void> {
    if (!this.#hasNew) return;
    try {
      await removeAbandoned(this.#folder, now);
      const places = (await namesIn(this.#folder)).map((name) => this.#folder.in(name));
      const found = await Promise.all(places.map(async (place) => ({ place, stats: await statsAt(place) })));
      let room = this.#maxBytes;
      const age = ({ stats }: (typeof found)[number]): number => now - (stats?.mtimeMs ?? now);
      for (const { place, stats } of found.toSorted((one, other) => age(one) - age(other))) {
        room -= stats?.size ?? 0;
        if (room < 0 && stats?.isFile() === true) await removeFile(place);
      }
    } catch {
      // Another run removes them at the same time.
    }
  }

  #placeOf(sha256: string): Place {
    return this.#folder.in(`${sha256}.webp`);
  }
}

/** The length is after the first four bytes. Source: WebP Container Specification, "WebP File Header". */
function isWholeWebp(bytes: Buffer): boolean {
  return bytes.length > 12 && bytes.readUInt32LE(4) + 8 === bytes.length;
}

/** XDG_CACHE_HOME if it is set, otherwise the system's usual folder for caches. */
export function cacheFolder(env: Env, platform: NodeJS.Platform = process.platform): string | undefined {
  const { XDG_CACHE_HOME: xdg = "", LOCALAPPDATA: local = "", HOME: home = "" } = env;
  if (isAbsolute(xdg)) return join(xdg, "plancast");
  if (platform === "win32") return local === "" ? undefined : join(local, "plancast", "Cache");
  if (!isAbsolute(home)) return undefined;
  return platform === "darwin"
    ? join(home, "Library", "Caches", "plancast")
    : join(home, ".cache", "plancast");
}
