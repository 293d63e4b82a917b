/**
 * What a camera writes into a picture or video that nobody else needs to know: the place, serial numbers, and the name of
 * the camera's owner. These bytes are overwritten while a file is sent. Nothing moves, so colour profile, orientation,
 * copyright and everything that is seen stay as they are. Sources: Exif 3.0, XMP (ISO 16684-1), ISO/IEC 14496-12.
 */

import { crc32 } from "node:zlib";
import type { FileBytes } from "./header-facts.ts";

/** Bytes that replace others of the same length. */
export interface Patch {
  readonly at: number;
  readonly bytes: Uint8Array;
}

/** More of a file is not searched, in bytes: no camera writes larger pictures or movie headers. */
const MAX_SEARCHED = 64 * 1024 * 1024;

/** The bytes to overwrite. Empty for a type that holds none of these. @param mime the media type of the content */
export async function privatePatches(file: FileBytes, mime: string): Promise<readonly Patch[]> {
  switch (mime) {
    case "video/mp4":
    case "video/quicktime":
    case "video/x-m4v":
      return inFilm(file);
    case "video/webm":
      return inWebm(file);
    case "image/png":
    case "image/apng":
      return inPng(await file.read(0, MAX_SEARCHED));
    default:
      return mime.startsWith("image/") ? inPicture(await file.read(0, MAX_SEARCHED)) : [];
  }
}

/** Overwrites the part of a file that begins at an offset. */
export function applyPatches(part: Uint8Array, offset: number, patches: readonly Patch[]): void {
  for (const { at, bytes } of patches) {
    const from = Math.max(at, offset);
    const to = Math.min(at + bytes.length, offset + part.length);
    if (from < to) part.set(bytes.subarray(from - at, to - at), from - offset);
  }
}

/** A range of bytes, from its first to after its last. */
type Range = readonly [start: number, end: number];

function filled(ranges: readonly Range[], value: number): Patch[] {
  return ranges.map(([start, end]) => ({ at: start, bytes: new Uint8Array(end - start).fill(value) }));
}

/** Blocks of Exif and XMP anywhere in a file, as in JPEG, WebP, HEIC, AVIF and TIFF, also behind the first picture. */
function inPicture(bytes: Buffer): readonly Patch[] {
  const blocks = [...tiffStarts(bytes)];
  const ranges = blocks.flatMap((start) => inTiff(bytes, [start, Math.min(bytes.length, start + MAX_EXIF)]));
  return [...filled(ranges, 0), ...filled(inXmp(bytes), BLANK)];
}

/** No block of Exif is larger, in bytes: pictures have at most 64 KB of it in a JPEG, and little more elsewhere. */
const MAX_EXIF = 1024 * 1024;
const BLANK = 0x20;
const LITTLE_ENDIAN = Buffer.from("II*\0", "latin1");
const BIG_ENDIAN = Buffer.from("MM\0*", "latin1");

/**
 * Where Exif begins: at the start of a TIFF file, after `Exif` in a JPEG, and in the chunk `EXIF` of a WebP. In a HEIC or AVIF,
 * it is after `Exif`, or after its offset, which is then 0 (ISO/IEC 23008-12, A.2.1).
 */
function* tiffStarts(bytes: Buffer): Generator<number> {
  const isHeif = bytes.toString("latin1", 4, 8) === "ftyp";
  for (const mark of [LITTLE_ENDIAN, BIG_ENDIAN]) {
    for (let at = bytes.indexOf(mark); at !== -1; at = bytes.indexOf(mark, at + 1)) {
      const before = bytes.toString("latin1", Math.max(0, at - 8), at);
      const isMarked = before.endsWith("Exif\0\0") || before.startsWith("EXIF");
      if (at === 0 || isMarked || (isHeif && before.endsWith("\0\0\0\0"))) yield at;
    }
  }
}

