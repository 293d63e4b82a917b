/** What scripts hand to the client, looked at before it is sent: JavaScript checks no types. */
import { z } from "zod";
import { isoInstant, utcTime } from "../calendar/canonical.ts";
import { serviceSettings } from "../calendar/config.ts";
import { Failure } from "../calendar/failure.ts";
import type { PostDraft } from "../service/service.ts";
import type { ClientOptions, NewPost } from "./client.ts";

const moment = z
  .union([
    z.date().transform((date) => date.getTime()),
    z.string().transform((text) => isoInstant(text, undefined)),
  ])
  .refine((ms) => ms !== undefined, "must be a Date, or ISO 8601 with Z or an offset")
  .transform((ms) => utcTime(ms ?? Number.NaN));

const newPost = z.strictObject({
  content: z.string().default(""),
  platforms: z.array(z.string().min(1)).min(1),
  scheduledAt: moment,
  mediaIds: z.array(z.string().min(1)).default([]),
});

export const textRequest = z.strictObject({
  prompt: z.string(),
  platform: z.string(),
  tone: z.string().optional(),
});

export const imageRequest = z.strictObject({ prompt: z.string(), size: z.string().optional() });

export const webhookRequest = z.strictObject({ url: z.url(), events: z.array(z.string().min(1)).min(1) });

export const textInput = z.string();

export function postDraft(post: NewPost): PostDraft {
  return parseArguments(newPost, post, "posts.create");
}

/** The options as the project file's settings, whose rules and defaults they share. */
export function settingsFrom(options: ClientOptions): z.infer<typeof serviceSettings> {
  const { plan, reserve, timeout, listLimit, shape, uploadField } = options;
  const given = { plan, reserve, timeout, list_limit: listLimit, shape, upload_field: uploadField };
  return parseArguments(serviceSettings, given, "createClient");
}

/** Throws a Failure that names the call and the argument. */
export function parseArguments<S extends z.ZodType>(schema: S, value: unknown, call: string): z.output<S> {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const where = issue === undefined || issue.path.length === 0 ? "" : ` ${issue.path.join(".")}:`;
  throw new Failure(
    "client/arguments",
    `${call}:${where} ${issue?.message ?? "no such request"}.`,
    "Nothing was sent. Call it as its types say.",
  );
}
