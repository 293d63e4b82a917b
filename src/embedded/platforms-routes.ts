import { PLATFORM_ACCOUNTS, type PlatformAccount } from "./platform-accounts.ts";
import type { Backend, RequestContext, Route } from "./route.ts";
import { ServiceError } from "./service-error.ts";

export const platformsRoutes: readonly Route[] = [
  { method: "GET", path: "/platforms", scope: "read", handle: listPlatforms },
  { method: "DELETE", path: "/platforms/:id", scope: "admin", handle: disconnectPlatform },
];

function listPlatforms(context: RequestContext, { store }: Backend): Response {
  const connected = PLATFORM_ACCOUNTS.filter((account) => !store.isDisconnected(account.id));
  return context.json({ data: connected.map((account) => shown(account, true)), next_cursor: null });
}

async function disconnectPlatform(context: RequestContext, { store, now }: Backend): Promise<Response> {
  const id = context.req.param("id") ?? "";
  return await store.inTurn(id, async () => {
    const account = PLATFORM_ACCOUNTS.find((each) => each.id === id);
    if (account === undefined || store.isDisconnected(id)) {
      throw new ServiceError("not_found", "There is no such connected account.");
    }
    await store.append({ disconnected: { id, at: new Date(now()).toISOString() } });
    return context.json(shown(account, false));
  });
}

function shown(account: PlatformAccount, connected: boolean) {
  return { ...account, connected };
}
