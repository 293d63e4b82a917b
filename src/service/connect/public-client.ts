/**
 * The client that the package exports: the thirteen endpoints for scripts, with the rate limiter, retries and errors of
 * plancast itself.
 */

import { basename } from "node:path";
import { z } from "zod";
import { hashFile } from "../../media/media-file.ts";
import { isoInstant, utcTime } from "../../model/canonical.ts";
import type { Wait } from "../../model/clock.ts";
import { Failure, reasonOf } from "../../model/failure.ts";
import { didYouMean, nearest } from "../../model/text.ts";
import { serviceSettings } from "../../settings/config.ts";
import type { ResponseMapping } from "../../settings/response-mapping.ts";
import { USER_AGENT } from "../../model/version.ts";
import type { Connection } from "../http/transport.ts";
import { windowRules } from "../rate/limiter.ts";
import { parseAddress, OriginKey, checkedKey } from "../http/key.ts";
import type {
  AutomationRecord,
  Cancelled,
  Disconnected,
  ImageRecord,
  ImageRequest,
  Listed,
  MediaRecord,
  PlatformRecord,
  PostRecord,
  RequestLog,
  TextRecord,
  TextRequest,
  TriggerRecord,
  WebhookRecord,
  WebhookRequest,
  WriteResult,
} from "../records.ts";
import type { FullService, PostDraft, UploadFile } from "../service.ts";
import { systemClock } from "../system-clock.ts";
import { openConnection } from "../endpoints/http-service.ts";

export interface ClientOptions {
  /** Address of the service, with or without /v1. Default: the environment's PLANCAST_BASE_URL. */
  readonly url?: string | undefined;
  /** Default: the environment's PLANCAST_API_KEY, which keeps the key out of the script. */
  readonly apiKey?: string | undefined;
  /** Requests per minute (30, 120, 600) if the service does not report its limit. Default: `free`. */
  readonly plan?: "free" | "pro" | "business" | undefined;
  /** Requests of each window to leave to other users of the key: a count, or a share such as `20%`. Default: 0. */
  readonly reserve?: number | string | undefined;
  /** Longest wait for an answer to one request, such as `90s`. Default: `60s`. */
  readonly timeout?: string | undefined;
  /**
   * Page size of lists. If you set it, plancast assumes that the service returns this many records, so a shorter list
   * is complete.
   */
  readonly listLimit?: number | undefined;
  /** Where the service's answers hold the data, in the form of `service.shape` in plancast.yaml. */
  readonly shape?: ResponseMapping | undefined;
  /** Name of the form field that contains the file in an upload. Default: `file`. */
  readonly uploadField?: string | undefined;
  /** After it is aborted, no request starts. Open requests are finished, except those that only read. */
  readonly signal?: AbortSignal | undefined;
  /** Called when requests wait: for the rate limit, or before a retry. */
  readonly onWait?: ((wait: Wait) => void) | undefined;
  /** Called after each request. */
  readonly onRequest?: ((request: RequestLog) => void) | undefined;
}

/** A post to create. */
export interface NewPost {
  readonly content?: string | undefined;
  /** Platform identifiers. */
  readonly platforms: readonly string[];
  /** A Date, or ISO 8601 with `Z` or an offset; sent as UTC, to the second. */
  readonly scheduledAt: string | Date;
  readonly mediaIds?: readonly string[] | undefined;
}

/**
 * Methods that read throw a failure (see `isFailure`) if there is no readable answer. Methods that write return the
 * result as a value: `done`, `refused`, `unknown` or `not_started`. They throw only for invalid arguments, and if the
 * service redirects to another address.
 */
export interface Client {
  readonly posts: {
    /** Posts with a status, over all pages; with any status by default. Throws if the list is not whole. */
    list(filter?: { readonly status?: string | undefined }): Promise<Listed<PostRecord>>;
    /** One post of any status; undefined if the service has none with that id. */
    get(id: string): Promise<PostRecord | undefined>;
    /** Never sent twice, unless the first request certainly did not arrive. */
    create(post: NewPost): Promise<WriteResult<CreatedPost>>;
    /** Retried until the result is known. */
    cancel(id: string): Promise<WriteResult<Cancelled>>;
  };
  readonly media: {
    list(filter?: { readonly type?: string | undefined }): Promise<Listed<MediaRecord>>;
    /** Sends a file as a stream, with the type of its content. Retried if it fails. Throws if the file cannot be read. */
    upload(path: string): Promise<WriteResult<MediaRecord>>;
  };
  readonly platforms: {
    list(): Promise<Listed<PlatformRecord>>;
    /** Retried until the result is known. */
    disconnect(id: string): Promise<WriteResult<Disconnected>>;
  };
  /** Never sent twice, unless the first request certainly did not arrive: each may cost something. */
  readonly ai: {
    text(request: TextRequest): Promise<WriteResult<TextRecord>>;
    image(request: ImageRequest): Promise<WriteResult<ImageRecord>>;
  };
  readonly automations: {
    list(): Promise<Listed<AutomationRecord>>;
    /** Never sent twice, unless the first request certainly did not arrive. */
    trigger(id: string, input: string): Promise<WriteResult<TriggerRecord>>;
  };
  readonly webhooks: {
    /** Never sent twice, unless the first request certainly did not arrive. No endpoint lists or removes webhooks. */
    add(webhook: WebhookRequest): Promise<WriteResult<WebhookRecord>>;
  };
  /** Requests sent so far, repeats included. */
  readonly requests: number;
  /** Starts no new requests, and resolves when all open ones are finished. */
  close(): Promise<void>;
}

