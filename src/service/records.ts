/**
 * What the service's records tell, in whatever shape they came, and what became of a write. Nothing is imported here:
 * these types are part of the client that the package exports.
 */

/** An object of JSON. */
export type Json = Readonly<Record<string, unknown>>;

/** What became of a write, and why not, where it was not done. */
export type NotDone =
  /** The service said no, nothing was done. With `fatal` no further request can succeed: a bad key, no way there. */
  | { readonly result: "refused"; readonly code: string; readonly message: string; readonly fatal: boolean }
  /** It may or may not have been done. */
  | {
      readonly result: "unknown";
      readonly message: string;
      /** What the service answered, where that cannot be read: what it made may stand there. Hostile text. */
      readonly answer?: string;
    }
  /** Nothing was sent: the run was stopped before. */
  | { readonly result: "not_started" };

export type WriteResult<T> = { readonly result: "done"; readonly value: T } | NotDone;

/**
 * How a list's end was shown: `end` when it was paged to its end or shorter than asked for; `cap-like` when it is in
 * doubt, because its length is one that services cap lists at, or the answer may say in some way that there is more.
 */
export type Wholeness = (
  | {
      readonly wholeness: "end";
      /** Whether the end was told: by the service, or by the largest page that the project names. Else it only looks so. */
      readonly isTold?: boolean;
      readonly doubt?: undefined;
    }
  | { readonly wholeness: "cap-like"; readonly doubt: Doubt }
) & {
  /** The one page that the list is, where the service did not page: how many items it has, and the limit asked for. */
  readonly page?: { readonly limit: number; readonly items: number };
};

/** Why a list's end is in doubt, and what would settle it; sentences for people. */
export interface Doubt {
  readonly why: string;
  readonly hint: string;
}

/** A list of the service, over all its pages. */
export type Listed<T> = { readonly items: readonly T[] } & Wholeness;

/** A post of any status. What the service does not tell is absent, which is not the same as empty. */
export interface PostRecord {
  readonly id: string;
  /** As the service says it, lower case. */
  readonly status?: string;
  /** In Unicode NFC with `\n` line ends, without blanks at its end. */
  readonly content?: string;
  /** Lower case, sorted. */
  readonly platforms?: readonly string[];
  /** `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly scheduledAt?: string;
  readonly mediaIds?: readonly string[];
  /** All that the service told, as it came; where a `service.shape` is set, also under the names that it gives. */
  readonly record: Json;
}

export interface MediaRecord {
  readonly id: string;
  /** In the service's word, such as `image`. */
  readonly type?: string;
  readonly url?: string;
  readonly record: Json;
}

/** A connected account. */
export interface PlatformRecord {
  /** To disconnect it by; absent where the service tells only names. */
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

/** What a manual trigger led to, as far as the service tells. */
export interface TriggerRecord {
  /** Of the run. */
  readonly id?: string;
  /** As the service says it, lower case. */
  readonly status?: string;
  readonly record: Json;
}

export interface WebhookRequest {
  readonly url: string;
  /** Such as `post.published`. */
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
  /** Such as `casual`. */
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

/** A picture that was made: by its id in the media library, its address, its bytes, or several of them. */
export interface ImageRecord {
  readonly mediaId?: string;
  readonly url?: string;
  /** The picture itself, in base64. */
  readonly base64?: string;
  readonly record: Json;
}

/** What became of a post that was to be cancelled. `already-gone`: the service says that there is no such post. */
export type Cancelled = "cancelled" | "already-gone" | "published";

/** What became of an account that was to be disconnected. `already-gone`: it is not among those connected. */
export type Disconnected = "disconnected" | "already-gone";

/** One request as it went. */
export interface RequestLog {
  readonly method: string;
  /** With its query, without the service's origin. */
  readonly path: string;
  /** Undefined when there was no answer; then `fault` says why. */
  readonly status: number | undefined;
  readonly fault: string | undefined;
  readonly ms: number;
  /** Requests left in the window, as the answer says. */
  readonly remaining: number | undefined;
}
