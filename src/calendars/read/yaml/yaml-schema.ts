import { z } from "zod";
import type { Field, VariantField } from "../../../model/fields.ts";

/** plancast reads every scalar as its source text. Editors see the type that YAML gives it. */
const scalar = z.union([z.string(), z.number(), z.boolean()]);
const text = scalar.nullish();
const texts = z.union([scalar, z.array(scalar)]).nullish();

const fields = {
  id: text.describe(
    "Name of the post within the project: keeps it the same post when its text or time changes.",
  ),
  scheduled_at: text.describe(
    "When to publish: ISO 8601 with Z or an offset, or local as YYYY-MM-DD HH:mm, read in the timezone.",
  ),
  date: text.describe("Day on which to publish, YYYY-MM-DD; goes with `time`."),
  time: text.describe("Local time at which to publish, HH:mm or HH:mm:ss; goes with `date`."),
  timezone: text.describe("IANA zone of times that carry no offset, e.g. Europe/Paris."),
  platforms: texts.describe("Where to publish: identifiers or aliases, as a list or separated by commas."),
  content: text.describe("The text of the post."),
  media: texts.describe("Files within the project, or ids of the service, as a list or separated by commas."),
  status: text.describe("Empty or `ready` is planned; `draft` and `skip` are not."),
  prompt: text.describe(
    "What the text is to be about. `plancast draft` has the service write it, and fills in `content`.",
  ),
  tone: text.describe("Tone of the text that `plancast draft` asks for, such as casual."),
  image_prompt: text.describe(
    "What a picture is to show. `plancast draft` has the service make it, and fills in `media`.",
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
    .describe("By platform, what it has of its own: content, media or time."),
});

/** A calendar that is a list of posts. */
export const yamlPostsSchema = z.array(post);

/** A calendar that is a mapping: posts, and what they share. */
export const yamlMappingSchema = z.strictObject({
  timezone: text.describe("IANA zone of this calendar's times that carry no offset."),
  defaults: shared.omit({ id: true }).nullish().describe("Values for the fields that posts leave blank."),
  posts: yamlPostsSchema.nullable().describe("The posts."),
});

/** The schema of a YAML calendar. Both the checks at run time and the JSON Schema use it. */
export const yamlCalendarSchema = z
  .union([yamlPostsSchema, yamlMappingSchema])
  .meta({ title: "plancast YAML calendar" });
