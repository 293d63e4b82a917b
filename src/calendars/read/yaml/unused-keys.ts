/**
 * Keys of posts that plancast does not use: what they may mean, and what their values show, by the same rules as for the
 * columns of a table.
 */

import { type Position, type Problem, type Question, problem } from "../../../model/problem.ts";
import { yamlKey } from "../../../model/columns.ts";
import { isObject } from "../../../model/data.ts";
import { FIELDS } from "../../../model/fields.ts";
import type { Cell } from "../../../model/row.ts";
import { clipped, didYouMean, formatNumber, isBlank, nearest } from "../../../model/text.ts";
import type { ProblemCode } from "../../../problems/catalogue.ts";
import { holdsBack, yesOrNo } from "../../../settings/languages/languages.ts";
import { namesDay } from "../../columns/cell-kinds.ts";
import { suggestedFieldOf } from "../../columns/column-names.ts";
import { mapColumns } from "../../columns/columns.ts";
import { type ReadOptions, type TableSource, MAX_COLUMNS } from "../format.ts";
import { LeftOutColumns } from "../left-out-columns.ts";
import type { Header } from "../table-header.ts";
import { heldBack, refusedCell } from "../read-row.ts";
import { undecidedCell } from "../yes-or-no.ts";
import { type YamlDocument, type YamlPath, valueAt } from "./document.ts";
import { type NamedPost, toCell } from "./named-post.ts";
import type { KeyMeaning, PostKeys } from "./post-keys.ts";

interface YamlSource {
  readonly file: string;
  readonly document: YamlDocument;
  readonly options: Pick<ReadOptions, "columns" | "date_order" | "timezone">;
}

/** Posts whose keys are named. */
interface NamedPosts {
  readonly posts: readonly NamedPost[];
  readonly path: (index: number) => YamlPath;
  readonly defaults: NamedPost | undefined;
  readonly keys: PostKeys;
}

/** The keys of all posts that have no use. */
export function keyProblems(yaml: YamlSource, named: NamedPosts): Problem[] {
  const { document } = yaml;
  const { posts, path, defaults, keys } = named;
  const found = new Map<string, OtherKey>();
  const problems: Problem[] = [];
  const all = [
    ...(defaults === undefined ? [] : [{ post: defaults, at: ["defaults"] as YamlPath }]),
    ...posts.map((post, index) => ({ post, at: path(index) })),
  ];
  const fields = new Set<string>(all.flatMap(({ post }) => [...post.paths.keys()]));
  for (const { post, at } of all) {
    for (const { key, meaning } of post.others) {
      const value = toCell(valueAt(document.value, [...at, key]));
      if (meaning.kind === "refuse" && saysMore(value)) {
        problems.push(refusedCell(String(value), document.at([...at, key])));
      }
      if (keys.isKept(key) || (meaning.kind === "not_carried" && !saysMore(value))) continue;
      const mark = JSON.stringify([key, meaning]);
      const known = found.get(mark);
      found.set(
        mark,
        known === undefined ? { at, key, meaning, posts: 1 } : { ...known, posts: known.posts + 1 },
      );
    }
  }
  // All posts without a key share its default.
  const undecided = new Map(
    posts.flatMap((post) => post.undecided.map((each) => [JSON.stringify(each.path), each] as const)),
  );
  for (const { text, value, path: own } of undecided.values())
    problems.push(undecidedCell(text, value, document.at(own)));
  const others = [...found.values()];
  const unused = new Map(others.flatMap((each) => (isUnused(each, fields) ? [[each.key, each]] : [])));
  return [
    ...problems,
    ...others.flatMap((each) => (unused.has(each.key) ? [] : otherKeyProblems(document, each, fields))),
    ...(unused.size === 0 ? [] : unusedKeyProblems(keyTable(yaml, named, unused), yaml.options)),
  ];
}

