import type { MediaFacts } from "../calendar/post.ts";
import type { FileBytes } from "./file-bytes.ts";

/** More boxes on one level than any film has; a file of tiny ones would keep us busy. */
const MAX_BOXES = 1000;
const HEADER_BYTES = 16;
/** Enough of a movie header for its length, in both versions. */
const MVHD_BYTES = 32;

interface Box {
  readonly type: string;
  /** Where its contents begin, and where it ends. */
  readonly start: number;
  readonly end: number;
}

/** The length of an MP4 or MOV film. Source: ISO/IEC 14496-12, boxes, `moov` and `mvhd`. */
export async function mp4Facts(file: FileBytes): Promise<MediaFacts> {
  const boxes = await boxesIn(file, 0, file.size);
  const movie = boxes.find(({ type }) => type === "moov");
  const isCut = boxes.some(({ type, end }) => (type === "moov" || type === "mdat") && end > file.size);
  // A fragment that comes in later parts has its header at the start all the same.
  if (movie === undefined) return { damage: "cut-short" };
  const header = (await boxesIn(file, movie.start, movie.end)).find(({ type }) => type === "mvhd");
  const lengthMs = header === undefined ? undefined : await lengthIn(file, header);
  return {
    ...(lengthMs === undefined ? {} : { lengthMs }),
    ...(isCut ? { damage: "cut-short" } : {}),
  };
}

/** A box is its size (of 4 bytes, or 8 where that says 1; 0 for the rest of the file), its type, and its contents. */
async function boxesIn(file: FileBytes, start: number, end: number): Promise<Box[]> {
  const boxes: Box[] = [];
  let at = start;
  while (at + 8 <= Math.min(end, file.size) && boxes.length < MAX_BOXES) {
    // Where a box begins is known when the one before it is read.
    // oxlint-disable-next-line no-await-in-loop
    const head = await file.read(at, HEADER_BYTES);
    if (head.length < 8) break;
    const small = head.readUInt32BE(0);
    const isLarge = small === 1 && head.length === HEADER_BYTES;
    const size = isLarge ? Number(head.readBigUInt64BE(8)) : small === 0 ? end - at : small;
    if (size < (isLarge ? 16 : 8)) break;
    boxes.push({ type: head.toString("latin1", 4, 8), start: at + (isLarge ? 16 : 8), end: at + size });
    at += size;
  }
  return boxes;
}

/** Undefined where the header does not tell, as in films that are sent while they are made. */
async function lengthIn(file: FileBytes, { start }: Box): Promise<number | undefined> {
  const data = await file.read(start, MVHD_BYTES);
  const isLong = data[0] === 1;
  if (data.length < (isLong ? 32 : 20)) return undefined;
  const timescale = data.readUInt32BE(isLong ? 20 : 12);
  const duration = isLong ? Number(data.readBigUInt64BE(24)) : data.readUInt32BE(16);
  const isUnknown = duration === 0 || duration >= (isLong ? 2 ** 63 : 2 ** 32 - 1) || timescale === 0;
  return isUnknown ? undefined : Math.round((duration / timescale) * 1000);
}
