/**
 * A bucket of an S3-compatible service, for the media of several machines. The name of an object is the id of its record
 * and the SHA-256 of its bytes. So bytes that do not fit their name are refused, and an object has one owner, who can
 * remove it.
 * Source: Amazon S3 API reference (PutObject, GetObject, DeleteObject, ListObjects, error responses), Signature Version 4.
 */

import { createHash } from "node:crypto";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { AwsV4Signer } from "aws4fetch";
import { type Dispatcher, request } from "undici";
import { openForReading, removeFile, streamToNew } from "../../disk/files.ts";
import type { Place } from "../../disk/place.ts";
import { Connections } from "../../media/connections.ts";
import { networkReason } from "../../model/failure.ts";
import { readBounded } from "../../service/http/request.ts";
import type { BucketAddress } from "./bucket-address.ts";
import { type Bucket, BucketError, type BucketItem, type BucketName } from "./media-files.ts";

const CONNECTIONS = 8;
/** Longest wait for an answer's headers, and between two parts of its body, in ms. */
const SILENCE_MS = 30_000;
/** How often a request is sent before it counts as failed, and the wait before the second attempt, in ms. */
const ATTEMPTS = 3;
const FIRST_WAIT_MS = 500;
/** A page of a list has up to 1,000 files. */
const MAX_PAGES = 10_000;
const MAX_PAGE_BYTES = 4_000_000;

/** For a database without a bucket. Another machine could not publish the file. */
export const NO_BUCKET: Bucket = {
  put: () => Promise.reject(new BucketError(NO_BUCKET_REASON)),
  get: () => Promise.reject(new BucketError(NO_BUCKET_REASON)),
  remove: () => Promise.resolve(),
  // oxlint-disable-next-line require-yield
  async *list() {},
};

export class MediaBucket implements Bucket {
  readonly #address: BucketAddress;
  readonly #wait: (ms: number) => Promise<void>;
  readonly #connections = new Connections({ connections: CONNECTIONS });

  /** @param wait resolves after this many ms */
  constructor(address: BucketAddress, wait: (ms: number) => Promise<void>) {
    this.#address = address;
    this.#wait = wait;
  }

  async put(item: BucketItem, file: Place): Promise<void> {
    await this.#attempt(async () => {
      const handle = await openForReading(file);
      const body = handle.createReadStream();
      const headers = { "content-length": String(item.bytes) };
      const sent = this.#send("PUT", this.#addressOf(item), headers, item.sha256, body);
      const answer = await sent.finally(() => body.destroy());
      await answer.body.dump();
    });
  }

  async remove(item: BucketName): Promise<void> {
    await this.#attempt(async () => {
      const answer = await this.#send("DELETE", this.#addressOf(item), {}, EMPTY_SHA256);
      await answer.body.dump();
    });
  }

  async get(item: BucketItem, to: Place): Promise<void> {
    await this.#attempt(async () => {
      const { body } = await this.#send("GET", this.#addressOf(item), {}, EMPTY_SHA256);
      try {
        await pipeline(body, verified(item), streamToNew(to));
      } catch (error) {
        await removeFile(to);
        throw error;
      }
    });
  }

  async *list(): AsyncGenerator<BucketName & { readonly ageMs: number }> {
    const { url, folder } = this.#address;
    for (let after = "", page = 0; page < MAX_PAGES; page += 1) {
      const query = `marker=${encodeURIComponent(after)}&prefix=${encodeURIComponent(folder)}`;
      const { text, date } = await this.#attempt(async () => {
        const { body, headers } = await this.#send("GET", `${url}?${query}`, {}, EMPTY_SHA256);
        const bytes = await readBounded(body, { timeoutMs: SILENCE_MS }, MAX_PAGE_BYTES);
        return { text: bytes.toString("utf8"), date: Date.parse(String(headers["date"])) };
      });
      const objects = objectsIn(text);
      for (const { key, at } of objects) {
        const name = key.startsWith(folder) ? nameOf(key.slice(folder.length)) : undefined;
        if (name !== undefined) yield { ...name, ageMs: date - at };
      }
      const last = objects.at(-1);
      if (last === undefined || !text.includes("<IsTruncated>true<")) return;
      after = last.key;
    }
  }

  close(): Promise<void> {
    return this.#connections.destroy();
  }

  /** Repeats what a fault of the connection or the service ended. Each attempt puts or gets the same bytes. */
  async #attempt<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work();
      } catch (error) {
        if (error instanceof BucketError && !(error instanceof BusyError)) throw error;
        if (attempt === ATTEMPTS)
          throw error instanceof BucketError ? error : new BucketError(notReached(error), { cause: error });
        await this.#wait(FIRST_WAIT_MS * 4 ** (attempt - 1));
      }
    }
  }

  #addressOf({ id, sha256 }: BucketName): string {
    return `${this.#address.url}/${this.#address.folder}${id}-${sha256}`;
  }

  async #send(
    method: Method,
    address: string,
    given: Readonly<Record<string, string>>,
    contentSha256: string,
    body?: NodeJS.ReadableStream & Dispatcher.DispatchOptions["body"],
  ): Promise<Dispatcher.ResponseData> {
    const { url: _url, folder: _folder, ...credentials } = this.#address;
    const headers = { ...given, "x-amz-content-sha256": contentSha256 };
    const signed = await new AwsV4Signer({
      ...credentials,
      service: "s3",
      method,
      url: address,
      headers,
    }).sign();
    const answer = await request(address, {
      method,
      headers: { ...Object.fromEntries(signed.headers), "accept-encoding": "identity" },
      body: body ?? null,
      dispatcher: this.#connections,
      headersTimeout: SILENCE_MS,
      bodyTimeout: SILENCE_MS,
    });
    // Somebody may have removed the object before.
    const fine = method === "DELETE" ? [200, 204, 404] : [200];
    if (fine.includes(answer.statusCode)) return answer;
    await answer.body.dump();
    throw refusal(method, answer.statusCode);
  }
}

