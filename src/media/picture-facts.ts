/** Finds the width and height of a picture, and whether the file is complete. */

import { imageSize } from "image-size";
import type { MediaFacts } from "../model/post.ts";
import { type FileBytes, containsBytes } from "./file-contents.ts";

/** Width and height are usually within this many bytes. */
const HEAD_BYTES = 512 * 1024;
/** The end of a picture is searched here first. */
const TAIL_BYTES = 64 * 1024;
/** Formats with a header that is always understood if it is complete. */
const WELL_KNOWN = new Set(["image/jpeg", "image/png", "image/gif", "image/webp"]);
/** EXIF orientations from 5 on are rotated by 90 degrees. */
const FIRST_SIDEWAYS = 5;

const JPEG_END = Buffer.from([0xff, 0xd9]);
const PNG_END = Buffer.from("IEND", "latin1");

export async function pictureFacts(file: FileBytes, mime: string): Promise<MediaFacts> {
  const head = await file.read(0, HEAD_BYTES);
  const size = sizeIn(head);
  if (size === undefined) {
    const isAllRead = head.length === file.size;
    return isAllRead && WELL_KNOWN.has(mime) ? { damage: "unreadable" } : {};
  }
  return (await isCutShort(file, mime, head)) ? { ...size, damage: "cut-short" } : size;
}

function sizeIn(head: Buffer): { width: number; height: number } | undefined {
  try {
    const { width, height, orientation = 1 } = imageSize(head);
    if (!(width > 0 && height > 0)) return undefined;
    return orientation < FIRST_SIDEWAYS ? { width, height } : { width: height, height: width };
  } catch {
    return undefined;
  }
}

async function isCutShort(file: FileBytes, mime: string, head: Buffer): Promise<boolean> {
  switch (mime) {
    case "image/jpeg": {
      // A thumbnail with its own end marker may precede the picture itself.
      const start = scanStart(head);
      return start !== undefined && !(await endsWith(file, start, JPEG_END));
    }
    case "image/png":
    case "image/apng":
      return !(await endsWith(file, 0, PNG_END));
    case "image/webp":
      return head.readUInt32LE(4) + 8 > file.size;
    default:
      return false;
  }
}

/** Cameras append data to their pictures, so the end marker need not be at the end. */
async function endsWith(file: FileBytes, start: number, end: Buffer): Promise<boolean> {
  const tail = Math.max(start, file.size - TAIL_BYTES);
  return (await containsBytes(file, tail, end)) || (tail > start && (await containsBytes(file, start, end)));
}

/**
 * Start of the first scan of a JPEG, after all headers; undefined if it is not within the head. Source: ITU-T T.81,
 * annex B: a segment is 0xFF, a marker, and, for most markers, a length of two bytes.
 */
function scanStart(head: Buffer): number | undefined {
  let at = 2;
  while (at + 4 <= head.length) {
    if (head[at] !== 0xff) return undefined;
    const marker = head[at + 1];
    if (marker === 0xda) return at;
    // Padding before a marker.
    at += marker === 0xff ? 1 : 2 + head.readUInt16BE(at + 2);
  }
  return undefined;
}
