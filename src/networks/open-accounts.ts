/**
 * Opens `accounts:` of a project: reads their secrets from the environment, and checks that each is confirmed for its
 * server. `openNetwork` has a line for each network.
 */

import { createHash } from "node:crypto";
import { readFile } from "../disk/machine.ts";
import { Failure, errorCode } from "../model/failure.ts";
import { isLoopback, parseUrl } from "../model/address.ts";
import { accountsNotReadyText } from "../problems/connection-texts.ts";
import { type KeyOptions, OriginKey, confirmKey } from "../service/http/key.ts";
import { type AccountSettings, accountPlatform, secretVariable } from "../settings/accounts.ts";
import { type Env, isGitHubJob } from "../settings/environment.ts";
import { BLUESKY_LIMIT, Bluesky } from "./bluesky.ts";
import { VIDEO_SERVICE } from "./bluesky-video.ts";
import { LinkCards } from "./link-cards.ts";
import { MASTODON_LIMIT, Mastodon } from "./mastodon.ts";
import type { AccountCheck, Network } from "./network.ts";
import { NetworkRequests, type RequestOptions } from "./network-requests.ts";
import { WEBHOOK_LIMITS, Webhook } from "./webhook.ts";

/** An account of `accounts:`, without its secret. */
export interface AccountName {
  readonly id: string;
  /** Its name in `accounts:`. */
  readonly name: string;
  readonly settings: AccountSettings;
  /** Its name in posts: see accountPlatform. */
  readonly platform: string;
}

/** What each network calls the secret of an account. */
const SECRET_NAMES = { bluesky: "password", mastodon: "token" } as const;

/** Listed in the order of plancast.yaml. */
export function accountNames(accounts: Readonly<Record<string, AccountSettings>>): readonly AccountName[] {
  return Object.entries(accounts).map(([name, settings]) => ({
    id: accountId(name, settings),
    name,
    settings,
    platform: accountPlatform(name, accounts),
  }));
}

export interface OpenedAccount extends AccountName {
  readonly network: Network;
}

export interface AccountOptions extends RequestOptions, Pick<KeyOptions, "project" | "env" | "confirmation"> {
  /** Who names the server and the variable. Default: plancast.yaml, which anybody may have changed. */
  readonly namedBy?: "person" | "checkout";
}

/** Throws a Failure if the secret is missing, or must not be sent to the server. */
async function openAccount(account: AccountName, options: AccountOptions): Promise<OpenedAccount> {
  const { name, settings } = account;
  const { namedBy = "checkout" } = options;
  const variable = secretVariable(settings);
  const hint = "`plancast accounts add` shows how to get the secret.";
  const secret = await secretOf(`accounts.${name}`, variable, options.env, hint);
  const origin = accountOrigin(name, settings, secret);
  // The environment names a webhook's address, and no other server gets it.
  const key =
    settings.network === "webhook"
      ? OriginKey.confirmed(origin, secret, "environment")
      : await confirmKey(
          { origin, namedBy, variable, secret: SECRET_NAMES[settings.network] },
          secret,
          options,
        );
  const { sharedCount } = options;
  const counts = sharedCount && ((group: string) => sharedCount(`${account.id} ${group}`));
  return { ...account, network: openNetwork(settings, key, { ...options, sharedCount: counts }) };
}

/** Signs in to one account, and publishes nothing. Throws like openAccount. */
export async function checkAccount(account: AccountName, options: AccountOptions): Promise<AccountCheck> {
  const { network } = await openAccount(account, options);
  try {
    return await network.check();
  } finally {
    await network.close();
  }
}

/**
 * Opens all accounts, one after the other, because a person may be asked about each. Throws one Failure with all that
 * is missing.
 */
export async function openAccounts(options: AccountOptions): Promise<readonly OpenedAccount[]> {
  const accounts = accountNames(options.project.config.accounts);
  const opened: OpenedAccount[] = [];
  const faults: Failure[] = [];
  try {
    for (const account of accounts) {
      try {
        opened.push(await openAccount(account, options));
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        faults.push(error);
      }
    }
    const [first] = faults;
    if (first === undefined) return opened;
    const isOnGitHub = isGitHubJob(options.env);
    throw faults.length === 1 && !isOnGitHub ? first : allFaults(first, faults, accounts, options.env);
  } catch (error) {
    await Promise.all(opened.map(({ network }) => network.close()));
    throw error;
  }
}

