/**
 * The only code that reads a service's key: after the check of the lockfile's origin, and only if the key may go there.
 * A checkout is not trusted: the environment, a flag or a person must confirm what it names (`service.url`,
 * `service.key_env`).
 */

import { Failure } from "../../model/failure.ts";
import {
  type KeyUse,
  type NotConfirmed,
  DEFAULT_KEY_VARIABLE,
  notConfirmedText,
} from "../../problems/key-texts.ts";
import type { Project } from "../../settings/config.ts";
import { type Env, VARIABLE_NAME, isCi } from "../../settings/environment.ts";
import { parseAddress } from "../http/address.ts";
import { type ConfirmedBy, OriginKey, checkedKey, readApiKey } from "../http/key.ts";

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
  /** A key from the caller, such as the Action's input; overrides every variable. */
  readonly givenKey?: string | undefined;
  readonly confirmation: Confirmation;
  /** Throws a Failure if the project's lockfile belongs to another origin. */
  readonly checkLockfile: (project: Project, origin: string) => Promise<void>;
}

/** Throws a Failure if there is no key, or it must not go to the origin. */
export async function obtainKey(
  origin: string,
  namedBy: KeyUse["namedBy"],
  options: KeyOptions,
): Promise<OriginKey> {
  const { project, env, confirmation, checkLockfile } = options;
  await checkLockfile(project, origin);
  const { text, variable } = await readKey(options);
  const use: KeyUse = { origin, namedBy, variable };
  const decision = decideOrigin(use, {
    byEnvironment: parseTrustedOrigins(env["PLANCAST_TRUSTED_ORIGINS"]),
    byFlag: parseTrustUrls(confirmation.trustUrls),
    isCi: isCi(env),
    canAsk: confirmation.canAsk,
    isRemembered: await confirmation.isRemembered(origin, text, project),
  });
  switch (decision.kind) {
    case "send":
      return OriginKey.confirmed(origin, text, decision.by);
    case "ask":
      if (await confirmation.ask(use, text, project)) return OriginKey.confirmed(origin, text, "person");
      throw notConfirmed(use, "declined", project.file);
    case "refuse":
      throw notConfirmed(use, decision.why, project.file);
    default:
      return decision satisfies never;
  }
}

/** A key that a person provides for this run overrides the project's variable. */
async function readKey({
  project,
  env,
  apiKeyFile,
  givenKey,
}: KeyOptions): Promise<{ readonly text: string; readonly variable: string }> {
  if (apiKeyFile !== undefined) return { text: await readApiKey(apiKeyFile), variable: DEFAULT_KEY_VARIABLE };
  if (givenKey !== undefined)
    return { text: checkedKey(givenKey, "The input api-key"), variable: DEFAULT_KEY_VARIABLE };
  const variable = project.config.service.key_env ?? DEFAULT_KEY_VARIABLE;
  return { text: checkedKey(env[variable], variable, variable), variable };
}

/** The key in the variable may go to the origin. */
export interface TrustedOrigin {
  readonly origin: string;
  readonly variable: string;
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
  | { readonly kind: "send"; readonly by: ConfirmedBy }
  | { readonly kind: "ask" }
  | { readonly kind: "refuse"; readonly why: NotConfirmed };

export function decideOrigin(use: KeyUse, around: Circumstances): Decision {
  const isUse = (each: TrustedOrigin): boolean =>
    each.origin === use.origin && each.variable === use.variable;
  // The address in the environment does not confirm variables that a checkout names.
  const isOwnAddress = use.namedBy === "environment" && use.variable === DEFAULT_KEY_VARIABLE;
  if (isOwnAddress || around.byEnvironment.some(isUse)) return { kind: "send", by: "environment" };
  if (around.byFlag.some(isUse)) return { kind: "send", by: "flag" };
  if (around.isCi) return { kind: "refuse", why: "ci" };
  if (around.isRemembered) return { kind: "send", by: "remembered" };
  return around.canAsk ? { kind: "ask" } : { kind: "refuse", why: "nobody-to-ask" };
}

/** @param projectFile for the message, such as plancast.yaml */
export function notConfirmed(use: KeyUse, why: NotConfirmed, projectFile: string): Failure {
  const { message, hint } = notConfirmedText(use, why, projectFile);
  return new Failure("service/url-not-confirmed", message, hint);
}

/**
 * PLANCAST_TRUSTED_ORIGINS: `origin=VARIABLE` pairs, separated by commas or blanks. A path after the origin is ignored.
 * Throws a Failure for anything else, without repeating it.
 */
export function parseTrustedOrigins(text: string | undefined): TrustedOrigin[] {
  const pairs = (text ?? "").split(/[\s,]+/).filter((pair) => pair !== "");
  return pairs.map((pair, index) => {
    const split = pair.lastIndexOf("=");
    return trustedOrigin(
      pair.slice(0, Math.max(split, 0)),
      pair.slice(split + 1),
      `Entry ${index + 1} of PLANCAST_TRUSTED_ORIGINS`,
    );
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
  try {
    if (VARIABLE_NAME.test(variable)) return { origin: parseAddress(url).origin, variable };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
  throw new Failure(
    "service/trusted-origins",
    `${where} does not name an origin and a variable.`,
    `Write https://api.example.com=${DEFAULT_KEY_VARIABLE}: the service's address, then the name of the variable that holds its key.`,
  );
}
