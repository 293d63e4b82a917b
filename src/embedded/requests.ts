/**
 * What the endpoints take. The same definitions validate a request and describe it at /openapi.json. Fields that are
 * not named here are refused: a stand-in that ignores a misspelt field would let a test pass that must fail.
 */
import { z } from "zod";
import { MEDIA_TYPES, POST_STATUSES } from "./answers.ts";

/** Longest text of a post, in UTF-16 units. */
const MAX_CONTENT = 100_000;
const MAX_PARTS = 100;
const DEFAULT_LIMIT = 50;
/** Digits of a limit; what is larger than a page can be is taken as the largest page. */
const LIMIT = /^[1-9]\d{0,8}$/;

const UTC_FORM = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

const text = z.string("must be a text");
const object = "must be an object";

export const pageQuery = z.strictObject({
  limit: z
    .string()
    .regex(LIMIT, "must be a whole number from 1")
    .transform(Number)
    .pipe(z.int().min(1))
    .default(DEFAULT_LIMIT)
    .describe("Items of a page. A page holds 1000 at the most, whatever is asked for."),
  cursor: z.string().optional().describe("The `next_cursor` of the page before."),
});

export type PageQuery = z.infer<typeof pageQuery>;

export const postsQuery = pageQuery.extend({
  status: z
    .enum(POST_STATUSES, `must be one of ${POST_STATUSES.join(", ")}`)
    .optional()
    .describe("Posts of this status alone."),
});

export const mediaQuery = pageQuery.extend({
  type: z
    .enum(MEDIA_TYPES, `must be one of ${MEDIA_TYPES.join(", ")}`)
    .optional()
    .describe("Media of this type alone."),
});

export const newPost = z
  .strictObject(
    {
      content: text
        .max(MAX_CONTENT, `must not exceed ${MAX_CONTENT} characters`)
        .default("")
        .describe("The text of the post. May be left out where there are media."),
      platforms: z
        .array(text, "must be a list of platforms")
        .min(1, "must name at least one platform")
        .max(MAX_PARTS, `must not name more than ${MAX_PARTS} platforms`)
        .describe("Identifiers of connected platforms."),
      scheduled_at: z
        .string("must be a time of the form YYYY-MM-DDTHH:MM:SSZ")
        .refine(isUtcTime, "must be a time of the form YYYY-MM-DDTHH:MM:SSZ")
        .meta({ format: "date-time", pattern: UTC_FORM.source })
        .describe("When the post is published, in UTC; in the future."),
      media_ids: z
        .array(text, "must be a list of media ids")
        .max(MAX_PARTS, `must not name more than ${MAX_PARTS} media`)
        .default([])
        .describe("Media items of the library, in the order in which they are shown."),
    },
    object,
  )
  .meta({ id: "NewPost" });

export type NewPost = z.infer<typeof newPost>;

/** Whether the text is a moment that exists, in the one form that the interface shows. */
function isUtcTime(text: string): boolean {
  if (!UTC_FORM.test(text)) return false;
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString() === text.replace("Z", ".000Z");
}
