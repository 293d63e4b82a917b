/** The text of an answer, within bounds. */
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";

/** A list of 100,000 posts is some 50 MB; more than this is no answer to anything that plancast asks. */
const MAX_ANSWER_BYTES = 256 * 1024 * 1024;

const LIMITED = { maxOutputLength: MAX_ANSWER_BYTES };
const [ungzip, inflated, unbrotli] = [promisify(gunzip), promisify(inflate), promisify(brotliDecompress)];

/** Nobody is asked to pack, but some that stand between do. Source: RFC 9110, section 8.4.1. */
const UNPACK: ReadonlyMap<string, (packed: Buffer) => Promise<Buffer>> = new Map([
  ["gzip", (packed: Buffer) => ungzip(packed, LIMITED)],
  ["x-gzip", (packed: Buffer) => ungzip(packed, LIMITED)],
  ["deflate", (packed: Buffer) => inflated(packed, LIMITED)],
  ["br", (packed: Buffer) => unbrotli(packed, LIMITED)],
]);

/**
 * The bytes as they came, where they cannot be unpacked: some name a coding that is none, or one that something between
 * has undone already. Throws where the body breaks off or is too large.
 * @param encoding as the answer's header names it
 */
export async function readBody(
  body: AsyncIterable<unknown>,
  encoding: string | string[] | undefined,
): Promise<string> {
  let bytes = await readBounded(body);
  const names = [encoding ?? ""].flat().join(",").toLowerCase().split(",");
  for (const name of names.map((each) => each.trim()).reverse()) {
    if (name === "" || name === "identity" || bytes.byteLength === 0) continue;
    // oxlint-disable-next-line no-await-in-loop
    const unpacked = await UNPACK.get(name)?.(bytes).catch(() => undefined);
    if (unpacked === undefined) break;
    bytes = unpacked;
  }
  return bytes.toString("utf8");
}

async function readBounded(body: AsyncIterable<unknown>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body) {
    if (!(part instanceof Uint8Array)) continue;
    bytes += part.byteLength;
    if (bytes > MAX_ANSWER_BYTES) throw new Error("the answer is far too large");
    parts.push(part);
  }
  return Buffer.concat(parts);
}
