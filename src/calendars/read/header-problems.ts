/** Messages about a table's header, with a guess which scheduler wrote the file. */

import { isIgnoredByDefault, yamlKey } from "../../model/columns.ts";
import { didYouMean, foldName, formatNumber } from "../../model/text.ts";
import { type Problem, problem } from "../../model/problem.ts";
import type { CellMarks, NameMarks, Preset } from "../../settings/presets/preset.ts";
import { PRESETS, presetNamed } from "../../settings/presets/presets.ts";
import { matchesColumnName, missingColumns } from "../columns/columns.ts";
import type { TableSource } from "./format.ts";
import { type SeenColumns, qualifiedName, understoodColumns } from "./table-columns.ts";
import type { Header } from "./table-header.ts";

/** Maximum number of columns that one message names. A scheduler's export has a hundred. */
const MAX_NAMED = 12;

const BY_POSITION =
  "set `header_row: none` and `columns: { 1: scheduled_at, 2: content }` in plancast.yaml to name the columns by position";

/** Problems of a header: repeated columns, missing columns. `hint`: which scheduler wrote the file, after a blank. */
export function headerProblems(source: TableSource, header: Header, hint: string): Problem[] {
  const { record, columns, isNamed } = header;
  const twice = columns.duplicates.map(({ column, first, field }) => {
    const [name, other] = [columnName(header, column), columnName(header, first)];
    const way = isNamed
      ? `Exclude one with \`${columnKey(header, column)}: ignore\` under \`columns:\` in plancast.yaml, or rename or remove it.`
      : "Keep one of them under `columns:` in plancast.yaml.";
    const message = `${name} and ${other} are both \`${field}\`. ${way}`;
    return problem("csv/duplicate-header", message, source.at(record, column));
  });
  const missing = missingColumns(columns);
  return missing.length === 0 ? twice : [missingHeader(source, header, missing, hint), ...twice];
}

function missingHeader(
  source: TableSource,
  header: Header,
  missing: readonly string[],
  hint: string,
): Problem {
  const { names, record, columns } = header;
  const place = source.at(record);
  if (!header.isNamed) {
    const message = `There is no column for ${missing.join(", and none for ")}. With \`header_row: none\`, name the columns by position, for example \`columns: { 1: scheduled_at, 2: content }\`.`;
    return problem("csv/missing-header", message + hint, place);
  }
  const seen = shortList(names.map((name) => `\`${showName(name)}\``));
  const remedy =
    "Name it in the header, or map your own header under `columns:` in plancast.yaml.";
  if (columns.fields.every((field) => field === undefined)) {
    const message = `No row names a column that plancast knows. It needs ${missing.join(", and ")}, but this row has ${seen}. ${remedy} If there is no header, ${BY_POSITION}.`;
    return problem("csv/no-header", message + hint, place);
  }
  const message = `The header has no column for ${missing.join(", and none for ")}. Its columns are ${seen}. ${remedy}`;
  return problem("csv/missing-header", message + hint, place);
}

/** One warning for all ignored columns. `hint`: which scheduler wrote the file, after a blank. */
export function unknownColumns(source: TableSource, seen: SeenColumns, hint: string): Problem[] {
  const { header } = seen;
  // If a header names nothing, it is reported as missing. Reporting its ignored cells would add nothing.
  if (header.columns.fields.every((field) => field === undefined)) return [];
  const ignored = understoodColumns(seen).filter(isIgnoredByDefault);
  const [first] = ignored;
  if (first === undefined) return [];
  const list = ignored.map(({ column, suggestion }) => {
    const near = didYouMean(suggestion).replace(/ D(.*)/, " (d$1)");
    return `${columnName(header, column)}${near}`;
  });
  const message = `${ignored.length === 1 ? "plancast ignores this column" : "plancast ignores these columns"}: ${shortList(list)}.${addressesText(seen, ignored)}${hint}`;
  const place = source.at(header.record, header.isNamed ? first.column : undefined);
  return [problem("csv/unknown-column", message, place)];
}

/** What is lost with an ignored column of web addresses: a sentence after a blank, or nothing. */
function addressesText({ header, addresses }: SeenColumns, ignored: readonly { readonly column: number }[]): string {
  const lost = ignored.flatMap(({ column }) => {
    const count = addresses.get(column) ?? 0;
    if (count === 0) return [];
    return [`${columnName(header, column)} holds ${count === 1 ? "1 web address" : `${formatNumber(count)} web addresses`}`];
  });
  return lost.length === 0 ? "" : ` ${shortList(lost)}, which plancast does not publish: put them into the text.`;
}

function shortList(list: readonly string[]): string {
  if (list.length <= MAX_NAMED + 1) return list.join(", ");
  return `${list.slice(0, MAX_NAMED).join(", ")} and ${list.length - MAX_NAMED} more (\`plancast columns\` lists all)`;
}

/** A column as a message names it. */
export function columnName(header: Header, column: number): string {
  const name = qualifiedName(header, column);
  return name === "" ? `column ${column + 1}` : `\`${showName(name)}\``;
}

/** A header cell as it is named in a message: short, on one line. */
function showName(name = ""): string {
  const line = name.trim().replaceAll(/\s+/g, " ");
  return line.length > 40 ? `${line.slice(0, 39)}…` : line;
}

/** A column as a key of `columns:` in YAML, quoted where it needs to be. */
export function columnKey(header: Header, column: number): string {
  if (!header.isNamed) return String(column + 1);
  return yamlKey(qualifiedName(header, column));
}

// Which scheduler may have written a table. This is only a suggestion; it does not change how the file is read.

/** The first row of a table: its header, or the first record if it has none. */
export interface FirstRow {
  readonly cells: readonly string[];
  readonly isNamed: boolean;
}

/** Which preset the table looks like, other than the one in plancast.yaml: a sentence after a blank, or nothing. */
export function presetHint(row: FirstRow, named: string | undefined): string {
  const likely = likelyPreset(row);
  if (likely === undefined || likely.name === named) return "";
  const way =
    named === undefined
      ? "set"
      : `\`preset: ${named}\` is for files from ${presetNamed(named)?.title ?? named}, so set`;
  return ` This looks like a file from ${likely.preset.title}: ${way} \`preset: ${likely.name}\` for it in plancast.yaml, or try it with \`plancast validate --preset ${likely.name}\`.`;
}

/** What the named preset expects of a header that does not match it, in the same form. */
export function presetNames(named: string | undefined): string {
  const preset = presetNamed(named);
  if (preset === undefined) return "";
  return ` With \`preset: ${named}\`, the columns of ${preset.title} are ${preset.header.join(", ")}.`;
}

function likelyPreset({ cells, isNamed }: FirstRow): { name: string; preset: Preset } | undefined {
  const filled = cells.findLastIndex((cell) => cell.trim() !== "") + 1;
  const found = Object.entries(PRESETS).find(([, { marks }]) =>
    "names" in marks ? isNamed && hasNames(cells, marks) : hasCells(cells, filled, marks),
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
