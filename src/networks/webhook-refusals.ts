/**
 * Refusals of webhooks in words. Discord names the field and what is wrong with it; Slack answers with one of its codes.
 * Sources: Slack's "Sending messages using incoming webhooks"; Discord's "JSON" error codes; 2026-11.
 */

import { z } from "zod";
import { jsonOrUndefined } from "../service/http/refusal.ts";
import type { WebhookSettings } from "../settings/accounts.ts";
import type { Failed } from "./network.ts";
import type { Refusal } from "./network-requests.ts";

const SLACK: Readonly<Record<string, string>> = {
  action_prohibited: "an admin does not allow posts in this channel",
  channel_is_archived: "the channel is archived",
  channel_not_found: "the channel does not exist any more",
  invalid_payload: "Slack cannot read the message",
  invalid_token: "the address is wrong or was revoked",
  msg_too_long: "the text is too long",
  no_service: "the webhook is turned off or was removed",
  no_service_id: "the address is incomplete",
  no_team: "the workspace does not exist any more",
  no_text: "the text is empty",
  posting_to_general_channel_denied: "an admin does not allow posts in #general",
  rollup_error: "Slack had a fault of its own",
  team_disabled: "the workspace is turned off",
  user_not_found: "the person to whom the webhook writes does not exist any more",
};

/** Statuses of an address that was revoked or mistyped, and of an automation that is turned off. */
const ADDRESS_REFUSED: ReadonlySet<number> = new Set([401, 403, 404, 410]);

/**
 * A refusal that people understand. The address of a webhook is its secret: if it is refused, no other post can go out
 * there, and all of them can as soon as somebody corrects it.
 */
export function webhookRefusal(form: WebhookSettings["form"], refusal: Refusal): Failed {
  const { status, text, message } = refusal;
  const said = form === "slack" ? SLACK[text.trim()] : form === "discord" ? discordWords(text) : undefined;
  const reason = said === undefined ? message : `HTTP ${status}: ${said}`;
  if (!ADDRESS_REFUSED.has(status)) return { ...refusal.result, reason };
  const way = "If this stays so, make a new address for the webhook, and put it into its variable";
  return { state: "failed", reason: `${reason}. ${way}`, retry: true, isSignInRefused: true };
}

const discordError = z.object({ message: z.string().optional(), errors: z.unknown().optional() }).loose();

/** `content: Must be 2000 or fewer in length`. Undefined if the answer has another form. */
function discordWords(text: string): string | undefined {
  const { data } = discordError.safeParse(jsonOrUndefined(text));
  if (data === undefined) return undefined;
  const faults = faultsIn(data.errors ?? withoutCode(data), []).slice(0, MAX_FAULTS);
  return faults.length === 0 ? undefined : faults.join("; ").slice(0, MAX_LENGTH);
}

const MAX_FAULTS = 5;
const MAX_LENGTH = 300;
const MAX_DEPTH = 6;

/** Older answers have the fields beside the message: `{ "content": ["Must be 2000 or fewer in length."] }`. */
function withoutCode({
  message: _message,
  code: _code,
  ...fields
}: Readonly<Record<string, unknown>>): object {
  return fields;
}

function faultsIn(value: unknown, path: readonly string[]): string[] {
  if (typeof value === "string") return [fault(path, value)];
  if (typeof value !== "object" || value === null || path.length > MAX_DEPTH) return [];
  if (Array.isArray(value)) return value.flatMap((each) => faultsIn(messageOf(each), path));
  return Object.entries(value).flatMap(([name, each]) =>
    faultsIn(each, name === "_errors" ? path : [...path, name]),
  );
}

function messageOf(value: unknown): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, "message") : value;
}

function fault(path: readonly string[], text: string): string {
  const sentence = text.trim().replace(/\.$/, "");
  return path.length === 0 ? sentence : `${path.join(".")}: ${sentence}`;
}
