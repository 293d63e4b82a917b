/** Whose file a table may be. That is only ever suggested: nothing is read differently because of it. */
import { foldName } from "../calendar/fold-name.ts";
import type { NameMarks, CellMarks, Preset } from "../calendar/preset.ts";
import { PRESETS, presetNamed } from "../calendar/presets.ts";
import { matchesColumnName } from "./column-mapping.ts";

/** The first row of a table: its header, or where there is none, its first record. */
export interface FirstRow {
  readonly cells: readonly string[];
  readonly isNamed: boolean;
}

/**
 * Which preset the table looks like, other than the one that the project file names for it: a sentence with a blank
 * in front, or nothing.
 */
export function presetHint(row: FirstRow, named: string | undefined): string {
  const likely = likelyPreset(row);
  if (likely === undefined || likely.name === named) return "";
  const way =
    named === undefined
      ? "say"
      : `\`preset: ${named}\` is for files of ${presetNamed(named)?.title ?? named}; say`;
  return ` This looks like a file of ${likely.preset.title}: ${way} \`preset: ${likely.name}\` for it in the project file, or try it with \`plancast validate --preset ${likely.name}\`.`;
}

/** What the preset that is named expects of a header, for one that lacks it; in the same form. */
export function presetNames(named: string | undefined): string {
  const preset = presetNamed(named);
  if (preset === undefined) return "";
  return ` With \`preset: ${named}\` they are those of ${preset.title}: ${preset.header.join(", ")}.`;
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
