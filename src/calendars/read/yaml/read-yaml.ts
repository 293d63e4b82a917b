import { didYouMean, foldName, isBlank, nearest } from "../../../model/text.ts";
import { type Position, type Problem, problem } from "../../../model/problem.ts";
import type { Cell, RawCalendar, RawRow, RowVariant } from "../../../model/row.ts";
import { type Field, type VariantField, FIELDS, VARIANT_FIELDS, fieldNamed } from "../../../model/fields.ts";
import { meaningOf } from "../../columns/column-names.ts";
import { SourceText, inFileOrder } from "../source-text.ts";
import { type YamlPath, YamlDocument } from "./document.ts";
import { type SchemaIssue, findIssues, kindOf, valueAt } from "./schema-issues.ts";
import { yamlMappingSchema, yamlPostsSchema } from "./yaml-schema.ts";

/** Reads a YAML calendar: a list of posts, or `{ timezone?, defaults?, posts: [...] }`. */
export function readYaml(file: string, text: string): RawCalendar {
  const source = new SourceText(file, text);
  const document = new YamlDocument(source, { schema: "failsafe", keyName: foldName });
  const sourceLine = (line: number): string | undefined => source.line(line);
  if (document.value === undefined) return { file, rows: [], problems: document.problems, sourceLine };
  if (document.value === null) {
    const empty = problem("calendar/empty", "The calendar contains no posts.", { file });
    return { file, rows: [], problems: [...document.problems, empty], sourceLine };
  }
  const faults = checkShape(document);
  const rows = readPosts(file, document, faults);
  const problems = [...document.problems, ...faults.map((fault) => fault.problem)];
  problems.push(...rows.flatMap((row) => lostHashtagProblems(row, source)));
  if (rows.length === 0 && problems.length === 0) {
    problems.push(problem("calendar/empty", "The calendar contains no posts.", { file }));
  }
  return { file, rows, ...readShared(file, document, faults), problems: inFileOrder(problems), sourceLine };
}

