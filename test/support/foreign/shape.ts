/**
 * The form of the foreign service's answers. The interface shows no response bodies but that of an upload, so
 * every shape here is one that a service of that interface may have.
 */

/** The codes of the interface, section 7. */
export type ErrorCode =
  "unauthorized" | "forbidden" | "not_found" | "validation_error" | "rate_limit_exceeded" | "platform_error";

/** `Z`: as documented. `epoch` and `epoch-ms` are numbers. */
export type TimeFormat = "Z" | ".000Z" | ".000000Z" | "+00:00" | "+05:45" | "-03:30" | "epoch" | "epoch-ms";

export type PostStatus = "scheduled" | "published" | "cancelled" | "failed";

export interface Shape {
  /** Keys of a list, outermost first: `[]` is a bare array, `["data", "items"]` one level down. */
  readonly list: readonly string[];
  /** Keys of a post's record, in the same form. */
  readonly record: readonly string[];
  /** Keys of the answer to an upload, in the same form. */
  readonly mediaRecord: readonly string[];
  /** Fields next to a list. A bare array has no place for them. */
  readonly listExtras: Readonly<Record<string, unknown>>;
  /** Key beside a list for the total number of items. */
  readonly listTotal: string | undefined;
  /** Key beside a list for the flag that there are more. */
  readonly listHasMore: string | undefined;
  /** Object beside a list that holds `next`, `next_cursor`, the total and the like; undefined: the list's own top. */
  readonly pagingIn: string | undefined;
  /** Key beside a list for a cursor; dots as in the keys of fields. */
  readonly cursorKey: string;
  /** How a next page's address is written. */
  readonly nextUrl: "absolute" | "path" | "query";
  readonly order: "newest-first" | "oldest-first" | "due-first";
  /** `ignored`: a list holds posts of every status, whatever was asked for. */
  readonly statusFilter: "honoured" | "ignored";

  /** Keys of fields may hold dots: `when.utc` is the field `utc` of an object `when`. */
  readonly idKey: string;
  /** `post_…` as text, a number, or a UUID. */
  readonly idForm: "post" | "number" | "uuid";
  readonly timeKey: string;
  /** Posts take these in turn, by their number. */
  readonly times: readonly TimeFormat[];
  readonly contentKey: string;
  readonly contentEcho: "exact" | "crlf" | "nfd" | "trailing-newline" | "escaped";
  /**
   * `strings`; `upper`: in capitals; `accounts`: strings in posts, and `{id, platform, name}` in the list of accounts; or
   * objects `{network: {code: "twitter"}}`.
   */
  readonly platforms: "strings" | "upper" | "accounts" | "coded-networks";
  readonly platformsKey: string;
  readonly platformOrder: "as-sent" | "reversed";
  /** `ids`: `media_ids: [text]`; `objects`: `media: [{id, url, type}]`. */
  readonly media: "ids" | "objects";
  /** Default: `media_ids` for ids, `media` for objects. */
  readonly mediaKey: string | undefined;
  readonly emptyMedia: "empty-array" | "null" | "absent";
  /** Parts that records do not have. */
  readonly omit: readonly ("content" | "platforms" | "time" | "media" | "status")[];
  readonly statusKey: string;
  readonly statusWords: Readonly<Record<PostStatus, string>>;
  /**
   * How records show the result on each platform: not at all, or as `results: [{platform, status, url, error: {message}}]`.
   */
  readonly results: "absent" | "list";
  /** Unrelated fields of every record. */
  readonly extras: Readonly<Record<string, unknown>>;

  readonly createdStatus: 200 | 201 | 202;
  /** `id-only`: the answer to a create holds nothing but the id, within the same wrapping. */
  readonly created: "record" | "id-only";
  /** Answer to a cancel: 200 with the record, 204, 200 without a body, or 200 with `{"deleted": true}`. */
  readonly deleted: "record" | "empty-204" | "empty-200" | "flag";
  /** The answer to a second cancellation of a post, and whether the post can still be read. */
  readonly cancelled: "readable" | "not-found";
  readonly cancelAgain: "ok" | "not_found" | "validation_error";

  readonly errorStatus: Readonly<Record<ErrorCode, number>>;
  /** Errors are HTML pages instead of the documented object. */
  readonly htmlErrors: boolean;
  /** Where a refusal for the rate limit says when to come back. */
  readonly retryAfter: "body" | "header" | "both" | "none";
}

/** The shape that is closest to the documentation. */
export const DOCUMENTED: Shape = {
  list: ["data"],
  record: [],
  mediaRecord: [],
  listExtras: {},
  listTotal: undefined,
  listHasMore: undefined,
  pagingIn: undefined,
  cursorKey: "next_cursor",
  nextUrl: "absolute",
  order: "newest-first",
  statusFilter: "honoured",
  idKey: "id",
  idForm: "post",
  timeKey: "scheduled_at",
  times: ["Z"],
  contentKey: "content",
  contentEcho: "exact",
  platforms: "strings",
  platformsKey: "platforms",
  platformOrder: "as-sent",
  media: "ids",
  mediaKey: undefined,
  emptyMedia: "empty-array",
  omit: [],
  statusKey: "status",
  statusWords: { scheduled: "scheduled", published: "published", cancelled: "cancelled", failed: "failed" },
  results: "absent",
  extras: {},
  createdStatus: 201,
  created: "record",
  deleted: "record",
  cancelled: "readable",
  cancelAgain: "not_found",
  errorStatus: {
    unauthorized: 401,
    forbidden: 403,
    not_found: 404,
    validation_error: 400,
    rate_limit_exceeded: 429,
    platform_error: 502,
  },
  htmlErrors: false,
  retryAfter: "body",
};
