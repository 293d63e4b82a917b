/** Names of accounts in calendars: `linkedin`, or `linkedin/brand` if a service has several accounts there. */

import { createHash } from "node:crypto";
import { groupBy } from "../model/group.ts";

/** An account of a service. */
export interface ServiceAccount {
  readonly id: string;
  /** As calendars write it, such as `twitter`. */
  readonly network: string;
  /** What people call the account, the best name first. */
  readonly names: readonly string[];
}

/** Longest name of an account in a calendar. */
const MAX_LENGTH = 40;

/** What calendars call each account, by its id. It does not depend on the order of the accounts. */
export function accountPlatforms(accounts: readonly ServiceAccount[]): ReadonlyMap<string, string> {
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

function nameOf({ names, id }: ServiceAccount): string {
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

function distinct(name: string, { id }: ServiceAccount): string {
  const mark = shortHash(id);
  return `${name.slice(0, MAX_LENGTH - mark.length - 1)}-${mark}`;
}

function shortHash(id: string): string {
  return createHash("sha256").update(id).digest("hex").slice(0, 6);
}
