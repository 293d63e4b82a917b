/**
 * What services have in common that only schedule posts: their lists, the names of their accounts, the parts and options
 * that they publish, and refusals. To connect one more, write a folder beside `zernio`, which is the model:
 *
 * 1. **Facts:** an entry in model/service-interface.ts, and a line in settings/carried-options.ts and connect/open-service.ts.
 * 2. **Requests and answers** (`zernio-api.ts`): each request is a `call` of a `Transport`, and each answer has a zod schema.
 *    A create has `repeat: "once"`. `usableAccounts` names the accounts. A record becomes a `RemotePost` in canonical form.
 * 3. **What it publishes, as data:** `supportedParts` for the parts of posts, and a table in options/carried.ts for options.
 *    A part or option that is missing there is a warning or an error in a plan, and never lost in silence.
 * 4. **The service** (`zernio-service.ts`): `listScheduled`, `getPost`, `createPost`, `cancelPost` and `uploadMedia` are its
 *    own. The lists of accounts and records, and what it does not have, come from here.
 * 5. **What it would refuse:** `whyNot` starts with `whyOptionsLack`. If the service counts texts in its own way, count them
 *    there, too: postiz-refusals.ts does.
 * 6. **Tests:** a server in test/support/contract, written from the published interface, and its world in `worlds.ts`. The
 *    tests of test/service/types then run on it, with all faults.
 *
 * If its lists do not show all parts of posts, leave the parts out of the `RemotePost`. plancast then compares the row with
 * what it sent, replaces once what only a list confirmed, and warns before an edit removes parts of a post by hand.
 */

import { createHash } from "node:crypto";
import { Failure } from "../../model/failure.ts";
import { groupBy } from "../../model/data.ts";
import type { ExtraPart, SupportedExtras } from "../../model/extras.ts";
import { networkOf } from "../../model/options/catalogue.ts";
import { type Carried, isSent, missingOptions } from "../../model/options/carried.ts";
import { missingOptionsText } from "../../problems/plan-texts.ts";
import { matchesStatus } from "../answers/post.ts";
import type { Json, Listed, NotDone, PlatformRecord, PostRecord } from "../records.ts";
import type { FullService, PostDraft, RefusedPost } from "../service.ts";

/** A list that is certainly complete. */
export function whole<T>(items: readonly T[]): Listed<T> {
  return { items, wholeness: "end", isTold: true };
}

/** @param records posts of any status; with a given status, it may leave out posts of other statuses */
export function recordLists(
  records: (status: string | undefined) => Promise<readonly PostRecord[]>,
): Pick<FullService, "listPosts" | "findPosts"> {
  const recordsWith = async (status: string | undefined): Promise<readonly PostRecord[]> =>
    (await records(status)).filter((each) => status === undefined || matchesStatus(each.status, status));
  return {
    listPosts: async (status) => whole(await recordsWith(status)),
    async findPosts(ids, status) {
      const found = (await recordsWith(status)).filter(({ id }) => ids.has(id));
      return new Map(found.map((each) => [each.id, each]));
    },
  };
}

type AccountLists = Pick<
  FullService,
  "listNetworks" | "listInactiveNetworks" | "listAccountIds" | "listAccounts"
>;

/** Only active accounts can be in a row. */
export function accountLists(accounts: () => Promise<readonly Account[]>): AccountLists {
  const platforms = async (active: boolean): Promise<ReadonlySet<string>> =>
    new Set((await accounts()).filter(({ isActive }) => isActive === active).map(({ platform }) => platform));
  return {
    listNetworks: () => platforms(true),
    listInactiveNetworks: () => platforms(false),
    listAccountIds: async () => new Set((await accounts()).map(({ id }) => id)),
    listAccounts: async () => whole(await accounts()),
  };
}

type OtherLists = Pick<FullService, "findMissingMedia" | "listMedia" | "listAutomations">;

/** Of a service that lists only posts and accounts. @param title its name */
export function otherLists(title: string): OtherLists {
  return {
    findMissingMedia: () => Promise.resolve(new Set()),
    listMedia: () =>
      Promise.reject(
        new Failure("service/refused", `${title}'s API does not list media.`, `Open the media in ${title}.`),
      ),
    listAutomations: () => Promise.resolve(whole([])),
  };
}

export type Refused = Extract<NotDone, { result: "refused" }>;

/** @param code the service's own word, or plancast's  @param fatal whether no later request can succeed */
export function refusedWrite(code: string, message: string, fatal = false): Refused {
  return { result: "refused", code, message, fatal };
}

type OtherWrites = Pick<
  FullService,
  "disconnectPlatform" | "generateText" | "generateImage" | "triggerAutomation" | "addWebhook"
>;

/**
 * Refuses everything besides posts and media.
 * @param why after "refused:"  @param instead how to disconnect an account
 */
export function refusedOtherWrites(why: string, instead: string): OtherWrites {
  return {
    disconnectPlatform: refusing(instead),
    generateText: refusing(why),
    generateImage: refusing(why),
    triggerAutomation: refusing(why),
    addWebhook: refusing(why),
  };
}

function refusing(message: string): () => Promise<Refused> {
  return () => Promise.resolve(refusedWrite("not_supported", message));
}

/** The parts of an account's name. */
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
export function usableAccounts<Listed extends ListedAccount>(
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

/** What calendars call each account, by its id: `linkedin`, or `linkedin/brand` if there are several. It does not depend on the order of the accounts. */
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

/** The networks on which a service publishes a part of a post, by their names in calendars. */
type Networks = (network: string) => boolean;

export const everyNetwork: Networks = () => true;

export function onlyOn(...networks: readonly string[]): Networks {
  return (network) => networks.includes(network);
}

export function allBut(...networks: readonly string[]): Networks {
  return (network) => !networks.includes(network);
}

/**
 * The parts that a service publishes, as data: each part with its networks. A part that is not in the table is published
 * nowhere, so plancast warns before the post loses it.
 */
export function supportedParts(
  table: Readonly<Partial<Record<ExtraPart, Networks>>>,
  carried: Carried,
): SupportedExtras {
  return {
    has: (part, platform) => {
      const isOn = table[part];
      return isOn !== undefined && (platform === undefined || isOn(networkOf(platform)));
    },
    sends: (option) => isSent(carried, option),
  };
}

/** Why the options of a post are not enough; undefined if they are. */
export function whyOptionsLack(
  carried: Carried,
  accounts: readonly Account[],
  { platforms, options }: Pick<PostDraft, "platforms" | "options">,
): RefusedPost | undefined {
  for (const { platform } of accounts.filter((each) => platforms.includes(each.platform))) {
    const missing = missingOptions(carried, platform, options);
    if (missing.length > 0)
      return {
        code: "platform/settings",
        field: "platforms",
        message: missingOptionsText(platform, missing),
      };
  }
  return undefined;
}
