/**
 * Reads calendars in YAML: a list of posts, one post, or the front matter of a post's file. Checks the shape, finds out
 * what each key means, and makes a row of each post.
 */

import type { z } from "zod";
import { isObject } from "../../../model/data.ts";
import { didYouMean, foldName, formatNumber, isBlank, nearest } from "../../../model/text.ts";
import { type Position, type Problem, problem } from "../../../model/problem.ts";
import {
  type Assumed,
  type Cell,
  type RawCalendar,
  type RawRow,
  type RowVariant,
  type StatusSwitch,
  statusSwitch,
} from "../../../model/row.ts";
import { type Field, type VariantField, FIELDS, VARIANT_FIELDS, fieldNamed } from "../../../model/fields.ts";
import { meaningOf } from "../../columns/column-names.ts";
import type { ReadOptions } from "../../read/format.ts";
import { SourceText, inFileOrder } from "../../read/source-text.ts";
import { isDraftIfBlank } from "../../read/rows-table.ts";
import { withStatus } from "../../read/read-row.ts";
import { type SchemaIssue, type YamlPath, YamlDocument, findIssues, kindOf, valueAt } from "./document.ts";
import { type NamedPost, type TextsBelow, carryDown, nameDefaults, namePost, toCell } from "./named-post.ts";
import { type Switches, PostKeys } from "./post-keys.ts";
import { accountForKeys } from "./account-for-keys.ts";
import { yamlMappingSchema, yamlPostSchema, yamlPostsSchema } from "./yaml-schema.ts";

/**
 * Reads one post: the keys and values of its fields. Without any, the row is blank.
 * @param text which starts at the beginning of the file
 */
export function readYamlPost(
  file: string,
  text: string,
  options: YamlReadOptions,
  below: TextsBelow,
): RawCalendar & Pick<NamedPost, "twice"> {
  const source = new SourceText(file, text);
  const document = new YamlDocument(source, { schema: "failsafe", keyName: foldName });
  const sourceLine = (line: number): string | undefined => source.line(line);
  const value = document.value === null ? {} : document.value;
  if (!isObject(value)) {
    const message = `Front matter must be keys and values, such as \`date: 2036-03-01\`, but it is ${kindOf(value)}.`;
    const wrong = value === undefined ? [] : [problem("calendar/shape", message, document.at([]))];
    return { file, rows: [], problems: [...document.problems, ...wrong], sourceLine, twice: [] };
  }
  const keys = new PostKeys(options);
  const post = namePost(value, [], keys, { below });
  const calendar = readRows({ file, document, options }, source, {
    posts: [post],
    path: () => [],
    defaults: undefined,
    value: post.value,
    schema: yamlPostSchema,
    ownerOf: () => ({ post, index: 0, depth: 0 }),
    keys,
    switches: statusSwitches(keys.switchesIn([value])),
  });
  return { ...calendar, twice: post.twice };
}

/** Reads a YAML calendar: a list of posts, or `{ timezone?, defaults?, posts: [...] }`. */
export function readYaml(
  file: string,
  text: string,
  options: YamlReadOptions = { columns: {} },
): RawCalendar {
  const source = new SourceText(file, text);
  const document = new YamlDocument(source, { schema: "failsafe", keyName: foldName });
  const sourceLine = (line: number): string | undefined => source.line(line);
  if (document.value === undefined) return { file, rows: [], problems: document.problems, sourceLine };
  if (document.value === null) {
    const empty = problem("calendar/empty", "The calendar contains no posts.", { file });
    return { file, rows: [], problems: [...document.problems, empty], sourceLine };
  }
  const named = nameCalendar(document, new PostKeys(options), options.carry ?? []);
  const nested = nestedFields(document, named);
  if (nested !== undefined) return { file, rows: [], problems: [...document.problems, nested], sourceLine };
  const calendar = readRows({ file, document, options }, source, named);
  if (named.posts.length > 0 || calendar.problems.length > 0) return calendar;
  return { ...calendar, problems: [problem("calendar/empty", "The calendar contains no posts.", { file })] };
}

