/**
 * The texts below the front matter of a post's file. A line `---` starts the next text of the thread. With another line
 * `---` directly after it, the text begins with front matter of its own, as other tools write it.
 */

import { MAX_REPLIES, splitByFences } from "../../../model/extras.ts";
import { FIELDS } from "../../../model/fields.ts";
import { type Position, type Problem, problem } from "../../../model/problem.ts";
import { isBlank } from "../../../model/text.ts";
import type { SourceText } from "../../read/source-text.ts";
import type { BelowField, TextsBelow } from "../yaml/post-table.ts";
import { readThreadText } from "../yaml/post-value.ts";
import { readFrontMatter } from "../yaml/read-yaml.ts";

/** A text between two lines `---`, and its place in the file. */
interface Segment {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** A text of the post, and the front matter before it. */
interface BodyPart {
  readonly text: Segment;
  readonly fields?: Segment;
}

/** A line of YAML: a key, an item of a list, or a line further to the right. */
const YAML_LINE = /^(?:([A-Za-z_]{2,30}):(?:\s|$)|- |[ \t]+\S)/;

/** Keys of front matter: the fields, and what other tools call them. A text rarely has lines with only these words. */
const KEYS: ReadonlySet<string> = new Set([...FIELDS, "reply", "poll", "schedule", "retweet"]);

/** A picture in Markdown: `![Red tulips](tulips.jpg)`. */
const IMAGE = /!\[[^[\]\n]{0,500}\]\(([^()\s]{1,300})\)/g;

/** A choice of a poll in a text: `( ) Tulips`. */
const CHOICE = /^[ \t]*\( ?\) (.{1,100})$/;

export class PostBody implements TextsBelow {
  readonly texts: TextsBelow["texts"];
  /** If it is not empty, the texts are not certain. */
  readonly problems: readonly Problem[];
  readonly #source: SourceText;
  readonly #parts: readonly BodyPart[];

  /** @param start where the text after the front matter starts */
  constructor(source: SourceText, start: number) {
    const { parts, problems } = partsOf(source, start);
    this.#source = source;
    this.#parts = parts;
    const [first, ...rest] = parts;
    // Longer threads are refused. Reading the fields of all their texts could take very long.
    const read = rest.map(({ text, fields }, index) =>
      fields === undefined || index >= MAX_REPLIES
        ? { text: text.text, files: "", alt: "" }
        : readFields(source, text, fields, problems),
    );
    const hasFields = rest.some(({ fields }) => fields !== undefined);
    this.texts = {
      ...(first === undefined ? {} : { content: first.text.text }),
      ...(rest.length === 0 ? {} : { thread: read.map(({ text }) => text) }),
      ...(hasFields
        ? { thread_media: read.map(({ files }) => files), thread_alt: read.map(({ alt }) => alt) }
        : {}),
    };
    this.problems = problems;
  }

  /** @param item of the thread, from 0 */
  at(field: BelowField, item = 0): Position {
    const { text, fields } = this.#parts[field === "content" ? 0 : item + 1] ?? {};
    const segment = field === "thread_media" || field === "thread_alt" ? fields : text;
    return this.#source.at(segment?.start ?? 0, segment?.end ?? this.#source.text.length);
  }

  /** Lines that other tools read as a poll. Networks would show them as text. */
  polls(): readonly Problem[] {
    return this.#parts.flatMap(({ text: { text, start, end } }) => {
      const lines = text.split("\n").filter((line) => !isBlank(line));
      const choices = lines.slice(-2).flatMap((line) => CHOICE.exec(line)?.[1] ?? []);
      if (choices.length < 2) return [];
      const message = `The last lines look like a poll, but networks would show them as text. Write the choices into the front matter, as \`poll: [${choices.join(", ")}]\`, and remove the lines.`;
      return [problem("row/poll", message, this.#source.at(start, end))];
    });
  }

  /** Pictures in the text, which people expect to be published. */
  images(): readonly Problem[] {
    const { text } = this.#source;
    const start = this.#parts[0]?.text.start ?? Infinity;
    return [...text.matchAll(IMAGE)].flatMap(({ 0: image, 1: file = "", index }) => {
      if (index < start) return [];
      const message = `Networks would show the text ${image}. Name the picture in the front matter instead, as \`media: [{ file: ${file}, alt: … }]\`.`;
      return [problem("markdown/image-in-text", message, this.#source.at(index, index + image.length))];
    });
  }
}

function partsOf(source: SourceText, start: number): { parts: readonly BodyPart[]; problems: Problem[] } {
  const segments = splitByFences(source.text.slice(start)).map((each) => ({
    text: each.text,
    start: start + each.start,
    end: start + each.end,
  }));
  const parts: BodyPart[] = [];
  const problems: Problem[] = [];
  const refuse = (segment: Segment, message: string): void => {
    problems.push(problem("markdown/front-matter", message, source.at(segment.start, segment.end)));
  };
  for (let index = 0; index < segments.length; index += 1) {
    const segment = segments[index];
    const next = segments[index + 1];
    if (segment === undefined) break;
    if (index > 0 && isBlank(segment.text) && next !== undefined) {
      const text = segments[index + 2];
      if (!isFields(next.text)) refuse(next, NO_FIELDS);
      else if (text === undefined) refuse(next, NOT_CLOSED);
      else parts.push({ text, fields: next });
      index += 2;
    } else if (index > 0 && isFields(segment.text)) {
      refuse(segment, ONE_FENCE);
    } else if (!isBlank(segment.text)) parts.push({ text: segment });
  }
  return { parts, problems };
}

const ONE_FENCE =
  "Fields of a later text of the thread start here. Write two lines --- before them and one after them, or move them to the start of the file.";
const NO_FIELDS =
  "Two lines --- begin the fields of a text, such as `media`, but there are none. Remove one of the lines.";
const NOT_CLOSED = "The fields of a text start here, but nothing ends them. Add a line --- after them.";

function isFields(text: string): boolean {
  const lines = text.split("\n").filter((line) => !isBlank(line));
  return (
    lines.every((line) => YAML_LINE.test(line)) &&
    lines.some((line) => KEYS.has(YAML_LINE.exec(line)?.[1]?.toLowerCase() ?? ""))
  );
}

/** What front matter says for the text after it. */
function readFields(
  source: SourceText,
  { text }: Segment,
  fields: Segment,
  problems: Problem[],
): { readonly text: string; readonly files: string; readonly alt: string } {
  const { document, fields: said, problems: faults } = readFrontMatter(source.part(fields.start, fields.end));
  problems.push(...faults);
  if (said === undefined) return { text, files: "", alt: "" };
  const read = readThreadText({ ...said, ...(isBlank(text) ? {} : { text }) });
  problems.push(
    ...read.faults.map(({ steps, message }) => problem("calendar/shape", message, document.at(steps))),
  );
  return read;
}
