/** The errors for columns and values that nobody has explained, with the complete settings to paste. */

import {
  type CalendarAccount,
  type DecidingColumn,
  type DecidingKind,
  type UnaccountedColumn,
  unaccounted,
  unexplained,
} from "../../model/column-account.ts";
import { IGNORE, OPEN_ANSWER, columnTarget, yamlKey } from "../../model/columns.ts";
import { type Position, type Problem, problem } from "../../model/problem.ts";
import { formatNumber, rowsText } from "../../model/text.ts";
import { proposedColumns } from "./propose-columns.ts";

/** Where the problems of a calendar's columns are. */
export interface AccountPlaces {
  /** The file, or its header. */
  readonly whole: Position;
  /** The header of a column, or the first use of a key. */
  readonly of: (column: number) => Position;
}

/**
 * At most one error for a file: for the columns and the values that nobody has explained.
 * @param noun `column`, or `key` in YAML
 */
export function accountProblems(
  account: CalendarAccount,
  { whole, of }: AccountPlaces,
  noun: "column" | "key",
): Problem[] {
  const columns = unaccounted(account);
  const deciding = unexplained(account);
  const places = new Set([...columns, ...deciding].map(({ column }) => column));
  const [first] = places;
  if (first === undefined) return [];
  const sentences = [
    ...(columns.length === 0 ? [] : [unknownText(columns, noun) + (account.note ?? "")]),
    ...(deciding.length === 0 ? [] : [valuesText(deciding, noun)]),
    "Correct this proposal and paste it into plancast.yaml, or run `plancast columns --ask`:",
  ];
  const blocks = [
    ...(columns.length === 0 ? [] : columnsBlock(account)),
    ...(deciding.length === 0 ? [] : valuesBlock(deciding)),
  ];
  const code = columns.length === 0 ? "columns/unknown-value" : "columns/unknown";
  const found = problem(code, sentences.join(" "), places.size === 1 ? of(first) : whole);
  return [{ ...found, settings: blocks.join("\n") }];
}

/** The error about the columns of several sheets or files, in place of the errors of one of them. */
export function withSharedError(
  problems: readonly Problem[],
  account: CalendarAccount,
  noun: "column" | "key",
): readonly Problem[] {
  const at = problems.find(isUnexplained);
  if (at === undefined) return problems;
  const { file = "", line, column, cell } = at;
  const place: Position = { file, ...(line && { line }), ...(column && { column }), ...(cell && { cell }) };
  return [
    ...accountProblems(account, { whole: place, of: () => place }, noun),
    ...problems.filter((each) => !isUnexplained(each)),
  ];
}

/** Whether a problem has settings that explain columns or values. */
export function isUnexplained({ settings }: Problem): boolean {
  return settings !== undefined;
}

/** Columns that one message describes with examples. The settings have all of them. */
const MAX_DESCRIBED = 12;

function unknownText(columns: readonly UnaccountedColumn[], noun: "column" | "key"): string {
  const shown = columns.slice(0, MAX_DESCRIBED).map(columnText);
  const more = columns.length - shown.length;
  const list = [...shown, ...(more > 0 ? [`${formatNumber(more)} more`] : [])].join("; ");
  const what = columns.length === 1 ? `this ${noun}` : `these ${formatNumber(columns.length)} ${noun}s`;
  return `plancast does not know what ${what} ${columns.length === 1 ? "holds" : "hold"}: ${list}.`;
}

function columnText({ key, filled, examples, use: { rival } }: UnaccountedColumn): string {
  const cells = examples.map((text) => `"${text}"`).join(", ");
  const also = rival === undefined ? "" : `, and \`${rival.key}\` already is \`${rival.field}\``;
  return `\`${key}\` (${rowsText(filled)}: ${cells}${also})`;
}

/** `columns:` with a line for each of the columns: what it may hold, `ignore`, or a question. */
function columnsBlock(account: CalendarAccount): readonly string[] {
  const lines = Array.from(proposedColumns(account), ([{ key }, { answers, certainty, question = "" }]) => {
    const words = Object.keys(answers).filter((word) => columnTarget(word) !== undefined);
    const said =
      certainty === "open" ? `"${OPEN_ANSWER}" # ${question} (${words.join(", ")})` : (words[0] ?? IGNORE);
    return `  ${yamlKey(key)}: ${said}`;
  });
  return ["columns:", ...lines];
}

const MEANINGS: Readonly<Record<DecidingKind, string>> = {
  status: "ready (published), draft (not published) or skip (never published)",
  answer: "yes or no",
  type: "a type such as post, video or story, or draft or skip",
};

function valuesText(deciding: readonly DecidingColumn[], noun: "column" | "key"): string {
  const blank = noun === "key" ? "posts without this key" : "a blank cell";
  const list = deciding.map(({ key, values }) => {
    const shown = values.map(({ text, rows }) => `${text === "" ? blank : `"${text}"`} (${rowsText(rows)})`);
    return `\`${key}\`: ${shown.join(", ")}`;
  });
  const kinds = [...new Set(deciding.map(({ kind }) => MEANINGS[kind]))];
  return `plancast does not know what these values mean, and they decide what is published: ${list.join("; ")}. Each is ${kinds.join("; or ")}.`;
}

/** `values:` with a line for each value, careful: nothing is published because of it. */
function valuesBlock(deciding: readonly DecidingColumn[]): readonly string[] {
  const lines = deciding.flatMap((column) => [
    `  ${yamlKey(column.key)}:`,
    ...column.values.map(({ text }) => `    ${valueKey(text)}: ${carefulMeaning(column)}`),
  ]);
  return ["values:", ...lines];
}

/** What a value means if nobody corrects the proposal: the row is not published. */
function carefulMeaning({ kind, as }: Pick<DecidingColumn, "kind" | "as">): string {
  switch (kind) {
    case "status":
      return "draft";
    case "type":
      return "skip";
    case "answer":
      return as.kind === "switch" && as.field === "status" && as.value !== "ready" ? "yes" : "no";
  }
}

/** Words such as `yes` and numbers are quoted, so that other readers of YAML take them as text too. */
function valueKey(text: string): string {
  return /^(?:true|false|yes|no|on|off|null|y|n|~)$/i.test(text) ? JSON.stringify(text) : yamlKey(text);
}
