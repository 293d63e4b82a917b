import { open } from "node:fs/promises";
import type { MediaFacts } from "../calendar/post.ts";
import { hashFile, type FileContents } from "./hash-file.ts";
import { readFacts } from "./read-facts.ts";

export interface ReadMedia extends FileContents {
  readonly facts: MediaFacts;
}

/** A file's hash, size and type, and what its header tells. */
export async function readMedia(path: string): Promise<ReadMedia> {
  const contents = await hashFile(path);
  return { ...contents, facts: contents.mime === undefined ? {} : await readFacts(path, contents.mime) };
}

/** Whether bytes of this type are a picture or a video. */
export function isMedia(mime: string | undefined): mime is `image/${string}` | `video/${string}` {
  return mime?.startsWith("image/") === true || mime?.startsWith("video/") === true;
}

/** What is looked at for the beginning of a web page, bytes. */
const PAGE_HEAD = 2048;

/** Whether a file of no known type is a web page: what hosts send instead of a file. */
export async function isWebPage(path: string): Promise<boolean> {
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(PAGE_HEAD), 0, PAGE_HEAD, 0);
    return /<(?:!doctype\s+html|html|head|body)[\s>]/i.test(buffer.toString("latin1", 0, bytesRead));
  } finally {
    await file.close();
  }
}
