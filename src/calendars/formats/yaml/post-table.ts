/**
 * Posts as a table: their keys are its columns, and a list is the value of its cell. The fields of one platform, below
 * `variants`, are columns such as `content:twitter`. So one reader reads tables and posts.
 */

import { type ColumnMeaning, type UsedAs, optionTarget } from "../../../model/columns.ts";
import { isObject } from "../../../model/data.ts";
import { type Field, VARIANT_FIELDS } from "../../../model/fields.ts";
import { type Position, type Problem, problem } from "../../../model/problem.ts";
import { type Cell, cellText } from "../../../model/row.ts";
import { didYouMean, formatNumber, isBlank, nearest } from "../../../model/text.ts";
import { meaningOf } from "../../columns/column-names.ts";
import { decidingKind } from "../../columns/column-values.ts";
import { type Columns, mapColumns } from "../../columns/columns.ts";
import { type ReadOptions, type TableSource, MAX_COLUMNS } from "../../read/format.ts";
import type { Header, TableRecord } from "../../read/table-header.ts";
import { type YamlDocument, type YamlPath, kindOf, valueAt } from "./document.ts";
import {
  type BesideCells,
  type BesideField,
  ALT_TWICE,
  BESIDE_FIELDS,
  isDescribed,
  isPollMapping,
  isThreadText,
  readValue,
} from "./post-value.ts";
import { sharedFieldsSchema } from "./yaml-schema.ts";

/** A mapping in the document: a post, or what posts share. */
export interface WrittenPost {
  readonly path: YamlPath;
  readonly value: Readonly<Record<string, unknown>>;
}

/** The fields of the texts below the front matter of a file with one post. */
export type BelowField = (typeof BELOW_FIELDS)[number];

const BELOW_FIELDS = ["content", "thread", "thread_media", "thread_alt"] as const satisfies Field[];

export interface TextsBelow {
  readonly texts: Readonly<Partial<Record<BelowField, Cell>>>;
  at(field: BelowField, item?: number): Position;
}

interface WrittenPosts {
  readonly file: string;
  readonly document: YamlDocument;
  readonly posts: readonly WrittenPost[];
  readonly defaults?: WrittenPost | undefined;
  readonly below?: TextsBelow | undefined;
}

/** A key of posts. */
interface Key {
  /** As written where it is first. */
  readonly name: string;
  /** The path of its value in a post. */
  readonly steps: readonly string[];
  /** The mapping in which it is first. */
  readonly at: YamlPath;
  /** What it means, if its place says it. */
  readonly as?: UsedAs;
}

/** A record while its cells are read. */
interface OpenRecord {
  readonly number: number;
  readonly cells: string[];
  readonly values: Map<number, Cell>;
  readonly faults: Problem[];
  /** Whether a value has another shape than its key needs. */
  isFaulty?: true;
}

/** What the cell of a column says for other fields. */
interface Beside {
  readonly column: number;
  readonly beside: BesideCells;
  readonly path: YamlPath;
}

/** The numbers of the records that are not posts. */
const HEADER = -1;
const DEFAULTS = -2;

/** A record is identified by the number of its post, from 0. */
export class PostTable implements TableSource {
  readonly hasKeys = true;
  readonly surplusRemedy = "Name each key.";
  readonly file: string;
  readonly header: Header;
  #written: WrittenPosts;
  readonly #keys: readonly Key[];
  readonly #columns: Columns;
  /** The columns of the texts below the front matter. */
  readonly #below: ReadonlyMap<number, BelowField>;
  /** The paths of values that are not below their own key, by record and column. */
  readonly #elsewhere = new Map<number, Map<number, YamlPath>>();
  readonly #lines = new Map<number, number>();

  constructor(
    written: WrittenPosts,
    { columns, approvals = {} }: Pick<ReadOptions, "columns" | "approvals">,
  ) {
    const mapping = { ...columns, ...approvals };
    this.file = written.file;
    this.#written = written;
    // Blank, because no post has them.
    const missing = Object.keys(approvals).map((name): Key => ({ name, steps: [name], at: [] }));
    const own = [...keysOf(written), ...missing];
    const { fields } = columnsOf(own, mapping);
    const implied = impliedFields(written).filter((field) => !fields.includes(field));
    this.#keys = [
      ...own,
      ...implied.map((field): Key => ({ name: field, steps: [field], at: [], as: { kind: "field", field } })),
    ];
    this.#columns = columnsOf(this.#keys, mapping);
    this.header = {
      columns: this.#columns,
      names: this.#keys.map(({ name }) => name),
      groups: [],
      record: HEADER,
      groupRecord: undefined,
      isNamed: true,
    };
    this.#below = new Map(
      BELOW_FIELDS.flatMap((field) =>
        written.below?.texts[field] === undefined ? [] : [[this.#columns.fields.indexOf(field), field]],
      ),
    );
  }

