/**
 * The pictures and videos of scheduled posts, in the checkout, which can change at any time. Only the bytes that apply saw
 * are published: they are read once, checked, and sent from memory.
 */

import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { readRegular } from "../disk/files.ts";
import { placeInProject } from "../disk/place.ts";
import type { MediaFiles } from "../embedded/store/files.ts";
import { factsOf } from "../media/read-media.ts";
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
    for (const file of media) if ((await this.read(file)) === undefined) return missing(file);
    return undefined;
  }

  /** The bytes of a file as apply saw them; undefined if they are not in the checkout, or only behind a link. */
  async read({ path, sha256 }: ScheduledMedia): Promise<Buffer | undefined> {
    for (const each of new Set([path, this.#movedTo(sha256)])) {
      const bytes = each === undefined ? undefined : await this.#bytesAt(each);
      if (bytes !== undefined && createHash("sha256").update(bytes).digest("hex") === sha256) return bytes;
    }
    return undefined;
  }

  /** Undefined for a link, a path out of the project, and anything else that is not a readable file. */
  async #bytesAt(path: string): Promise<Buffer | undefined> {
    try {
      return await readRegular(await placeInProject(this.#root, path));
    } catch {
      return undefined;
    }
  }
}

function missing({ path }: ScheduledMedia): string {
  return `${path} is not in the checkout, or is not the file that apply scheduled`;
}

/** For a store. They have no place, so that nobody opens them by path. @param files of the posts in the store */
export function mediaFiles(media: ScheduleMedia, files: readonly ScheduledMedia[]): MediaFiles {
  return {
    place: () => undefined,
    read: async (id) => {
      const named = files.filter((file) => mediaId(file) === id);
      for (const file of named) {
        const bytes = await media.read(file);
        if (bytes !== undefined) return Readable.from([bytes]);
      }
      throw new Error(named[0] === undefined ? `${id} is not in the schedule.` : missing(named[0]));
    },
    draft: () => {
      throw new Error("The files of a schedule are in the repository.");
    },
  };
}

/** Sends a post with the bytes that its files have now. Without all of them, the post waits, and no part of it is sent. */
export function publishWithBytes(network: Network): Network["publish"] {
  return async (post, attempt) => {
    const media: NetworkMedia[] = [];
    try {
      for (const file of post.media) media.push(await inMemory(file));
    } catch (error) {
      return { state: "failed", reason: reasonOf(error), retry: true };
    }
    return network.publish({ ...post, media }, attempt);
  };
}

async function inMemory(file: NetworkMedia): Promise<NetworkMedia> {
  const bytes = await file.open();
  const facts = await factsOf(bytes).catch(() => ({}));
  return { ...file, facts, open: () => Promise.resolve(bytes) };
}