/** One failure with everything to do, so that people need not run again for each. */
function allFaults(
  { code, hint = "" }: Failure,
  faults: readonly Failure[],
  accounts: readonly AccountName[],
  env: Env,
): Failure {
  const variables = accounts.map(({ settings }) => secretVariable(settings));
  const servers = accounts.flatMap(({ settings }) =>
    settings.network === "webhook" ? [] : `${new URL(settings.server).origin}=${secretVariable(settings)}`,
  );
  const text = accountsNotReadyText(
    faults.map(({ message }) => message),
    { missing: variables.filter((name) => !hasSecret(name, env)), servers, isOnGitHub: isGitHubJob(env) },
  );
  return new Failure(code, text.message, text.hint ?? hint);
}

/** The variable with the path of a file that contains the secret. Docker and systemd provide secrets as files. */
function fileVariable(variable: string): string {
  return `${variable}_FILE`;
}

/** Whether the environment has the secret, or names its file. */
export function hasSecret(variable: string, env: Env): boolean {
  return [variable, fileVariable(variable)].some((name) => (env[name] ?? "").trim() !== "");
}

/**
 * The variable has priority over the file. Throws a Failure that repeats neither the secret nor the path.
 * @param setting that names the variable, such as `accounts.press` @param hint how to get the secret
 */
export async function secretOf(setting: string, variable: string, env: Env, hint = ""): Promise<string> {
  const file = env[fileVariable(variable)] ?? "";
  const isInFile = (env[variable] ?? "").trim() === "" && file !== "";
  const source = isInFile ? `The file that ${fileVariable(variable)} names` : variable;
  const fault = (what: string): Failure =>
    new Failure(
      "service/no-key",
      `${source}, the secret of ${setting}, ${what}.`,
      isInFile
        ? `Put the secret into this file, or into the environment variable ${variable}.`
        : `Set the environment variable ${variable} where plancast runs. ${hint}`.trimEnd(),
    );
  const text = isInFile
    ? await readFile(file, "utf8").catch((error: unknown) => {
        throw fault(`cannot be read (${errorCode(error) ?? "unknown fault"})`);
      })
    : (env[variable] ?? "");
  const secret = text.trim();
  if (/^[\x21-\x7e]{1,4096}$/.test(secret)) return secret;
  throw fault(secret === "" ? "is empty" : "is not one line of printable ASCII without spaces");
}

/**
 * @param key the account's secret, confirmed for its origin; for a webhook, its address
 * @param videoService origin of Bluesky's video service
 */
export function openNetwork(
  account: AccountSettings,
  key: OriginKey,
  options: RequestOptions,
  videoService = VIDEO_SERVICE,
): Network {
  const { origin } = key;
  const requests = (limit: number, at = origin): NetworkRequests => new NetworkRequests(at, limit, options);
  switch (account.network) {
    case "bluesky":
      return new Bluesky(account, key, {
        requests: requests(BLUESKY_LIMIT),
        video: requests(BLUESKY_LIMIT, videoService),
        cards: new LinkCards(options),
        clock: options.clock,
      });
    case "mastodon":
      return new Mastodon(account, key, requests(MASTODON_LIMIT), options.clock);
    case "webhook": {
      // Its address is a secret, and its path must not get into a log.
      const onRequest: RequestOptions["onRequest"] = (log) =>
        options.onRequest({ ...log, path: "(the webhook)" });
      return new Webhook(
        account,
        new URL(key.text),
        new NetworkRequests(origin, WEBHOOK_LIMITS[account.form], { ...options, onRequest }),
      );
    }
  }
}

/**
 * The id of an account. It depends on the server and the handle, so that no post goes to an account for which it was
 * not scheduled. It follows from `plancast.yaml` only.
 * @param name in `accounts:`
 */
function accountId(name: string, account: AccountSettings): string {
  const { network } = account;
  const where = network === "webhook" ? account.url_env : new URL(account.server).origin;
  const who = network === "bluesky" ? account.handle.toLowerCase() : "";
  const hash = createHash("sha256")
    .update(JSON.stringify([network, name, where, who]))
    .digest("hex");
  return `account_${network}_${hash.slice(0, 12)}`;
}

/**
 * The origin of an account's requests.
 * @param secret a webhook's address. Throws a Failure that does not repeat it
 */
export function accountOrigin(name: string, account: AccountSettings, secret: string): string {
  return account.network === "webhook"
    ? safeAddress(secret, `The address in ${account.url_env}`).origin
    : safeAddress(account.server, `\`accounts.${name}.server\``).origin;
}

/** An address that may get a secret. Throws a Failure that does not repeat it. @param where the beginning of the message */
export function safeAddress(text: string, where: string): URL {
  const url = parseUrl(text);
  const isWeb = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url));
  if (url !== undefined && isWeb && url.username === "" && url.password === "") return url;
  throw new Failure(
    "service/address",
    `${where} is not an https address without a user name.`,
    "plancast sends a secret there, so it must be encrypted. http is allowed only for this machine.",
  );
}
