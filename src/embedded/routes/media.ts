/** The media library: lists it, sends its files, and receives uploads as a stream, with little memory. */

import type { IncomingMessage } from "node:http";
import type { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type BusboyInstance, Busboy } from "@fastify/busboy";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { BucketError } from "../store/media-files.ts";
import { type StoredMedia, freeId } from "../store/records.ts";
import {
  type Backend,
  type RequestContext,
  type Route,
  EndpointError,
  endpoint,
  invalidField,
  pageOfStore,
  serviceUrl,
} from "./endpoint.ts";
import { MEDIA_TYPES, mediaAnswer, mediaPage, mediaQuery } from "./schemas.ts";

const listMedia = endpoint({
  method: "GET",
  path: "/media",
  scope: "read",
  operation: "listMedia",
  summary: "Lists the media library, oldest first",
  query: mediaQuery,
  answer: mediaPage,
  handle: ({ query: { type, ...query }, context }, { store }) =>
    pageOfStore(store, "media", { ...query, status: type }, (item) => toMediaAnswer(item, context)),
});

const uploadMedia = endpoint({
  method: "POST",
  path: "/media",
  scope: "write",
  operation: "uploadMedia",
  summary: "Uploads an image or a video",
  body: "file",
  status: 201,
  answer: mediaAnswer,
  async handle({ context }, backend) {
    const made = await addMedia(backend, (sink) => receiveFile(context.env.incoming, sink));
    return toMediaAnswer(made, context);
  },
});

const downloadMedia = endpoint({
  method: "GET",
  path: "/media/:id/file",
  scope: "read",
  operation: "downloadMedia",
  summary: "Sends the file of a media item",
  answer: "file",
  handle: ({ id, context }, backend) => sendMedia(id, context, backend),
});

export const mediaRoutes: readonly Route[] = [listMedia, uploadMedia, downloadMedia];

/**
 * Adds a file to the media library. `write` writes its bytes to `sink`, and resolves at the end. Rejects with the error
 * of `write`, and with validation_error for anything but an image or video; then nothing is stored.
 */
export async function addMedia(
  { store, random, now }: Backend,
  write: (sink: () => Writable) => Promise<void>,
): Promise<StoredMedia> {
  const id = await freeId("media", random, async (each) => (await store.get("media", each)) !== undefined);
  const draft = store.files.draft(id);
  try {
    await write(() => draft.sink());
    const type = detectMediaType(await draft.mime().catch(() => undefined));
    const bytes = await draft.bytes();
    // The file is stored before the record that refers to it.
    const kept = await draft.keep();
    const at = new Date(now()).toISOString();
    const media = { id, ...type, bytes, ...kept, created_at: at, used_until: at };
    await store.add({ kind: "media", record: media });
    return media;
  } catch (error) {
    await draft.discard();
    throw error instanceof BucketError ? new EndpointError("platform_error", error.message) : error;
  }
}

/** The type comes from the bytes, not from the sender. */
function detectMediaType(mime: string | undefined): Pick<StoredMedia, "type" | "mime"> {
  const type = MEDIA_TYPES.find((each) => mime?.startsWith(`${each}/`) === true);
  if (mime === undefined || type === undefined) throw invalidField("file", "must be an image or a video");
  return { type, mime };
}

/** A media item as clients see it. Its address is for this client and not stored. */
export function toMediaAnswer(
  { sha256: _own, used_until: _use, ...item }: StoredMedia,
  context: RequestContext,
) {
  return { ...item, url: `${serviceUrl(context)}/media/${item.id}/file` };
}

/** Answers with the bytes of a media item. Rejects with not_found, or with the disk's error. */
export async function sendMedia(id: string, context: RequestContext, { store }: Backend): Promise<Response> {
  const found = await store.get("media", id);
  if (found === undefined) throw new EndpointError("not_found", "This media item does not exist.");
  const bytes = await store.files.read(found);
  const { outgoing } = context.env;
  outgoing.writeHead(200, {
    "Content-Type": found.mime,
    "Content-Length": found.bytes,
    "X-Content-Type-Options": "nosniff",
  });
  // A client that closes the connection is not an error. hono's own streaming would print one.
  await pipeline(bytes, outgoing).catch(() => outgoing.destroy());
  return RESPONSE_ALREADY_SENT;
}

/** Name of the form's file field. The interface does not define it. */
export const FILE_FIELD = "file";

/** Largest file, in bytes: 1 GB, by the larger of the two definitions. */
const MAX_FILE_BYTES = 1_073_741_824;

/** Space for the form around the file, in bytes. */
const FORM_OVERHEAD_BYTES = 4_194_304;

const FORM_LIMITS = {
  files: 1,
  fields: 20,
  fieldSize: 65_536,
  parts: 25,
  headerPairs: 100,
  headerSize: 16_384,
};

/**
 * Writes the form's only file, of at most `maxBytes`, to a sink from `openSink`, and ends the sink. Rejects with a
 * ServiceError if the form is invalid, otherwise with the sink's error. In that case, a part of the file may exist,
 * but no code writes to it any more. Never uses the sender's file name.
 */
export async function receiveFile(
  incoming: IncomingMessage,
  openSink: () => Writable,
  maxBytes: number = MAX_FILE_BYTES,
): Promise<void> {
  const form = openForm(incoming, maxBytes);
  let file: Readable | undefined;
  let written: Promise<void> | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      form.on("file", (name, part) => {
        file = part;
        part.once("error", () => reject(malformedForm()));
        part.once("limit", () => reject(fileTooLarge(maxBytes)));
        if (name !== FILE_FIELD)
          return reject(invalidField("file", `must come in the field \`${FILE_FIELD}\``));
        const sink = openSink();
        sink.once("error", reject);
        written = pipeline(part, sink);
        // Awaited below; until then, a failure must not count as unhandled.
        written.catch(reject);
      });
      form.once("filesLimit", () => reject(invalidField("file", "must be one file")));
      form.once("partsLimit", () => reject(invalidField("body", "has too many parts")));
      form.on("error", () => reject(malformedForm()));
      form.once("finish", resolve);
      incoming.once("error", () => reject(malformedForm()));
      incoming.pipe(form);
    });
    if (written === undefined) throw invalidField("file", "is missing");
    await written;
  } catch (error) {
    incoming.unpipe(form);
    file?.destroy();
    await written?.catch(() => undefined);
    throw error;
  }
}

function openForm(incoming: IncomingMessage, maxBytes: number): BusboyInstance {
  const type = incoming.headers["content-type"] ?? "";
  if (!/^multipart\/form-data\s*(;|$)/i.test(type))
    throw invalidField("Content-Type", "must be multipart/form-data");
  if (Number(incoming.headers["content-length"] ?? 0) > maxBytes + FORM_OVERHEAD_BYTES)
    throw fileTooLarge(maxBytes);
  try {
    const limits = { ...FORM_LIMITS, fileSize: maxBytes };
    return new Busboy({ headers: { ...incoming.headers, "content-type": type }, limits });
  } catch {
    throw invalidField("Content-Type", "must contain the boundary of the form");
  }
}

function malformedForm(): EndpointError {
  return invalidField("body", "is not a complete multipart form");
}

function fileTooLarge(maxBytes: number): EndpointError {
  return new EndpointError("validation_error", `file: must not be larger than ${maxBytes} bytes.`, {
    status: 413,
  });
}
