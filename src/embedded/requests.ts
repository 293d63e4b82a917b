/**
 * What the endpoints take. The same definitions validate a request and describe it at /openapi.json. Fields that are
 * not named here are refused: a stand-in that ignores a misspelt field would let a test pass that must fail.
 */
import { z } from "zod";
import { EVENT_KINDS } from "../calendar/service-event.ts";
import { MEDIA_TYPES, POST_STATUSES } from "./answers.ts";

/** Longest text of a post, in UTF-16 units. */
const MAX_CONTENT = 100_000;
const MAX_ITEMS = 100;
const DEFAULT_LIMIT = 50;
const MAX_PROMPT = 4_000;
const MAX_TONE = 50;
/** Longest address, in UTF-16 units. */
const MAX_ADDRESS = 2_000;
/** Longest side of a picture that is made, px: more would take seconds. */
const MAX_IMAGE_SIDE = 2_048;
/** Digits of a limit; what is larger than a page can be is taken as the largest page. */
const LIMIT_PATTERN = /^[1-9]\d{0,8}$/;

const UTC_PATTERN = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

/** The message of a part that is not as it must be; of one that is not there, that says so. */
function requiredMessage(what: string): { error: (issue: { readonly input?: unknown }) => string } {
  return { error: ({ input }) => (input === undefined ? "is missing" : what) };
}

const textField = z.string(requiredMessage("must be a text"));
const OBJECT_MESSAGE = "must be an object";

export const pageQuery = z.strictObject({
  limit: z
    .string()
    .regex(LIMIT_PATTERN, "must be a whole number from 1")
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
      content: textField
        .max(MAX_CONTENT, `must not exceed ${MAX_CONTENT} characters`)
        .default("")
        .describe("The text of the post. May be left out where there are media."),
      platforms: z
        .array(textField, requiredMessage("must be a list of platforms"))
        .min(1, "must name at least one platform")
        .max(MAX_ITEMS, `must not name more than ${MAX_ITEMS} platforms`)
        .describe("Identifiers of connected platforms."),
      scheduled_at: z
        .string(requiredMessage("must be a time of the form YYYY-MM-DDTHH:MM:SSZ"))
        .refine(isUtcTime, "must be a time of the form YYYY-MM-DDTHH:MM:SSZ")
        .meta({ format: "date-time", pattern: UTC_PATTERN.source })
        .describe("When the post is published, in UTC; in the future."),
      media_ids: z
        .array(textField, "must be a list of media ids")
        .max(MAX_ITEMS, `must not name more than ${MAX_ITEMS} media`)
        .default([])
        .describe("Media items of the library, in the order in which they are shown."),
    },
    OBJECT_MESSAGE,
  )
  .meta({ id: "NewPost" });

export type NewPost = z.infer<typeof newPost>;

const prompt = textField
  .max(MAX_PROMPT, `must not exceed ${MAX_PROMPT} characters`)
  .refine((given) => given.trim() !== "", "must not be empty");

export const aiTextRequest = z
  .strictObject(
    {
      prompt: prompt.describe("What the text is to be about."),
      platform: textField.describe("Identifier of the platform that it is for."),
      tone: textField
        .min(1, "must not be empty")
        .max(MAX_TONE, `must not exceed ${MAX_TONE} characters`)
        .default("casual"),
    },
    OBJECT_MESSAGE,
  )
  .meta({ id: "AiTextRequest" });

export const aiImageRequest = z
  .strictObject(
    {
      prompt: prompt.describe("What the picture is to show."),
      size: textField
        .regex(/^[1-9]\d{0,3}x[1-9]\d{0,3}$/, "must be of the form 1024x1024")
        .refine(
          (size) => size.split("x").every((side) => Number(side) <= MAX_IMAGE_SIDE),
          `must not exceed ${MAX_IMAGE_SIDE} either way`,
        )
        .default("1024x1024")
        .describe(`Width and height in pixels, ${MAX_IMAGE_SIDE} at the most.`),
    },
    OBJECT_MESSAGE,
  )
  .meta({ id: "AiImageRequest" });

export const triggerRequest = z
  .strictObject(
    { input: prompt.describe("What the automation works on, such as an address.") },
    OBJECT_MESSAGE,
  )
  .meta({ id: "TriggerRequest" });

export const webhookRequest = z
  .strictObject(
    {
      url: textField
        .max(MAX_ADDRESS, `must not exceed ${MAX_ADDRESS} characters`)
        .refine(isWebAddress, "must be an http or https address without a user name or password")
        .meta({ format: "uri" }),
      events: z
        .array(
          z.enum(EVENT_KINDS, `must be one of ${EVENT_KINDS.join(", ")}`),
          requiredMessage("must be a list of events"),
        )
        .min(1, "must name at least one event")
        .max(MAX_ITEMS, `must not name more than ${MAX_ITEMS} events`),
    },
    OBJECT_MESSAGE,
  )
  .meta({ id: "WebhookRequest" });

function isWebAddress(address: string): boolean {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return false;
  const { username, password } = new URL(address);
  return username === "" && password === "";
}

/** Whether the text is a moment that exists, in the one form that the interface shows. */
function isUtcTime(text: string): boolean {
  if (!UTC_PATTERN.test(text)) return false;
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString() === text.replace("Z", ".000Z");
}
