/**
 * The client that the package exports: the thirteen endpoints for scripts, with the same limiter, retries and errors as
 * plancast itself.
 */

import { basename } from "node:path";
import { z } from "zod";
import { hashFile } from "../../media/file-contents.ts";
import { isoInstant, utcTime } from "../../model/canonical.ts";
import type { Wait } from "../../model/clock.ts";
import { Failure, reasonOf } from "../../model/failure.ts";
import { serviceSettings } from "../../settings/config.ts";
import type { ResponseMapping } from "../../settings/response-mapping.ts";
import { VERSION } from "../../version.ts";
import { parseAddress } from "../http/address.ts";
import { OriginKey, checkedKey } from "../http/key.ts";
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
import type { FullService } from "../full-service.ts";
import type { PostDraft, UploadFile } from "../service.ts";
import { systemClock } from "../system-clock.ts";
import { type Connection, openConnection, windowRules } from "./connection.ts";

export interface ClientOptions {
  /** Address of the service, with or without /v1. Default: the environment's PLANCAST_BASE_URL. */
  readonly url?: string | undefined;
  /** Default: the environment's PLANCAST_API_KEY, which keeps the key out of the script. */
  readonly apiKey?: string | undefined;
  /** Requests a minute (30, 120, 600) where the service does not say its limit. Default: `free`. */
  readonly plan?: "free" | "pro" | "business" | undefined;
  /** Requests of each window that are left to others on the key: a count, or a share such as `20%`. Default: 0. */
  readonly reserve?: number | string | undefined;
  /** Longest wait for an answer to one request, such as `90s`. Default: `60s`. */
  readonly timeout?: string | undefined;
  /** Page size of lists; says that the service honours it, so that a shorter list is a whole one. */
  readonly listLimit?: number | undefined;
  /** Where the service's answers keep what is looked for, as `service.shape` of a project file says it. */
  readonly shape?: ResponseMapping | undefined;
  /** Name of the file field of an upload. Default: `file`. */
  readonly uploadField?: string | undefined;
  /** Once it is aborted, no request starts any more; what is on its way is finished, unless it only reads. */
  readonly signal?: AbortSignal | undefined;
  /** Told when requests wait: for the rate limit, or before one that failed is sent again. */
  readonly onWait?: ((wait: Wait) => void) | undefined;
  /** Told of each request when it is over. */
  readonly onRequest?: ((request: RequestLog) => void) | undefined;
}

/** A post as it is to be made. */
export interface NewPost {
  readonly content?: string | undefined;
  /** Platform identifiers. */
  readonly platforms: readonly string[];
  /** A Date, or ISO 8601 with `Z` or an offset; sent as UTC, to the second. */
  readonly scheduledAt: string | Date;
  readonly mediaIds?: readonly string[] | undefined;
}

/**
 * Reading throws a failure (see `isFailure`) when there is no answer that can be understood. Writing gives what became
 * of it, as a value: `done`, `refused`, `unknown` or `not_started`. It throws only for arguments that are no request,
 * and for a service that redirects to another address.
 */
export interface Client {
  readonly posts: {
    /** Posts of a status, over all pages; of every status unless one is said. Throws when the list is not whole. */
    list(filter?: { readonly status?: string | undefined }): Promise<Listed<PostRecord>>;
    /** One post of any status; undefined when the service has none of that id. */
    get(id: string): Promise<PostRecord | undefined>;
    /** Never sent twice unless it is certain that the first did not arrive. */
    create(post: NewPost): Promise<WriteResult<CreatedPost>>;
    /** Asked again until it is known. */
    cancel(id: string): Promise<WriteResult<Cancelled>>;
  };
  readonly media: {
    list(filter?: { readonly type?: string | undefined }): Promise<Listed<MediaRecord>>;
    /** Sends a file as a stream, typed by its bytes. Asked again when it fails. Throws when the file cannot be read. */
    upload(path: string): Promise<WriteResult<MediaRecord>>;
  };
  readonly platforms: {
    list(): Promise<Listed<PlatformRecord>>;
    /** Asked again until it is known. */
    disconnect(id: string): Promise<WriteResult<Disconnected>>;
  };
  /** Never sent twice unless it is certain that the first did not arrive: each may cost something. */
  readonly ai: {
    text(request: TextRequest): Promise<WriteResult<TextRecord>>;
    image(request: ImageRequest): Promise<WriteResult<ImageRecord>>;
  };
  readonly automations: {
    list(): Promise<Listed<AutomationRecord>>;
    /** Never sent twice unless it is certain that the first did not arrive. */
    trigger(id: string, input: string): Promise<WriteResult<TriggerRecord>>;
  };
  readonly webhooks: {
    /** Never sent twice unless it is certain that the first did not arrive. No endpoint lists or removes webhooks. */
    add(webhook: WebhookRequest): Promise<WriteResult<WebhookRecord>>;
  };
  /** Requests sent so far, repeats included. */
  readonly requests: number;
  /** Starts no request any more, and resolves when what is on its way is over. */
  close(): Promise<void>;
}

/** A post that was just made: what its answer told. */
export type CreatedPost = Pick<PostRecord, "id" | "content" | "platforms" | "scheduledAt" | "mediaIds">;

/** What the client throws. The message says what happened, the hint what to do; neither holds the key. */
export interface ClientFailure extends Error {
  /** Such as `service/unauthorized`; codes never change. */
  readonly code: string;
  readonly hint: string | undefined;
}

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
    // Script and environment name the address; nothing here reads a checkout.
    key: OriginKey.confirmed(
      address.origin,
      checkedKey(options.apiKey ?? process.env["PLANCAST_API_KEY"], "The key"),
      "script",
    ),
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
    throw new Failure("media/unreadable", `The file to upload cannot be read: ${why}`, "Check its path.");
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

/** The options as the project file's settings, whose rules and defaults they share. */
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
    "client/arguments",
    `${call}:${where} ${issue?.message ?? "no such request"}.`,
    "Correct the call as the types require. Nothing was sent.",
  );
}
