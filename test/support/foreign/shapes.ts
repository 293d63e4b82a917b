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
 * Services that differ from the documentation in several ways, so that a test can run with all of them. plancast reads them
 * without `service.shape`.
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
    emptyMedia: "null",
    deleted: "flag",
    cancelAgain: "validation_error",
    errorStatus: { ...DOCUMENTED.errorStatus, validation_error: 422 },
  },
  "one level down": {
    list: ["data", "items"],
    record: ["data"],
    mediaRecord: ["data"],
    idForm: "uuid",
    times: ["+05:45", ".000000Z"],
    extras: UNRELATED,
    listExtras: { ok: true, meta: { page: 1, generated_at: "2020-01-02T03:04:05Z" } },
    deleted: "empty-200",
    cancelAgain: "ok",
  },
  "numbers and capitals": {
    list: ["result"],
    record: ["result"],
    idForm: "number",
    times: ["epoch", "epoch-ms"],
    platforms: "upper",
    platformOrder: "reversed",
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
    contentEcho: "nfd",
    times: ["-03:30", "Z"],
    statusFilter: "ignored",
    extras: UNRELATED,
    createdStatus: 202,
  },
  "windows text": { contentEcho: "crlf", omit: ["status"] },
  "blank at the end": { contentEcho: "trailing-newline", retryAfter: "header", cancelled: "not-found" },
  "pages for errors": { htmlErrors: true, retryAfter: "header" },
} as const satisfies Record<string, Partial<Shape>>;
