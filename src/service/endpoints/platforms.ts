/** The endpoints of connected platforms. */

import { decodePlatform, platformNames } from "../answers/other-records.ts";
import { ifReadable, isJsonOrEmpty, toWriteResult } from "../answers/results.ts";
import type { CallResult } from "../http/transport.ts";
import type { Disconnected, Listed, WriteResult } from "../records.ts";
import type { ServiceClient } from "../service-client.ts";
import { type Caller, recordPath } from "./caller.ts";

type PlatformsEndpoints = Pick<ServiceClient, "listNetworks" | "listAccounts" | "disconnectPlatform">;

export function platformsEndpoints({ list, write }: Caller): PlatformsEndpoints {
  const listAccounts = async () => {
    const { items, ...rest } = await list("/platforms");
    return { items: items.map((item) => decodePlatform(item, "GET /v1/platforms")), ...rest };
  };
  return {
    listNetworks: async () => platformsIn(await ifReadable(list("/platforms"))),
    listAccounts,
    disconnectPlatform: async (id) => {
      const result = await write({
        method: "DELETE",
        path: recordPath("/platforms", id),
        repeat: "repeatable",
      });
      return disconnected(id, result, listAccounts);
    },
  };
}

function platformsIn(list: Listed<unknown> | undefined): ReadonlySet<string> | undefined {
  const names = list?.items.map(platformNames);
  if (names === undefined || names.length === 0) return undefined;
  return names.every((each) => each !== undefined) ? new Set(names.flat()) : undefined;
}

/**
 * An answer that the service may have given means disconnected, whatever it says. That the account is not found, or an
 * answer in no form of the service's, is not trusted: then the list of accounts is asked for.
 */
async function disconnected(
  id: string,
  result: CallResult,
  listAccounts: ServiceClient["listAccounts"],
): Promise<WriteResult<Disconnected>> {
  const isOwn = result.kind === "answer" && isJsonOrEmpty(result.answer);
  const isMissing = result.kind === "refused" && result.error.code === "not_found";
  if (isOwn || (result.kind !== "answer" && !isMissing)) return toWriteResult(result, () => "disconnected");
  const accounts = await ifReadable(listAccounts());
  if (accounts?.items.some((each) => each.id === id) === true && isMissing)
    return toWriteResult(result, () => "disconnected");
  const isGone =
    accounts?.wholeness === "end" && accounts.items.every((each) => each.id !== undefined && each.id !== id);
  if (isGone) return { result: "done", value: isMissing ? "already-gone" : "disconnected" };
  return { result: "unknown", message: "the service does not tell whether the account is still connected" };
}
