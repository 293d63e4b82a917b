/** Names of accounts in calendars: `linkedin`, or `linkedin/brand` if a service has several accounts there. */

import { createHash } from "node:crypto";
import { groupBy } from "../model/group.ts";
import type { Json, PlatformRecord } from "./records.ts";

/** What the name of an account is made of. */
interface NamedAccount {
  readonly id: string;
  /** As calendars write it, such as `twitter`. */
  readonly network: string;
  /** What people call the account, the best name first. */
  readonly names: readonly string[];
}

/** An account as a service lists it. */
interface ListedAccount extends NamedAccount {
  /** Whether it publishes. */
  readonly isActive: boolean;
  readonly record: Json;
}

export interface Account extends ListedAccount, PlatformRecord {
  readonly id: string;
  readonly platform: string;
  readonly record: Json;
}

/** Inactive accounts have names too, so that deactivating one renames no other. */
export function connectedAccounts<Listed extends ListedAccount>(
  accounts: readonly Listed[],
): readonly (Listed & Account)[] {
  const platforms = accountPlatforms(accounts);
  return accounts.map((each) => {
    const { id, network, names, isActive: active, record } = each;
    const platform = platforms.get(id) ?? network;
    const name = names.findLast((own) => own !== "") ?? id;
    return { ...each, platform, name, record: { ...record, platform, active } };
  });
}

/** Longest name of an account in a calendar. */
const MAX_LENGTH = 40;

/** What calendars call each account, by its id. It does not depend on the order of the accounts. */
export function accountPlatforms(accounts: readonly NamedAccount[]): ReadonlyMap<string, string> {
  return new Map(
    [...groupBy(accounts, ({ network }) => network)].flatMap(([network, those]) => {
      if (those.length === 1) return those.map(({ id }) => [id, network] as const);
      return [...groupBy(those, nameOf)].flatMap(([name, same]) =>
        same.map(
          (each) => [each.id, `${network}/${same.length === 1 ? name : distinct(name, each)}`] as const,
        ),
      );
    }),
  );
}

function nameOf({ names, id }: NamedAccount): string {
  return names.map(plainName).find((name) => name !== "") ?? shortHash(id);
}

/** Lower-case letters, digits and hyphens: `Gärtnerei & Söhne` becomes `gartnerei-sohne`. */
function plainName(name: string): string {
  return name
    .normalize("NFKD")
    .replaceAll(/\p{M}+/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, "-")
    .slice(0, MAX_LENGTH)
    .replaceAll(/^-|-$/g, "");
}

function distinct(name: string, { id }: NamedAccount): string {
  const mark = shortHash(id);
  return `${name.slice(0, MAX_LENGTH - mark.length - 1)}-${mark}`;
}

function shortHash(id: string): string {
  return createHash("sha256").update(id).digest("hex").slice(0, 6);
}
