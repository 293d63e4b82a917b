/** Registers webhooks. */

import { randomId } from "../store/records.ts";
import { type Route, endpoint } from "./endpoint.ts";
import { webhookAnswer, webhookRequest } from "./schemas.ts";

const registerWebhook = endpoint({
  method: "POST",
  path: "/webhooks",
  scope: "admin",
  operation: "registerWebhook",
  summary: "Registers an address that receives events",
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

export const webhooksRoutes: readonly Route[] = [registerWebhook];
