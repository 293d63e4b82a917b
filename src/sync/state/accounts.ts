/**
 * Detects a key of other accounts. Two customers of a service share its address, so the lockfile stores the ids of the
 * accounts that were connected at the last apply. Nothing is written if none of them is still connected. Also adds these
 * ids and the longest lists of the service to the lockfile.
 */

import { Failure, ignoreFailure } from "../../model/failure.ts";
import type { Lockfile, LongestLists } from "../../model/lockfile.ts";
import { compareText } from "../../model/text.ts";
import { otherAccountText } from "../../problems/plan-texts.ts";
import type { ReadService, RemoteList } from "../../service/service.ts";

/** Sorted ids of accounts. Undefined if the service does not show them. */
export type AccountIds = readonly string[] | undefined;

/**
 * Whether none of the known accounts is shown as connected. A service that hides its accounts from this key proves nothing,
 * so it counts as another customer's. False if no accounts are known. Pure.
 */
export function areOtherAccounts(known: AccountIds, connected: AccountIds): boolean {
  if (known === undefined || known.length === 0) return false;
  return connected?.some((id) => known.includes(id)) !== true;
}

/** Whether the lockfile names accounts. An empty list proves as little as no list. */
export function hasAccounts({ accounts }: Pick<Lockfile, "accounts">): boolean {
  return accounts !== undefined && accounts.length > 0;
}

/** The accounts that are connected now. Throws a Failure if the service cannot be asked. */
export async function connectedAccounts(service: ReadService): Promise<AccountIds> {
  const ids = await service.listAccountIds?.();
  return ids === undefined ? undefined : [...ids].sort(compareText);
}

/** Where known accounts come from: the lockfile, a plan that was reviewed, or PLANCAST_ACCOUNTS. */
export type AccountsFrom = "lockfile" | "plan" | "environment";

/**
 * Throws a Failure if none of the lockfile's accounts is shown as connected. Costs one request, or none if the lockfile has no
 * accounts.
 */
export async function refuseOtherAccounts(
  service: ReadService,
  lockfile: Pick<Lockfile, "accounts">,
): Promise<void> {
  if (service.expectedAccounts !== undefined || lockfile.accounts !== undefined)
    await projectAccounts(service, lockfile);
}

/** Like `refuseOtherAccounts`, for a run that updates the accounts in the lockfile: returns the connected ones. */
export async function projectAccounts(
  service: ReadService,
  { accounts: known }: Pick<Lockfile, "accounts">,
): Promise<AccountIds> {
  const { expectedAccounts: expected } = service;
  if (expected !== undefined) {
    const connected = await connectedAccounts(service);
    // Somebody who names accounts wants them checked: a service that does not show them fails the check.
    if (connected?.some((id) => expected.includes(id)) !== true)
      throw otherAccounts("environment", expected, connected);
    return connected;
  }
  // Where there is nothing to compare with, the run need not end because they cannot be read.
  if (known === undefined) return connectedAccounts(service).catch(ignoreFailure);
  const connected = await connectedAccounts(service);
  if (areOtherAccounts(known, connected)) throw otherAccounts("lockfile", known, connected);
  return connected;
}

export function otherAccounts(from: AccountsFrom, known: AccountIds, connected: AccountIds): Failure {
  const { message, hint } = otherAccountText(from, known ?? [], connected);
  return new Failure("lockfile/other-account", message, hint);
}

/** Whether nothing says which accounts the posts of the lockfile are on, although the service shows accounts. */
export function areAccountsUnknown(
  { expectedAccounts }: ReadService,
  { posts, accounts: known }: Pick<Lockfile, "posts" | "accounts">,
  connected: AccountIds,
): boolean {
  if (expectedAccounts !== undefined || hasAccounts({ accounts: known })) return false;
  return connected !== undefined && connected.length > 0 && Object.keys(posts).length > 0;
}

/** Facts about the service that later runs need. They are written only together with other changes. */
export interface Seen {
  /** Undefined if nobody asked. */
  readonly accounts: AccountIds;
  /** The list of scheduled posts, if it was one page. */
  readonly page: RemoteList["page"];
}

/** The lockfile with these facts. Unknown ones stay. Pure. */
export function withSeen(lockfile: Lockfile, { accounts, page }: Seen): Lockfile {
  const longest = withList(lockfile.longest_lists ?? {}, page);
  return {
    ...lockfile,
    ...(accounts === undefined || accounts.length === 0 ? {} : { accounts: [...accounts] }),
    ...(Object.keys(longest).length === 0 ? {} : { longest_lists: longest }),
  };
}

/** The shortest length at which services cut lists. A shorter list proves nothing about that. */
const SHORTEST_CAP = 10;

function withList(longest: LongestLists, page: RemoteList["page"]): LongestLists {
  if (page === undefined || page.items <= (longest[page.limit] ?? SHORTEST_CAP)) return longest;
  return { ...longest, [page.limit]: page.items };
}
