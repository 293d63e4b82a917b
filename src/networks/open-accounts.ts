/**
 * Opens `accounts:` of a project: reads their secrets from the environment, and checks that each is confirmed for its
 * server.
 */

import { Failure } from "../model/failure.ts";
import { type KeyOptions, confirmKey } from "../service/connect/obtain-key.ts";
import { OriginKey } from "../service/http/key.ts";
import { type AccountSettings, accountPlatform, secretVariable } from "../settings/accounts.ts";
import type { AccountCheck, Network } from "./network.ts";
import type { RequestOptions } from "./network-requests.ts";
import { accountId, accountOrigin, openNetwork } from "./open-network.ts";

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
  const secret = (options.env[variable] ?? "").trim();
  if (!/^[\x21-\x7e]{1,4096}$/.test(secret)) throw noSecret(name, variable, secret === "");
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
  return { ...account, network: openNetwork(settings, key, options) };
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

/** Opens all accounts, one after the other, because a person may be asked about each. Throws like openAccount. */
export async function openAccounts(options: AccountOptions): Promise<readonly OpenedAccount[]> {
  const opened: OpenedAccount[] = [];
  try {
    for (const account of accountNames(options.project.config.accounts))
      opened.push(await openAccount(account, options));
    return opened;
  } catch (error) {
    await Promise.all(opened.map(({ network }) => network.close()));
    throw error;
  }
}

function noSecret(name: string, variable: string, isEmpty: boolean): Failure {
  const what = isEmpty ? "is empty" : "is not one line of printable ASCII without spaces";
  return new Failure(
    "account/no-secret",
    `${variable}, the secret of accounts.${name}, ${what}.`,
    `Set the environment variable ${variable} where plancast runs. \`plancast accounts add\` shows how to get the secret.`,
  );
}