const GPS_TABLE = 0x8825;
const EXIF_TABLE = 0x8769;
/** Owner, serial numbers of camera and lens, and the maker's own notes, which contain these again. */
const PRIVATE_TAGS: ReadonlySet<number> = new Set([0xa430, 0xa431, 0xa435, 0xc62f, 0x927c]);
/** Bytes of a value by its type, from type 1 on. */
const TYPE_BYTES = [1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4];
const ENTRY_BYTES = 12;
/** More than any real file has. This limits the time for a hostile one. */
const MAX_ENTRIES = 500;
const MAX_TABLES = 20;

/** The private values of a block of Exif, which is a small TIFF. */
function inTiff(bytes: Buffer, [start, end]: Range): readonly Range[] {
  const isLittle = bytes[start] === 0x49;
  const short = (at: number): number => (isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at));
  const long = (at: number): number => (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));
  const isInside = (at: number, length: number): boolean => at >= start && at + length <= end;
  const found: Range[] = [];
  const seen = new Set<number>();
  const waiting: { readonly at: number; readonly isGps: boolean }[] = [];
  const follow = (pointer: number, isGps: boolean): void => {
    if (isInside(pointer, 4)) waiting.push({ at: start + long(pointer), isGps });
  };
  follow(start + 4, false);
  for (let table = waiting.pop(); table !== undefined; table = waiting.pop()) {
    const { at, isGps } = table;
    if (!isInside(at, 2) || seen.has(at) || seen.size > MAX_TABLES) continue;
    seen.add(at);
    const count = Math.min(short(at), MAX_ENTRIES);
    const after = at + 2 + count * ENTRY_BYTES;
    if (!isInside(at, after - at)) continue;
    for (let entry = at + 2; entry < after; entry += ENTRY_BYTES) {
      const tag = short(entry);
      const length = long(entry + 4) * (TYPE_BYTES[short(entry + 2) - 1] ?? 0);
      const value = length <= 4 ? entry + 8 : start + long(entry + 8);
      if (tag === GPS_TABLE || tag === EXIF_TABLE) follow(entry + 8, tag === GPS_TABLE);
      else if ((isGps || PRIVATE_TAGS.has(tag)) && isInside(value, length))
        found.push([value, value + length]);
    }
    // An empty table is valid.
    if (isGps) found.push([at, after]);
    else follow(after, false);
  }
  return found;
}

const XMP_START = Buffer.from("<rdf:RDF");
const XMP_END = Buffer.from("</rdf:RDF>");
/** Names of properties, in any namespace. */
const PRIVATE_NAME = String.raw`(?:gps\w{0,40}|\w{0,40}serialnumber|\w{0,20}ownername|\w{0,20}altitude)`;
const XMP_VALUE = new RegExp(
  String.raw`(:${PRIVATE_NAME}\s{0,20}=\s{0,20}["'])([^"'<>]{0,5000})|(<[\w-]{1,40}:${PRIVATE_NAME}>)([^<>]{0,5000})`,
  "gi",
);

/** The private values of blocks of XMP. */
function inXmp(bytes: Buffer): readonly Range[] {
  const found: Range[] = [];
  for (let start = bytes.indexOf(XMP_START); start !== -1; start = bytes.indexOf(XMP_START, start + 1)) {
    const end = bytes.indexOf(XMP_END, start);
    if (end === -1) break;
    for (const match of bytes.toString("latin1", start, end).matchAll(XMP_VALUE)) {
      const [, name = match[3] ?? "", value = match[4] ?? ""] = match;
      const at = start + match.index + name.length;
      found.push([at, at + value.length]);
    }
    start = end;
  }
  return found;
}

const PNG_SIGNATURE_BYTES = 8;

/** In a PNG, a checksum follows each chunk. */
function inPng(bytes: Buffer): readonly Patch[] {
  const patches: Patch[] = [];
  for (let at = PNG_SIGNATURE_BYTES; at + 12 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const end = at + 8 + bytes.readUInt32BE(at);
    if (end + 4 > bytes.length) break;
    const written = bytes.subarray(at + 4, end);
    const found = inChunk(written);
    if (found.length === 0) continue;
    const chunk = Buffer.from(written);
    applyPatches(chunk, 0, found);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(chunk));
    patches.push({ at: at + 4, bytes: Buffer.concat([chunk, sum]) });
  }
  return patches;
}

