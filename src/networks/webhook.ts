/**
 * A webhook: a request with the post, for automation tools or a chat. Nothing shows whether a request without an answer
 * arrived. So it is never sent again, unless the project says that the receiver ignores repeats.
 */

import { createHash } from "node:crypto";
import { z } from "zod";
import { limitsOfAccount } from "../checks/networks/account-limits.ts";
import type { RequestKey } from "../service/http/key.ts";
import type { FormPart } from "../service/http/request.ts";
import type { WebhookSettings } from "../settings/accounts.ts";
import {
  type AccountCheck,
  type Attempt,
  type Network,
  type NetworkMedia,
  type NetworkPost,
  type PublishResult,
  type SettleResult,
  extensionFor,
  publishedTexts,
  webAddress,
} from "./network.ts";
import {
  type NetworkCall,
  type NetworkRequests,
  NETWORK_REQUESTS_AT_ONCE,
  Refusal,
  UNLIMITED_AT_ONCE,
  failedResult,
} from "./network-requests.ts";
import { refuseUnfit, sentTexts } from "./unfit.ts";
import { webhookRefusal } from "./webhook-refusals.ts";

/**
 * Requests per minute, by the form of the request. Slack takes one a second. Other receivers, such as automation tools, have no
 * known limit: they answer 429 if there are too many requests.
 */
export const WEBHOOK_LIMITS: Readonly<Record<WebhookSettings["form"], number | undefined>> = {
  json: undefined,
  discord: 60,
  slack: 60,
};

/** Posts that are sent at the same time where a crash may lose them: nobody can find out what the receiver has. */
const UNCERTAIN_AT_ONCE = 4;

export class Webhook implements Network {
  readonly atOnce: number;
  readonly canSettle: boolean;
  readonly isRepeatable: boolean;
  readonly #settings: WebhookSettings;
  readonly #url: URL;
  readonly #requests: NetworkRequests;
  /** Why the receiver does not accept the address; undefined after an attempt that it accepted. */
  #refusal: string | undefined;

  constructor(settings: WebhookSettings, url: URL, requests: NetworkRequests) {
    this.#settings = settings;
    this.#url = url;
    this.#requests = requests;
    const hasLimit = WEBHOOK_LIMITS[settings.form] !== undefined;
    const certain = hasLimit ? NETWORK_REQUESTS_AT_ONCE : UNLIMITED_AT_ONCE;
    this.atOnce = settings.resend ? certain : UNCERTAIN_AT_ONCE;
    this.canSettle = settings.resend;
    this.isRepeatable = settings.resend;
  }

  async publish(post: NetworkPost, { notAfter }: Pick<Attempt, "notAfter">): Promise<PublishResult> {
    const delivery = createHash("sha256").update(post.key).digest("hex").slice(0, 32);
    try {
      const { body } = await this.#requests.send({
        path: this.#address(),
        group: "webhook",
        effect: this.#settings.resend ? "repeat" : "once",
        key: secretAddress(this.#url),
        notAfter,
        headers: { "x-plancast-delivery": delivery, "idempotency-key": delivery },
        ...(await this.#bodyOf(post, delivery)),
      });
      this.#refusal = undefined;
      return { state: "published", url: addressIn(body) };
    } catch (error) {
      const result =
        error instanceof Refusal ? webhookRefusal(this.#settings.form, error) : failedResult(error);
      if ("isSignInRefused" in result) this.#refusal = result.reason;
      return result;
    }
  }

  settle(): Promise<SettleResult> {
    return Promise.resolve(
      this.#settings.resend
        ? { state: "absent" }
        : { state: "unknown", reason: "the webhook did not answer" },
    );
  }

  /** A request would publish something, so only the address is checked. */
  check(): Promise<AccountCheck> {
    return Promise.resolve(
      this.#refusal === undefined
        ? { state: "ready", name: this.#url.host }
        : { state: "failed", reason: this.#refusal, isSignInRefused: true },
    );
  }

  close(): Promise<void> {
    return this.#requests.close();
  }

  /** Discord answers only if it is asked to wait. */
  #address(): string {
    const url = new URL(this.#url);
    if (this.#settings.form === "discord") url.searchParams.set("wait", "true");
    return url.href;
  }

  async #bodyOf(post: NetworkPost, delivery: string): Promise<Pick<NetworkCall, "json" | "form">> {
    const account = limitsOfAccount(this.#settings);
    const texts = publishedTexts(post);
    refuseUnfit(texts, account.limits, account);
    const [{ text } = { text: "" }] = sentTexts(texts, account);
    switch (this.#settings.form) {
      case "slack":
        return { json: { text: slackText(text) } };
      case "discord":
        return discordBody(text, post.media);
      case "json": {
        const media: object[] = [];
        for (const file of post.media) media.push(await mediaJson(file));
        const { thread = [], threadMedia, comment, scheduledAt: scheduled_at } = post;
        const more = {
          ...(threadMedia === undefined ? {} : { thread_media: threadMedia }),
          ...(comment === undefined ? {} : { first_comment: comment }),
        };
        return { json: { version: 1, id: delivery, text, thread, ...more, scheduled_at, media } };
      }
    }
  }
}

async function mediaJson({ mime, alt = "", facts, open }: NetworkMedia): Promise<object> {
  const data = Buffer.from(await (await open()).arrayBuffer()).toString("base64");
  const { width, height } = facts;
  return { type: mime, alt, ...(width === undefined ? {} : { width, height }), data };
}

/** Notifies nobody, because a text may contain `@everyone`. */
export function discordMessage(content: string) {
  return { content, allowed_mentions: { parse: [] } };
}

function discordBody(content: string, media: readonly NetworkMedia[]): Pick<NetworkCall, "json" | "form"> {
  const attachments = media.map(({ alt = "" }, index) => ({ id: index, description: alt }));
  const message = discordMessage(content);
  if (media.length === 0) return { json: message };
  return {
    form: async () => {
      const parts: FormPart[] = [
        { name: "payload_json", value: JSON.stringify({ ...message, attachments }) },
      ];
      for (const [index, file] of media.entries()) {
        const fileName = `${index + 1}.${extensionFor(file)}`;
        parts.push({ name: `files[${index}]`, value: await file.open(), fileName });
      }
      return parts;
    },
  };
}

/** Source: Slack's "Formatting text", on escaping. */
export function slackText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** The address of the published post, if the receiver gives one. */
function addressIn(body: unknown): string | undefined {
  return z.object({ url: webAddress }).safeParse(body).data?.url;
}

/** A shorter part of an address is a word, such as `hooks`. */
const MIN_SECRET_PART = 8;

/** Receivers repeat parts of the address in their errors: segments of the path, and values of the query. */
function secretParts({ pathname, searchParams }: URL): readonly string[] {
  const parts = [...pathname.split("/"), ...searchParams.values()];
  return [...new Set(parts)].filter((part) => part.length >= MIN_SECRET_PART && part !== "webhooks");
}

/** A webhook's address is its secret, and no header carries it. */
export function secretAddress(address: URL): RequestKey {
  return {
    text: address.pathname + address.search,
    parts: secretParts(address),
    authorization: (url) => {
      if (url.origin !== address.origin) throw new Error(`The webhook is not at ${url.origin}.`);
      return undefined;
    },
  };
}