  /** The records of all posts, one by one. @param problems gets the faults in their values */
  *records(problems: Problem[]): Generator<TableRecord, void> {
    for (const [number, post] of this.#written.posts.entries()) yield this.#recordOf(post, number, problems);
  }

  /** Drops the values of the posts when their records were read. Places are still known. */
  forgetValues(): void {
    const value = {};
    const posts = this.#written.posts.map(({ path }): WrittenPost => ({ path, value }));
    this.#written = { ...this.#written, posts };
    this.#written.document.forgetValues();
  }

  /** What all posts share, without the values that decide about a post: each post without the key has them. */
  readDefaults(problems: Problem[]): TableRecord | undefined {
    const { defaults } = this.#written;
    return defaults === undefined ? undefined : this.#recordOf(defaults, DEFAULTS, problems);
  }

  #recordOf(post: WrittenPost, number: number, problems: Problem[]): TableRecord {
    const record: OpenRecord = {
      number,
      cells: [],
      values: new Map(),
      faults: this.#variantFaults(post, number),
    };
    const described = [...this.#keys.keys()].flatMap((column) => this.#readCell(post, column, record));
    for (const each of described) this.#addBeside(each, record);
    for (const [column, field] of this.#below) this.#addTextBelow(post, column, field, record);
    const { cells, values, faults } = record;
    problems.push(...faults);
    return { cells, number, values, isFaulty: record.isFaulty === true || faults.some(isShape) };
  }

  /** @returns what the cell says for other fields */
  #readCell(post: WrittenPost, column: number, record: OpenRecord): readonly Beside[] {
    const { name = "", steps = [] } = this.#keys[column] ?? {};
    const isDefaults = record.number === DEFAULTS;
    const as = usedAs(this.#columns.meanings[column]);
    const own = valueOf(post, steps);
    const isShared = own === undefined && !isDefaults && this.#takesDefault(column, post);
    const path = isShared ? ["defaults", ...steps] : [...post.path, ...steps];
    const given = isShared ? valueAt(this.#written.defaults?.value, steps) : own;
    const { cell, beside, faults } = readValue(given, name, as);
    if (faults.length > 0) record.isFaulty = true;
    // A fault in the defaults is reported once.
    if (!isShared)
      for (const each of faults) {
        const place = this.#written.document.at([...path, ...each.steps]);
        record.faults.push(problem("calendar/shape", each.message, place));
      }
    if (cell === undefined || (isDefaults && this.#isPostsOwn(column))) {
      record.cells.push("");
      return [];
    }
    record.cells.push(cellText(cell));
    if (typeof cell !== "string" || cell === "") record.values.set(column, cell);
    if (isShared) this.#moved(record.number, column, path);
    return beside === undefined ? [] : [{ column, beside, path }];
  }

  #addBeside({ column, beside, path }: Beside, { number, cells, values, faults }: OpenRecord): void {
    for (const field of BESIDE_FIELDS) {
      const texts = beside[field];
      if (texts === undefined || texts.every(isBlank)) continue;
      const of = this.#columnBeside(column, field);
      if (!isBlank(cells[of] ?? "")) {
        // If they are also in a separate list, it is unclear which of them count.
        const message = field === "alt" ? ALT_TWICE : `The post has \`${field}\` twice. Keep one of them.`;
        faults.push(problem("row/value-twice", message, this.#written.document.at(path)));
        continue;
      }
      cells[of] = cellText(texts);
      values.set(of, texts);
      this.#moved(number, of, path);
    }
  }

  #addTextBelow(
    post: WrittenPost,
    column: number,
    field: BelowField,
    { cells, values, faults }: OpenRecord,
  ): void {
    const text = this.#written.below?.texts[field] ?? "";
    if (!isBlank(cells[column] ?? "")) {
      const message = `The post has \`${field}\` in its front matter, and also text below it. Keep one of them.`;
      const path = [...post.path, ...(this.#keys[column]?.steps ?? [])];
      faults.push(problem("row/value-twice", message, this.#written.document.at(path)));
    }
    cells[column] = cellText(text);
    if (typeof text !== "string") values.set(column, text);
  }

  #moved(number: number, column: number, path: YamlPath): void {
    const known = this.#elsewhere.get(number) ?? new Map<number, YamlPath>();
    this.#elsewhere.set(number, known.set(column, path));
  }

  /**
   * Whether a post without the key has the value of the defaults as its own. Every post must say what decides about it, and a
   * key without a use must be accounted for. A post that lists its platforms gets no more of them.
   */
  #takesDefault(column: number, { value }: WrittenPost): boolean {
    const as = usedAs(this.#columns.meanings[column]);
    if (as?.kind !== "switch" || as.field !== "platforms") return this.#isPostsOwn(column);
    return !this.#keys.some(
      ({ steps, name }, other) =>
        this.#columns.fields[other] === "platforms" &&
        readValue(valueAt(value, steps), name, usedAs(this.#columns.meanings[other])).cell !== undefined,
    );
  }

  #isPostsOwn(column: number): boolean {
    const as = usedAs(this.#columns.meanings[column]);
    return as === undefined || as.kind === "option" || decidingKind(as) !== undefined;
  }

  /** The column of a field, for the same networks as another column. */
  #columnBeside(column: number, field: BesideField): number {
    const own = usedAs(this.#columns.meanings[column]);
    if (own?.kind !== "variant") return this.#columns.fields.indexOf(field);
    const { variants } = this.#columns;
    return variants.find((each) => each.field === field && each.platform === own.platform)?.column ?? -1;
  }

  /** Faults of the mapping `variants`, and fields in the defaults that each post must have itself. */
  #variantFaults({ path, value }: WrittenPost, number: number): Problem[] {
    const { document } = this.#written;
    const { variants } = value;
    if (number === DEFAULTS) {
      const fields = this.#keys.flatMap(({ steps: [key = ""], as }, column) => {
        const field = as === undefined ? this.#columns.fields[column] : undefined;
        const isKnown = field === undefined || Object.hasOwn(sharedFieldsSchema.shape, field);
        return isKnown || !Object.hasOwn(value, key) ? [] : [key];
      });
      return [...fields, ...(variants === undefined ? [] : ["variants"])].map((key) => {
        const message = `\`${document.keyText(path, key)}\` cannot be in \`defaults\`, because each post has its own. Move it to the posts.`;
        return problem("columns/unknown", message, document.keyAt(path, key));
      });
    }
    if (variants === undefined || variants === null) return [];
    const shape = (wanted: string, found: unknown, steps: YamlPath): Problem[] => [
      problem("calendar/shape", `${wanted}, but it is ${kindOf(found)}.`, document.at([...path, ...steps])),
    ];
    if (!isObject(variants))
      return shape("`variants` must be a mapping of platforms, each with its own fields", variants, [
        "variants",
      ]);
    return Object.entries(variants).flatMap(([platform, fields]) => {
      const steps = ["variants", platform];
      if (!isObject(fields))
        return shape("The value of a platform must be a mapping of fields such as `content`", fields, steps);
      const unknown = Object.keys(fields).filter((key) => !VARIANT_FIELDS.some((field) => field === key));
      return unknown.map((key) => unknownKey(document, [...path, ...steps], key, VARIANT_FIELDS));
    });
  }

  /** Fields that are below another key of a post. One message is enough: all posts would miss these fields. */
  nestedFields(mapping: Readonly<Record<string, string>>): Problem | undefined {
    const { document, posts } = this.#written;
    const found = posts.flatMap(({ path, value }) => {
      const isFilled = (field: Field): boolean =>
        this.#keys.some(
          ({ steps }, column) =>
            this.#columns.fields[column] === field && valueAt(value, steps) !== undefined,
        );
      return this.#keys.flatMap(({ steps }, column) => {
        const [key = ""] = steps;
        const nested = steps.length > 1 ? undefined : valueAt(value, steps);
        if (!isObject(nested) || usedAs(this.#columns.meanings[column]) !== undefined) return [];
        const inside = Object.keys(nested).filter((name) => {
          const field = mapColumns([name], mapping).fields[0];
          return field !== undefined && !isFilled(field);
        });
        return inside.length === 0 ? [] : [{ path, key, inside }];
      });
    });
    const [first] = found;
    if (first === undefined) return undefined;
    const { path, key, inside } = first;
    const names = inside.map((name) => `\`${document.keyText([...path, key], name)}\``).join(" and ");
    const count = new Set(found.map((each) => each.path)).size;
    const inPosts = count === 1 ? "1 post" : `${formatNumber(count)} posts`;
    const message =
      `${names} must be keys of the post itself, but they are below \`${document.keyText(path, key)}\` (${inPosts}). ` +
      `Move them one level up: \`- ${inside[0] ?? ""}: …\`.`;
    return problem("calendar/shape", message, document.keyAt(path, key));
  }

  lineOf(record: number): number {
    const known = this.#lines.get(record) ?? this.at(record).line ?? 1;
    this.#lines.set(record, known);
    return known;
  }

  at(record: number, column?: number, item?: number): Position {
    const { document, posts, defaults, below } = this.#written;
    const key = column === undefined ? undefined : this.#keys[column];
    if (record === HEADER)
      return key === undefined ? document.at([]) : document.keyAt(key.at, key.steps.at(-1) ?? "");
    const path = (record === DEFAULTS ? defaults : posts[record])?.path ?? [];
    if (column === undefined || key === undefined) {
      const { file, line = 1, column: start = 1 } = document.at(path);
      // A file with one post is the post.
      return path.length === 0 ? { file, line: 1, column: 1 } : { file, line, column: start };
    }
    const field = this.#below.get(column);
    if (field !== undefined && below !== undefined) return below.at(field, item);
    const own = this.#elsewhere.get(record)?.get(column) ?? [...path, ...key.steps];
    return document.at(item === undefined ? own : [...own, item]);
  }
}

/** A fault in a value's shape keeps a post from being one. The others leave its values as they are. */
function isShape({ code }: Problem): boolean {
  return code === "calendar/shape";
}

/** Options in a mapping have columns of their own. */
function valueOf({ value }: WrittenPost, steps: readonly string[]): unknown {
  const own = valueAt(value, steps);
  return steps.length === 1 && steps[0] === "options" && isObject(own) ? undefined : own;
}

function usedAs(meaning: ColumnMeaning | undefined): UsedAs | undefined {
  return meaning?.kind === "used" ? meaning.as : undefined;
}

function columnsOf(keys: readonly Key[], mapping: Readonly<Record<string, string>>): Columns {
  const known = keys.flatMap(({ as }, column): [number, UsedAs][] =>
    as === undefined ? [] : [[column, as]],
  );
  return mapColumns(
    keys.map(({ name }) => name),
    mapping,
    [],
    new Map(known),
  );
}

/** The keys of posts and of their defaults, in the order of the file, and then those for single platforms. */
function keysOf({ document, posts, defaults }: WrittenPosts): readonly Key[] {
  const own = new Map<string, Key>();
  const ofPlatforms = new Map<string, Key>();
  for (const { path, value } of defaults === undefined ? posts : [...posts, defaults]) {
    for (const key of Object.keys(value))
      if (key !== "variants" && !(key === "options" && isObject(value[key])) && !own.has(key))
        own.set(key, { name: document.keyText(path, key), steps: [key], at: path });
    for (const [platform, options] of Object.entries(isObject(value["options"]) ? value["options"] : {})) {
      for (const option of Object.keys(isObject(options) ? options : {})) {
        const name = `${platform}.${option}`;
        const at = [...path, "options", platform];
        if (!ofPlatforms.has(name))
          ofPlatforms.set(name, { name, steps: ["options", platform, option], at, as: optionTarget(name) });
      }
    }
    if (!isObject(value["variants"])) continue;
    for (const [key, fields] of Object.entries(value["variants"])) {
      if (!isObject(fields)) continue;
      const at = [...path, "variants", key];
      const platform = document.keyText([...path, "variants"], key);
      const implied = fieldsBeside(fields);
      for (const field of VARIANT_FIELDS) {
        const mark = `${field} ${key}`;
        if (
          ofPlatforms.has(mark) ||
          !(Object.hasOwn(fields, field) || implied.some((each) => each === field))
        )
          continue;
        const as: UsedAs = { kind: "variant", field, platform };
        ofPlatforms.set(mark, { name: `${field}:${platform}`, steps: ["variants", key, field], at, as });
      }
    }
  }
  // One more than a table may have is enough to refuse it.
  return [...own.values(), ...ofPlatforms.values()].slice(0, MAX_COLUMNS + 1);
}

/** The fields of texts below the front matter, and of what is beside media and threads. */
function impliedFields({ posts, defaults, below }: WrittenPosts): readonly Field[] {
  const all = defaults === undefined ? posts : [...posts, defaults];
  const texts = BELOW_FIELDS.filter((field) => below?.texts[field] !== undefined);
  return [...new Set([...texts, ...all.flatMap(({ value }) => fieldsBeside(value))])];
}

/** The fields for which the lists of a post say something beside their own. */
function fieldsBeside(value: Readonly<Record<string, unknown>>): readonly BesideField[] {
  const lists = Object.values(value).filter((each): each is unknown[] => Array.isArray(each));
  return [
    ...(lists.some((each) => each.some(isDescribed)) ? (["alt"] as const) : []),
    ...(lists.some((each) => each.some(isThreadText)) ? (["thread_media", "thread_alt"] as const) : []),
    ...(Object.values(value).some(isPollMapping) ? (["poll_length", "poll_multiple"] as const) : []),
  ];
}

/** A key that the calendar cannot have there. @param known the keys that it can have */
export function unknownKey(
  document: YamlDocument,
  path: YamlPath,
  key: string,
  known: readonly string[],
  way?: string,
): Problem {
  const likely = known.find((each) => each === meaningOf(key)?.field) ?? nearest(key, known);
  const message = `Unknown key \`${document.keyText(path, key)}\`.${way ?? (didYouMean(likely) || ` The known keys are ${known.join(", ")}.`)}`;
  return problem("columns/unknown", message, document.keyAt(path, key));
}