/** The posts as a table of their keys. */
function keyTable(
  { file, document }: YamlSource,
  { posts, path }: NamedPosts,
  unused: ReadonlyMap<string, OtherKey>,
): KeyTable {
  const written = posts.map((_post, index): unknown => valueAt(document.value, path(index)));
  const own = new Set(written.flatMap((post) => (isObject(post) ? Object.keys(post) : [])));
  const used = [...own].filter((key) => key !== "variants" && !unused.has(key));
  // In an unusual file, each post may have different keys.
  const table = [...used, ...unused.keys()].slice(0, MAX_COLUMNS);
  return {
    file,
    keys: table,
    names: table.map((key) => {
      const { at } = unused.get(key) ?? {};
      return at === undefined ? key : document.keyText(at, key);
    }),
    unused: new Set(unused.keys()),
    rows: written.map((post) => table.map((key) => [toCell(valueAt(post, [key])) ?? ""].flat().join(", "))),
    keyAt: (key) => document.keyAt(unused.get(key)?.at ?? [], key),
    valueAt: (row, key) => document.at([...path(row), key]),
  };
}

/** Whether the name of a key shows that it is only for the team. */
function isUnused({ key, meaning }: OtherKey, fields: ReadonlySet<string>): boolean {
  return meaning.kind === "unknown" && fieldMeant(key, meaning, fields) === undefined;
}

/** The field that an unknown key may mean: a common name for a field that no post has, or a misspelt one. */
function fieldMeant(
  key: string,
  { suggestion }: Extract<KeyMeaning, { kind: "unknown" }>,
  fields: ReadonlySet<string>,
): string | undefined {
  const suggested = suggestion ?? suggestedFieldOf(key);
  return suggested !== undefined && !fields.has(suggested)
    ? suggested
    : nearest(key, [...FIELDS, "variants"]);
}

/** A key without a use, where it is first, and in how many posts. */
interface OtherKey {
  readonly at: YamlPath;
  readonly key: string;
  readonly meaning: KeyMeaning;
  readonly posts: number;
}

/** Whether a cell asks for something: it is neither blank nor no. */
function saysMore(value: Cell | undefined): boolean {
  return value !== undefined && (typeof value !== "string" || yesOrNo(value) !== false);
}

function otherKeyProblems(
  document: YamlDocument,
  { at, key, meaning, posts }: OtherKey,
  fields: ReadonlySet<string>,
): Problem[] {
  const name = document.keyText(at, key);
  const place = document.keyAt(at, key);
  const count = posts === 1 ? "" : ` in ${formatNumber(posts)} posts`;
  const ignore = `\`${yamlKey(name)}: ignore\` under \`columns:\` in plancast.yaml`;
  switch (meaning.kind) {
    case "duplicate": {
      const message = `\`${name}\` and \`${document.keyText(at, meaning.first)}\` are both \`${meaning.field}\`${count}. Keep one of them, or set ${ignore}.`;
      return [problem("yaml/duplicate-key", message, place)];
    }
    case "not_carried": {
      const message = `The service has no field for \`${name}\`, so plancast does not publish it (${posts === 1 ? "1 post" : `${formatNumber(posts)} posts`}). Put what you want to publish into the text, or set ${ignore}.`;
      return [problem("csv/not-carried", message, place)];
    }
    case "unknown": {
      const near = fieldMeant(key, meaning, fields) ?? "";
      const way = `${didYouMean(near)} Rename it, set \`${yamlKey(name)}: ${near}\` under \`columns:\` in plancast.yaml, or set it to \`ignore\` there.`;
      const isDate = namesDay([toCell(valueAt(document.value, [...at, key])) ?? ""].flat()[0] ?? "");
      const questions: Question[] = [
        { topic: "unknown-key", column: name, rows: posts, isDate, ...(near === "" ? {} : { field: near }) },
      ];
      return [
        { ...problem("calendar/unknown-key", `Unknown key \`${name}\`${count}.${way}`, place), questions },
      ];
    }
    default:
      return [];
  }
}

