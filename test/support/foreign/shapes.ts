import { DOCUMENTED, type Shape } from "./shape.ts";

/** Fields that have nothing to do with posts. Some look as if they did. */
export const UNRELATED = {
  tags: ["spring", "launch"],
  author: { id: "user_7", name: "Ada" },
  stats: { likes: 0, history: [] },
  created_at: "2020-01-02T03:04:05Z",
  approved: true,
  thread: null,
};

/**
 * Complete services that differ from the documentation in several ways, so that a test can run with all of them. All
 * except `SPARSE_SHAPES` return enough to compare posts.
 */
export const SHAPES = {
  documented: {},
  "bare arrays": {
    list: [],
    mediaRecord: ["media"],
    times: [".000Z"],
    order: "due-first",
    deleted: "empty-204",
    cancelled: "not-found",
    createdStatus: 200,
  },
  "named wrappers": {
    list: ["posts"],
    record: ["post"],
    mediaRecord: ["media"],
    times: ["+00:00"],
    idKey: "post_id",
    platforms: "platform-objects",
    emptyMedia: "null",
    deleted: "flag",
    cancelAgain: "validation_error",
    errorStatus: { ...DOCUMENTED.errorStatus, validation_error: 422 },
  },
  "one level down": {
    list: ["data", "items"],
    record: ["data"],
    mediaRecord: ["data"],
    idKey: "_id",
    idForm: "uuid",
    timeKey: "scheduledAt",
    times: ["+05:45", ".000000Z"],
    platforms: "id-and-title",
    media: "objects",
    emptyMedia: "absent",
    extras: UNRELATED,
    listExtras: { ok: true, meta: { page: 1, generated_at: "2020-01-02T03:04:05Z" } },
    deleted: "empty-200",
    cancelAgain: "ok",
  },
  "numbers and capitals": {
    list: ["result"],
    record: ["result"],
    idForm: "number",
    timeKey: "publish_at",
    times: ["epoch", "epoch-ms"],
    contentKey: "text",
    platforms: "upper",
    platformOrder: "reversed",
    media: "objects",
    statusKey: "state",
    statusWords: {
      scheduled: "SCHEDULED",
      published: "PUBLISHED",
      cancelled: "CANCELED",
      failed: "FAILED",
    },
    created: "id-only",
    order: "oldest-first",
  },
  "rewritten text": {
    contentKey: "caption",
    contentEcho: "nfd",
    times: ["-03:30", "Z"],
    platforms: "account-and-name",
    statusFilter: "ignored",
    extras: UNRELATED,
    createdStatus: 202,
  },
  "windows text": { contentEcho: "crlf", omit: ["status"] },
  "blank at the end": { contentEcho: "trailing-newline", retryAfter: "header", cancelled: "not-found" },
  "pages for errors": { htmlErrors: true, retryAfter: "header" },
} as const satisfies Record<string, Partial<Shape>>;

/** Services whose records lack a field that plancast compares. */
export const SPARSE_SHAPES = {
  "no content": { omit: ["content"] },
  "no platforms": { omit: ["platforms"] },
  "no time": { omit: ["time"] },
  "no media": { omit: ["media"] },
  "ids only": { omit: ["content", "platforms", "time", "media", "status"] },
} as const satisfies Record<string, Partial<Shape>>;
