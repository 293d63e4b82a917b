/**
 * The facts in the header of a picture or video: dimensions, length, and whether the file is complete. Loaded on demand,
 * because most runs know the facts of their files.
 */

import type { FileHandle } from "node:fs/promises";
import { imageSize } from "image-size";
import type { MediaFacts } from "../model/post.ts";
import { animationMs } from "./animation.ts";

/** A file for reading facts in small parts, at any offset. */
export interface FileBytes {
  readonly size: number;
  /** The bytes from `start` on; fewer than requested only at the end of the file. */
  read(start: number, length: number): Promise<Buffer>;
}

/** Size of a part for searching. */
const STEP = 1024 * 1024;

export function fileBytes(handle: FileHandle, size: number): FileBytes {
  return {
    size,
    read: async (start, length) => {
      const wanted = Math.max(0, Math.min(length, size - start));
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(wanted), 0, wanted, start);
      return buffer.subarray(0, bytesRead);
    },
  };
}

/** Whether the bytes occur anywhere from `start` to the end of the file. */
async function containsBytes(file: FileBytes, start: number, sought: Buffer): Promise<boolean> {
  for (let at = start; at < file.size; at += STEP) {
    // Parts overlap, to find matches across their border.
    if ((await file.read(at, STEP + sought.length - 1)).includes(sought)) return true;
  }
  return false;
}

/** Width and height are usually within this many bytes. */
const PICTURE_HEAD = 512 * 1024;
/** The end of a picture is searched here first. */
const TAIL_BYTES = 64 * 1024;
/** Formats with a header that is always understood if it is complete. */
const WELL_KNOWN = new Set(["image/jpeg", "image/png", "image/gif", "image/webp"]);
/** Formats whose pictures may move, and the bytes of an animation that are read. */
const ANIMATED = new Set(["image/gif", "image/webp"]);
const MAX_ANIMATION = 64 * 1024 * 1024;
/** EXIF orientations from 5 on are rotated by 90 degrees. */
const FIRST_SIDEWAYS = 5;

const JPEG_END = Buffer.from([0xff, 0xd9]);
const PNG_END = Buffer.from("IEND", "latin1");

export async function pictureFacts(file: FileBytes, mime: string): Promise<MediaFacts> {
  const head = await file.read(0, PICTURE_HEAD);
  const size = sizeIn(head);
  if (size === undefined) {
    const isAllRead = head.length === file.size;
    return isAllRead && WELL_KNOWN.has(mime) ? { damage: "unreadable" } : {};
  }
  if (await isCutShort(file, mime, head)) return { ...size, damage: "cut-short" };
  const lengthMs = ANIMATED.has(mime) ? animationMs(await file.read(0, MAX_ANIMATION), mime) : undefined;
  return lengthMs === undefined ? size : { ...size, lengthMs };
}

function sizeIn(head: Buffer): { width: number; height: number } | undefined {
  try {
    const { width, height, orientation = 1 } = imageSize(head);
    if (!(width > 0 && height > 0)) return undefined;
    const isSideways = orientation >= FIRST_SIDEWAYS || isTurnedHeif(head);
    return isSideways ? { width: height, height: width } : { width, height };
  } catch {
    return undefined;
  }
}

/** A box with quarter turns, as all pictures of one HEIC or AVIF file have them. Source: ISO/IEC 23008-12, `irot`. */
const QUARTER_TURNS = Buffer.from("\0\0\0\u{9}irot", "latin1");

