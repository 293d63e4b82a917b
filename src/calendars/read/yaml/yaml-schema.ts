import { z } from "zod";
import type { Field, VariantField } from "../../../model/fields.ts";

/** plancast reads every scalar as its source text. Editors see the type that YAML gives it. */
const scalar = z.union([z.string(), z.number(), z.boolean()]);
const text = scalar.nullish();
const texts = z.union([scalar, z.array(scalar)]).nullish();

const fields = {
  id: text.describe(
    "Name of the post in the project. With it, the post stays the same post when its text or time changes.",
  ),
  scheduled_at: text.describe(
    "When to publish: ISO 8601 with Z or an offset, or a local time as YYYY-MM-DD HH:mm.",
  ),
  date: text.describe("Day on which to publish, as YYYY-MM-DD. Needs `time`."),
  time: text.describe("Local time at which to publish, as HH:mm or HH:mm:ss. Needs `date`."),
  timezone: text.describe("IANA zone for times without an offset, such as Europe/Paris."),
  platforms: texts.describe("Where to publish: identifiers or aliases, as a list or separated by commas."),
  content: text.describe("The text of the post."),
  media: texts.describe("Files in the project, or ids of the service, as a list or separated by commas."),
  status: text.describe("plancast plans a post whose status is empty or `ready`, but not `draft` or `skip`."),
  prompt: text.describe(
    "Subject of the text. `plancast draft` lets the service write the text, and fills in `content`.",
  ),
  tone: text.describe("Tone of the text that `plancast draft` requests, such as casual."),
  image_prompt: text.describe(
    "Subject of the picture. `plancast draft` lets the service make the picture, and fills in `media`.",
  ),
  size: text.describe("Size of that picture in pixels, such as 1024x1024."),
} satisfies Record<Field, z.ZodType>;

const variant = z.strictObject({
  content: fields.content,
  media: fields.media,
  scheduled_at: fields.scheduled_at,
  date: fields.date,
  time: fields.time,
} satisfies Record<VariantField, z.ZodType>);

const shared = z.strictObject(fields);

const post = shared.extend({
  variants: z
    .record(z.string(), variant)
    .nullish()
    .describe("Different content, media or time for some platforms, by platform."),
});

/** A calendar that is a list of posts. */
export const yamlPostsSchema = z.array(post);

/** A calendar that is a mapping: posts, and what they share. */
export const yamlMappingSchema = z.strictObject({
  timezone: text.describe("IANA zone for this calendar's times without an offset."),
  defaults: shared.omit({ id: true }).nullish().describe("Values for fields that a post leaves blank."),
  posts: yamlPostsSchema.nullable().describe("The posts."),
});

/** The schema of a YAML calendar. Both the checks at run time and the JSON Schema use it. */
export const yamlCalendarSchema = z
  .union([yamlPostsSchema, yamlMappingSchema])
  .meta({ title: "plancast YAML calendar" });
