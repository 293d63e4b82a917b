/** Receives a file of a multipart form as a stream: no more than a few chunks are in memory. */
import type { IncomingMessage } from "node:http";
import type { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Busboy, type BusboyInstance } from "@fastify/busboy";
import { invalidField } from "./request-body.ts";
import { ServiceError } from "./service-error.ts";

/** Name of the form's file field. The interface does not show it. */
export const FILE_FIELD = "file";

/** Largest file, bytes: 1 GB, in the larger of the two ways to count it. */
const MAX_FILE_BYTES = 1_073_741_824;

/** Room for the form around the file, bytes. */
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
 * Writes the form's one file, of `maxBytes` at most, to what `openSink` gives, and ends that.
 * Rejects with a ServiceError when the form is not as it should be, else with the sink's error; then a part of the
 * file may have been written, and nothing writes any more. The name that the sender gives the file is never used.
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
        // Its end is awaited below; until then a failure must not count as unhandled.
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
    throw invalidField("Content-Type", "must name the boundary of the form");
  }
}

function malformedForm(): ServiceError {
  return invalidField("body", "is not a whole multipart form");
}

function fileTooLarge(maxBytes: number): ServiceError {
  return new ServiceError("validation_error", `file: must not be larger than ${maxBytes} bytes.`, {
    status: 413,
  });
}
