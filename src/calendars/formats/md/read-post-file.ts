/**
 * Reads a file with one post: front matter with its fields, then its text. A line `---` in the text starts the next
 * post of a thread.
 */

import { placedTexts } from "../../../model/extras.ts";
import { FIELDS } from "../../../model/fields.ts";
import { type Position, type Problem, problem } from "../../../model/problem.ts";
import type { RawCalendar } from "../../../model/row.ts";
import { isBlank } from "../../../model/text.ts";
import { SourceText, conflictedCalendar, inFileOrder } from "../../read/source-text.ts";
import type { ReadOptions } from "../../read/format.ts";
import type { TextsBelow } from "../yaml/post-table.ts";
import { readYamlPost } from "../yaml/read-yaml.ts";

/** The parts of a file with one post. */
export interface PostFileParts {
  /** Front matter between its lines `---`: its offsets. Undefined without any. */
  readonly frontMatter: { readonly start: number; readonly end: number } | undefined;
  /** Whether the front matter has no end. */
  readonly isOpen: boolean;
  /** Where the text after the front matter starts. */
  readonly bodyStart: number;
}

const OPENING = /^---[ \t]*(?:\r\n|\r|\n|$)/;
const CLOSING = /^---[ \t]*(?:\r\n|\r|\n|$)/gm;

export function partsOfPostFile(text: string): PostFileParts {
  const [opening] = OPENING.exec(text) ?? [];
  if (opening === undefined) return { frontMatter: undefined, isOpen: false, bodyStart: 0 };
  CLOSING.lastIndex = opening.length;
  const closing = CLOSING.exec(text);
  const end = closing?.index ?? text.length;
  return {
    frontMatter: { start: opening.length, end },
    isOpen: closing === null,
    bodyStart: end + (closing?.[0].length ?? 0),
  };
}

/** Markdown: a file without front matter is a note of the team, and not a post. */
export function readMarkdown(file: string, text: string, options: ReadOptions): RawCalendar {
  if (partsOfPostFile(text).frontMatter !== undefined) return readTweet(file, text, options);
  const source = new SourceText(file, text);
  return { file, rows: [], problems: [noteProblem(source)], sourceLine: (line) => source.line(line) };
}

/** A post whose first line is missing must not count as a note, because apply would cancel it. */
function noteProblem(source: SourceText): Problem {
  const fence = source.text.search(/^---[ \t]*$/m);
  if (fence !== -1) {
    const message =
      "The file has a line ---, but does not start with one, so it is not clear where the fields of the post are. " +
      "Start the file with ---, or exclude a note under `calendars:` in plancast.yaml.";
    return problem("markdown/front-matter", message, source.at(fence, fence + 3));
  }
  const message =
    "The file does not start with front matter, so plancast does not read it as a post. " +
    "If it is a post, put its date and networks between two lines --- at its start.";
  return problem("markdown/no-front-matter", message, { file: source.file });
}

/** A `.tweet` file is always a post. */
export function readTweet(file: string, text: string, options: ReadOptions): RawCalendar {
  const source = new SourceText(file, text);
  const sourceLine = (line: number): string | undefined => source.line(line);
  const { frontMatter, isOpen, bodyStart } = partsOfPostFile(text);
  const conflicted = conflictedCalendar(file, text, false);
  if (conflicted !== undefined) return conflicted;
  if (isOpen) {
    const message = "The front matter starts here, but nothing ends it. Add a line --- after its last key.";
    return {
      file,
      rows: [],
      problems: [problem("markdown/front-matter", message, source.at(0, 3))],
      sourceLine,
    };
  }
  const later = laterFrontMatter(text, bodyStart);
  if (later !== undefined) {
    const message =
      "Fields of a later post of the thread start here, but plancast reads fields only at the start of the file. " +
      "Move them there, or remove them.";
    const at = source.at(later.start, later.end);
    return { file, rows: [], problems: [problem("markdown/front-matter", message, at)], sourceLine };
  }
  // Spaces instead of the first line, so that every place in the front matter is its place in the file.
  const { start, end } = frontMatter ?? { start: 0, end: 0 };
  const body = new PostBodyText(source, bodyStart);
  const yaml = readYamlPost(
    file,
    " ".repeat(Math.max(0, start - 1)) + text.slice(Math.max(0, start - 1), end),
    options,
    body,
  );
  return { ...yaml, problems: inFileOrder([...yaml.problems, ...body.images()]), sourceLine };
}

/** A line `---`, which ends a text, and another one directly after it. Other tools begin front matter in this way. */
const SECOND_FENCE = /^---[ \t]*[\r\n][ \t\r\n]*---[ \t]*$/m;
/** A line of YAML: a key, an item of a list, or a line further to the right. */
const YAML_LINE = /^(?:([A-Za-z_]{2,30}):(?:\s|$)|- |[ \t]+\S)/;

/** Where front matter starts that is not at the start of the file: its offsets. Undefined without any. */
function laterFrontMatter(
  text: string,
  bodyStart: number,
): { readonly start: number; readonly end: number } | undefined {
  const body = text.slice(bodyStart);
  const [, ...later] = placedTexts(body);
  const found = later.find(({ text: part }) => {
    const lines = part.split("\n").filter((line) => !isBlank(line));
    const keys = lines.map((line) => YAML_LINE.exec(line)?.[1]);
    return lines.every((line) => YAML_LINE.test(line)) && keys.some((key) => OTHER_KEYS.has(key ?? ""));
  });
  if (found !== undefined) return { start: bodyStart + found.start, end: bodyStart + found.end };
  const second = SECOND_FENCE.exec(body);
  if (second === null) return undefined;
  return { start: bodyStart + second.index, end: bodyStart + second.index + "---".length };
}

/** Keys of front matter: the fields, and what other tools call them. A text rarely has lines with only these words. */
const OTHER_KEYS: ReadonlySet<string> = new Set([...FIELDS, "reply", "poll", "schedule", "retweet", "quote"]);

/** A picture in Markdown: `![Red tulips](tulips.jpg)`. */
const IMAGE = /!\[[^[\]\n]{0,500}\]\(([^()\s]{1,300})\)/g;

/** The texts below the front matter. */
class PostBodyText implements TextsBelow {
  readonly texts: TextsBelow["texts"];
  readonly #source: SourceText;
  readonly #starts: readonly number[];

  constructor(source: SourceText, start: number) {
    const texts = placedTexts(source.text.slice(start));
    const [first, ...rest] = texts.map(({ text }) => text);
    this.texts = {
      ...(first === undefined ? {} : { content: first }),
      ...(rest.length === 0 ? {} : { thread: rest }),
    };
    this.#source = source;
    this.#starts = texts.map((each) => start + each.start);
  }

  /** @param item of the thread, from 0 */
  at(field: "content" | "thread", item = 0): Position {
    const start = this.#starts[field === "content" ? 0 : item + 1] ?? 0;
    return this.#source.at(start, this.#source.text.length);
  }

  /** Pictures in the text, which people expect to be published. */
  images(): readonly Problem[] {
    const { text } = this.#source;
    return [...text.matchAll(IMAGE)].flatMap(({ 0: image, 1: file = "", index }) => {
      if (index < (this.#starts[0] ?? Infinity)) return [];
      const message = `Networks would show the text ${image}. Name the picture in the front matter instead, as \`media: [{ file: ${file}, alt: … }]\`.`;
      return [problem("markdown/image-in-text", message, this.#source.at(index, index + image.length))];
    });
  }
}
