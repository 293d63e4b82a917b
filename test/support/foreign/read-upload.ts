/** Reads the body of a request: text, or a form. It hashes the form's files while they arrive, and never keeps them. */
import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { finished } from "node:stream/promises";
import { Busboy, type BusboyFileStream, type BusboyInstance } from "@fastify/busboy";

/** An uploaded file, as it arrived. */
export interface StoredMedia {
  /** Hex SHA-256 of the bytes. */
  readonly sha256: string;
  readonly bytes: number;
  readonly filename: string;
  readonly mime: string;
  readonly fieldName: string;
}

/** `unreadable`: complete, but not UTF-8 or not a form. */
export type Body =
  | { readonly kind: "text"; readonly text: string }
  /** A picture or video that is the whole body. */
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "form"; readonly files: readonly StoredMedia[]; readonly fields: readonly string[] }
  | { readonly kind: "unreadable"; readonly why: string };

/** Resolves with the whole body, or undefined if the client disconnected before its end. */
export async function readBody(request: IncomingMessage): Promise<Body | undefined> {
  const type = request.headers["content-type"] ?? "";
  try {
    if (/^multipart\/form-data/i.test(type)) return await readForm(request, type);
    const bytes = await readBytes(request);
    if (/^(?:image|video)\//i.test(type)) return { kind: "bytes", bytes };
    return { kind: "text", text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch (error) {
    // Node sets `complete` if the whole body arrived. Then the fault is in its content.
    if (!request.complete) return undefined;
    return { kind: "unreadable", why: error instanceof Error ? error.message : String(error) };
  }
}

async function readBytes(request: IncomingMessage): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) if (chunk instanceof Uint8Array) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function readForm(request: IncomingMessage, type: string): Promise<Body> {
  const files: Promise<StoredMedia>[] = [];
  const fields: string[] = [];
  const parser = new Busboy({ headers: { ...request.headers, "content-type": type } });
  parser.on("file", (fieldName, stream, filename, _encoding, mime) => {
    const file = hashFile(stream, { fieldName, filename, mime });
    // It is awaited below. Until then, an incomplete file must not count as an unhandled rejection.
    file.catch(() => undefined);
    files.push(file);
  });
  parser.on("field", (name) => fields.push(name));
  try {
    await parse(request, parser);
    return { kind: "form", files: await Promise.all(files), fields };
  } catch (error) {
    // Read to the end, so that the client can read the answer.
    request.unpipe(parser);
    request.resume();
    if (!request.readableEnded) await finished(request);
    throw error;
  }
}

/** Not `pipeline`: that would destroy the connection when the form is wrong. */
function parse(request: IncomingMessage, parser: BusboyInstance): Promise<void> {
  return new Promise((resolve, reject) => {
    parser.once("finish", resolve);
    parser.once("error", reject);
    request.once("error", reject);
    request.pipe(parser);
  });
}

async function hashFile(
  stream: BusboyFileStream,
  about: Pick<StoredMedia, "fieldName" | "filename" | "mime">,
): Promise<StoredMedia> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of stream) {
    if (!(chunk instanceof Uint8Array)) continue;
    hash.update(chunk);
    bytes += chunk.byteLength;
  }
  return { sha256: hash.digest("hex"), bytes, ...about };
}