/** @param chunk its type and its data */
function inChunk(chunk: Buffer): readonly Patch[] {
  switch (chunk.toString("latin1", 0, 4)) {
    case "eXIf":
      return filled(inTiff(chunk, [4, chunk.length]), 0);
    case "iTXt":
      if (chunk.toString("latin1", 4, 4 + XMP_KEY.length) !== XMP_KEY) return [];
      return chunk[4 + XMP_KEY.length] === 0 ? filled(inXmp(chunk), BLANK) : unread(chunk);
    case "tEXt":
    case "zTXt":
      return chunk.toString("latin1", 4, 4 + RAW_PROFILE.length) === RAW_PROFILE ? unread(chunk) : [];
    default:
      return [];
  }
}

const XMP_KEY = "XML:com.adobe.xmp\0";
/** Exif or XMP as older programs write it. The picture's own colour profile is elsewhere. */
const RAW_PROFILE = "Raw profile type ";

/** Makes a chunk an empty text, because its contents are packed. */
function unread(chunk: Buffer): readonly Patch[] {
  const text = Buffer.concat([Buffer.from("tEXtComment\0"), Buffer.alloc(chunk.length, BLANK)]);
  return [{ at: 0, bytes: text.subarray(0, chunk.length) }];
}

/** What people write about a film. All else that is beside it comes from the camera. */
const KEPT_ABOUT_FILM: ReadonlySet<string> = new Set(
  (
    "\u00a9nam \u00a9cpy \u00a9ART \u00a9day \u00a9cmt \u00a9too \u00a9gen " +
    "cprt titl dscp auth perf gnre name meta hdlr free skip chpl ilst XMP_"
  ).split(" "),
);
const PRIVATE_KEY = /location|serial|owner|gps|identifier/i;
const CONTAINERS: ReadonlySet<string> = new Set(["moov", "trak", "udta"]);
const MAX_DEPTH = 4;
const MAX_BOXES = 1000;

interface Box extends Record<"at" | "start" | "end", number> {
  readonly type: string;
}

/** In a film: notes of the camera beside the movie's header, its list of facts, and XMP. */
async function inFilm(file: FileBytes): Promise<readonly Patch[]> {
  const patches: Patch[] = [];
  let at = 0;
  for (let count = 0; count < MAX_BOXES && at + 8 <= file.size; count += 1) {
    const head = await file.read(at, 16);
    const box = boxAt(head, 0, file.size - at);
    if (box === undefined) break;
    if (box.type === "moov" || box.type === "uuid" || box.type === "meta") {
      const bytes = await file.read(at, Math.min(box.end, MAX_SEARCHED));
      const found = [...inBoxes(bytes, [0, bytes.length], 0), ...filled(inXmp(bytes), BLANK)];
      for (const each of found) patches.push({ at: at + each.at, bytes: each.bytes });
    }
    at += box.end;
  }
  return patches;
}

function inBoxes(bytes: Buffer, range: Range, depth: number): readonly Patch[] {
  if (depth > MAX_DEPTH) return [];
  return [...boxesIn(bytes, range)].flatMap((box) => {
    if (box.type === "meta") return inFacts(bytes, box);
    if (!CONTAINERS.has(box.type)) return [];
    const isAbout = box.type === "udta";
    const notes = isAbout ? [...boxesIn(bytes, [box.start, box.end])] : [];
    const removed = notes.filter(({ type }) => !KEPT_ABOUT_FILM.has(type)).flatMap(asFree);
    return [...removed, ...inBoxes(bytes, [box.start, box.end], depth + 1)];
  });
}

/** A box that readers pass over. */
function asFree({ at, start, end }: Box): readonly Patch[] {
  return [{ at: at + 4, bytes: Buffer.from("free") }, ...filled([[start, end]], 0)];
}

