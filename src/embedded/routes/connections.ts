/** The connections of the service: accounts, one on each platform, and webhooks. */

import type { PlatformAccount } from "../publishing/accounts.ts";
import { connectionsOf, platformFails } from "../publishing/post-state.ts";
import { freeId } from "../store/records.ts";
import { type Route, EndpointError, endpoint, pageOf } from "./endpoint.ts";
import { pageQuery, platformAnswer, platformList, webhookAnswer, webhookRequest } from "./schemas.ts";

const listPlatforms = endpoint({
  method: "GET",
  path: "/platforms",
  scope: "read",
  operation: "listPlatforms",
  summary: "Lists the connected accounts",
  query: pageQuery,
  answer: platformList,
  async handle({ query }, backend) {
    const { accounts, disconnected } = await connectionsOf(backend);
    const connected = accounts.list.filter(({ id }) => !disconnected.has(id));
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
  async handle({ id }, backend) {
    const { accounts, failures, disconnected } = await connectionsOf(backend);
    const account = accounts.list.find((each) => each.id === id);
    if (account === undefined || disconnected.has(id)) throw notConnected();
    if (platformFails(failures, account.platform)) {
      throw new EndpointError("platform_error", `${account.platform} is set to fail.`);
    }
    const record = { id, at: new Date(backend.now()).toISOString() };
    if (!(await backend.store.add({ kind: "disconnection", record }))) throw notConnected();
    return toAnswer(account, false);
  },
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
      id: await freeId("webhook", random, async (id) => (await store.get("webhook", id)) !== undefined),
      url: body.url,
      events: [...new Set(body.events)],
      created_at: new Date(now()).toISOString(),
    };
    await store.add({ kind: "webhook", record: made });
    return made;
  },
});

export const platformsRoutes: readonly Route[] = [listPlatforms, disconnectPlatform];

export const webhooksRoutes: readonly Route[] = [registerWebhook];

function notConnected(): EndpointError {
  return new EndpointError("not_found", "This connected account does not exist.");
}

function toAnswer({ id, platform, name }: PlatformAccount, connected: boolean) {
  return { id, platform, name, connected };
}
