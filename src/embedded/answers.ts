/** What the endpoints answer. The handlers' types are made of these definitions, and so is /openapi.json. */
import { z } from "zod";
import { EVENT_KINDS } from "../calendar/service-event.ts";
import { ERROR_CODES } from "../calendar/error-codes.ts";

export const POST_STATUSES = ["scheduled", "published", "failed", "cancelled"] as const;

export type PostStatus = (typeof POST_STATUSES)[number];

export const MEDIA_TYPES = ["image", "video"] as const;

const utcTime = z.iso.datetime();

const postResult = z
  .strictObject({
    platform: z.string(),
    status: z.enum(["published", "failed"]),
    url: z.url().optional().describe("Where it shows what the platform would have got."),
    error: z.strictObject({ code: z.enum(ERROR_CODES), message: z.string() }).optional(),
  })
  .meta({ id: "PostResult" });

export const postAnswer = z
  .strictObject({
    id: z.string(),
    status: z.enum(POST_STATUSES).describe("`failed` when it failed on one platform at least."),
    content: z.string(),
    platforms: z.array(z.string()),
    scheduled_at: utcTime,
    media_ids: z.array(z.string()),
    created_at: utcTime,
    cancelled_at: utcTime.optional(),
    published_at: utcTime.optional().describe("When its time came."),
    results: z.array(postResult).optional().describe("How it went on each platform, once its time has come."),
  })
  .meta({ id: "Post" });

export const postList = pageSchema(postAnswer).meta({ id: "PostList" });

export const mediaAnswer = z
  .strictObject({
    id: z.string(),
    url: z.url().describe("Address of the file; asks for a key like every other."),
    type: z.enum(MEDIA_TYPES),
    mime: z.string(),
    bytes: z.int().min(0),
    created_at: utcTime,
  })
  .meta({ id: "Media" });

export const mediaList = pageSchema(mediaAnswer).meta({ id: "MediaList" });

export const platformAnswer = z
  .strictObject({
    id: z.string(),
    platform: z.string().describe("Identifier, as posts name it."),
    name: z.string(),
    connected: z.boolean(),
  })
  .meta({ id: "Platform" });

export const platformList = pageSchema(platformAnswer).meta({ id: "PlatformList" });

export const aiTextAnswer = z
  .strictObject({
    content: z.string().describe("The text, to be a post's content."),
    platform: z.string(),
    tone: z.string(),
  })
  .meta({ id: "AiText" });

const automationAnswer = z
  .strictObject({ id: z.string(), name: z.string(), description: z.string() })
  .meta({ id: "Automation" });

export const automationList = pageSchema(automationAnswer).meta({ id: "AutomationList" });

export const runAnswer = z
  .strictObject({
    id: z.string(),
    automation_id: z.string(),
    input: z.string(),
    status: z.enum(["completed", "failed"]),
    result: z.record(z.string(), z.unknown()).optional().describe("The automation's own."),
    error: z.string().optional().describe("Why it failed."),
    started_at: utcTime,
    completed_at: utcTime,
  })
  .meta({ id: "AutomationRun" });

export const webhookAnswer = z
  .strictObject({
    id: z.string(),
    url: z.url(),
    events: z.array(z.enum(EVENT_KINDS)),
    created_at: utcTime,
  })
  .meta({ id: "Webhook" });

export const errorAnswer = z
  .strictObject({
    error: z.strictObject({
      code: z.enum(ERROR_CODES),
      message: z.string(),
      retry_after: z.int().min(1).optional().describe("Seconds; with `rate_limit_exceeded`."),
    }),
  })
  .meta({ id: "Error" });

function pageSchema<T extends z.ZodType>(item: T) {
  return z.strictObject({
    data: z.array(item),
    next_cursor: z.string().nullable().describe("To be sent as `cursor`; null at the end of the list."),
  });
}
