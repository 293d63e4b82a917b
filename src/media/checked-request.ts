/**
 * Requests an address that anybody may have written, such as one in a calendar, and downloads files. Each redirect is checked like the first
 * address. Connections go only to public hosts: the name is resolved once, for the connection itself, so nobody can make
 * it point to another machine between check and connection.
 */

import { type LookupAddress, type LookupOptions, lookup } from "node:dns";
import type { FileHandle } from "node:fs/promises";
import type { LookupFunction } from "node:net";
import { type Dispatcher, request } from "undici";
import { openNew } from "../disk/files.ts";
import type { Place } from "../disk/place.ts";
import { durationMs } from "../model/clock.ts";
import { Failure, networkReason } from "../model/failure.ts";
import { displayAddress, parseUrl } from "../model/address.ts";
import { sizeBytes } from "../settings/limits.ts";
import { type AllowsHost, isPublicAddress, whyNotAllowed } from "./allowed-hosts.ts";
import { Connections } from "./connections.ts";
import type { DownloadBudget } from "./download-budget.ts";
import {
  type MediaFault,
  badRedirect,
  compressed,
  incompleteDownload,
  privateHost,
  refusedByHost,
  runTookLong,
  runTooLarge,
  timedOut,
  downloadTooLarge,
  tooManyRedirects,
  unreachable,
  urlNotAllowed,
  withDiskFailure,
} from "./media-fault.ts";

const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** The longest delay that a timer accepts. */
const MAX_TIMER_MS = 2 ** 31 - 1;
/** Longest wait for an answer's headers, and between two parts of its body, in ms. */
const SILENCE_MS = 30_000;

/** Where requests may go, and how long and large they may be. */
export interface GetRules {
  /** Default: GET. */
  readonly method?: "GET" | "HEAD";
  readonly allows: AllowsHost;
  readonly dispatcherFor: (url: URL) => Dispatcher;
  /** For example `5m`. */
  readonly timeout: string;
  readonly userAgent: string;
  /** Credentials for the service that made a file; undefined for every other address. */
  readonly authorization?: ((url: URL) => string | undefined) | undefined;
  /** Aborted when the run is interrupted. The request then throws. */
  readonly stop: AbortSignal;
  /** Aborted when all downloads of the run have taken too long. */
  readonly noTimeLeft?: AbortSignal;
  /** For all downloads of the run. */
  readonly budget?: DownloadBudget;
}

type Receive<T> = (answer: MediaAnswer, signal: AbortSignal) => Promise<T>;

/**
 * Requests an address that anybody may have written, and gives the last answer to `receive`. Throws a Failure of
 * `receive`, and anything if the run is interrupted.
 */
export async function getChecked<T>(
  address: string,
  headers: Readonly<Record<string, string>>,
  rules: GetRules,
  receive: Receive<T>,
): Promise<T | MediaFault> {
  const timeout = AbortSignal.timeout(Math.min(durationMs(rules.timeout), MAX_TIMER_MS));
  const { stop, noTimeLeft, budget } = rules;
  const signal = AbortSignal.any([stop, timeout, ...(noTimeLeft === undefined ? [] : [noTimeLeft])]);
  const ask = (url: URL): Promise<MediaAnswer> => send(url, headers, rules, signal);
  try {
    return await follow(address, rules.allows, ask, (answer) => receive(answer, signal));
  } catch (error) {
    if (rules.stop.aborted || error instanceof Failure) throw error;
    if (noTimeLeft?.aborted === true && budget !== undefined)
      return runTookLong(address, budget.limits.runTime);
    if (timeout.aborted) return timedOut(address, rules.timeout);
    if (error instanceof PrivateHostError) return privateHost(address, error.address);
    return unreachable(address, networkReason(error));
  }
}

async function follow<T>(
  address: string,
  allows: AllowsHost,
  ask: (url: URL) => Promise<MediaAnswer>,
  receive: (answer: MediaAnswer) => Promise<T>,
): Promise<T | MediaFault> {
  let url = new URL(address);
  for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
    const why = whyNotAllowed(url, allows);
    if (why !== undefined) return hops === 0 ? urlNotAllowed(address, why) : badRedirect(address, url, why);
    // The answer shows where to go.
    const answer = await ask(url);
    try {
      const target = redirectTarget(url, answer);
      if (target === undefined) return await receive(answer);
      if (url.protocol === "https:" && target.protocol === "http:")
        return badRedirect(address, target, "plain");
      url = target;
    } finally {
      discardBody(answer);
    }
  }
  return tooManyRedirects(address, MAX_REDIRECTS);
}

export type MediaAnswer = Dispatcher.ResponseData;

