/** Columns that hold a part of the date or of the time: the day, the month and the year, or am and pm. */

import type { ColumnTarget, Evidence } from "../../model/columns.ts";
import type { Language } from "../../settings/languages/language.ts";
import { LANGUAGES, looseHeader, wordsOf } from "../../settings/languages/languages.ts";

interface PartColumn {
  readonly target: ColumnTarget;
  readonly evidence: Evidence;
}

const HALF: ReadonlySet<string> = new Set(["ampm", "amorpm"]);

/**
 * The columns with a part, by their position from 0. A month or a year counts only beside a day, and a day only if no
 * other column has the date.
 * @param hasDate whether another column has the date
 */
export function partColumns(header: readonly string[], hasDate: boolean): ReadonlyMap<number, PartColumn> {
  const found = new Map<number, PartColumn>();
  const add = (column: number, target: ColumnTarget, languages: readonly string[]): void => {
    if (column !== -1 && !found.has(column))
      found.set(column, { target, evidence: { by: "synonym", isVague: false, languages } });
  };
  const half = header.findIndex((name) => HALF.has(looseHeader(name)));
  add(half, { kind: "append", field: "time" }, ["en"]);
  const language = LANGUAGES.find((each) => columnOf(header, each, "month") !== -1);
  if (language === undefined) return found;
  const day = columnOf(header, language, "day");
  if (!hasDate && day === -1) return found;
  if (!hasDate) add(day, { kind: "field", field: "date" }, [language.code]);
  for (const part of ["month", "year"] as const)
    add(columnOf(header, language, part), { kind: "append", field: "date" }, [language.code]);
  return found;
}

function columnOf(
  header: readonly string[],
  { dateParts }: Language,
  part: keyof Language["dateParts"],
): number {
  const names = new Set(wordsOf(dateParts[part]).filter(isWord).map(looseHeader));
  return header.findIndex((name) => names.has(looseHeader(name)));
}

/** Not a letter of a format, such as `MM`. `Mon` is a day of the week. */
function isWord(name: string): boolean {
  return !/^(\w)\1*$/.test(name) && name !== "mon";
}
