/** The endpoints of automations and webhooks. They only keep what they receive. */
import type { Incoming } from "./endpoints.ts";
import { nest } from "./render.ts";
import { errorReply, jsonReply, type Reply } from "./reply.ts";
import type { World } from "./world.ts";

export function triggerAutomation(id: string, { body }: Incoming, world: World): Reply {
  const { shape, runs, automations } = world;
  if (!automations.includes(id)) return errorReply("not_found", "There is no such automation.", shape);
  const { input, ...rest } = objectIn(body);
  if (typeof input !== "string" || Object.keys(rest).length > 0)
    return errorReply("validation_error", "It takes one field, input, a string.", shape);
  runs.push({ automation: id, input });
  const run = { id: `run_${runs.length}`, status: "Queued" };
  return jsonReply(shape.createdStatus, nest(shape.record, run));
}

export function addWebhook({ body }: Incoming, world: World): Reply {
  const { shape, webhooks } = world;
  const { url, events, ...rest } = objectIn(body);
  if (typeof url !== "string" || !isTexts(events) || events.length === 0 || Object.keys(rest).length > 0)
    return errorReply("validation_error", "It takes url, a string, and events, a list of strings.", shape);
  webhooks.push({ url, events });
  return jsonReply(shape.createdStatus, nest(shape.record, { id: `wh_${webhooks.length}`, url }));
}

function objectIn(body: Incoming["body"]): Record<string, unknown> {
  try {
    const value: unknown = body.kind === "text" ? JSON.parse(body.text) : undefined;
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}