/** Fields that are below another key of a post. One message is enough: all posts would miss these fields. */
function nestedFields(document: YamlDocument, { posts, path, keys }: NamedCalendar): Problem | undefined {
  const found = posts.flatMap(({ paths }, index) => {
    const post = valueAt(document.value, path(index));
    if (!isObject(post)) return [];
    const meanings = keys.of(post);
    return Object.entries(post).flatMap(([key, value]) => {
      if (!isObject(value) || key === "variants" || meanings.get(key)?.kind === "used") return [];
      const inside = Object.keys(value).filter((name) => {
        const field = keys.fieldOf(name);
        return field !== undefined && !paths.has(field);
      });
      return inside.length === 0 ? [] : [{ index, key, inside }];
    });
  });
  const [first] = found;
  if (first === undefined) return undefined;
  const at = [...path(first.index), first.key];
  const names = first.inside.map((name) => `\`${document.keyText(at, name)}\``).join(" and ");
  const count = new Set(found.map(({ index }) => index)).size;
  const inPosts = count === 1 ? "1 post" : `${formatNumber(count)} posts`;
  const message =
    `${names} must be keys of the post itself, but they are below \`${document.keyText(path(first.index), first.key)}\` (${inPosts}). ` +
    `Move them one level up: \`- ${first.inside[0] ?? ""}: …\`.`;
  return problem("calendar/shape", message, document.keyAt(path(first.index), first.key));
}

/** The rows of a document, and its faults. */
function readRows(yaml: YamlSource, source: SourceText, named: NamedCalendar): RawCalendar {
  const { file, document, options } = yaml;
  const faults = checkShape(document, named);
  const isDraftWithoutTime = isDraftIfBlank(options) && !givesDay(named.defaults);
  const posts = named.posts.map(
    (post, index) => new YamlRow(yaml, named.path(index), post, isDraftWithoutTime),
  );
  const broken = new Set(faults.flatMap(({ path }) => (path === undefined ? [] : named.ownerOf(path).index)));
  const rows = posts.filter((_row, index) => !broken.has(index));
  const faultyRows = posts.filter((_row, index) => broken.has(index) && isObject(named.posts[index]?.value));
  const problems = [...document.problems, ...faults.map((fault) => fault.problem)];
  const { account, problems: ofKeys } = accountForKeys(yaml, named);
  problems.push(...ofKeys, ...rows.flatMap((row) => lostHashtagProblems(row, source)));
  const sourceLine = (line: number): string | undefined => source.line(line);
  const shared = { ...readShared(yaml, named, faults), switches: named.switches };
  return { file, rows, faultyRows, ...shared, account, problems: inFileOrder(problems), sourceLine };
}

function givesDay(defaults: NamedPost | undefined): boolean {
  return defaults !== undefined && (defaults.paths.has("date") || defaults.paths.has("scheduled_at"));
}

type YamlReadOptions = Pick<
  ReadOptions,
  "columns" | "values" | "status_values" | "keep" | "blank_time" | "slots" | "carry" | "date_order"
>;

/** What the rows of one calendar share. */
interface YamlSource {
  readonly file: string;
  readonly document: YamlDocument;
  readonly options: YamlReadOptions;
}

/** A calendar whose posts and defaults have the fields' own names. */
interface NamedCalendar {
  /** Empty if there is no list. */
  readonly posts: readonly NamedPost[];
  readonly path: (index: number) => YamlPath;
  readonly defaults: NamedPost | undefined;
  /** The whole, for the schema. */
  readonly value: unknown;
  readonly schema: z.ZodType;
  readonly ownerOf: (path: YamlPath) => PathOwner;
  readonly keys: PostKeys;
  readonly switches: readonly StatusSwitch[];
}

/** The post, or the defaults, that a path among the fields' own names leads into. */
interface PathOwner {
  readonly post: NamedPost | undefined;
  /** Index of the post; undefined for defaults. */
  readonly index: number | undefined;
  /** The number of steps in the path to it. */
  readonly depth: number;
}

function nameCalendar({ value }: YamlDocument, keys: PostKeys, carry: readonly string[]): NamedCalendar {
  const root = Array.isArray(value) ? [] : ["posts"];
  const list = valueAt(value, root);
  const written: readonly unknown[] = Array.isArray(list) ? list : [];
  const path = (index: number): YamlPath => [...root, index];
  const shared = isObject(value) ? valueAt(value, ["defaults"]) : undefined;
  const switches = { keys: keys.switchesIn([...written, shared]), defaults: isObject(shared) ? shared : {} };
  const posts = carryDown(
    written.map((post, index) => namePost(post, path(index), keys, { shared: switches })),
    carry.flatMap((name) => keys.fieldOf(name) ?? []),
  );
  const defaults = isObject(shared) ? nameDefaults(shared, ["defaults"], keys) : undefined;
  const ownerOf = (at: YamlPath): PathOwner => {
    if (at[0] === "defaults") return { post: defaults, index: undefined, depth: 1 };
    const index = Number(at[root.length]);
    return { post: posts[index], index, depth: root.length + 1 };
  };
  const values = posts.map((post) => post.value);
  const parts = { posts, path, defaults, keys, ownerOf, switches: statusSwitches(switches.keys) };
  if (Array.isArray(value)) return { ...parts, value: values, schema: yamlPostsSchema };
  if (!isObject(value)) return { ...parts, value, schema: yamlMappingSchema };
  const named = {
    ...value,
    ...(defaults === undefined ? {} : { defaults: defaults.value }),
    ...(Array.isArray(list) ? { posts: values } : {}),
  };
  return { ...parts, value: named, schema: yamlMappingSchema };
}

