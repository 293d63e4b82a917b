/**
 * Reads calendars in YAML: a list of posts, one post, or the front matter of a post's file. Their keys become the columns
 * of a table, which the reader of tables reads.
 */

import { isObject, lastBefore } from "../../../model/data.ts";
import { fieldNamed } from "../../../model/fields.ts";
import { type Problem, problem } from "../../../model/problem.ts";
import { type RawCalendar, type RawRow, statusSwitch } from "../../../model/row.ts";
import { foldName, isBlank } from "../../../model/text.ts";
import type { ReadOptions } from "../../read/format.ts";
import { SourceText, inFileOrder } from "../../read/source-text.ts";
import { TableReader } from "../../read/table-reader.ts";
import { type YamlPath, YamlDocument, kindOf, valueAt } from "./document.ts";
import { type TextsBelow, type WrittenPost, PostTable, unknownKey } from "./post-table.ts";
import { yamlMappingSchema } from "./yaml-schema.ts";

/** Reads one post with the texts below its front matter. Without any fields, the row is blank. */
export function readYamlPost(source: SourceText, options: ReadOptions, below: TextsBelow): RawCalendar {
  const { document, fields, problems } = readFrontMatter(source);
  if (fields === undefined) return withoutRows(source, problems);
  const calendar = { posts: [{ path: [], value: fields }], problems: [] };
  return readPosts({ source, document, options, below }, calendar);
}

/** Front matter: its keys and values, undefined if it is something else. */
export function readFrontMatter(source: SourceText): {
  readonly document: YamlDocument;
  readonly fields: Readonly<Record<string, unknown>> | undefined;
  readonly problems: readonly Problem[];
} {
  const document = documentIn(source);
  const value = document.value === null ? {} : document.value;
  if (isObject(value)) return { document, fields: value, problems: document.problems };
  const message = `Front matter must be keys and values, such as \`media: tulips.jpg\`, but it is ${kindOf(value)}.`;
  const wrong = value === undefined ? [] : [problem("calendar/shape", message, document.at([]))];
  return { document, fields: undefined, problems: [...document.problems, ...wrong] };
}

function documentIn(source: SourceText): YamlDocument {
  return new YamlDocument(source, { schema: "failsafe", keyName: foldName });
}

/** Reads a YAML calendar: a list of posts, or `{ timezone?, defaults?, posts: [...] }`. */
export function readYaml(file: string, text: string, options: ReadOptions = { columns: {} }): RawCalendar {
  const source = new SourceText(file, text);
  const document = documentIn(source);
  if (document.value === undefined) return withoutRows(source, document.problems);
  const calendar = calendarIn(document);
  const read = readPosts({ source, document, options }, calendar);
  if (calendar.posts.length > 0 || read.problems.length > 0) return read;
  return { ...read, problems: [problem("calendar/empty", "The calendar contains no posts.", { file })] };
}

function withoutRows(source: SourceText, problems: readonly Problem[]): RawCalendar {
  return { file: source.file, rows: [], problems, sourceLine: (line) => source.line(line) };
}

/** What a document holds, and the faults of its shape. */
interface WrittenCalendar {
  readonly posts: readonly WrittenPost[];
  readonly defaults?: WrittenPost | undefined;
  readonly timezone?: string | undefined;
  readonly problems: readonly Problem[];
}

function calendarIn(document: YamlDocument): WrittenCalendar {
  const { value } = document;
  const problems: Problem[] = [];
  const shape = (wanted: string, path: YamlPath): undefined => {
    const message = `${wanted}, but it is ${kindOf(valueAt(value, path))}.`;
    problems.push(problem("calendar/shape", message, document.at(path)));
  };
  const root = isObject(value) ? value : {};
  const list = isObject(value) ? value["posts"] : value;
  const base: YamlPath = isObject(value) ? ["posts"] : [];
  if (!Array.isArray(list) && list !== null)
    shape(
      isObject(value)
        ? "`posts` must be a list of posts"
        : "A calendar must be a list of posts, or a mapping with `posts`",
      base,
    );
  const items: readonly unknown[] = Array.isArray(list) ? list : [];
  const posts = items.flatMap((post, index): WrittenPost[] => {
    const path = [...base, index];
    if (isObject(post)) return [{ path, value: post }];
    shape("A post must be a mapping of fields such as `content` and `date`", path);
    return [];
  });
  const known = Object.keys(yamlMappingSchema.shape);
  for (const key of Object.keys(root).filter((each) => !known.includes(each))) {
    const way = fieldNamed(key) === undefined ? undefined : IN_POSTS;
    problems.push(unknownKey(document, [], key, known, way));
  }
  const { timezone = null, defaults = null } = root;
  if (timezone !== null && typeof timezone !== "string") shape("`timezone` must be text", ["timezone"]);
  if (defaults !== null && !isObject(defaults)) shape("`defaults` must be a mapping of fields", ["defaults"]);
  return {
    posts,
    defaults: isObject(defaults) ? { path: ["defaults"], value: defaults } : undefined,
    timezone: typeof timezone === "string" && !isBlank(timezone) ? timezone : undefined,
    problems,
  };
}

