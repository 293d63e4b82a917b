/** The data of the foreign service, and its options. */
import { createHash } from "node:crypto";
import type { Paging } from "./paging.ts";
import type { PostBook } from "./post-book.ts";
import type { StoredMedia } from "./read-upload.ts";
import type { Shape } from "./shape.ts";

export type Scope = "read" | "write" | "admin";

export interface World {
  readonly shape: Shape;
  readonly paging: Paging;
  readonly posts: PostBook;
  /** By id, in the order of upload. */
  readonly media: Map<string, StoredMedia>;
  /** Identifiers of the connected platforms. */
  readonly platforms: readonly string[];
  /** Undefined: as the shape has it. */
  readonly accountIds: readonly string[] | undefined;
  /** Ids. */
  readonly automations: readonly string[];
  /** Triggered runs, in their order. */
  readonly runs: Run[];
  /** Registered webhooks, in their order. */
  readonly webhooks: Webhook[];
  readonly keys: Map<string, Scope>;
  /** How a post that names unknown media is refused; undefined: it is not. */
  readonly unknownMedia: "validation_error" | "not_found" | undefined;
  readonly listLagMs: number;
  /** Name that the file field of an upload must have; undefined: any. */
  readonly uploadField: string | undefined;
  readonly now: () => number;
  /** The address of the service, without `/v1`. */
  readonly origin: string;
  readonly counters: Counters;
}

export interface Run {
  readonly automation: string;
  readonly input: string;
}

export interface Webhook {
  readonly url: string;
  readonly events: readonly string[];
}

/** Counts effects. A refused request counts only as a request. */
export interface Counters {
  requests: number;
  /** Answered lists of posts. Each page counts. */
  lists: number;
  creates: number;
  cancels: number;
  uploads: number;
  /** Requests refused for the rate limit itself, not by a fault. */
  rateLimited: number;
}

/** The n-th post's id as text. Only numbers show the order of posts. */
export function postId(number: number, form: Shape["idForm"]): string {
  const hex = createHash("sha256").update(`post ${number}`).digest("hex");
  switch (form) {
    case "post":
      return `post_${hex.slice(0, 12)}`;
    case "number":
      return String(4_000 + number);
    case "uuid":
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  }
}

export function mediaId(number: number): string {
  return `media_${createHash("sha256").update(`media ${number}`).digest("hex").slice(0, 12)}`;
}