function isTurnedHeif(head: Buffer): boolean {
  if (head.toString("latin1", 4, 8) !== "ftyp") return false;
  const at = head.indexOf(QUARTER_TURNS);
  return at !== -1 && (head[at + QUARTER_TURNS.length] ?? 0) % 2 === 1;
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

/** The offset of the first scan of a JPEG, after all headers; undefined if it is not within these first bytes. */
function scanStart(head: Buffer): number | undefined {
  for (const { at, marker } of jpegSegments(head)) if (marker === 0xda) return at;
  return undefined;
}

/** Markers that begin a frame, which describes the picture, among others with the same first digit. */
const NOT_A_FRAME = new Set([0xc4, 0xc8, 0xcc]);
/** Cyan, magenta, yellow and black. */
const PRINT_COLORS = 4;

/** Whether a JPEG has the colours of print, which not every program can show. @param head its first bytes */
export function isPrintJpeg(head: Buffer): boolean {
  for (const { at, marker } of jpegSegments(head))
    if (marker >= 0xc0 && marker <= 0xcf && !NOT_A_FRAME.has(marker)) return head[at + 9] === PRINT_COLORS;
  return false;
}

/** Source: ITU-T T.81, annex B: a segment is 0xFF, a marker, and, for most markers, a length of two bytes. */
function* jpegSegments(head: Buffer): Generator<{ readonly at: number; readonly marker: number }> {
  let at = 2;
  while (at + 4 <= head.length && head[at] === 0xff) {
    const marker = head[at + 1] ?? 0;
    // Padding before a marker.
    if (marker === 0xff) at += 1;
    else {
      yield { at, marker };
      at += 2 + head.readUInt16BE(at + 2);
    }
  }
}

/** More boxes on one level than any real film has. This limits the time for a file of tiny boxes. */
const MAX_BOXES = 1000;
const HEADER_BYTES = 16;
/** Enough of a movie header for its length, in both versions. */
const MVHD_BYTES = 32;
/** A track header, in both versions. */
const TKHD_BYTES = 96;
/** More tracks than any real film has. */
const MAX_TRACKS = 20;

interface Box {
  readonly type: string;
  /** Start of its contents, and its end. */
  readonly start: number;
  readonly end: number;
}

/** Length, width and height of an MP4 or MOV film. Source: ISO/IEC 14496-12, boxes, `moov`, `mvhd` and `tkhd`. */
export async function mp4Facts(file: FileBytes): Promise<MediaFacts> {
  const boxes = await boxesIn(file, 0, file.size);
  const movie = boxes.find(({ type }) => type === "moov");
  const isCut = boxes.some(({ type, end }) => (type === "moov" || type === "mdat") && end > file.size);
  // A fragmented film has its header at the start too.
  if (movie === undefined) return { damage: "cut-short" };
  const inside = await boxesIn(file, movie.start, movie.end);
  const header = inside.find(({ type }) => type === "mvhd");
  const lengthMs = header === undefined ? undefined : await lengthIn(file, header);
  const tracks = inside.filter(({ type }) => type === "trak").slice(0, MAX_TRACKS);
  return {
    ...(await filmSize(file, tracks)),
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

/** Width and height of the first track with pictures, as players show them. */
async function filmSize(
  file: FileBytes,
  tracks: readonly Box[],
): Promise<Pick<MediaFacts, "width" | "height">> {
  for (const track of tracks) {
    const header = (await boxesIn(file, track.start, track.end)).find(({ type }) => type === "tkhd");
    const size = header === undefined ? undefined : shownSize(await file.read(header.start, TKHD_BYTES));
    if (size !== undefined) return size;
  }
  return {};
}

/** A track's size is in 16.16 pixels, after a matrix of nine numbers that turns it. Undefined for sound. */
function shownSize(header: Buffer): { width: number; height: number } | undefined {
  const matrix = header[0] === 1 ? 52 : 40;
  if (header.length < matrix + 44) return undefined;
  const width = Math.round(header.readUInt32BE(matrix + 36) / 65_536);
  const height = Math.round(header.readUInt32BE(matrix + 40) / 65_536);
  if (width === 0 || height === 0) return undefined;
  // Phones film sideways, and write a quarter turn.
  const isTurned = header.readInt32BE(matrix) === 0 && header.readInt32BE(matrix + 4) !== 0;
  return isTurned ? { width: height, height: width } : { width, height };
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
const FILM_HEAD = 64 * 1024;
/** Nanoseconds per tick, if the file does not set it. */
const USUAL_TICK = 1_000_000;

const SEGMENT = 0x18538067;
const INFO = 0x1549a966;
const TICK = 0x2ad7b1;
const DURATION = 0x4489;
const TRACKS = 0x1654ae6b;
const TRACK = 0xae;
const VIDEO = 0xe0;
/** Pixels as they are stored, and as they are shown. */
const PIXEL_SIZE = [0xb0, 0xba] as const;
const DISPLAY_SIZE = [0x54b0, 0x54ba] as const;
/** The unit of the size that is shown, if it is not pixels. */
const DISPLAY_UNIT = 0x54b2;

interface Element {
  readonly id: number;
  readonly data: Buffer;
  /** Start of the next one. */
  readonly end: number;
}

/** Length, width and height of a WebM or Matroska film. Source: RFC 8794 (EBML), RFC 9559 (Matroska), section 5.1. */
export async function matroskaFacts(file: FileBytes): Promise<MediaFacts> {
  const segment = find(await file.read(0, FILM_HEAD), SEGMENT);
  return segment === undefined ? {} : { ...matroskaSize(segment), ...matroskaLength(segment) };
}

function matroskaLength(segment: Buffer): Pick<MediaFacts, "lengthMs"> {
  const info = find(segment, INFO);
  const duration = info === undefined ? undefined : float(find(info, DURATION));
  if (info === undefined || duration === undefined) return {};
  const lengthMs = Math.round((duration * (unsigned(find(info, TICK)) ?? USUAL_TICK)) / 1e6);
  return Number.isSafeInteger(lengthMs) && lengthMs > 0 ? { lengthMs } : {};
}

function matroskaSize(segment: Buffer): Pick<MediaFacts, "width" | "height"> {
  const tracks = [...elements(find(segment, TRACKS) ?? Buffer.alloc(0))].filter(({ id }) => id === TRACK);
  const video = tracks.map(({ data }) => find(data, VIDEO)).find((each) => each !== undefined);
  if (video === undefined) return {};
  const isInPixels = (unsigned(find(video, DISPLAY_UNIT)) ?? 0) === 0;
  const [width = 0, height = 0] = PIXEL_SIZE.map(
    (id, index) =>
      (isInPixels ? unsigned(find(video, DISPLAY_SIZE[index] ?? id)) : undefined) ??
      unsigned(find(video, id)),
  );
  return width > 0 && height > 0 ? { width, height } : {};
}

/** The contents of the first element with an id, clipped to the buffer. */
function find(buffer: Buffer, id: number): Buffer | undefined {
  for (const element of elements(buffer)) if (element.id === id) return element.data;
  return undefined;
}

function* elements(buffer: Buffer): Generator<Element> {
  let at = 0;
  while (at < buffer.length) {
    const element = elementAt(buffer, at);
    if (element === undefined) return;
    yield element;
    at = element.end;
  }
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
