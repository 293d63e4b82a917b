/** A service's key: read and checked, and sent only to the origin that it was confirmed for. Also the service's address. */

import { readFile } from "node:fs/promises";
import { Failure, errorCode } from "../../model/failure.ts";
import { type ServiceType, serviceTypeFacts } from "../../model/service-interface.ts";
import { isLoopback, isOnLocalNetwork, parseUrl } from "../../model/address.ts";

/** What confirmed that a key may be sent: see connect/obtain-key.ts, for `script` connect/public-client.ts, for `session` src/networks. */
export type ConfirmedBy =
  "environment" | "flag" | "remembered" | "person" | "script" | "embedded" | "session";

/** Identifies the sender of requests. */
export interface RequestKey {
  /** The header for an address; undefined if requests carry none. Throws for an address of another origin. */
  authorization(url: URL): string | undefined;
  /** The text of the key, which is used to hide it in answers. */
  readonly text: string;
  /** Parts of it that are secret too, and that an answer may repeat without the rest. */
  readonly parts?: readonly string[];
}

/**
 * A key that may be sent, and the only origin for it. Requests take their header from here, so an unconfirmed key or a
 * wrong address cannot get into a request. Prints as an empty object.
 */
export class OriginKey implements RequestKey {
  readonly origin: string;
  readonly #text: string;

  private constructor(origin: string, text: string) {
    this.origin = origin;
    this.#text = text;
  }

  /** @param origin the form of `URL.origin`  @param by what confirmed that this key may go there */
  static confirmed(origin: string, text: string, _by: ConfirmedBy): OriginKey {
    return new OriginKey(origin, text);
  }

  /** The header of a request. Throws for an address of another origin. */
  authorization(url: URL): string {
    if (url.origin !== this.origin) throw new Error(`The key is not for ${url.origin}.`);
    return `Bearer ${this.#text}`;
  }

  /** The same key for a service that takes it without the word `Bearer`. */
  withoutScheme(): RequestKey {
    const text = this.#text;
    const raw = (url: URL): string => this.authorization(url).slice("Bearer ".length);
    return { text, authorization: raw };
  }

  /** The key itself, to make hashes and to hide it in the service's answers. */
  get text(): string {
    return this.#text;
  }
}

/** The key in the file of --api-key-file. No message repeats any of it. */
export async function readApiKey(file: string): Promise<string> {
  return checkedKey(await readKeyFile(file), "The file of --api-key-file");
}

/**
 * A key in the form in which it is sent. Throws a Failure that names its source, without repeating any of it.
 * @param variable where the key is expected
 */
export function checkedKey(text: string | undefined, source: string): string {
  const key = (text ?? "").trim();
  if (key === "") {
    throw new Failure(
      "service/no-key",
      text === undefined ? "There is no key for the service." : `${source} is empty.`,
      "Put the key into the environment variable PLANCAST_API_KEY, or name a file that contains it with --api-key-file.",
    );
  }
  if (!/^[\x21-\x7e]{1,4096}$/.test(key)) {
    throw new Failure(
      "service/key",
      `${source} does not contain a key: a key is one line of printable ASCII without spaces.`,
      "Copy the key from the service's settings again.",
    );
  }
  return key;
}

/** The path, unless somebody may have typed the key itself. */
function shownPath(file: string): string {
  return /^(?:~|\.{1,2})?[/\\]|^[A-Za-z]:[/\\]|\.[a-z]{2,4}$/.test(file) ? ` (${file})` : "";
}

async function readKeyFile(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const why = errorCode(error) ?? "unknown fault";
    throw new Failure(
      "service/key",
      `The file of --api-key-file${shownPath(file)} cannot be read (${why}).`,
      "Check its path and permissions.",
    );
  }
}

/** The address of the service: its origin, and the base for endpoints, such as `…/v1`. */
export interface Address {
  readonly origin: string;
  readonly base: string;
}

/**
 * Parses `service.url`, with or without `/v1`, with or without a path before it. Refuses what could leak the key or
 * have another meaning: plain http to another machine, credentials, a query, a fragment.
 * @param type `service.type`: the base of its interface may differ, and it may be on a local network without TLS
 */
export function parseAddress(text: string, type?: ServiceType): Address {
  const { isSelfHosted = false, base = "/v1" } = serviceTypeFacts(type) ?? {};
  const fault = addressFault(text, isSelfHosted);
  if (fault !== undefined) throw refused(fault.what, fault.hint);
  const url = new URL(text);
  const path = url.pathname.replace(/(?<!\/)\/+$/, "");
  return { origin: url.origin, base: `${url.origin}${path.endsWith(base) ? path : `${path}${base}`}` };
}

/**
 * The fault of an address, as the end of a sentence, and the next step. Undefined if it can be used.
 * @param mayBeLocal whether plain http is allowed on a local network
 */
export function addressFault(
  text: string,
  mayBeLocal = false,
): { readonly what: string; readonly hint: string } | undefined {
  const url = parseUrl(text);
  if (url === undefined || !/^https?:$/.test(url.protocol))
    return {
      what: "is not an https address",
      hint: "Write it like https://api.example.com/v1, or `embedded`.",
    };
  if (url.username !== "" || url.password !== "")
    return {
      what: "contains a user name or password",
      hint: "Remove them; the key belongs in PLANCAST_API_KEY.",
    };
  if (url.search !== "" || url.hash !== "" || /[?#]$/.test(text))
    return { what: "contains a query or a fragment", hint: "Remove everything from `?` or `#` on." };
  if (url.protocol === "http:" && !isLoopback(url) && !(mayBeLocal && isOnLocalNetwork(url)))
    return { what: "is plain http, so others in the network could read the key", hint: "Use https." };
  return undefined;
}

/** The address is not repeated, because it may hold a secret. */
function refused(what: string, hint: string): Failure {
  return new Failure(
    "service/address",
    `The service's address (service.url or PLANCAST_BASE_URL) ${what}.`,
    hint,
  );
}