interface ListedObject {
  readonly key: string;
  /** When it was put, in ms since the epoch, by the bucket's clock. */
  readonly at: number;
}

function objectsIn(page: string): readonly ListedObject[] {
  const [, ...objects] = page.split("<Contents>");
  return objects.map((text) => ({
    key: /<Key>([^<]{1,1024})<\/Key>/.exec(text)?.[1] ?? "",
    at: Date.parse(/<LastModified>([^<]{1,40})<\/LastModified>/.exec(text)?.[1] ?? ""),
  }));
}

/** Undefined for an object that plancast did not put there. */
function nameOf(key: string): BucketName | undefined {
  const [, id, sha256] = /^([\w-]{1,200})-([0-9a-f]{64})$/.exec(key) ?? [];
  return id === undefined || sha256 === undefined ? undefined : { id, sha256 };
}

type Method = "GET" | "PUT" | "DELETE";

const NO_BUCKET_REASON =
  "With PLANCAST_DATABASE_URL, several machines publish, and all of them need the media. Set PLANCAST_MEDIA_URL to a bucket.";

/** SHA-256 of no bytes: a GET has no body. */
const EMPTY_SHA256 = createHash("sha256").digest("hex");

/** The service may take it later. */
class BusyError extends BucketError {}

function refusal(method: Method, status: number): BucketError {
  if (status >= 500 || status === 429)
    return new BusyError(`The bucket in PLANCAST_MEDIA_URL answers with an error (HTTP ${status}).`);
  if (status === 401 || status === 403)
    return new BucketError(
      `The bucket in PLANCAST_MEDIA_URL refuses the key in AWS_ACCESS_KEY_ID (HTTP ${status}).`,
    );
  if (status === 404)
    return new BucketError(
      method === "PUT"
        ? "The bucket in PLANCAST_MEDIA_URL does not exist."
        : "The bucket in PLANCAST_MEDIA_URL does not have the file.",
    );
  return new BucketError(`The bucket in PLANCAST_MEDIA_URL answers unexpectedly (HTTP ${status}).`);
}

function notReached(error: unknown): string {
  return `The bucket in PLANCAST_MEDIA_URL cannot be reached: ${networkReason(error)}`;
}

/** Passes bytes on, and ends with a BucketError if they are not those that the name promises. */
function verified({ sha256, bytes }: BucketItem): Transform {
  const hash = createHash("sha256");
  let seen = 0;
  return new Transform({
    transform(part: Buffer, _encoding, done) {
      seen += part.length;
      if (seen > bytes) return done(otherBytes());
      hash.update(part);
      done(null, part);
    },
    flush: (done) => done(seen === bytes && hash.digest("hex") === sha256 ? null : otherBytes()),
  });
}

function otherBytes(): BucketError {
  return new BucketError("The file in the bucket of PLANCAST_MEDIA_URL is not the one that was uploaded.");
}
