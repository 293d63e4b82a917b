/** Finds a media file's type, dimensions, length and damage, with limited reading. */

import { open } from "node:fs/promises";
import type { MediaFacts } from "../model/post.ts";
import { type FileContents, fileBytes, hashFile } from "./file-contents.ts";

export interface ReadMedia extends FileContents {
  readonly facts: MediaFacts;
}

/** A file's hash, size and type, and the facts in its header. */
export async function readMedia(path: string): Promise<ReadMedia> {
  const contents = await hashFile(path);
  return { ...contents, facts: contents.mime === undefined ? {} : await readFacts(path, contents.mime) };
}

/** Whether bytes of this type are a picture or a video. */
export function isMedia(mime: string | undefined): mime is `image/${string}` | `video/${string}` {
  return mime?.startsWith("image/") === true || mime?.startsWith("video/") === true;
}

/** Bytes to check for the start of a web page. */
const PAGE_HEAD = 2048;

/** Whether a file of unknown type is a web page: hosts often send one instead of a file. */
export async function isWebPage(path: string): Promise<boolean> {
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(PAGE_HEAD), 0, PAGE_HEAD, 0);
    return /<(?:!doctype\s+html|html|head|body)[\s>]/i.test(buffer.toString("latin1", 0, bytesRead));
  } finally {
    await file.close();
  }
}

/**
 * Reads the header of a file. The bytes are untrusted: unreadable facts are absent, and never an error.
 * @param mime the media type of the content
 */
export async function readFacts(path: string, mime: string): Promise<MediaFacts> {
  const handle = await open(path, "r");
  try {
    const file = fileBytes(handle, (await handle.stat()).size);
    switch (mime) {
      case "video/mp4":
      case "video/quicktime":
      case "video/x-m4v":
        return await (await import("./video-facts.ts")).mp4Facts(file);
      case "video/webm":
      case "video/matroska":
        return await (await import("./video-facts.ts")).matroskaFacts(file);
      default:
        return mime.startsWith("image/")
          ? await (await import("./picture-facts.ts")).pictureFacts(file, mime)
          : {};
    }
  } finally {
    await handle.close();
  }
}
