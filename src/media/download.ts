/** Downloads one file, with limits for bytes and time. */

import type { FileHandle } from "node:fs/promises";
import { openNew } from "../disk/files.ts";
import type { Place } from "../disk/place.ts";
import { Failure, networkReason } from "../model/failure.ts";
import { displayAddress } from "../model/media-address.ts";
import { sizeBytes } from "../settings/limits.ts";
import { type Answer, type GetRules, firstValue, getChecked, partsOf } from "./checked-request.ts";
import {
  type MediaFault,
  compressed,
  incompleteDownload,
  refusedByHost,
  tooLarge,
  withDiskFailure,
} from "./media-fault.ts";

/** What a host said about a file, to ask later whether it has changed. */
export interface Validators {
  readonly etag?: string | undefined;
  readonly modified?: string | undefined;
}

export interface DownloadOptions extends GetRules {
  /** For example `1GiB`. */
  readonly maxSize: string;
}

/** `same`: it has not changed, by the validators. Otherwise, the content is in the file. */
export type Downloaded =
  { readonly kind: "same" } | { readonly kind: "new"; readonly validators: Validators };

/**
 * Downloads an address to a new file. Sends no cookies, and the key only to the service that it belongs to. Throws a
 * Failure if the disk cannot be written, and anything if the run is interrupted.
 */
export function download(
  address: string,
  place: Place,
  known: Validators | undefined,
  rules: DownloadOptions,
): Promise<Downloaded | MediaFault> {
  const headers = {
    accept: "image/*, video/*",
    ...(known?.etag === undefined ? {} : { "if-none-match": known.etag }),
    ...(known?.modified === undefined ? {} : { "if-modified-since": known.modified }),
  };
  return getChecked(address, headers, rules, (answer, signal) =>
    receive(answer, { address, place, known, rules, signal }),
  );
}

interface Call {
  readonly address: string;
  readonly place: Place;
  readonly known: Validators | undefined;
  readonly rules: DownloadOptions;
  readonly signal: AbortSignal;
}

async function receive(answer: Answer, call: Call): Promise<Downloaded | MediaFault> {
  const { statusCode, headers } = answer;
  if (statusCode === 304 && call.known !== undefined) return { kind: "same" };
  return (
    faultIn(answer, call) ??
    (await save(answer, call)) ?? {
      kind: "new",
      validators: { etag: firstValue(headers["etag"]), modified: firstValue(headers["last-modified"]) },
    }
  );
}

/** Faults that the headers of an answer show. */
function faultIn({ statusCode, headers }: Answer, { address, rules }: Call): MediaFault | undefined {
  if (statusCode !== 200) return refusedByHost(address, statusCode);
  const encoding = firstValue(headers["content-encoding"])?.trim().toLowerCase();
  if (encoding !== undefined && encoding !== "" && encoding !== "identity")
    return compressed(address, encoding);
  const length = Number(firstValue(headers["content-length"]) ?? 0);
  return length > sizeBytes(rules.maxSize) ? tooLarge(address, rules.maxSize) : undefined;
}

/** Writes the body to the file; returns what is wrong with it. */
async function save(
  answer: Answer,
  { address, place, rules, signal }: Call,
): Promise<MediaFault | undefined> {
  const file = await withDiskFailure(() => openNew(place));
  try {
    const maxBytes = sizeBytes(rules.maxSize);
    let bytes = 0;
    for await (const part of partsOf(answer)) {
      bytes += part.byteLength;
      if (bytes > maxBytes) return tooLarge(address, rules.maxSize);
      await withDiskFailure(() => writeAll(file, part));
    }
    return bytes === 0
      ? { code: "media/empty", message: `"${displayAddress(address)}" is empty.` }
      : undefined;
  } catch (error) {
    if (error instanceof Failure || signal.aborted) throw error;
    return incompleteDownload(address, networkReason(error));
  } finally {
    await file.close();
  }
}

async function writeAll(file: FileHandle, part: Uint8Array): Promise<void> {
  for (let from = 0; from < part.byteLength;) {
    const { bytesWritten } = await file.write(part, from);
    from += bytesWritten;
  }
}