/** A list of keys, and of their values by the number of the key; or values by their type. */
function inFacts(bytes: Buffer, { start, end }: Box): readonly Patch[] {
  // In a QuickTime film, no version comes first.
  const isOlder = bytes.toString("latin1", start + 4, start + 8) === "hdlr";
  const inside = [...boxesIn(bytes, [isOlder ? start : start + 4, end])];
  const keys = inside.find(({ type }) => type === "keys");
  const names = keys === undefined ? [] : [...boxesIn(bytes, [keys.start + 8, keys.end])];
  const values = inside.filter(({ type }) => type === "ilst");
  return values.flatMap((list) =>
    [...boxesIn(bytes, [list.start, list.end])].flatMap((item) => {
      const key = names[bytes.readUInt32BE(item.at + 4) - 1];
      const name = key === undefined ? item.type : bytes.toString("latin1", key.start, key.end);
      const isPrivate = key === undefined ? name === "\u00a9xyz" || name === "loci" : PRIVATE_KEY.test(name);
      // A value has a head of 16 bytes: size, `data`, type and language.
      return isPrivate && item.start + 16 < item.end ? filled([[item.start + 16, item.end]], BLANK) : [];
    }),
  );
}

/** In a WebM: before a tag's name and before its text (Matroska, RFC 9559, 5.1.8). */
const TAG_NAME = Buffer.from([0x45, 0xa3]);
const TAG_TEXT = Buffer.from([0x44, 0x87]);
/** Tags are at the start or at the end of a file, within this many bytes. */
const TAGS_WITHIN = 4 * 1024 * 1024;

async function inWebm(file: FileBytes): Promise<readonly Patch[]> {
  const end = Math.max(0, file.size - TAGS_WITHIN);
  const parts =
    end < TAGS_WITHIN ? [{ at: 0, length: file.size }] : [0, end].map((at) => ({ at, length: TAGS_WITHIN }));
  const patches: Patch[] = [];
  for (const { at, length } of parts) {
    const bytes = await file.read(at, length);
    for (const [from, to] of inTags(bytes)) patches.push(...filled([[at + from, at + to]], BLANK));
  }
  return patches;
}

/** The texts of private tags. */
function* inTags(bytes: Buffer): Generator<Range> {
  for (let at = bytes.indexOf(TAG_NAME); at !== -1; at = bytes.indexOf(TAG_NAME, at + 1)) {
    const [start, end] = elementAt(bytes, at + TAG_NAME.length);
    if (end - start > MAX_TAG_NAME || !PRIVATE_KEY.test(bytes.toString("latin1", start, end))) continue;
    // Its language may come before its text.
    const text = bytes.indexOf(TAG_TEXT, end);
    if (text !== -1 && text - end <= MAX_TAG_NAME) yield elementAt(bytes, text + TAG_TEXT.length);
  }
}

const MAX_TAG_NAME = 100;

/** What an element contains. The first bits of its size say how many bytes the size has. */
function elementAt(bytes: Buffer, at: number): Range {
  const first = bytes[at] ?? 0;
  const length = Math.clz32(first) - 23;
  if (first === 0 || at + length > bytes.length) return [at, at];
  let size = first & (0xff >> length);
  for (let index = 1; index < length; index += 1) size = size * 256 + (bytes[at + index] ?? 0);
  return [at + length, Math.min(bytes.length, at + length + size)];
}

function* boxesIn(bytes: Buffer, [start, end]: Range): Generator<Box> {
  let at = start;
  for (let count = 0; count < MAX_BOXES && at + 8 <= end; count += 1) {
    const box = boxAt(bytes, at, end);
    if (box === undefined || box.end > end) return;
    yield box;
    at = box.end;
  }
}

/** @param end of the box around it, for a box that takes the rest */
function boxAt(bytes: Buffer, at: number, end: number): Box | undefined {
  if (at + 8 > bytes.length) return undefined;
  const small = bytes.readUInt32BE(at);
  const isLarge = small === 1 && at + 16 <= bytes.length;
  const head = isLarge ? 16 : 8;
  const size = isLarge ? Number(bytes.readBigUInt64BE(at + 8)) : small === 0 ? end - at : small;
  if (size < head) return undefined;
  return { type: bytes.toString("latin1", at + 4, at + 8), at, start: at + head, end: at + size };
}
