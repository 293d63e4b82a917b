/**
 * The accounts to which the embedded service is connected: simulated accounts, or the accounts in `accounts:` of
 * plancast.yaml.
 */

import type { AccountName } from "../../networks/open-accounts.ts";
import type { StoredPost } from "../store/records.ts";

/** One account. */
export interface PlatformAccount {
  readonly id: string;
  /** Identifier, as posts name it. */
  readonly platform: string;
  /** Display name. */
  readonly name: string;
  /** Position in the list, as text that sorts. */
  readonly sortKey: string;
}

export interface Accounts {
  /** Whether they are on real networks. Otherwise, posts only go to the outbox. */
  readonly areReal: boolean;
  readonly list: readonly PlatformAccount[];
}

const NAMES = {
  twitter: "Twitter",
  linkedin: "LinkedIn",
  instagram: "Instagram",
  facebook: "Facebook",
  threads: "Threads",
  bluesky: "Bluesky",
  mastodon: "Mastodon",
  tiktok: "TikTok",
  youtube: "YouTube",
  pinterest: "Pinterest",
};

/** One on each common network. */
export const SIMULATED_ACCOUNTS: Accounts = {
  areReal: false,
  list: Object.entries(NAMES).map(([platform, name], index) => ({
    id: `account_${platform}`,
    platform,
    name: `${name} (embedded)`,
    sortKey: sortKeyOf(index),
  })),
};

function sortKeyOf(index: number): string {
  return String(index).padStart(3, "0");
}

/** The accounts of a project; simulated ones if it has none. */
export function accountsOf(names: readonly AccountName[]): Accounts {
  if (names.length === 0) return SIMULATED_ACCOUNTS;
  const list = names.map(({ id, platform, name, settings }, index) => ({
    id,
    platform,
    name: settings.network === "bluesky" ? `@${settings.handle}` : name,
    sortKey: sortKeyOf(index),
  }));
  return { areReal: true, list };
}

/**
 * The account for a post on a platform. Undefined if it is not connected any more, or if the post was
 * scheduled before the account existed. A real account is found by its id, because its name in rows changes when the
 * project gets another account on its network.
 */
export function accountFor(
  post: Pick<StoredPost, "accounts">,
  platform: string,
  { areReal, list }: Accounts,
): PlatformAccount | undefined {
  const chosen = post.accounts?.[platform];
  if (areReal) return list.find(({ id }) => id === chosen);
  return chosen === undefined ? list.find((each) => each.platform === platform) : undefined;
}