function statusSwitches(switches: Switches): readonly StatusSwitch[] {
  return [...switches].flatMap(([name, { as }]) => statusSwitch(name, as));
}

/** In YAML, ` #` begins a comment, so `content: Look #spring` is only "Look". Writers do not expect that. */
function lostHashtagProblems(row: YamlRow, source: SourceText): Problem[] {
  if (row.cells.content === undefined) return [];
  const { line = 1, column = 1, length = 0 } = row.at("content");
  const text = source.line(line) ?? "";
  const [, tag] = /^\s+(#[^\s#]+)/.exec(text.slice(column - 1 + length)) ?? [];
  if (tag === undefined || /["'|>]/.test(text.charAt(column - 1))) return [];
  const message = `YAML reads ${tag} and the rest of the line as a comment, so it is not part of the text. Put the text in quotes.`;
  return [problem("yaml/lost-hashtag", message, { file: row.file, line, column, length })];
}

/** The zone and the defaults beside `posts`. */
function readShared(
  source: YamlSource,
  { defaults, value }: NamedCalendar,
  faults: readonly ShapeFault[],
): Pick<RawCalendar, "timezone" | "defaults"> {
  const { document } = source;
  const broken = new Set(faults.map((fault) => fault.path?.[0]));
  const timezone = valueAt(value, ["timezone"]);
  const hasZone = typeof timezone === "string" && !isBlank(timezone);
  const hasDefaults = defaults !== undefined && !broken.has("defaults");
  return {
    ...(hasZone ? { timezone: { text: timezone, at: document.at(["timezone"]) } } : {}),
    ...(hasDefaults ? { defaults: new YamlRow(source, ["defaults"], defaults, false) } : {}),
  };
}

/** A post of a YAML calendar, or its defaults. */
class YamlRow implements RawRow {
  readonly file: string;
  readonly cells: Readonly<Partial<Record<Field, Cell>>>;
  readonly variants: readonly RowVariant[];
  readonly others: Readonly<Record<string, string>>;
  readonly blankAnswers: readonly Assumed[];
  readonly namesAccounts: boolean;
  readonly #document: YamlDocument;
  readonly #path: YamlPath;
  readonly #post: NamedPost;
  #line: number | undefined;

  constructor(
    { file, document, options }: YamlSource,
    path: YamlPath,
    post: NamedPost,
    isDraftWithoutTime: boolean,
  ) {
    this.file = file;
    this.#document = document;
    this.#path = path;
    this.#post = post;
    this.blankAnswers = post.blankAnswers;
    this.namesAccounts = post.namesAccounts;
    this.variants = this.#readVariants(valueAt(post.value, ["variants"]));
    const cells = { ...(post.choosesPlatforms ? { platforms: [] } : {}), ...toCells(post.value, FIELDS) };
    this.cells = withStatus(cells, isDraftWithoutTime, this.variants);
    this.others = Object.fromEntries(
      (options.keep ?? []).flatMap((name) => {
        const cell = toCell(valueAt(document.value, [...path, name])) ?? toCell(post.answers.get(name));
        return cell === undefined ? [] : [[name, typeof cell === "string" ? cell : cell.join(", ")]];
      }),
    );
  }

  #readVariants(variants: unknown): RowVariant[] {
    if (!isObject(variants)) return [];
    return Object.entries(variants).map(([key, variant]) => ({
      platform: this.#document.keyText([...this.#path, "variants"], key),
      cells: { ...emptied(variant), ...toCells(variant, VARIANT_FIELDS) },
      at: (field, item) => {
        const own = this.#post.variantPaths.get(key)?.get(field) ?? [...this.#path, "variants", key, field];
        return this.#document.at([...own, ...(item === undefined ? [] : [item])]);
      },
    }));
  }

  /** Asked for many times when a calendar has many problems. */
  get line(): number {
    return (this.#line ??= this.at().line ?? 1);
  }

  at(field?: Field, item?: number): Position {
    const paths = field === undefined || this.cells[field] === undefined ? [] : this.#post.paths.get(field);
    const [first, second] = paths ?? [];
    if (first === undefined) {
      const { file, line = 1, column = 1 } = this.#document.at(this.#path);
      return { file, line, column };
    }
    if (second !== undefined) return this.#document.at(paths?.[item ?? 0] ?? first);
    return this.#document.at([...first, ...(item === undefined ? [] : [item])]);
  }
}

/** Clears a field for one platform, although the row has it: `media: []`, `content: ""`. */
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

/** A fault in a calendar's shape, and the path of the value that cannot be used because of it. */
interface ShapeFault {
  readonly problem: Problem;
  /** Undefined for an unknown key: the rest is understood all the same. */
  readonly path: readonly PropertyKey[] | undefined;
}

/** Checks a calendar's value against the schema. Unknown keys of posts are reported once for all posts. */
function checkShape(document: YamlDocument, named: NamedCalendar): ShapeFault[] {
  return findIssues(named.schema, named.value).flatMap((issue) => {
    if (issue.code === "unrecognized_keys") {
      return unknownKeys(document, issue.path, issue.keys);
    }
    return [{ problem: wrongShape(document, named, issue), path: issue.path }];
  });
}

/** Where a value is, by its path among the fields' own names. */
function writtenPath({ ownerOf }: NamedCalendar, path: YamlPath): YamlPath {
  const { post, depth } = ownerOf(path);
  const [field, ...rest] = path.slice(depth);
  if (post === undefined || typeof field !== "string") return path;
  if (field === "variants") {
    const own = post.variantPaths.get(String(rest[0]))?.get(String(rest[1]));
    return own === undefined ? path : [...own, ...rest.slice(2)];
  }
  const paths = post.paths.get(field);
  const [first, second] = paths ?? [];
  if (first === undefined) return path;
  return second === undefined ? [...first, ...rest] : (paths?.[Number(rest[0] ?? 0)] ?? first);
}

function unknownKeys(
  document: YamlDocument,
  path: readonly PropertyKey[],
  keys: readonly string[],
): ShapeFault[] {
  const atTop = path.length === 0;
  const known = atTop ? Object.keys(yamlMappingSchema.shape) : VARIANT_FIELDS;
  return keys.map((key) => {
    const misplaced = atTop && fieldNamed(key) !== undefined;
    const way = misplaced
      ? " Fields belong to posts: put them under `posts:`, in a list."
      : didYouMean((atTop ? undefined : meaningOf(key)?.field) ?? nearest(key, known)) ||
        ` The known keys are ${known.join(", ")}.`;
    const message = `Unknown key \`${document.keyText(path, key)}\`.${way}`;
    return { problem: problem("columns/unknown", message, document.keyAt(path, key)), path: undefined };
  });
}

function wrongShape(document: YamlDocument, named: NamedCalendar, { path }: SchemaIssue): Problem {
  const message = `${expected(path)}, but it is ${kindOf(valueAt(named.value, path))}.`;
  return problem("calendar/shape", message, document.at(writtenPath(named, path)));
}

/** Fields that may be lists. */
const LISTS: readonly string[] = ["platforms", "media", "alt", "thread", "pool", "except"];

/** Describes the value that belongs at a path of a calendar. */
function expected(path: readonly PropertyKey[]): string {
  const last = path.at(-1);
  if (last === undefined) return "A calendar must be a list of posts, or a mapping with `posts`";
  if (last === "posts") return "`posts` must be a list of posts";
  if (last === "defaults") return "`defaults` must be a mapping of fields";
  if (last === "variants") return "`variants` must be a mapping of platforms, each with its own fields";
  if (path.at(-2) === "variants")
    return "The value of a platform must be a mapping of fields such as `content`";
  if (typeof last === "string" && LISTS.includes(last)) return `\`${last}\` must be text or a list of texts`;
  if (typeof last !== "number") return `\`${String(last)}\` must be text`;
  const list = path.at(-2);
  if (list === "media") return "An item of `media` must be text, or a mapping with `file` and `alt`";
  if (list === "except") return "An item of `except` must be text, such as 2027-12-24 -> 2027-12-27";
  if (typeof list === "string" && LISTS.includes(list)) return `An item of \`${list}\` must be text`;
  return "A post must be a mapping of fields such as `content` and `date`";
}