/** The posts of one calendar as a table. */
interface KeyTable {
  readonly file: string;
  /** The keys of all posts, as they are compared. */
  readonly keys: readonly string[];
  /** Like `keys`, as written. */
  readonly names: readonly string[];
  /** The keys without a use. */
  readonly unused: ReadonlySet<string>;
  /** For each post, the text of each key; blank without one. */
  readonly rows: readonly (readonly string[])[];
  /** The place of a key where it is first. */
  readonly keyAt: (key: string) => Position;
  readonly valueAt: (row: number, key: string) => Position;
}

/** In place of the number of a header's record. */
const HEADER = -1;

/** A post without a text has its own error. */
const NOT_ABOUT_KEYS: ReadonlySet<ProblemCode> = new Set(["csv/missing-header"]);

/** What the values of unused keys show: their problems, and a warning for all other unused keys. */
function unusedKeyProblems(
  table: KeyTable,
  options: Pick<ReadOptions, "columns" | "date_order" | "timezone">,
): Problem[] {
  const { keys, names, unused, rows } = table;
  const header: Header = {
    columns: {
      ...mapColumns(keys, options.columns),
      unknown: keys.flatMap((key, column) => (unused.has(key) ? [column] : [])),
      unnamed: [],
    },
    names,
    groups: [],
    record: HEADER,
    groupRecord: undefined,
    isNamed: true,
  };
  const source: TableSource = {
    file: table.file,
    surplusRemedy: "",
    lineOf: (record) => table.valueAt(record, keys[0] ?? "").line ?? 1,
    at: (record, column = 0) => {
      const key = keys[column] ?? "";
      return record === HEADER ? table.keyAt(key) : table.valueAt(record, key);
    },
  };
  const leftOut = new LeftOutColumns(header, new Set(), options);
  for (const [record, cells] of rows.entries()) leftOut.note(cells, record);
  const found = leftOut.problems(source).filter(({ code }) => !NOT_ABOUT_KEYS.has(code));
  const others = header.columns.unknown.filter((column) => !leftOut.reported.has(column));
  const hasDate = header.columns.fields.some((field) => field === "date" || field === "scheduled_at");
  return [...found, ...ignoredKeys(table, others, hasDate ? [] : dateQuestions(table, others))];
}

/** The problems of a post whose unused keys say that it must not be published. */
export function notesOf(
  { others }: Pick<NamedPost, "others">,
  document: YamlDocument,
  path: YamlPath,
): Problem[] {
  return others.flatMap(({ key, meaning }) => {
    const text = valueAt(document.value, [...path, key]);
    if (meaning.kind !== "unknown" || typeof text !== "string" || !holdsBack(text)) return [];
    if (suggestedFieldOf(key) === "content") return [];
    const why = `\`${document.keyText(path, key)}\` says "${clipped(text.trim())}"`;
    const way = `clear the note, or set \`columns: { ${yamlKey(key)}: ignore }\` in plancast.yaml`;
    return [heldBack(why, way, document.at([...path, key]))];
  });
}

/** If no key holds the date, an unused key with dates may hold it. */
function dateQuestions({ names, rows }: KeyTable, columns: readonly number[]): Question[] {
  return columns.flatMap((column): Question[] => {
    const filled = rows.map((cells) => cells[column] ?? "").filter((text) => !isBlank(text));
    const [first = ""] = filled;
    if (!namesDay(first)) return [];
    return [{ topic: "unknown-key", column: names[column] ?? "", rows: filled.length, isDate: true }];
  });
}

/** Keys that one message names. */
const MAX_NAMED = 12;

function ignoredKeys(
  { keys, names, keyAt }: KeyTable,
  columns: readonly number[],
  questions: readonly Question[],
): Problem[] {
  const [first] = columns;
  if (first === undefined) return [];
  const list = columns.slice(0, MAX_NAMED).map((column) => `\`${names[column] ?? ""}\``);
  const more = columns.length > MAX_NAMED ? ` and ${formatNumber(columns.length - MAX_NAMED)} more` : "";
  const message = `plancast ignores ${columns.length === 1 ? "this key" : "these keys"}: ${list.join(", ")}${more}.`;
  return [{ ...problem("csv/unknown-column", message, keyAt(keys[first] ?? "")), questions }];
}
