/**
 * Reads a file with one post: front matter with its fields, then its text, and the texts of its thread.
 */

import { type Problem, problem } from "../../../model/problem.ts";
import type { RawCalendar } from "../../../model/row.ts";
import { SourceText, conflictedCalendar, inFileOrder } from "../../read/source-text.ts";
import type { ReadOptions } from "../../read/format.ts";
import { readYamlPost } from "../yaml/read-yaml.ts";
import { PostBody } from "./post-body.ts";

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
  const body = new PostBody(source, bodyStart);
  if (body.problems.length > 0) return { file, rows: [], problems: body.problems, sourceLine };
  const { start, end } = frontMatter ?? { start: 0, end: 0 };
  const yaml = readYamlPost(source.part(start, end), options, body);
  return {
    ...yaml,
    problems: inFileOrder([...yaml.problems, ...body.polls(), ...body.images()]),
    sourceLine,
  };
}
