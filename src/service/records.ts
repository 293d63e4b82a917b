/**
 * Types for the service's records, in any original shape, and for the results of writes. Nothing is imported here:
 * these types are part of the client that the package exports.
 */

/** A JSON object. */
export type Json = Readonly<Record<string, unknown>>;

/** The result of a write, and why it was not done. */
export type NotDone =
  /** The service refused, nothing was done. With `fatal`, no further request can succeed: a bad key, no connection. */
  | { readonly result: "refused"; readonly code: string; readonly message: string; readonly fatal: boolean }
  /** It may or may not have been done. */
  | {
      readonly result: "unknown";
      readonly message: string;
      /** The service's unreadable answer, which may contain what it made. Hostile text. */
      readonly answer?: string;
    }
  /** Nothing was sent: the run was stopped first. */
  | { readonly result: "not_started" };

export type WriteResult<T> = { readonly result: "done"; readonly value: T } | NotDone;

/**
 * How the end of a list was found. `end`: it was read to its last page, or was shorter than requested. `cap-like`:
 * uncertain, because services often cut lists at this length, or the answer may say that there is more.
 */
export type Wholeness = (
  | {
      readonly wholeness: "end";
      /**
       * Whether the end is proved: by the service, or by the largest page that the project sets. Otherwise it only
       * looks so.
       */
      readonly isTold?: boolean;
      readonly doubt?: undefined;
    }
  | { readonly wholeness: "cap-like"; readonly doubt: Doubt }
) & {
  /** For a service that did not page: number of items in the only page, and the requested limit. */
  readonly page?: { readonly limit: number; readonly items: number };
};

/** Why a list's end is in doubt, and how to prove it; sentences for people. */
export interface Doubt {
  readonly why: string;
  readonly hint: string;
}

/** A list of the service, over all its pages. */
export type Listed<T> = { readonly items: readonly T[] } & Wholeness;

/** A post of any status. Fields that the service does not return are absent, which is not the same as empty. */
export interface PostRecord {
  readonly id: string;
  /** The service's word, lower case. */
  readonly status?: string;
  /** In Unicode NFC with `\n` line ends, without spaces at its end. */
  readonly content?: string;
  /** Lower case, sorted. */
  readonly platforms?: readonly string[];
  /** `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly scheduledAt?: string;
  readonly mediaIds?: readonly string[];
  /** All fields of the service's record; with a `service.shape`, also under the shape's names. */
  readonly record: Json;
}

export interface MediaRecord {
  readonly id: string;
  /** As the service names it, such as `image`. */
  readonly type?: string;
  readonly url?: string;
  readonly record: Json;
}

/** A connected account. */
export interface PlatformRecord {
  /** Needed to disconnect it; absent if the service returns only names. */
  readonly id?: string;
  /** The platform's identifier, lower case. */
  readonly platform?: string;
  /** The account's name. */
  readonly name?: string;
  readonly record: Json;
}

export interface AutomationRecord {
  readonly id: string;
  readonly name?: string;
  readonly record: Json;
}

/** The result of a manual trigger, as far as the service returns it. */
export interface TriggerRecord {
  /** Id of the run. */
  readonly id?: string;
  /** The service's word, lower case. */
  readonly status?: string;
  readonly record: Json;
}

export interface WebhookRequest {
  readonly url: string;
  /** For example `post.published`. */
  readonly events: readonly string[];
}

export interface WebhookRecord {
  readonly id?: string;
  readonly url?: string;
  readonly events?: readonly string[];
  readonly record: Json;
}

export interface TextRequest {
  readonly prompt: string;
  /** Identifier of the platform that the text is for. */
  readonly platform: string;
  /** For example `casual`. */
  readonly tone?: string | undefined;
}

export interface TextRecord {
  readonly text: string;
  readonly record: Json;
}

export interface ImageRequest {
  readonly prompt: string;
  /** Px, such as `1024x1024`. */
  readonly size?: string | undefined;
}

/** A new picture: its id in the media library, its address, its bytes, or several of them. */
export interface ImageRecord {
  readonly mediaId?: string;
  readonly url?: string;
  /** The picture itself, in base64. */
  readonly base64?: string;
  readonly record: Json;
}

/** The result of cancelling a post. `already-gone`: the service does not have the post. */
export type Cancelled = "cancelled" | "already-gone" | "published";

/** The result of disconnecting an account. `already-gone`: it is not among the connected ones. */
export type Disconnected = "disconnected" | "already-gone";

/** One request and its result. */
export interface RequestLog {
  readonly method: string;
  /** With its query, without the service's origin. */
  readonly path: string;
  /** Undefined without an answer; then `fault` says why. */
  readonly status: number | undefined;
  readonly fault: string | undefined;
  readonly ms: number;
  /** Requests left in the window, according to the answer. */
  readonly remaining: number | undefined;
}
