import type { MediaFacts } from "../calendar/post.ts";
import type { FileBytes } from "./file-bytes.ts";

/** The information on a film stands near its start. */
const HEAD_BYTES = 64 * 1024;
/** Ns of a tick, where the file does not say it. */
const USUAL_TICK = 1_000_000;

const SEGMENT = 0x18538067;
const INFO = 0x1549a966;
const TICK = 0x2ad7b1;
const DURATION = 0x4489;

interface Element {
  readonly id: number;
  readonly data: Buffer;
  /** Where the next one begins. */
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

/** The contents of the first element with an id; cut where the buffer ends. */
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

/** Bytes of a number of variable length: one more than the zeros that its first byte begins with. 0 for none. */
function lengthOfNumber(first = 0): number {
  return first === 0 ? 0 : Math.clz32(first) - 23;
}

/** Undefined for a size that is not known: all bits that count are set. */
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
