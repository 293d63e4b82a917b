/** What services have in common that only schedule posts. */

import { Failure } from "../../model/failure.ts";
import type { Account } from "../account-names.ts";
import { matchesStatus } from "../answers/post.ts";
import type { Listed, NotDone, PostRecord } from "../records.ts";
import type { FullService } from "../service.ts";

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

type AccountLists = Pick<FullService, "listNetworks" | "listAccountIds" | "listAccounts">;

/** Only active accounts can be in a row. */
export function accountLists(accounts: () => Promise<readonly Account[]>): AccountLists {
  return {
    listNetworks: async () =>
      new Set((await accounts()).filter((each) => each.isActive).map(({ platform }) => platform)),
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

/** A request that is sent once in a run. A failure is not kept. */
export function onceUntilItFails<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined;
  return () =>
    (done ??= work().catch((error: unknown) => {
      done = undefined;
      throw error;
    }));
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
