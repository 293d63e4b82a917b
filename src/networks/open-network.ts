/** Opens an account of `accounts:` on its network: a line of the table below for each network. */

import { createHash } from "node:crypto";
import { Failure } from "../model/failure.ts";

import { isLoopback, parseUrl } from "../model/address.ts";
import { OriginKey } from "../service/http/key.ts";
import type { AccountSettings } from "../settings/accounts.ts";
import { BLUESKY_LIMIT, Bluesky } from "./bluesky.ts";
import { LinkCards } from "./link-cards.ts";
import { MASTODON_LIMIT, Mastodon } from "./mastodon.ts";
import type { Network } from "./network.ts";
import { NetworkRequests, type RequestOptions } from "./network-requests.ts";
import { WEBHOOK_LIMITS, Webhook } from "./webhook.ts";

/** @param key the account's secret, confirmed for its origin; for a webhook, its address */
export function openNetwork(account: AccountSettings, key: OriginKey, options: RequestOptions): Network {
  const { origin } = key;
  const requests = (limit: number): NetworkRequests => new NetworkRequests(origin, limit, options);
  switch (account.network) {
    case "bluesky":
      return new Bluesky(account, key, requests(BLUESKY_LIMIT), new LinkCards(options));
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
export function accountId(name: string, account: AccountSettings): string {
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
  const url = parseUrl(account.network === "webhook" ? secret : account.server);
  const isWeb = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url));
  if (url !== undefined && isWeb && url.username === "" && url.password === "") return url.origin;
  const where =
    account.network === "webhook" ? `The address in ${account.url_env}` : `\`accounts.${name}.server\``;
  throw new Failure(
    "account/address",
    `${where} is not an https address without a user name.`,
    "plancast sends a secret there, so it must be encrypted. http is allowed only for this machine.",
  );
}
