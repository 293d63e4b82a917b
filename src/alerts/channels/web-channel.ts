/** A channel with a web address that is its secret, from the environment. */

import { Failure } from "../../model/failure.ts";
import { NotPublished } from "../../networks/network.ts";
import { NetworkRequests, type RequestOptions } from "../../networks/network-requests.ts";
import { safeAddress, secretOf } from "../../networks/open-accounts.ts";
import { secretAddress } from "../../networks/webhook.ts";
import type { Env } from "../../settings/environment.ts";
import type { News } from "../core/news.ts";
import type { Channel } from "./channel.ts";

/** How a kind of receiver takes news. */
export interface WebForm {
  /** As people know it. */
  readonly title: string;
  readonly body: (project: string, news: News) => object;
}

export interface ChannelOptions {
  /** Name of the project. */
  readonly project: string;
  readonly env: Env;
  readonly requests: RequestOptions;
}

/** Requests per minute: Slack takes one a second, and the others take more. */
const PER_MINUTE = 60;

/**
 * Throws a Failure if the variable is not set, or has no https address.
 * @param name in `notify:`
 */
export async function openWebChannel(
  name: string,
  form: WebForm,
  { url_env: variable }: { readonly url_env: string },
  { project, env, requests }: ChannelOptions,
): Promise<Channel> {
  const secret = await secretOf(`notify.${name}`, variable, env, `Copy the address from ${form.title}.`);
  const url = safeAddress(secret, `The address in ${variable}`);
  // The path must not get into a log.
  const onRequest: RequestOptions["onRequest"] = (log) =>
    requests.onRequest({ ...log, path: `(${form.title})` });
  const connection = new NetworkRequests(url.origin, PER_MINUTE, { ...requests, onRequest });
  return {
    name,
    send: async (news) => {
      const call = { path: url.href, group: name, effect: "once", key: secretAddress(url) } as const;
      try {
        await connection.send({ ...call, json: form.body(project, news) });
      } catch (error) {
        if (error instanceof NotPublished) throw notSent(form.title, error.result.reason);
        throw error;
      }
    },
    close: () => connection.close(),
  };
}

/** @param title of the channel */
export function notSent(title: string, reason: string): Failure {
  return new Failure(
    "notify/not-sent",
    `${title} did not take the alerts: ${reason}.`,
    "The next `plancast watch` tries again.",
  );
}
