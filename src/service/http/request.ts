/**
 * Sends one HTTP request, and reports whether it certainly was not sent. "Never sent twice" depends on that fact. Makes
 * the bodies of requests, too: JSON, bytes, and forms with files. A file is read while it is sent.
 */

import { Readable } from "node:stream";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import { Dispatcher, request } from "undici";
import { Connections } from "../../media/connections.ts";
import { type AnyFile, DiskFile } from "../../media/media-file.ts";
import { networkCode, networkReason } from "../../model/failure.ts";
import { reportInput } from "../../model/input-size.ts";
import type { Headers } from "../rate/rate-headers.ts";
import type { Json } from "../records.ts";

export interface HttpRequest {
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: RequestBody["body"] | undefined;
  /**
   * Longest wait for the answer's headers, and between two parts of its body, in ms. The body may take as long again;
   * after that, it must arrive at `SLOWEST_BYTES_PER_S`.
   */
  readonly timeoutMs: number;
  /** Longest time for the whole answer, in ms, however fast it arrives. Default: none. */
  readonly maxMs?: number | undefined;
  /** Bytes of a body that is read while it is sent. It must leave at `SLOWEST_BYTES_PER_S`. */
  readonly bodyLength?: number | undefined;
  /** Aborts the request; only for requests that change nothing. */
  readonly signal?: AbortSignal;
  /** Largest answer. Default: that of a long list. */
  readonly maxAnswerBytes?: number | undefined;
}

export interface HttpAnswer {
  readonly kind: "answer";
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** What `service.shape` finds in it. */
  readonly mapped?: MappedAnswer;
}

/** No answer, or an incomplete one. */
export interface HttpFault {
  readonly kind: "fault";
  /** False only if certainly no byte of the request was sent. */
  readonly sent: boolean;
  readonly reason: string;
  /** Error code of Node or undici. */
  readonly code: string;
}

/** Dispatches one request, and notes when it is sent: undici calls `onConnect` just before it writes the headers. */
class OneRequest extends Dispatcher {
  readonly #dispatcher: Dispatcher;
  readonly #onSent: () => void;

  constructor(dispatcher: Dispatcher, onSent: () => void) {
    super();
    this.#dispatcher = dispatcher;
    this.#onSent = onSent;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const onConnect = handler.onConnect?.bind(handler);
    // For a handler of another kind: if it is unknown whether a request was sent, it counts as sent.
    if (onConnect === undefined) this.#onSent();
    handler.onConnect = (...given) => {
      this.#onSent();
      onConnect?.(...given);
    };
    return this.#dispatcher.dispatch(options, handler);
  }
}

/**
 * Connections for one run.
 * @param connections at the same time to one origin
 */
export function openConnections(connections = 8): Dispatcher {
  return new Connections({ connections });
}

/** Sends one request. Never throws for failures of the network or the service. */
export async function sendOnce(given: HttpRequest, dispatcher: Dispatcher): Promise<HttpAnswer | HttpFault> {
  const { method, url, headers: sent, timeoutMs, maxMs, body: sentBody, maxAnswerBytes } = given;
  const deadline = new HeadDeadline(given);
  let isSent = false;
  const onSent = (): void => {
    isSent = true;
    deadline.start();
  };
  try {
    const { statusCode, headers, body } = await request(url, {
      method,
      headers: sent,
      body: sentBody ?? null,
      signal: deadline.signal,
      dispatcher: new OneRequest(dispatcher, onSent),
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    });
    deadline.end();
    const text = await readBody(body, headers["content-encoding"], { timeoutMs, maxMs }, maxAnswerBytes);
    return { kind: "answer", status: statusCode, headers, text };
  } catch (error) {
    return { kind: "fault", sent: isSent, reason: networkReason(error), code: networkCode(error) };
  } finally {
    deadline.close();
  }
}

/** Extra time for the answer's headers after `timeoutMs`, in ms. undici's own timeout usually fires in it. */
export const HEAD_MARGIN_MS = 1_000;

