/** The connections of the service: accounts, one on each platform, and webhooks. */

import type { PlatformAccount } from "../publishing/accounts.ts";
import { platformFails } from "../publishing/post-state.ts";
import { randomId } from "../store/records.ts";
import { type Route, ServiceError, endpoint, pageOf } from "./endpoint.ts";
import { pageQuery, platformAnswer, platformList, webhookAnswer, webhookRequest } from "./schemas.ts";

const listPlatforms = endpoint({
  method: "GET",
  path: "/platforms",
  scope: "read",
  operation: "listPlatforms",
  summary: "Lists the connected accounts",
  query: pageQuery,
  answer: platformList,
  handle({ query }, { store, accounts }) {
    const connected = accounts.list.filter((account) => !store.isDisconnected(account.id));
    const page = pageOf(connected, (account) => account.sortKey, query);
    return { ...page, data: page.data.map((account) => toAnswer(account, true)) };
  },
});

const disconnectPlatform = endpoint({
  method: "DELETE",
  path: "/platforms/:id",
  scope: "admin",
  operation: "disconnectPlatform",
  summary: "Disconnects an account permanently",
  answer: platformAnswer,
  errors: ["platform_error"],
  handle: ({ id }, { store, now, failures, accounts }) =>
    store.runExclusive(id, async () => {
      const account = accounts.list.find((each) => each.id === id);
      if (account === undefined || store.isDisconnected(id)) {
        throw new ServiceError("not_found", "This connected account does not exist.");
      }
      if (platformFails(failures, account.platform)) {
        throw new ServiceError("platform_error", `${account.platform} is set to fail.`);
      }
      await store.append({ disconnected: { id, at: new Date(now()).toISOString() } });
      return toAnswer(account, false);
    }),
});

const registerWebhook = endpoint({
  method: "POST",
  path: "/webhooks",
  scope: "admin",
  operation: "registerWebhook",
  summary: "Registers an address for events",
  body: webhookRequest,
  status: 201,
  answer: webhookAnswer,
  async handle({ body }, { store, now, random }) {
    const made = {
      id: randomId("webhook", random, (id) => store.webhooks().some((each) => each.id === id)),
      url: body.url,
      events: [...new Set(body.events)],
      created_at: new Date(now()).toISOString(),
    };
    await store.append({ webhook: made });
    return made;
  },
});

export const platformsRoutes: readonly Route[] = [listPlatforms, disconnectPlatform];

export const webhooksRoutes: readonly Route[] = [registerWebhook];

function toAnswer({ id, platform, name }: PlatformAccount, connected: boolean) {
  return { id, platform, name, connected };
}
