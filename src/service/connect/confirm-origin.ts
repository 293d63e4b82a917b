/**
 * Whether a key may be sent to an origin. A checkout is not trusted: what it names (`service.url`, `service.key_env`)
 * must be confirmed by the environment, by a flag, or by a person. Pure.
 */

import { Failure } from "../../model/failure.ts";
import {
  type KeyUse,
  type NotConfirmed,
  DEFAULT_KEY_VARIABLE,
  notConfirmedText,
} from "../../problems/key-texts.ts";
import { VARIABLE_NAME } from "../../settings/environment.ts";
import { parseAddress } from "../http/address.ts";
import type { ConfirmedBy } from "../http/origin-key.ts";

/** The key in the variable may go to the origin. */
export interface TrustedOrigin {
  readonly origin: string;
  readonly variable: string;
}

/** What the decision depends on, besides the use of the key. */
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
  // The environment's address says nothing of the variables that a checkout may name.
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
 * PLANCAST_TRUSTED_ORIGINS: `origin=VARIABLE` pairs, separated by commas or blanks. A path after the origin changes
 * nothing. Throws a Failure for anything else, which repeats nothing of it.
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