/** Aborts a request if the headers of its answer are not complete in time, even if a byte arrives now and then. */
class HeadDeadline {
  readonly #request: HttpRequest;
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor(request: HttpRequest) {
    this.#request = request;
    if (request.signal?.aborted === true) this.#stop();
    else request.signal?.addEventListener("abort", this.#stop, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The request's headers were sent. A file may take long to follow, but a server that reads it byte by byte does not get it. */
  start(): void {
    const { timeoutMs, body, bodyLength = body instanceof Uint8Array ? body.byteLength : 0 } = this.#request;
    if (this.#timer !== undefined) return;
    const giveUp = (): void => this.#controller.abort(new AnswerError("HEAD_TOO_SLOW"));
    this.#timer = setTimeout(giveUp, timeoutMs + HEAD_MARGIN_MS + arrivalMs(bodyLength));
  }

  /** The answer's headers are complete. */
  end(): void {
    clearTimeout(this.#timer);
  }

  close(): void {
    this.end();
    this.#request.signal?.removeEventListener("abort", this.#stop);
  }

  readonly #stop = (): void => this.#controller.abort(this.#request.signal?.reason);
}

/** Faults of an answer that did arrive; see the reasons in problems/connection-texts.ts. */
class AnswerError extends Error {
  readonly code: string;

  constructor(code: "HEAD_TOO_SLOW" | "BODY_TOO_SLOW" | "BODY_TOO_LARGE") {
    super(code);
    this.code = code;
  }
}

/** What `service.shape` finds in an answer. Absent parts have their defaults. */
export interface MappedAnswer {
  readonly items?: readonly unknown[];
  readonly record?: Json;
  /** The value at the path of the next page, the fields beside it, and the query parameter for a cursor. */
  readonly next?: { readonly value: unknown; readonly beside: unknown; readonly as: string | undefined };
  readonly total?: unknown;
  /** Paths of the shape that are missing in the answer. */
  readonly missing?: string;
}

/** A list of 100,000 posts has about 50 MB. No valid answer is larger. */
const MAX_ANSWER_BYTES = 256 * 1024 * 1024;

/** A list of 100,000 posts takes half an hour at this rate. */
const SLOWEST_BYTES_PER_S = 32_768;

/** The longest time for these bytes, in ms. */
function arrivalMs(bytes: number): number {
  return (bytes / SLOWEST_BYTES_PER_S) * 1_000;
}

/** No valid answer has more codings on top of each other. */
const MAX_CODINGS = 3;

/** The maximum number of unpacked bytes for each packed byte. Lists of different posts need fewer. */
const MAX_RATIO = 100;
/** Any answer may unpack to this size: 1,000 equal posts of 10 KB take 10 MB, and are packed to a thousandth of it. */
const ALWAYS_ALLOWED_BYTES = 32 * 1024 * 1024;

function unpackedLimit(packed: Buffer, maxBytes: number): number {
  return Math.min(maxBytes, ALWAYS_ALLOWED_BYTES + packed.byteLength * MAX_RATIO);
}

const [ungzip, inflated, unbrotli] = [promisify(gunzip), promisify(inflate), promisify(brotliDecompress)];

/** plancast does not ask for compression, but some proxies compress. Source: RFC 9110, section 8.4.1. */
const UNPACK: ReadonlyMap<
  string,
  (packed: Buffer, limit: { readonly maxOutputLength: number }) => Promise<Buffer>
> = new Map([
  ["gzip", ungzip],
  ["x-gzip", ungzip],
  ["deflate", inflated],
  ["br", unbrotli],
]);

/**
 * Returns the original bytes if they cannot be unpacked: some answers name an invalid coding, or one that a proxy has
 * already removed. Throws if the body is incomplete or too large.
 * @param encoding from the answer's header
 */
async function readBody(
  body: AsyncIterable<unknown>,
  encoding: string | string[] | undefined,
  times: AnswerTimes,
  maxBytes = MAX_ANSWER_BYTES,
): Promise<string> {
  let bytes = await readBounded(body, times, maxBytes);
  const names = [encoding ?? ""].flat().join(",").toLowerCase().split(",", MAX_CODINGS);
  for (const name of names.map((each) => each.trim()).reverse()) {
    if (name === "" || name === "identity" || bytes.byteLength === 0) continue;
    const limit = { maxOutputLength: unpackedLimit(bytes, maxBytes) };
    const unpacked = await UNPACK.get(name)?.(bytes, limit).catch(() => undefined);
    if (unpacked === undefined) break;
    bytes = unpacked;
  }
  reportInput(bytes.byteLength);
  return bytes.toString("utf8");
}

type AnswerTimes = Pick<HttpRequest, "timeoutMs" | "maxMs">;

/** Reads a whole body. Throws if it is too large, or arrives too slowly. */
export async function readBounded(
  body: AsyncIterable<unknown>,
  { timeoutMs, maxMs = Number.POSITIVE_INFINITY }: AnswerTimes,
  maxBytes: number,
): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  const start = performance.now();
  for await (const part of body) {
    if (!(part instanceof Uint8Array)) continue;
    bytes += part.byteLength;
    if (bytes > maxBytes) throw new AnswerError("BODY_TOO_LARGE");
    const allowedMs = Math.min(maxMs, timeoutMs + arrivalMs(bytes));
    if (performance.now() - start > allowedMs) throw new AnswerError("BODY_TOO_SLOW");
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** The address of the next page in a `Link` header (RFC 8288), as written. */
export function nextLink(header: Headers[string]): string | undefined {
  const links = [header ?? ""].flat().join(", ");
  for (const [, target, parameters = ""] of links.matchAll(/<([^<>]*)>([^,]*)/g))
    if (/^\s*;/.test(parameters) && /\brel="?next"?/i.test(parameters)) return target;
  return undefined;
}

/** A field of a form. */
export interface FormPart {
  readonly name: string;
  readonly value: string | AnyFile;
  /** The name of a file. */
  readonly fileName?: string;
}

export interface RequestBody {
  readonly body: string | Uint8Array | Readable;
  /** Media type. */
  readonly type: string;
  /** Bytes of a body that is read while it is sent. */
  readonly length?: number;
}

export function jsonBody(json: unknown): RequestBody {
  return { body: JSON.stringify(json), type: "application/json" };
}

export function bytesBody(data: Uint8Array | AnyFile, type: string): RequestBody {
  if (data instanceof Uint8Array) return { body: data, type };
  return { body: Readable.from(bytesOf([data])), type, length: data.size };
}

const BOUNDARY_NUMBERS = 4;

/** Sources: RFC 7578, and "multipart/form-data encoding algorithm" of HTML. @param random from 0 to 1 */
export function formBody(parts: readonly FormPart[], random: () => number): RequestBody {
  const digits = Array.from({ length: BOUNDARY_NUMBERS }, () => random().toString(36).slice(2));
  const boundary = `plancast-${digits.join("")}`;
  const pieces = [...parts.flatMap((part) => piecesOf(part, boundary)), Buffer.from(`--${boundary}--\r\n`)];
  const length = pieces.reduce(
    (sum, piece) => sum + (piece instanceof Uint8Array ? piece.length : piece.size),
    0,
  );
  const type = `multipart/form-data; boundary=${boundary}`;
  return { body: Readable.from(bytesOf(pieces)), type, length };
}

function piecesOf({ name, value, fileName }: FormPart, boundary: string): (Buffer | AnyFile)[] {
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${escapedName(name)}"`;
  if (typeof value === "string") return [Buffer.from(`${head}\r\n\r\n${withCrlf(value)}\r\n`)];
  const type = value.type === "" ? "application/octet-stream" : value.type;
  const file = `${head}; filename="${escapedName(fileName ?? "blob")}"\r\nContent-Type: ${type}\r\n\r\n`;
  return [Buffer.from(file), value, Buffer.from("\r\n")];
}

const QUOTED: Readonly<Record<string, string>> = { "\n": "%0A", "\r": "%0D", '"': "%22" };

function escapedName(text: string): string {
  return text.replaceAll(/[\n\r"]/g, (character) => QUOTED[character] ?? character);
}

function withCrlf(text: string): string {
  return text.replaceAll(/\r?\n|\r/g, "\r\n");
}

async function* bytesOf(pieces: readonly (Uint8Array | AnyFile)[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) {
    if (piece instanceof DiskFile) yield* piece.parts();
    else yield piece instanceof Blob ? new Uint8Array(await piece.arrayBuffer()) : piece;
  }
}