/** A new post, with the facts in the answer. */
export type CreatedPost = Pick<PostRecord, "id" | "content" | "platforms" | "scheduledAt" | "mediaIds">;

/** The error that the client throws. The message says what happened, the hint what to do. Neither holds the key. */
export interface ClientFailure extends Error {
  /** For example `service/unauthorized`; codes never change. */
  readonly code: string;
  readonly hint: string | undefined;
}

/** A client of one service. Throws a failure when the address or the key cannot be used. */
export function createClient(options: ClientOptions = {}): Client {
  refuseUnknownOptions(options);
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
      closed.abort(new Failure("usage/arguments", "The client is closed."));
      await connection.close();
    },
  };
}

/** Whether an error comes from the client: then it has a code and usually a hint. */
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
    // The script and the environment name the address; nothing here reads a checkout.
    key: OriginKey.confirmed(
      address.origin,
      checkedKey(options.apiKey ?? process.env["PLANCAST_API_KEY"], "The key"),
      "script",
    ),
    settings,
    rules: windowRules(settings, random),
    clock: systemClock,
    random,
    userAgent: USER_AGENT,
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

function endpointsOf(service: FullService): Omit<Client, "requests" | "close"> {
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
    throw new Failure("disk/unreadable", `The file to upload cannot be read: ${why}`, "Check its path.");
  }
}

// JavaScript checks no types, so arguments are validated before anything is sent.

const moment = z
  .union([
    z.date().transform((date) => date.getTime()),
    z.string().transform((text) => isoInstant(text, undefined)),
  ])
  .refine((ms) => ms !== undefined, "must be a Date, or ISO 8601 with Z or an offset")
  .transform((ms) => utcTime(ms ?? Number.NaN));

const newPost = z.strictObject({
  content: z.string().default(""),
  platforms: z.array(z.string().min(1)).min(1),
  scheduledAt: moment,
  mediaIds: z.array(z.string().min(1)).default([]),
});

const textRequest = z.strictObject({
  prompt: z.string(),
  platform: z.string(),
  tone: z.string().optional(),
});

const imageRequest = z.strictObject({ prompt: z.string(), size: z.string().optional() });

const webhookRequest = z.strictObject({ url: z.url(), events: z.array(z.string().min(1)).min(1) });

const textInput = z.string();

function postDraft(post: NewPost): PostDraft {
  return parseArguments(newPost, post, "posts.create");
}

const OPTIONS: Readonly<Record<keyof ClientOptions, true>> = {
  url: true,
  apiKey: true,
  plan: true,
  reserve: true,
  timeout: true,
  listLimit: true,
  shape: true,
  uploadField: true,
  signal: true,
  onWait: true,
  onRequest: true,
};

/** Throws a Failure: without its effect, a mistyped option could send posts to the wrong place. */
function refuseUnknownOptions(options: ClientOptions): void {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(OPTIONS, name));
  if (unknown === undefined) return;
  const names = Object.keys(OPTIONS);
  throw new Failure(
    "usage/arguments",
    `createClient has no option \`${unknown}\`.${didYouMean(nearest(unknown, names))}`,
    `The options are ${names.join(", ")}. Nothing was sent.`,
  );
}

/** The options as settings of plancast.yaml, with the same rules and defaults. */
function settingsFrom(options: ClientOptions): z.infer<typeof serviceSettings> {
  const { plan, reserve, timeout, listLimit, shape, uploadField } = options;
  const given = { plan, reserve, timeout, list_limit: listLimit, shape, upload_field: uploadField };
  return parseArguments(serviceSettings, given, "createClient");
}

/** Throws a Failure that names the call and the argument. */
function parseArguments<S extends z.ZodType>(schema: S, value: unknown, call: string): z.output<S> {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const where = issue === undefined || issue.path.length === 0 ? "" : ` ${issue.path.join(".")}:`;
  throw new Failure(
    "usage/arguments",
    `${call}:${where} ${issue?.message ?? "no such request"}.`,
    "Correct the call: the types show its arguments. Nothing was sent.",
  );
}
