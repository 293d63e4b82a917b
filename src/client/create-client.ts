/** The thirteen endpoints for scripts: the same limiter, retries and errors as plancast's own. */
import { basename } from "node:path";
import { Failure, reasonOf } from "../calendar/failure.ts";
import { hashFile } from "../media/hash-file.ts";
import { parseAddress } from "../service/address.ts";
import { checkedKey } from "../service/api-key.ts";
import { openConnection, windowRules, type Connection } from "../service/connection.ts";
import type { Service, UploadFile } from "../service/service.ts";
import { systemClock } from "../service/system-clock.ts";
import { VERSION } from "../version.ts";
import type { Client, ClientFailure, ClientOptions } from "./client.ts";
import {
  parseArguments,
  imageRequest,
  postDraft,
  settingsFrom,
  textInput,
  textRequest,
  webhookRequest,
} from "./requests.ts";

/** A client of one service. Throws a failure when the address or the key cannot be used. */
export function createClient(options: ClientOptions = {}): Client {
  const closed = new AbortController();
  const { signal } = options;
  const connection = connectionOf(
    options,
    signal === undefined ? closed.signal : AbortSignal.any([closed.signal, signal]),
  );
  const { service } = connection;
  return {
    ...endpointsOf(service),
    get requests() {
      return connection.requests();
    },
    close: async () => {
      if (closed.signal.aborted) return;
      closed.abort(new Failure("client/closed", "The client is closed."));
      await connection.close();
    },
  };
}

/** Whether something that was thrown is the client's own: then it has a code and, mostly, a hint. */
export function isFailure(error: unknown): error is ClientFailure {
  return error instanceof Failure;
}

function connectionOf(options: ClientOptions, stop: AbortSignal): Connection {
  const settings = settingsFrom(options);
  const address = parseAddress(options.url ?? (process.env["PLANCAST_BASE_URL"] || notConfigured()));
  const random = Math.random;
  return openConnection({
    origin: address.origin,
    address,
    key: checkedKey(options.apiKey ?? process.env["PLANCAST_API_KEY"], "The key"),
    settings,
    rules: windowRules(settings, random),
    clock: systemClock,
    random,
    userAgent: `plancast/${VERSION}`,
    stop,
    onRequest: (log) => options.onRequest?.(log),
    onWait: (wait) => options.onWait?.(wait),
  });
}

function notConfigured(): never {
  throw new Failure(
    "service/not-configured",
    "No publishing service is named.",
    "Give createClient the service's address as `url`, or set PLANCAST_BASE_URL.",
  );
}

function endpointsOf(service: Service): Omit<Client, "requests" | "close"> {
  return {
    posts: {
      list: (filter) => service.listPosts(filter?.status),
      get: (id) => service.readPost(id),
      create: async (post) => service.createPost(postDraft(post)),
      cancel: (id) => service.cancelPost(id),
    },
    media: {
      list: (filter) => service.listMedia(filter?.type),
      upload: async (path) => service.uploadMedia(await fileAt(path)),
    },
    platforms: {
      list: () => service.listAccounts(),
      disconnect: (id) => service.disconnectPlatform(id),
    },
    ai: {
      text: async (request) => service.generateText(parseArguments(textRequest, request, "ai.text")),
      image: async (request) => service.generateImage(parseArguments(imageRequest, request, "ai.image")),
    },
    automations: {
      list: () => service.listAutomations(),
      trigger: async (id, input) =>
        service.triggerAutomation(id, parseArguments(textInput, input, "automations.trigger")),
    },
    webhooks: {
      add: async (webhook) => service.addWebhook(parseArguments(webhookRequest, webhook, "webhooks.add")),
    },
  };
}

/** Throws a Failure when there is no file that can be read. */
async function fileAt(path: string): Promise<UploadFile> {
  try {
    const { mime = "application/octet-stream" } = await hashFile(path);
    return { absolutePath: path, name: basename(path), mime };
  } catch (error) {
    const why = reasonOf(error);
    throw new Failure("media/unreadable", `The file to upload cannot be read: ${why}`, "Check its path.");
  }
}
