/** `columns --format json`: the contract with scripts. */

import {
  type CalendarColumns,
  type Evidence,
  type ProjectFileEdit,
  type Sourced,
  type UnderstoodColumn,
  columnLetters,
  targetText,
} from "../../model/columns.ts";
import type { Problem } from "../../model/problem.ts";
import { problemDocument } from "../problems/problems-json.ts";

/** @param problems why there is no result; those of the calendars are added */
export function columnsDocument(
  calendars: readonly CalendarColumns[],
  edit: ProjectFileEdit | undefined,
  problems: readonly Problem[],
) {
  return {
    version: 1,
    calendars: calendars.map(calendarDocument),
    ...(edit === undefined
      ? {}
      : { written: { file: edit.file, changed: edit.added.length > 0, added: edit.added } }),
    problems: [...problems, ...calendars.flatMap((each) => each.problems)].map(problemDocument),
  };
}

function calendarDocument({ file, table, cells, keys, encoding, dateOrder }: CalendarColumns) {
  return {
    file,
    ...(encoding === undefined ? {} : { encoding: { value: encoding.name, by: encoding.by } }),
    ...settingDocument("delimiter", table?.delimiter),
    ...settingDocument("sheet", table?.sheet),
    ...settingDocument("header_row", table?.headerRow),
    ...settingDocument("date_order", dateOrder),
    ...(keys === undefined ? {} : { keys }),
    ...(table === undefined ? {} : { columns: table.columns.map((each) => columnDocument(each, cells)) }),
  };
}

function settingDocument(name: string, of: Sourced<unknown> | undefined): object {
  return of === undefined ? {} : { [name]: { value: of.value, said: of.isExplicit } };
}

/** Columns count from 1. */
function columnDocument(understood: UnderstoodColumn, cells: CalendarColumns["cells"]) {
  const { column, name, group, key, meaning, suggestion, isFilter } = understood;
  const { filled = 0, samples = [], orders = [] } = cells.get(column) ?? {};
  return {
    column: column + 1,
    letter: columnLetters(column),
    header: name,
    ...(group === "" || group === name ? {} : { group }),
    ...(key === undefined ? {} : { key }),
    kind: meaning.kind,
    ...("as" in meaning ? { stands_for: targetText(meaning.as) } : {}),
    ...("evidence" in meaning ? evidenceDocument(meaning.evidence) : {}),
    ...(meaning.kind === "duplicate" ? { first: meaning.first + 1 } : {}),
    ...(meaning.kind === "outdone" ? { surer: meaning.winner + 1 } : {}),
    ...(suggestion === undefined ? {} : { suggestion }),
    filter: isFilter,
    filled,
    samples,
    ...(orders.length === 0 ? {} : { date_orders: orders }),
  };
}

function evidenceDocument(evidence: Evidence): object {
  if (evidence.by !== "synonym") return { known_by: evidence.by };
  return { known_by: evidence.by, vague: evidence.isVague, languages: evidence.languages };
}
