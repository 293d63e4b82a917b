/** Texts about reaching a service: why a request failed, the question before a key is sent, and why it is not sent. */

/** The variable of the key if the project names no other. A key from a file or an input counts as this one. */
export const DEFAULT_KEY_VARIABLE = "PLANCAST_API_KEY";

/** What PLANCAST_TRUSTED_ORIGINS has in place of the variable if a language model needs no key. */
export const NO_KEY_VARIABLE = "NO_KEY";

/** A key that is about to be sent. */
export interface KeyUse {
  readonly origin: string;
  /** The path below which the key is sent, such as `/v1`. Default: anywhere on the origin. */
  readonly path?: string;
  /** Who names the address: the environment (or an input of the Action), a person on the terminal, or only the checkout. */
  readonly namedBy: "environment" | "person" | "checkout";
  /** The environment variable that holds the key. */
  readonly variable: string;
  /** What people call the key of an account of `accounts:`. */
  readonly secret?: "password" | "token";
}

/** Why a key is not sent. `github`: as `ci`, in a job of GitHub Actions. `declined`: a person said no. */
export type NotConfirmed = "github" | "ci" | "nobody-to-ask" | "declined";

interface MessageAndHint {
  readonly message: string;
  readonly hint: string;
}

/** The place where a run expects its key. `several-projects`: the run has --all, so --api-key-file is refused. */
export type KeyPlace = "github" | "github-projects" | "several-projects" | "command";

/** Where to add a variable or a secret on GitHub. */
export const GITHUB_SETTINGS = "under Settings, Secrets and variables, Actions";

/** The name of the secret with the key that can only read: `ACME_READ_KEY` for `ACME_KEY`. */
export function readSecret(variable: string): string {
  if (variable === DEFAULT_KEY_VARIABLE) return "PLANCAST_READ_KEY";
  return variable.endsWith("_KEY") ? variable.replace(/_KEY$/, "_READ_KEY") : `${variable}_READ`;
}

/** @param isDefaultSet whether PLANCAST_API_KEY has a value */
export function noKeyText(variable: string, isDefaultSet: boolean, place: KeyPlace): MessageAndHint {
  const other = isDefaultSet ? ` ${DEFAULT_KEY_VARIABLE} is set, but this project does not use it.` : "";
  return {
    message:
      variable === DEFAULT_KEY_VARIABLE
        ? "There is no key for the service."
        : `${variable} (service.key_env) is empty.${other}`,
    hint: keyHint(variable, place),
  };
}

function keyHint(variable: string, place: KeyPlace): string {
  const here = `Put the key into the environment variable ${variable}`;
  switch (place) {
    case "github":
      return `On GitHub, add the secret ${variable} ${GITHUB_SETTINGS}. Check that the workflow passes it on.`;
    case "github-projects":
      return `On GitHub, add the secret ${readSecret(variable)} with a key that can only read, ${GITHUB_SETTINGS}, and ${variable} with a key that can write, to the environment publish. Pass them on in the workflow, under \`env:\` of the steps: ${variable}: \${{ secrets.${readSecret(variable)} }} to plan, and ${variable}: \${{ secrets.${variable} }} to apply.`;
    case "several-projects":
      return `${here}.`;
    case "command":
      return `${here}, or name a file that contains it with --api-key-file.`;
    default:
      return place satisfies never;
  }
}

/**
 * @param file name of plancast.yaml
 * @param confirmed variables for which PLANCAST_TRUSTED_ORIGINS names the origin
 */
export function notConfirmedText(
  use: KeyUse,
  why: NotConfirmed,
  file: string,
  confirmed: readonly string[],
): MessageAndHint {
  if (why === "declined") {
    return {
      message: `The ${nameOf(use)} in ${use.variable} was not sent to ${use.origin}, because you did not confirm it.`,
      hint: `Check ${use.secret === undefined ? "service.url and service.key_env" : "accounts"} in ${file}, then run again.`,
    };
  }
  const yours = use.secret === undefined ? "your service" : "the server of your account";
  const owner = `If ${use.origin} is not ${yours}, find out who changed ${file}.`;
  const condition = `If this is ${yours}${use.variable === DEFAULT_KEY_VARIABLE ? "" : `, and ${use.variable} contains its ${nameOf(use)}`}`;
  return {
    message: `${whyNotSent(use, file, confirmed)} ${owner}`,
    hint: `${condition}, ${why === "nobody-to-ask" ? withoutTerminal(use) : inCi(use, why === "github")}.`,
  };
}

function nameOf({ secret }: KeyUse): string {
  return secret ?? "key";
}

function whyNotSent(use: KeyUse, file: string, confirmed: readonly string[]): string {
  const { origin, namedBy, variable } = use;
  const reason =
    confirmed.length > 0
      ? `PLANCAST_TRUSTED_ORIGINS names this address only for ${confirmed.join(", ")}`
      : namedBy === "person"
        ? "you did not confirm this address"
        : namedBy === "checkout"
          ? `only ${file} names this address`
          : `only service.key_env in ${file} names this variable`;
  return `The ${nameOf(use)} in ${variable} was not sent to ${origin}: ${reason}.`;
}

