/** The shape of a calendar in YAML: what the reader accepts, and what editors suggest through its JSON Schema. */

import { z } from "zod";
import type { Field, VariantField } from "../../../model/fields.ts";

/** plancast reads every scalar as its source text. Editors see the type that YAML gives it. */
const scalar = z.union([z.string(), z.number(), z.boolean()]);
const text = scalar.nullish();
const texts = z.union([scalar, z.array(scalar)]).nullish();

const fields = {
  id: text.describe(
    "Name of the post in the project. With an id, plancast recognises the post after its text or time changes.",
  ),
  scheduled_at: text.describe(
    "When to publish: ISO 8601 with Z or an offset, or a local time as YYYY-MM-DD HH:mm.",
  ),
  date: text.describe("Day on which to publish, as YYYY-MM-DD. Needs `time`."),
  time: text.describe("Local time at which to publish, as HH:mm or HH:mm:ss. Needs `date`."),
  timezone: text.describe("IANA zone for times without an offset, such as Europe/Paris."),
  expires: text.describe(
    "The time after which the post must not be published. A date means the end of that day. You can also write a date with a time, or a duration after the time of the post, such as 3d.",
  ),
  repeat: text.describe(
    "Makes a series of posts: `weekly until 2027-06-30`, `monthly on 1st monday x 6`, or an RRULE. Needs `id`, a date and a time.",
  ),
  except: texts.describe(
    "Single days of a series that are left out, or moved: `2027-12-24 -> 2027-12-27 10:00`. As a list or separated by commas.",
  ),
  pool: texts.describe(
    "Texts that the posts of a series take in turn, instead of `content`. As a list or separated by lines of ---.",
  ),
  spacing: text.describe("Minimum time between two posts with the same text of the pool, such as 30d."),
  platforms: texts.describe("Where to publish: identifiers or aliases, as a list or separated by commas."),
  content: text.describe("The text of the post."),
  media: texts.describe("Files in the project, or ids of the service, as a list or separated by commas."),
  alt: texts.describe(
    "Descriptions of the media for people who do not see them, in the order of the media, as a list or separated by |.",
  ),
  thread: texts.describe(
    "Texts that follow the post as replies, as a list or separated by lines of ---. Without `content`, the first one is the post.",
  ),
  thread_media: texts.describe(
    "Files for the texts of the thread, as a list or separated by lines of ---: those of the first text, then those of the second.",
  ),
  thread_alt: texts.describe("Alt texts of these files, in the same form."),
  first_comment: text.describe("A comment that the account writes right after the post."),
  reply_to: text.describe("Address of the post that this one answers."),
  quote: text.describe("Address of the post that this one quotes."),
  poll: texts.describe("The choices of a poll, as a list or separated by |. The text is the question."),
  poll_length: text.describe("How long the poll runs, such as 12h or 3d. Default: 1d."),
  poll_multiple: text.describe("Whether a person may choose several answers: yes or no."),
  options: z
    .union([texts, z.record(z.string(), z.record(z.string(), texts))])
    .describe("What single networks need: `youtube: { title: … }`. docs/write/options.md lists the options."),
  campaign: text.describe(
    "Name of the campaign that the post belongs to. It is not published, but `utm:` can add it to links.",
  ),
  status: text.describe("plancast plans a post whose status is empty or `ready`, but not `draft` or `skip`."),
  type: text.describe(
    "The type of the post, such as photo, video or story. plancast refuses what it cannot publish.",
  ),
  prompt: text.describe(
    "Subject of the text. `plancast draft` lets the service write the text, and fills in `content`.",
  ),
  tone: text.describe("Tone of the text that `plancast draft` requests, such as casual."),
  image_prompt: text.describe(
    "Subject of the picture. `plancast draft` lets the service make the picture, and fills in `media`.",
  ),
  size: text.describe("Size of that picture in pixels, such as 1024x1024."),
  result_time: text.describe(
    "When the post was published. `plancast status --write` fills it in, and plancast does not read it.",
  ),
  result_url: text.describe(
    "Address of the published post. `plancast status --write` fills it in, and plancast does not read it.",
  ),
  result_error: text.describe(
    "Why the post was not published. `plancast status --write` fills it in, and plancast does not read it.",
  ),
} satisfies Record<Field, z.ZodType>;

const variant = z.strictObject({
  content: fields.content,
  media: fields.media,
  alt: fields.alt,
  thread: fields.thread,
  thread_media: fields.thread_media,
  thread_alt: fields.thread_alt,
  first_comment: fields.first_comment,
  scheduled_at: fields.scheduled_at,
  date: fields.date,
  time: fields.time,
  status: fields.status,
} satisfies Record<VariantField, z.ZodType>);

const allFields = z.strictObject(fields);

/** The fields that posts can share. */
export const sharedFieldsSchema = allFields.omit({
  id: true,
  repeat: true,
  except: true,
  pool: true,
  spacing: true,
  result_time: true,
  result_url: true,
  result_error: true,
});

/** One post. */
const yamlPostSchema = allFields.extend({
  variants: z
    .record(z.string(), variant)
    .nullish()
    .describe("Different content, media or time for some platforms, by platform."),
});

/** A calendar that is a list of posts. */
const yamlPostsSchema = z.array(yamlPostSchema);

/** A calendar that is a mapping: posts, and what they share. */
export const yamlMappingSchema = z.strictObject({
  timezone: text.describe("IANA zone for this calendar's times without an offset."),
  defaults: sharedFieldsSchema.nullish().describe("Values for fields that a post leaves blank."),
  posts: yamlPostsSchema.nullable().describe("The posts."),
});

/** Media as people write them. The reader makes two lists of `file` and `alt` before it checks posts. */
const writtenMedia = z
  .union([
    scalar,
    z.array(
      z.union([
        scalar,
        z.strictObject({ file: scalar.describe("The file or id."), alt: text.describe("Its alt text.") }),
      ]),
    ),
  ])
  .nullish()
  .describe(
    "Files in the project, or ids of the service, as a list or separated by commas. An item may be a mapping with `file` and `alt`.",
  );

/** The thread as people write it: a text can have media. */
const writtenThread = z
  .union([
    scalar,
    z.array(
      z.union([
        scalar,
        z.strictObject({
          text: text.describe("The text."),
          media: writtenMedia,
          alt: texts.describe("Alt texts of its media."),
        }),
      ]),
    ),
  ])
  .nullish()
  .describe(
    "Texts that follow the post as replies, as a list or separated by lines of ---. A text with pictures is a mapping with `text` and `media`.",
  );

/** The poll as people write it: only its choices, or a mapping. */
const writtenPoll = z
  .union([
    scalar,
    z.array(scalar),
    z.strictObject({
      choices: texts.describe("What readers can choose from."),
      length: text.describe("How long the poll runs, such as 12h or 3d. Default: 1d."),
      multiple: text.describe("Whether a person may choose several answers: yes or no."),
    }),
  ])
  .nullish()
  .describe("The choices of a poll, as a list or separated by |. The text is the question.");

/** Posts as people write them: the reader also knows common names of the fields, and the names that `columns:` sets. */
const writtenPosts = z.array(
  yamlPostSchema
    .extend({ media: writtenMedia, thread: writtenThread, poll: writtenPoll })
    .catchall(z.unknown())
    .describe("A post. plancast also reads common names, such as `caption`, and those under `columns:`."),
);

/** The schema for editors. The reader checks posts again, with the fields' own names. */
export const yamlCalendarSchema = z
  .union([writtenPosts, yamlMappingSchema.extend({ posts: writtenPosts.nullable().describe("The posts.") })])
  .meta({ title: "plancast YAML calendar" });
