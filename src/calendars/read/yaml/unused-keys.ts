/** Keys of posts that plancast does not use, judged by the same rules as the columns of a table. */

import { type Position, type Problem, type Question, problem } from "../../../model/problem.ts";
import { yamlKey } from "../../../model/columns.ts";
import { clipped, formatNumber, isBlank } from "../../../model/text.ts";
import type { ProblemCode } from "../../../problems/catalogue.ts";
import { holdsBack } from "../../../settings/languages/languages.ts";
import { namesDay } from "../../columns/cell-kinds.ts";
import { suggestedFieldOf } from "../../columns/column-names.ts";
import { mapColumns } from "../../columns/columns.ts";
import type { ReadOptions, TableSource } from "../format.ts";
import { heldBack } from "../held-back.ts";
import { LeftOutColumns } from "../left-out-columns.ts";
import type { Header } from "../table-header.ts";
import { type YamlDocument, type YamlPath, valueAt } from "./document.ts";
import type { NamedPost } from "./named-post.ts";

/** The posts of one calendar as a table. */
export interface KeyTable {
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
export function unusedKeyProblems(
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