function send(
  url: URL,
  headers: Readonly<Record<string, string>>,
  rules: GetRules,
  signal: AbortSignal,
): Promise<MediaAnswer> {
  const authorization = rules.authorization?.(url);
  return request(url, {
    method: rules.method ?? "GET",
    headers: {
      // Compressed data may unpack to any size, and pictures and videos are compressed already.
      "accept-encoding": "identity",
      "user-agent": rules.userAgent,
      ...(authorization === undefined ? {} : { authorization }),
      ...headers,
    },
    dispatcher: rules.dispatcherFor(url),
    headersTimeout: SILENCE_MS,
    bodyTimeout: SILENCE_MS,
    signal,
  });
}

function redirectTarget(from: URL, { statusCode, headers }: MediaAnswer): URL | undefined {
  const { location } = headers;
  if (!REDIRECTS.has(statusCode) || typeof location !== "string") return undefined;
  return parseUrl(location, from.href);
}

/** The rest is not needed. */
function discardBody({ body }: MediaAnswer): void {
  body.on("error", () => undefined);
  body.destroy();
}

export function firstValue(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

export async function* bodyParts({ body }: MediaAnswer): AsyncGenerator<Uint8Array> {
  for await (const part of body) if (part instanceof Uint8Array) yield part;
}

/** Connections to one host at the same time. */
const CONNECTIONS = 4;

/** A name does not resolve to a public address. */
class PrivateHostError extends Error {
  readonly address: string;

  constructor(address: string) {
    super("not a public address");
    this.name = "PrivateHost";
    this.address = address;
  }
}

/** Requests fail with PrivateHost if a name resolves only to private addresses. */
export function publicConnections(): Dispatcher {
  return createAgent(publicLookup);
}

/** Connections for hosts that the project allows. */
export function anyConnections(): Dispatcher {
  return createAgent(lookup);
}

/** The connections of a run: to the hosts that the project allows, and otherwise only to public ones. */
export class HostConnections {
  readonly #allows: AllowsHost;
  readonly #made = new Map<boolean, Dispatcher>();

  constructor(allows: AllowsHost) {
    this.#allows = allows;
  }

  for(url: URL): Dispatcher {
    const isAllowed = this.#allows(url);
    const made = this.#made.get(isAllowed) ?? (isAllowed ? anyConnections() : publicConnections());
    this.#made.set(isAllowed, made);
    return made;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#made.values()].map((each) => each.destroy()));
  }
}

/** A proxy resolves names itself. */
function createAgent(by: LookupFunction): Dispatcher {
  return new Connections({ connections: CONNECTIONS, lookup: by });
}

function publicLookup(
  hostname: string,
  options: LookupOptions,
  done: (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void,
): void {
  lookup(hostname, { ...options, all: true }, (error, found) => {
    if (error !== null) return done(error, []);
    const open = found.filter(({ address }) => isPublicAddress(address));
    const [first] = open;
    if (first === undefined) return done(new PrivateHostError(found[0]?.address ?? "nothing"), []);
    return options.all === true ? done(null, open) : done(null, first.address, first.family);
  });
}

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

async function receive(answer: MediaAnswer, call: Call): Promise<Downloaded | MediaFault> {
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
function faultIn({ statusCode, headers }: MediaAnswer, { address, rules }: Call): MediaFault | undefined {
  if (statusCode !== 200) return refusedByHost(address, statusCode);
  const encoding = firstValue(headers["content-encoding"])?.trim().toLowerCase();
  if (encoding !== undefined && encoding !== "" && encoding !== "identity")
    return compressed(address, encoding);
  const length = Number(firstValue(headers["content-length"]) ?? 0);
  if (length > sizeBytes(rules.maxSize)) return downloadTooLarge(address, rules.maxSize);
  const { budget } = rules;
  return budget?.allows(length) === false ? runTooLarge(address, budget.limits.runSize) : undefined;
}

/** Writes the body to the file; returns what is wrong with it. */
async function save(
  answer: MediaAnswer,
  { address, place, rules, signal }: Call,
): Promise<MediaFault | undefined> {
  const file = await withDiskFailure(() => openNew(place));
  try {
    const { budget } = rules;
    const maxBytes = sizeBytes(rules.maxSize);
    let bytes = 0;
    for await (const part of bodyParts(answer)) {
      bytes += part.byteLength;
      if (bytes > maxBytes) return downloadTooLarge(address, rules.maxSize);
      if (budget?.take(part.byteLength) === false) return runTooLarge(address, budget.limits.runSize);
      await withDiskFailure(() => writeAll(file, part));
    }
    return bytes === 0
      ? { code: "media/type", message: `"${displayAddress(address)}" is empty.` }
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