function pairOf({ origin, path = "", variable }: KeyUse): string {
  return `\`${origin}${path === "/" ? "" : path}=${variable}\``;
}

/** PLANCAST_BASE_URL confirms the address only for the usual key. */
function inCi(use: KeyUse, isGitHub: boolean): string {
  const pair = `add ${pairOf(use)} to PLANCAST_TRUSTED_ORIGINS`;
  if (use.variable !== DEFAULT_KEY_VARIABLE) return `${pair} in the workflow`;
  return isGitHub
    ? `set the variable PLANCAST_BASE_URL on GitHub to this address, ${GITHUB_SETTINGS}. Check that the workflow passes it on, as base-url`
    : `set PLANCAST_BASE_URL to this address in the workflow, or ${pair} there`;
}

function withoutTerminal(use: KeyUse): string {
  return use.variable === DEFAULT_KEY_VARIABLE
    ? `set PLANCAST_BASE_URL to this address, pass --trust-url ${use.origin}, or run the command once on a terminal`
    : `add ${pairOf(use)} to PLANCAST_TRUSTED_ORIGINS, pass --trust-url ${use.origin}=${use.variable}, or run the command once on a terminal`;
}

/**
 * Why several accounts cannot be opened. `hint`: undefined if that of the first fits.
 * @param missing variables without a secret @param servers pairs for PLANCAST_TRUSTED_ORIGINS, of all accounts
 */
export function accountsNotReadyText(
  faults: readonly string[],
  of: {
    readonly missing: readonly string[];
    readonly servers: readonly string[];
    readonly isOnGitHub: boolean;
  },
): { readonly message: string; readonly hint: string | undefined } {
  const message = faults.join(" ");
  if (!of.isOnGitHub) return { message, hint: undefined };
  const secrets = of.missing.length === 0 ? "" : ` Add the secrets ${of.missing.join(", ")}.`;
  const servers =
    of.servers.length === 0
      ? ""
      : ` Set the variable PLANCAST_TRUSTED_ORIGINS to \`${of.servers.join(",")}\`, if these are the servers of your accounts.`;
  return {
    message,
    hint: `On GitHub, open Settings, Secrets and variables, Actions.${secrets}${servers} Check that the workflow passes each on under \`env:\`.`,
  };
}

/** The question in a terminal, as plain text. @param file name of plancast.yaml */
export function sendKeyQuestion(use: KeyUse, file: string): string {
  const { origin, namedBy, variable } = use;
  if (variable === NO_KEY_VARIABLE)
    return `plancast has not sent prompts and pictures to ${origin} before. ${file} names this address (ai.url). Send them there from now on?`;
  const address = namedBy === "checkout" ? `${file} names this address. ` : "";
  const isByPerson = namedBy === "person" || variable === DEFAULT_KEY_VARIABLE;
  const named = isByPerson ? "" : `${file} names ${variable}. `;
  return `Your ${nameOf(use)} in ${variable} has not been sent to ${origin} before. ${address}${named}Send it there from now on?`;
}

/** Prompts and pictures were not sent to a language model without a key. */
export function modelNotConfirmedText(origin: string, isInCi: boolean, file: string): MessageAndHint {
  const pair = `${origin}=${NO_KEY_VARIABLE}`;
  const add = `add \`${pair}\` to PLANCAST_TRUSTED_ORIGINS`;
  const ways = isInCi
    ? `${add} in the settings of your CI`
    : `${add}, pass --trust-url ${pair}, or run the command once on a terminal`;
  return {
    message: `plancast sent nothing to ${origin}: only ${file} names this address of a language model (ai.url), and a pull request can change it.`,
    hint: `If you trust this address with your prompts and pictures, ${ways}.`,
  };
}

/** Why a request failed, by the code of Node or undici: a clause for a message. */
export const NETWORK_REASONS: ReadonlyMap<string, string> = new Map([
  ["ECONNREFUSED", "no program listens at that address"],
  ["ENOTFOUND", "this host does not exist"],
  ["EAI_AGAIN", "the name of the host cannot be looked up now"],
  ["ECONNRESET", "the connection was reset"],
  ["EPIPE", "the connection was closed"],
  ["UND_ERR_SOCKET", "the connection was closed"],
  ["UND_ERR_CONNECT_TIMEOUT", "it did not connect in time"],
  ["UND_ERR_HEADERS_TIMEOUT", "it did not answer in time"],
  ["UND_ERR_BODY_TIMEOUT", "the answer stopped in the middle"],
  ["HEAD_TOO_SLOW", "it did not answer in time"],
  ["BODY_TOO_SLOW", "the answer came too slowly"],
  ["BODY_TOO_LARGE", "the answer is too large"],
  ["PROXY_TUNNEL", "the proxy did not open a tunnel"],
  ["UND_ERR_RES_CONTENT_LENGTH_MISMATCH", "the answer is cut off"],
]);
