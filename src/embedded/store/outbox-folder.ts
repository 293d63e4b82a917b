/** What each platform would have got, as files that people and scripts can look at. */

import { copyFile, link, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "../../model/failure.ts";
import type { MediaFiles } from "./media-files.ts";
import type { StoredMedia, StoredPost } from "./records.ts";

/** Puts a post that was published where it can be looked at. Done again for the same post, it comes to the same. */
export type Outbox = (post: StoredPost, platform: string, media: readonly StoredMedia[]) => Promise<void>;

/** Of a store in memory: what was published shows on the page alone. */
export const noOutbox: Outbox = () => Promise.resolve();

/** A folder for each platform, in it one for each post: `post.json`, and its media in their order. */
export function createOutboxFolder(folder: string, files: MediaFiles): Outbox {
  return async (post, platform, media) => {
    const entry = join(folder, platform, `${post.scheduled_at.replaceAll(":", "-")}_${post.id}`);
    // A crash may have left half of it.
    await rm(entry, { recursive: true, force: true });
    await mkdir(entry, { recursive: true });
    const names = media.map((item, index) => `${index + 1}.${extensionOf(item.mime)}`);
    await Promise.all(
      media.map((item, index) => putFile(files.path(item.id), join(entry, names[index] ?? item.id))),
    );
    const { id: post_id, content, scheduled_at } = post;
    const text = JSON.stringify({ platform, post_id, scheduled_at, content, media: names }, null, 2);
    await writeFile(join(entry, "post.json"), `${text}\n`);
  };
}

/**
 * One file under two names takes its space once; where the file system knows no such, it is copied. A file that
 * somebody removed from the store is missing in the outbox, and keeps nothing else from being published.
 */
async function putFile(from: string | undefined, to: string): Promise<void> {
  if (from === undefined) return;
  try {
    await link(from, to).catch(() => copyFile(from, to));
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
}

/** Such as `png`, of a media type that was told from the bytes. */
function extensionOf(mime: string): string {
  const [subtype = ""] = /[a-z0-9]+$/.exec(mime) ?? [];
  return subtype === "" ? "bin" : subtype;
}
