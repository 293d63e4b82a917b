/** Messages about a table's header, with a guess which scheduler wrote the file. */

import { foldName } from "../../model/text.ts";
import { type Problem, type Question, problem } from "../../model/problem.ts";
import type { CellMarks, NameMarks, Preset } from "../../settings/presets/preset.ts";
import { PRESETS, presetNamed } from "../../settings/presets/presets.ts";
import { namesDay, weekdayIn } from "../columns/cell-kinds.ts";
import { type MissingColumn, matchesColumnName, missingColumns } from "../columns/columns.ts";
import type { TableSource } from "./format.ts";
import type { Header, TableRecord } from "./table-header.ts";

/** Maximum number of columns that one message names. A scheduler's export has a hundred. */
const MAX_NAMED = 12;

const BY_POSITION =
  "set `header_row: none` and `columns: { 1: scheduled_at, 2: content }` in plancast.yaml to name the columns by position";

/** Problems of a header: missing columns. `hint`: which scheduler wrote the file, after a space. */
export function headerProblems(
  source: TableSource,
  header: Header,
  hint: string,
  seen: readonly TableRecord[],
): Problem[] {
  const { columns, isNamed } = header;
  const missing = missingColumns(columns);
  const grid = missing.length > 0 && isNamed ? gridRecord(header, seen) : undefined;
  if (grid !== undefined) return [problem("csv/weekly-grid", GRID, source.at(grid))];
  return missing.length === 0 ? [] : [missingHeader(source, header, missing, hint)];
}

/** The fields that no column holds, and whether the header may be another row: sentences after a space, or nothing. */
export function missingText({ columns, isNamed }: Header, hasKeys: boolean): string {
  const lacks = missingColumns(columns).map((each) => each.name);
  if (lacks.length === 0) return "";
  const other =
    isNamed && !hasKeys && columns.fields.every((field) => field === undefined)
      ? " If another row is the header, set `header_row:` to its number."
      : "";
  return ` One of them must be ${lacks.join(", and one ")}.${other}`;
}

function missingHeader(
  source: TableSource,
  header: Header,
  missing: readonly MissingColumn[],
  hint: string,
): Problem {
  const lacks = missing.map((each) => each.name);
  const { names, record, columns } = header;
  const place = source.at(record);
  if (!header.isNamed) {
    const message = `There is no column for ${lacks.join(", and none for ")}. With \`header_row: none\`, name the columns by position, for example \`columns: { 1: scheduled_at, 2: content }\`.`;
    return problem("csv/missing-header", message + hint, place);
  }
  const seen = shortList(names.map((name) => `\`${showName(name)}\``));
  const remedy = "Name it in the header, or map your own header under `columns:` in plancast.yaml.";
  if (columns.fields.every((field) => field === undefined)) {
    const message = `No row names a column that plancast knows. It needs ${lacks.join(", and ")}, but this row has ${seen}. ${remedy} If there is no header, ${BY_POSITION}.`;
    return problem("csv/missing-header", message + hint, place);
  }
  const message = `The header has no column for ${lacks.join(", and none for ")}. Its columns are ${seen}. ${remedy}`;
  return problem("csv/missing-header", message + hint, place);
}

const GRID =
  "This looks like a weekly grid or a wall calendar, with the days across. plancast reads lists: one row for each post, with columns for its date, time, network and text. " +
  "Copy the posts into a list. `plancast init` makes an example.";

/** Days across that show a grid. */
const MIN_DAYS = 3;

/** The record that names the days of a grid. This row may have fewer known names than another row. */
function gridRecord({ names, record }: Header, seen: readonly TableRecord[]): number | undefined {
  return isGrid(names) ? record : seen.find(({ cells }) => weekdaysIn(cells) >= MIN_DAYS)?.number;
}

function weekdaysIn(cells: readonly string[]): number {
  return new Set(cells.map(weekdayIn).filter((day) => day !== undefined)).size;
}

/** Whether most cells of a row are days of the week or dates. An export of tasks also has several dates in a row. */
function isGrid(names: readonly string[]): boolean {
  const days = names.filter(
    (name) => weekdayIn(name.split(/[\s,]/)[0] ?? "") !== undefined || namesDay(name),
  ).length;
  return days >= MIN_DAYS && 2 * days >= names.filter((name) => name.trim() !== "").length;
}

function shortList(list: readonly string[]): string {
  if (list.length <= MAX_NAMED + 1) return list.join(", ");
  return `${list.slice(0, MAX_NAMED).join(", ")} and ${list.length - MAX_NAMED} more (\`plancast columns\` lists all)`;
}

/** A header cell as it is named in a message: short, on one line. */
function showName(name = ""): string {
  const line = name.trim().replaceAll(/\s+/g, " ");
  return line.length > 40 ? `${line.slice(0, 39)}…` : line;
}

// Which scheduler may have written a table. This is only a suggestion; it does not change how the file is read.

/**
 * Which preset the table looks like, other than the one in plancast.yaml: a sentence after a space, or nothing.
 * @param row the table's header, or the first record if it has none
 */
export function presetHint(row: readonly string[], named: string | undefined): string {
  const likely = likelyPreset(row);
  if (likely === undefined || likely.name === named) return "";
  const way =
    named === undefined
      ? "set"
      : `\`preset: ${named}\` is for files from ${presetNamed(named)?.title ?? named}, so set`;
  return ` This looks like a file from ${likely.preset.title}: ${way} \`preset: ${likely.name}\` for it in plancast.yaml, or try it with \`plancast validate --preset ${likely.name}\`.`;
}

/** Whether the file comes from that scheduler. Asks only if the project has no preset. `row` is as for `presetHint`. */
export function presetQuestions(row: readonly string[], named: string | undefined): Question[] {
  const likely = named === undefined ? likelyPreset(row) : undefined;
  return likely === undefined ? [] : [{ topic: "preset", name: likely.name, title: likely.preset.title }];
}

/** What the named preset expects of a header that does not match it, in the same form. */
export function presetNames(named: string | undefined): string {
  const preset = presetNamed(named);
  if (preset === undefined) return "";
  return ` With \`preset: ${named}\`, the columns of ${preset.title} are ${preset.header.join(", ")}.`;
}

function likelyPreset(row: readonly string[]): { name: string; preset: Preset } | undefined {
  const filled = row.findLastIndex((cell) => cell.trim() !== "") + 1;
  const found = Object.entries(PRESETS).find(([, { marks }]) =>
    "names" in marks ? hasNames(row, marks) : hasCells(row, filled, marks),
  );
  return found === undefined ? undefined : { name: found[0], preset: found[1] };
}

function hasNames(cells: readonly string[], { names }: NameMarks): boolean {
  const folded = cells.map(foldName);
  return names.every((name) => folded.some((cell) => matchesColumnName(cell, name)));
}

function hasCells(
  row: readonly string[],
  filled: number,
  { cells, width: [least, most] }: CellMarks,
): boolean {
  if (filled < least || filled > most) return false;
  return Object.entries(cells).every(([position, form]) =>
    form.test((row[Number(position) - 1] ?? "").trim()),
  );
}
