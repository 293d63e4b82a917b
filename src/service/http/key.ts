/**
 * A service's key: read and checked, confirmed for an origin, and sent only there. Only this code reads it: after the
 * check of the lockfile's origin, and only if the key may go there. A checkout is not trusted: the environment, a flag or
 * a person must confirm what it names (`service.url`, `service.key_env`). Also the service's address.
 */

import { createHash, timingSafeEqual } from "node:crypto";
import { readFile } from "../../disk/machine.ts";
import { isLoopback, isOnLocalNetwork, parseUrl } from "../../model/address.ts";
import { Failure, errorCode } from "../../model/failure.ts";
import { type ServiceType, serviceTypeFacts } from "../../model/service-interface.ts";
import {
  type KeyUse,
  type NotConfirmed,
  DEFAULT_KEY_VARIABLE,
  noKeyText,
  notConfirmedText,
} from "../../problems/connection-texts.ts";
import type { Project } from "../../settings/config.ts";
import { type Env, VARIABLE_NAME, isCi, isGitHubJob } from "../../settings/environment.ts";

/**
 * What confirmed that a key may be sent. `decideOrigin` sets most of them; `script` is for clients of the library
 * (`connect/public-client.ts`), and `session` for keys that a network gave after a sign-in (`src/networks`).
 */
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
  readonly #path: string;

  private constructor(origin: string, text: string, path: string) {
    this.origin = origin;
    this.#text = text;
    this.#path = path;
  }

  /**
   * @param origin the form of `URL.origin` @param _by what confirmed that this key may go there
   * @param path the only path for it, with what is below it
   */
  static confirmed(origin: string, text: string, _by: ConfirmedBy, path = ""): OriginKey {
    return new OriginKey(origin, text, path);
  }

  /** The header of a request. Throws for an address of another origin, and a Failure for another path. */
  authorization(url: URL): string {
    if (url.origin !== this.origin) throw new Error(`The key is not for ${url.origin}.`);
    if (!coversPath(this.#path, url.pathname))
      throw new Failure(
        "service/url-not-confirmed",
        `The service names an address outside of ${this.origin}${this.#path}, and plancast does not send the key there.`,
        "If the address belongs to your service, name a shorter path in PLANCAST_TRUSTED_ORIGINS.",
      );
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

/** What can confirm that a key may be sent, besides the environment. */
export interface Confirmation {
  /** Values of --trust-url. */
  readonly trustUrls: readonly string[];
  /** Whether a person can be asked. */
  readonly canAsk: boolean;
  /** Whether a person has confirmed this key for this origin before. */
  readonly isRemembered: (origin: string, key: string, project: Project) => Promise<boolean>;
  /** Asks a person, and remembers a yes. */
  readonly ask: (use: KeyUse, key: string, project: Project) => Promise<boolean>;
}

export interface KeyOptions {
  readonly project: Project;
  readonly env: Env;
  /** A file that holds the key, instead of a variable. */
  readonly apiKeyFile: string | undefined;
  /** Whether it is one of several projects of a run, with --all or in the Action. */
  readonly isOneOfSeveral?: boolean;
  /** A key from the caller, such as the Action's input; overrides every variable. */
  readonly givenKey?: string | undefined;
  readonly confirmation: Confirmation;
  /** Throws a Failure if the project's lockfile belongs to another origin. */
  readonly checkLockfile: (project: Project, origin: string) => Promise<void>;
}

/** Throws a Failure if there is no key, or it must not go to the address. */
export async function obtainKey(
  { origin, base }: Address,
  namedBy: KeyUse["namedBy"],
  options: KeyOptions,
): Promise<OriginKey> {
  await options.checkLockfile(options.project, origin);
  const { text, variable } = await readKey(options);
  return confirmKey({ origin, path: new URL(base).pathname, namedBy, variable }, text, options);
}

/**
 * A key that may go to its origin: the environment, a flag or a person confirms that, otherwise this throws a Failure.
 */
export async function confirmKey(
  use: KeyUse,
  text: string,
  { project, env, confirmation }: Pick<KeyOptions, "project" | "env" | "confirmation">,
): Promise<OriginKey> {
  const { origin } = use;
  const byEnvironment = parseTrustedOrigins(env["PLANCAST_TRUSTED_ORIGINS"]);
  const decision = decideOrigin(use, {
    byEnvironment,
    byFlag: parseTrustUrls(confirmation.trustUrls),
    isCi: isCi(env),
    canAsk: confirmation.canAsk,
    isRemembered: await confirmation.isRemembered(origin, text, project),
  });
  switch (decision.kind) {
    case "send":
      return OriginKey.confirmed(origin, text, decision.by, decision.path);
    case "ask":
      if (await confirmation.ask(use, text, project)) return OriginKey.confirmed(origin, text, "person");
      throw notConfirmed(use, "declined", project.file);
    case "refuse":
      throw notConfirmed(use, isGitHubJob(env) ? "github" : decision.why, project.file, byEnvironment);
    default:
      return decision satisfies never;
  }
}

/** Whether the environment or a flag names an address, for any key. Throws a Failure for an invalid entry. */
export function isNamedOutside(
  address: URL,
  { env, confirmation }: Pick<KeyOptions, "env" | "confirmation">,
): boolean {
  const named = [
    ...parseTrustedOrigins(env["PLANCAST_TRUSTED_ORIGINS"]),
    ...parseTrustUrls(confirmation.trustUrls),
  ];
  return named.some(({ origin, path }) => origin === address.origin && coversPath(path, address.pathname));
}

/** A key that a person provides for this run overrides the project's variable. */
async function readKey({
  project,
  env,
  apiKeyFile,
  givenKey,
  isOneOfSeveral = false,
}: KeyOptions): Promise<{ readonly text: string; readonly variable: string }> {
  if (apiKeyFile !== undefined) return { text: await readApiKey(apiKeyFile), variable: DEFAULT_KEY_VARIABLE };
  if (givenKey !== undefined)
    return { text: checkedKey(givenKey, "The input api-key"), variable: DEFAULT_KEY_VARIABLE };
  const variable = project.config.service.key_env ?? DEFAULT_KEY_VARIABLE;
  if (isBlank(env[variable])) {
    const { message, hint } = noKeyText(
      variable,
      !isBlank(env[DEFAULT_KEY_VARIABLE]),
      keyPlace(env, isOneOfSeveral),
    );
    throw new Failure("service/no-key", message, hint);
  }
  return { text: checkedKey(env[variable], variable), variable };
}

function keyPlace(env: Env, isOneOfSeveral: boolean): Parameters<typeof noKeyText>[2] {
  if (isOneOfSeveral) return isGitHubJob(env) ? "github-projects" : "several-projects";
  return isGitHubJob(env) ? "github" : "command";
}

function isBlank(text: string | undefined): boolean {
  return (text ?? "").trim() === "";
}

/** The key in the file of --api-key-file. No message repeats any of it. */
async function readApiKey(file: string): Promise<string> {
  return checkedKey(await readKeyFile(file), "The file of --api-key-file");
}

async function readKeyFile(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const why = errorCode(error) ?? "unknown fault";
    throw new Failure(
      "service/no-key",
      `The file of --api-key-file${shownPath(file)} cannot be read (${why}).`,
      "Check its path and permissions.",
    );
  }
}

/** The path, unless somebody may have typed the key itself. */
function shownPath(file: string): string {
  return /^(?:~|\.{1,2})?[/\\]|^[A-Za-z]:[/\\]|\.[a-z]{2,4}$/.test(file) ? ` (${file})` : "";
}

/**
 * A key in the form in which it is sent. Throws a Failure that names its source, without repeating any of it.
 * @param source of the key, at the beginning of a message
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
      "service/no-key",
      `${source} does not contain a key: a key is one line of printable ASCII without spaces.`,
      "Copy the key from the service's settings again.",
    );
  }
  return key;
}

/** The key in the variable may go to the origin, and there only to the path and below. */
export interface TrustedOrigin {
  readonly origin: string;
  /** `/u/acme`; empty for the whole origin. */
  readonly path: string;
  readonly variable: string;
}

/** By whole segments: `/u/acme` does not cover `/u/acme-2`. Some servers read an encoded slash or dot like a plain one. */
function coversPath(path: string, asked: string): boolean {
  if (path === "") return true;
  return (asked === path || asked.startsWith(`${path}/`)) && !/%(?:2e|2f|5c)|\\/i.test(asked);
}

/** The facts behind the decision, except the use of the key. */
export interface Circumstances {
  /** Of PLANCAST_TRUSTED_ORIGINS. */
  readonly byEnvironment: readonly TrustedOrigin[];
  /** Of --trust-url. */
  readonly byFlag: readonly TrustedOrigin[];
  readonly isCi: boolean;
  /** Whether a person can be asked. */
  readonly canAsk: boolean;
  /** Whether a person has confirmed this key for this origin before. */
  readonly isRemembered: boolean;
}

export type Decision =
  | { readonly kind: "send"; readonly by: ConfirmedBy; readonly path?: string }
  | { readonly kind: "ask" }
  | { readonly kind: "refuse"; readonly why: NotConfirmed };

export function decideOrigin(use: KeyUse, around: Circumstances): Decision {
  const isUse = (each: TrustedOrigin): boolean =>
    each.origin === use.origin && each.variable === use.variable && coversPath(each.path, use.path ?? "/");
  // The address in the environment does not confirm variables that a checkout names.
  const isOwnAddress = use.namedBy === "environment" && use.variable === DEFAULT_KEY_VARIABLE;
  if (isOwnAddress) return { kind: "send", by: "environment" };
  const byEnvironment = around.byEnvironment.find(isUse);
  if (byEnvironment !== undefined) return { kind: "send", by: "environment", path: byEnvironment.path };
  const byFlag = around.byFlag.find(isUse);
  if (byFlag !== undefined) return { kind: "send", by: "flag", path: byFlag.path };
  if (around.isCi) return { kind: "refuse", why: "ci" };
  if (around.isRemembered) return { kind: "send", by: "remembered" };
  return around.canAsk ? { kind: "ask" } : { kind: "refuse", why: "nobody-to-ask" };
}

/**
 * @param projectFile for the message, such as plancast.yaml
 * @param trusted the pairs of PLANCAST_TRUSTED_ORIGINS
 */
export function notConfirmed(
  use: KeyUse,
  why: NotConfirmed,
  projectFile: string,
  trusted: readonly TrustedOrigin[] = [],
): Failure {
  const confirmed = trusted
    .filter(({ origin }) => origin === use.origin)
    .map(({ path, variable }) => (path === "" ? variable : `${variable} below ${path}`));
  const { message, hint } = notConfirmedText(use, why, projectFile, confirmed);
  return new Failure("service/url-not-confirmed", message, hint);
}

/**
 * PLANCAST_TRUSTED_ORIGINS: `origin=VARIABLE` pairs, separated by commas or spaces. A path after the origin covers only what
 * is below it. Throws a Failure for anything else, without repeating it.
 */
export function parseTrustedOrigins(text: string | undefined): TrustedOrigin[] {
  const pairs = (text ?? "").split(/[\s,]+/).filter((pair) => pair !== "");
  return pairs.map((pair, index) => {
    const split = pair.lastIndexOf("=");
    const [url, variable] = split === -1 ? [pair, ""] : [pair.slice(0, split), pair.slice(split + 1)];
    return trustedOrigin(url, variable, `Entry ${index + 1} of PLANCAST_TRUSTED_ORIGINS`);
  });
}

/** --trust-url: an address for the usual key, or an `origin=VARIABLE` pair. Throws a Failure for anything else. */
export function parseTrustUrls(texts: readonly string[]): TrustedOrigin[] {
  return texts.map((text) => {
    const [, url = "", variable = DEFAULT_KEY_VARIABLE] = /^(.*?)(?:=([^=/]*))?$/s.exec(text) ?? [];
    return trustedOrigin(url, variable, "The value of --trust-url");
  });
}

function trustedOrigin(url: string, variable: string, where: string): TrustedOrigin {
  // Which service it is for is not known here. Its own address is checked again.
  const fault = addressFault(url, true);
  const what = fault === undefined ? variableFault(variable) : fault.what;
  if (what === undefined) {
    const { origin, pathname } = new URL(url);
    return { origin, path: pathname.replace(/\/{1,99}$/, ""), variable };
  }
  throw new Failure(
    "service/address",
    `${where}${shownOrigin(url)} ${what}.`,
    `Write https://api.example.com=${DEFAULT_KEY_VARIABLE}: the service's address, then the name of the variable that holds its key.`,
  );
}

function variableFault(variable: string): string | undefined {
  if (VARIABLE_NAME.test(variable)) return undefined;
  if (variable === "") return "names no variable after the address";
  const isLowerCase = VARIABLE_NAME.test(variable.toUpperCase());
  return isLowerCase
    ? "names its variable in lower-case letters, but only capitals are allowed"
    : "does not end with the name of a variable";
}

/** The part of an address that holds no secret. */
function shownOrigin(url: string): string {
  const { protocol, host } = parseUrl(url) ?? { protocol: "", host: "" };
  return /^https?:$/.test(protocol) ? ` (${protocol}//${host})` : "";
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

/** Whether two secrets are the same. Takes the same time for any two texts, even if a part is right. */
export function isSameSecret(one: string, other: string): boolean {
  return timingSafeEqual(digest(one), digest(other));
}

/** Digests have equal length, which timingSafeEqual requires. */
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
