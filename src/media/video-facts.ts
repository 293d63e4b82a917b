/** Finds the dimensions and length of a video, and whether the file is complete. */

import type { MediaFacts } from "../model/post.ts";
import type { FileBytes } from "./file-contents.ts";

/** More boxes on one level than any real film has; limits the time for a file of tiny ones. */
const MAX_BOXES = 1000;
const HEADER_BYTES = 16;
/** Enough of a movie header for its length, in both versions. */
const MVHD_BYTES = 32;

interface Box {
  readonly type: string;
  /** Start of its contents, and its end. */
  readonly start: number;
  readonly end: number;
}

/** The length of an MP4 or MOV film. Source: ISO/IEC 14496-12, boxes, `moov` and `mvhd`. */
export async function mp4Facts(file: FileBytes): Promise<MediaFacts> {
  const boxes = await boxesIn(file, 0, file.size);
  const movie = boxes.find(({ type }) => type === "moov");
  const isCut = boxes.some(({ type, end }) => (type === "moov" || type === "mdat") && end > file.size);
  // A fragmented film has its header at the start too.
  if (movie === undefined) return { damage: "cut-short" };
  const header = (await boxesIn(file, movie.start, movie.end)).find(({ type }) => type === "mvhd");
  const lengthMs = header === undefined ? undefined : await lengthIn(file, header);
  return {
    ...(lengthMs === undefined ? {} : { lengthMs }),
    ...(isCut ? { damage: "cut-short" } : {}),
  };
}

/**
 * A box is its size, its type, and its contents. The size has 4 bytes, or 8 if these say 1; 0 means the rest of the
 * file.
 */
async function boxesIn(file: FileBytes, start: number, end: number): Promise<Box[]> {
  const boxes: Box[] = [];
  let at = start;
  while (at + 8 <= Math.min(end, file.size) && boxes.length < MAX_BOXES) {
    // The previous box shows where the next one begins.
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

/** Undefined if the header lacks it, as in films that are streamed while they are made. */
async function lengthIn(file: FileBytes, { start }: Box): Promise<number | undefined> {
  const data = await file.read(start, MVHD_BYTES);
  const isLong = data[0] === 1;
  if (data.length < (isLong ? 32 : 20)) return undefined;
  const timescale = data.readUInt32BE(isLong ? 20 : 12);
  const duration = isLong ? Number(data.readBigUInt64BE(24)) : data.readUInt32BE(16);
  const isUnknown = duration === 0 || duration >= (isLong ? 2 ** 63 : 2 ** 32 - 1) || timescale === 0;
  return isUnknown ? undefined : Math.round((duration / timescale) * 1000);
}

/** The information about a film is near its start. */
const HEAD_BYTES = 64 * 1024;
/** Nanoseconds per tick, if the file does not set it. */
const USUAL_TICK = 1_000_000;

const SEGMENT = 0x18538067;
const INFO = 0x1549a966;
const TICK = 0x2ad7b1;
const DURATION = 0x4489;

interface Element {
  readonly id: number;
  readonly data: Buffer;
  /** Start of the next one. */
  readonly end: number;
}

/** The length of a WebM or Matroska film. Source: RFC 8794 (EBML), RFC 9559 (Matroska), section 5.1.2. */
export async function matroskaFacts(file: FileBytes): Promise<MediaFacts> {
  const segment = find(await file.read(0, HEAD_BYTES), SEGMENT);
  const info = segment === undefined ? undefined : find(segment, INFO);
  const duration = info === undefined ? undefined : float(find(info, DURATION));
  if (info === undefined || duration === undefined) return {};
  const lengthMs = Math.round((duration * (unsigned(find(info, TICK)) ?? USUAL_TICK)) / 1e6);
  return Number.isSafeInteger(lengthMs) && lengthMs > 0 ? { lengthMs } : {};
}

/** The contents of the first element with an id, clipped to the buffer. */
function find(buffer: Buffer, id: number): Buffer | undefined {
  let at = 0;
  while (at < buffer.length) {
    const element = elementAt(buffer, at);
    if (element === undefined) return undefined;
    if (element.id === id) return element.data;
    at = element.end;
  }
  return undefined;
}

/** An element is its id and its size, numbers of variable length, and its contents. */
function elementAt(buffer: Buffer, at: number): Element | undefined {
  const idLength = lengthOfNumber(buffer[at]);
  const sizeAt = at + idLength;
  const sizeLength = lengthOfNumber(buffer[sizeAt]);
  const start = sizeAt + sizeLength;
  if (idLength === 0 || idLength > 4 || sizeLength === 0 || start > buffer.length) return undefined;
  const id = buffer.readUIntBE(at, idLength);
  const size = sizeOf(buffer.subarray(sizeAt, start));
  const end = size === undefined ? buffer.length : start + size;
  return { id, data: buffer.subarray(start, end), end };
}

/** Number of bytes of a variable-length number: one more than the leading zeros of its first byte. 0 if invalid. */
function lengthOfNumber(first = 0): number {
  return first === 0 ? 0 : Math.clz32(first) - 23;
}

/** Undefined for an unknown size: all bits that count are set. */
function sizeOf(bytes: Buffer): number | undefined {
  const mask = 0xff >> bytes.length;
  const first = (bytes[0] ?? 0) & mask;
  if (first === mask && bytes.subarray(1).every((byte) => byte === 0xff)) return undefined;
  return bytes.subarray(1).reduce((value, byte) => value * 256 + byte, first);
}

function unsigned(data: Buffer | undefined): number | undefined {
  return data === undefined || data.length === 0 || data.length > 6
    ? undefined
    : data.readUIntBE(0, data.length);
}

function float(data: Buffer | undefined): number | undefined {
  if (data?.length === 4) return data.readFloatBE();
  return data?.length === 8 ? data.readDoubleBE() : undefined;
}