/** In YAML, ` #` begins a comment, so `content: Look #spring` is only "Look". Nobody intends that. */
function lostHashtagProblems(row: YamlRow, source: SourceText): Problem[] {
  if (row.cells.content === undefined) return [];
  const { line = 1, column = 1, length = 0 } = row.at("content");
  const text = source.line(line) ?? "";
  const [, tag] = /^\s+(#[^\s#]+)/.exec(text.slice(column - 1 + length)) ?? [];
  if (tag === undefined || /["'|>]/.test(text.charAt(column - 1))) return [];
  const message = `YAML reads ${tag} and the rest of the line as a comment, so it is not part of the text. Put the text in quotes.`;
  return [problem("yaml/lost-hashtag", message, { file: row.file, line, column, length })];
}

/** The posts with a valid shape. */
function readPosts(file: string, document: YamlDocument, faults: readonly ShapeFault[]): YamlRow[] {
  const path = Array.isArray(document.value) ? [] : ["posts"];
  const posts = valueAt(document.value, path);
  if (!Array.isArray(posts)) return [];
  const broken = new Set(faults.map((fault) => fault.path?.[path.length]));
  return posts.flatMap((post: unknown, index) =>
    broken.has(index) ? [] : [new YamlRow(file, document, [...path, index], post)],
  );
}

/** The zone and the defaults beside `posts`. */
function readShared(
  file: string,
  document: YamlDocument,
  faults: readonly ShapeFault[],
): Pick<RawCalendar, "timezone" | "defaults"> {
  const broken = new Set(faults.map((fault) => fault.path?.[0]));
  const timezone = valueAt(document.value, ["timezone"]);
  const defaults = valueAt(document.value, ["defaults"]);
  const hasZone = typeof timezone === "string" && !isBlank(timezone);
  const hasDefaults = typeof defaults === "object" && defaults !== null && !broken.has("defaults");
  return {
    ...(hasZone ? { timezone: { text: timezone, at: document.at(["timezone"]) } } : {}),
    ...(hasDefaults ? { defaults: new YamlRow(file, document, ["defaults"], defaults) } : {}),
  };
}

/** A post of a YAML calendar, or its defaults. */
class YamlRow implements RawRow {
  readonly file: string;
  readonly cells: Readonly<Partial<Record<Field, Cell>>>;
  readonly variants: readonly RowVariant[];
  readonly #document: YamlDocument;
  readonly #path: YamlPath;

  constructor(file: string, document: YamlDocument, path: YamlPath, post: unknown) {
    this.file = file;
    this.#document = document;
    this.#path = path;
    this.cells = toCells(post, FIELDS);
    this.variants = this.#readVariants(valueAt(post, ["variants"]));
  }

  #readVariants(variants: unknown): RowVariant[] {
    if (typeof variants !== "object" || variants === null) return [];
    const path = [...this.#path, "variants"];
    return Object.entries(variants).map(([key, variant]) => ({
      platform: this.#document.keyText(path, key),
      cells: { ...emptied(variant), ...toCells(variant, VARIANT_FIELDS) },
      at: (field, item) => this.#document.at([...path, key, field, ...(item === undefined ? [] : [item])]),
    }));
  }

  get line(): number {
    return this.at().line ?? 1;
  }

  at(field?: Field, item?: number): Position {
    if (field === undefined || this.cells[field] === undefined) {
      const { file, line = 1, column = 1 } = this.#document.at(this.#path);
      return { file, line, column };
    }
    return this.#document.at([...this.#path, field, ...(item === undefined ? [] : [item])]);
  }
}

/** Clears a field for one platform that the others have: `media: []`, `content: ""`. */
function emptied(variant: unknown): Partial<Record<VariantField, Cell>> {
  const content = valueAt(variant, ["content"]);
  const media = valueAt(variant, ["media"]);
  return {
    ...(content === "" ? { content } : {}),
    ...(Array.isArray(media) && media.length === 0 ? { media: [] } : {}),
  };
}

function toCells<F extends Field>(post: unknown, fields: readonly F[]): Partial<Record<F, Cell>> {
  const cells: Partial<Record<F, Cell>> = {};
  for (const field of fields) {
    const cell = toCell(valueAt(post, [field]));
    if (cell !== undefined) cells[field] = cell;
  }
  return cells;
}

function toCell(value: unknown): Cell | undefined {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(String);
  return typeof value !== "string" || isBlank(value) ? undefined : value;
}

/** A fault in a calendar's shape, and the path of the value that cannot be used because of it. */
interface ShapeFault {
  readonly problem: Problem;
  /** Undefined for an unknown key: the rest is understood all the same. */
  readonly path: readonly PropertyKey[] | undefined;
}

/** Checks a calendar's value against the schema. */
function checkShape(document: YamlDocument): ShapeFault[] {
  const { value } = document;
  const schema = Array.isArray(value) ? yamlPostsSchema : yamlMappingSchema;
  return findIssues(schema, value).flatMap((issue) => {
    if (issue.code === "unrecognized_keys") return unknownKeys(document, issue.path, issue.keys);
    return [{ problem: wrongShape(document, issue), path: issue.path }];
  });
}

function unknownKeys(
  document: YamlDocument,
  path: readonly PropertyKey[],
  keys: readonly string[],
): ShapeFault[] {
  const atTop = path.length === 0;
  const inVariant = path.at(-2) === "variants";
  const known = atTop
    ? Object.keys(yamlMappingSchema.shape)
    : inVariant
      ? VARIANT_FIELDS
      : [...FIELDS, "variants"];
  return keys.map((key) => {
    const misplaced = atTop && fieldNamed(key) !== undefined;
    const way = misplaced
      ? " Fields belong to posts: put them under `posts:`, in a list."
      : didYouMean((atTop ? undefined : meaningOf(key)?.field) ?? nearest(key, known)) ||
        ` The known keys are ${known.join(", ")}.`;
    const message = `Unknown key \`${document.keyText(path, key)}\`.${way}`;
    return { problem: problem("calendar/unknown-key", message, document.keyAt(path, key)), path: undefined };
  });
}

function wrongShape(document: YamlDocument, { path }: SchemaIssue): Problem {
  const message = `${expected(path)}, but it is ${kindOf(valueAt(document.value, path))}.`;
  return problem("calendar/shape", message, document.at(path));
}

/** Describes the value that belongs at a path of a calendar. */
function expected(path: readonly PropertyKey[]): string {
  const last = path.at(-1);
  if (last === undefined) return "A calendar must be a list of posts, or a mapping with `posts`";
  if (last === "posts") return "`posts` must be a list of posts";
  if (last === "defaults") return "`defaults` must be a mapping of fields";
  if (last === "variants") return "`variants` must be a mapping of platforms, each with its own fields";
  if (path.at(-2) === "variants")
    return "The value of a platform must be a mapping of fields such as `content`";
  if (last === "platforms" || last === "media") return `\`${last}\` must be text or a list of texts`;
  if (typeof last !== "number") return `\`${String(last)}\` must be text`;
  const list = path.at(-2);
  if (list === "platforms" || list === "media") return `An item of \`${list}\` must be text`;
  return "A post must be a mapping of fields such as `content` and `date`";
}