const IN_POSTS = " Fields belong to posts: put them under `posts:`, in a list.";

interface YamlSource {
  readonly source: SourceText;
  readonly document: YamlDocument;
  readonly options: ReadOptions;
  readonly below?: TextsBelow;
}

/** The rows of a document, and its faults. */
function readPosts({ source, document, options, below }: YamlSource, calendar: WrittenCalendar): RawCalendar {
  const { posts, defaults, timezone } = calendar;
  const { file } = source;
  const table = new PostTable({ file, document, posts, defaults, below }, options);
  const nested = table.nestedFields(options.columns);
  if (nested !== undefined) return withoutRows(source, [...document.problems, nested]);
  const problems: Problem[] = [];
  const faultsOfDefaults: Problem[] = [];
  const shared = table.readDefaults(faultsOfDefaults);
  const { fields } = table.header.columns;
  // Posts have the day of the defaults.
  const isDayShared = fields.some(
    (field, column) =>
      (field === "date" || field === "scheduled_at") && !isBlank(shared?.cells[column] ?? ""),
  );
  const reader = new TableReader(table, {
    ...options,
    timezone: timezone ?? options.timezone,
    ...(isDayShared ? { blank_time: undefined } : {}),
  });
  reader.begin(table.header);
  const isFaulty = new Set<number>();
  for (const record of table.records(problems)) {
    reader.visit(record);
    if (record.isFaulty === true) isFaulty.add(record.number);
  }
  table.forgetValues();
  const read = reader.finish(true);
  const row = shared === undefined || faultsOfDefaults.length > 0 ? undefined : reader.readShared(shared);
  const rows = read.rows.filter(({ record }) => !isFaulty.has(record));
  // Texts from elsewhere are not on the lines of their rows.
  const isElsewhere = Object.hasOwn(defaults?.value ?? {}, "content") || source.text.includes("<<");
  const cut = isElsewhere ? rows : rowsBefore(document.comments, rows, source);
  const lost = cut.flatMap((each) => lostHashtagProblems(each, source));
  return {
    file,
    rows,
    faultyRows: read.rows.filter(({ record }) => isFaulty.has(record)),
    ...(timezone === undefined ? {} : { timezone: { text: timezone, at: document.at(["timezone"]) } }),
    ...(row === undefined ? {} : { defaults: row }),
    switches: table.header.columns.switches.flatMap((each) =>
      statusSwitch(table.header.names[each.column] ?? "", each),
    ),
    notes: read.notes,
    account: read.account,
    problems: inFileOrder([
      ...document.problems,
      ...calendar.problems,
      ...problems,
      ...faultsOfDefaults,
      ...read.problems,
      ...lost,
    ]),
    sourceLine: (line) => source.line(line),
  };
}

/** The rows in which a comment follows a text on its line. To find a place in a row, the row is read again. */
function rowsBefore(
  comments: readonly number[],
  rows: readonly RawRow[],
  source: SourceText,
): readonly RawRow[] {
  const found = comments.map((offset) => source.at(offset));
  const after = found.filter(
    ({ line = 1, column = 1 }) => !isBlank((source.line(line) ?? "").slice(0, column - 1)),
  );
  return [...new Set(after.flatMap(({ line = 1 }) => lastBefore(rows, (row) => row.line, line + 1) ?? []))];
}

/** In YAML, ` #` begins a comment, so `content: Look #spring` is only "Look". Writers do not expect that. */
function lostHashtagProblems(row: RawRow, source: SourceText): Problem[] {
  if (row.cells.content === undefined) return [];
  const { line = 1, column = 1, length = 0 } = row.at("content");
  const text = source.line(line) ?? "";
  const [, tag] = /^\s+(#[^\s#]+)/.exec(text.slice(column - 1 + length)) ?? [];
  if (tag === undefined || /["'|>]/.test(text.charAt(column - 1))) return [];
  const message = `YAML reads ${tag} and the rest of the line as a comment, so it is not part of the text. Put the text in quotes.`;
  return [problem("yaml/lost-hashtag", message, { file: row.file, line, column, length })];
}
