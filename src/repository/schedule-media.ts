/**
 * The pictures and videos of scheduled posts, in the checkout, which can change at any time. Only the bytes that apply saw
 * are published: they are copied, the copy is checked, and only the copy is sent. A file is never in memory as a whole.
 */

import { type Hash, createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import {
  type TemporaryFolder,
  makeTemporaryFolder,
  openForReading,
  removeFile,
  streamToNew,
} from "../disk/files.ts";
import { type Place, placeInProject } from "../disk/place.ts";
import type { MediaFiles } from "../embedded/store/media-files.ts";
import type { StoredMedia } from "../embedded/store/records.ts";
import { DiskFile, factsOf, partsOf } from "../media/media-file.ts";
import { reasonOf } from "../model/failure.ts";
import type { Network, NetworkMedia } from "../networks/network.ts";
import { type ScheduledMedia, type ScheduledPost, mediaId } from "./schedule.ts";

export class ScheduleMedia {
  readonly #root: string;
  readonly #movedTo: (sha256: string) => string | undefined;

  /**
   * @param root of the project
   * @param movedTo where the lockfile last saw a file with that hash, in case that somebody moved it
   */
  constructor(root: string, movedTo: (sha256: string) => string | undefined) {
    this.#root = root;
    this.#movedTo = movedTo;
  }

  /** Why a post's files cannot be published now; undefined if all are there. */
  async problemWith({ media }: Pick<ScheduledPost, "media">): Promise<string | undefined> {
    for (const file of media) {
      const isThere = await this.#find(file, async () => {}).catch(() => false);
      if (!isThere) return missing(file);
    }
    return undefined;
  }

  /** Copies a file as apply saw it. Resolves to false if it is not in the checkout, or only behind a link. */
  async copy(file: ScheduledMedia, to: Place): Promise<boolean> {
    return this.#find(file, async (bytes) => {
      await removeFile(to);
      await pipeline(bytes, streamToNew(to));
    });
  }

  /** Whether a file has the right bytes. They go through `use`, part by part, before that is known. */
  async #find(
    { path, sha256 }: ScheduledMedia,
    use: (bytes: AsyncIterable<Uint8Array>) => Promise<void>,
  ): Promise<boolean> {
    for (const each of new Set([path, this.#movedTo(sha256)])) {
      const file = each === undefined ? undefined : await this.#open(each);
      if (file === undefined) continue;
      const hash = createHash("sha256");
      const seen = hashed(partsOf(file), hash);
      try {
        await use(seen);
        // The parts that were not used count, too.
        while ((await seen.next()).done !== true) continue;
      } finally {
        await file.close();
      }
      if (hash.digest("hex") === sha256) return true;
    }
    return false;
  }

  /** Undefined for a link, a path out of the project, and anything else that is not a readable file. */
  async #open(path: string): Promise<FileHandle | undefined> {
    try {
      return await openForReading(await placeInProject(this.#root, path));
    } catch {
      return undefined;
    }
  }
}

/** The parts of a file, which the hash gets, too. */
async function* hashed(parts: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const part of parts) {
    hash.update(part);
    yield part;
  }
}

function missing({ path }: ScheduledMedia): string {
  return `${path} is not in the checkout, or is not the file that apply scheduled`;
}

/** The files of one batch of posts, for a store, in a folder of their own outside the checkout. */
export class ScheduledFiles implements MediaFiles {
  readonly #media: ScheduleMedia;
  readonly #files: readonly ScheduledMedia[];
  readonly #copies = new Map<string, Promise<Place>>();
  #folder: Promise<TemporaryFolder> | undefined;

  constructor(media: ScheduleMedia, files: readonly ScheduledMedia[]) {
    this.#media = media;
    this.#files = files;
  }

  /** They have no place before they are copied and checked. */
  place(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  async file({ id, mime }: StoredMedia): Promise<DiskFile> {
    const copy = this.#copies.get(id) ?? this.#copy(id);
    this.#copies.set(id, copy);
    // A missing file may be there at the next attempt.
    copy.catch(() => this.#copies.delete(id));
    return DiskFile.open((await copy).path, mime);
  }

  read(): never {
    throw new Error("The files of a schedule can only be sent, not read.");
  }

  draft(): never {
    throw new Error("The files of a schedule are in the repository.");
  }

  remove(): never {
    return this.draft();
  }

  /** Removes the copies. */
  async close(): Promise<void> {
    await (await this.#folder)?.remove();
  }

  async #copy(id: string): Promise<Place> {
    this.#folder ??= makeTemporaryFolder("plancast-media-");
    const place = (await this.#folder).place.in(id);
    const named = this.#files.filter((file) => mediaId(file) === id);
    for (const file of named) if (await this.#media.copy(file, place)) return place;
    throw new Error(named[0] === undefined ? `${id} is not in the schedule.` : missing(named[0]));
  }
}

/** Sends a post with the bytes that its files have now. Without all of them, the post waits, and no part of it is sent. */
export function publishWithBytes(network: Network): Network["publish"] {
  return async (post, attempt) => {
    const media: NetworkMedia[] = [];
    try {
      for (const file of post.media) media.push(await withFacts(file));
    } catch (error) {
      return { state: "failed", reason: reasonOf(error), retry: true };
    }
    return network.publish({ ...post, media }, attempt);
  };
}

async function withFacts(file: NetworkMedia): Promise<NetworkMedia> {
  const bytes = await file.open();
  const facts = await factsOf(bytes).catch(() => ({}));
  return { ...file, facts, open: () => Promise.resolve(bytes) };
}
