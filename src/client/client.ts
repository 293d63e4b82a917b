/** The client that the package exports, as its users see it. */
import type { ResponseMapping } from "../calendar/service-shape.ts";
import type { Wait } from "../calendar/wait.ts";
import type {
  AutomationRecord,
  Cancelled,
  Disconnected,
  ImageRecord,
  Listed,
  MediaRecord,
  PlatformRecord,
  PostRecord,
  TextRecord,
  TriggerRecord,
  WebhookRecord,
  WriteResult,
} from "../service/records.ts";
import type { RequestLog } from "../service/request-log.ts";

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
    text(request: {
      readonly prompt: string;
      /** Identifier of the platform that the text is for. */
      readonly platform: string;
      /** Such as `casual`. */
      readonly tone?: string | undefined;
    }): Promise<WriteResult<TextRecord>>;
    image(request: {
      readonly prompt: string;
      /** Px, such as `1024x1024`. */
      readonly size?: string | undefined;
    }): Promise<WriteResult<ImageRecord>>;
  };
  readonly automations: {
    list(): Promise<Listed<AutomationRecord>>;
    /** Never sent twice unless it is certain that the first did not arrive. */
    trigger(id: string, input: string): Promise<WriteResult<TriggerRecord>>;
  };
  readonly webhooks: {
    /** Never sent twice unless it is certain that the first did not arrive. No endpoint lists or removes webhooks. */
    add(webhook: {
      readonly url: string;
      /** Such as `post.published`. */
      readonly events: readonly string[];
    }): Promise<WriteResult<WebhookRecord>>;
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
