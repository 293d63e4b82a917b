/**
 * Where plancast writes results in a sheet: only into its own columns, beside rows that are as they were fetched. People
 * edit the sheet meanwhile, so a row is found by its id, or by its cells. Pure.
 */

import { SHEET_RESULTS, SHEET_RESULT_NAMES, type SheetResult } from "../model/columns.ts";
import { groupBy } from "../model/data.ts";
import type { SheetLine, SheetTab } from "./sheet-copy.ts";
import { guarded } from "./columns/formula-guard.ts";

/** What became of the posts of one row. */
export interface RowResult extends Readonly<Record<SheetResult, string>> {
  /** The row of the copy, from 1. */
  readonly line: number;
}

/** A cell to write: row from 1, column from 0. */
interface SheetCell {
  readonly row: number;
  readonly column: number;
  readonly text: string;
}

export interface PlannedResults {
  readonly cells: readonly SheetCell[];
  /** Headers that the sheet lacks. `cells` has them, at its right end. */
  readonly added: readonly string[];
  /** Rows of the copy that get no result, and why. */
  readonly refused: readonly { readonly line: number; readonly why: string }[];
}

/** @param copy the tab as it was fetched  @param now the tab as it is */
export function plannedResults(copy: SheetTab, now: SheetTab, results: readonly RowResult[]): PlannedResults {
  const known = new Map([...now.results].map(([column, name]) => [name, column]));
  const lacking = SHEET_RESULT_NAMES.filter((name) => !known.has(name));
  const columns = new Map<SheetResult, number>([
    ...known,
    ...lacking.map((name, index) => [name, now.width + index] as const),
  ]);
  const headers = lacking.map((name) => ({
    row: now.header,
    column: columns.get(name) ?? 0,
    text: SHEET_RESULTS[name],
  }));
  const rows = new RowFinder(copy, now);
  const texts = new Map(now.written.map(({ line, column, text }) => [`${line}:${column}`, text]));
  const refused: PlannedResults["refused"][number][] = [];
  const cells = results.flatMap((result): SheetCell[] => {
    const row = rows.find(result.line);
    if (typeof row !== "number") {
      refused.push({ line: result.line, why: row.why });
      return [];
    }
    return SHEET_RESULT_NAMES.flatMap((name) => {
      const column = columns.get(name) ?? 0;
      const text = guarded(result[name]);
      const there = texts.get(`${row}:${column}`) ?? "";
      if (there === text) return [];
      if (isOwnText(name, there)) return [{ row, column, text }];
      refused.push({
        line: result.line,
        why: `somebody wrote into its cell in the column “${SHEET_RESULTS[name]}”`,
      });
      return [];
    });
  });
  return {
    cells: cells.length === 0 ? [] : [...headers, ...cells],
    added: lacking.map((name) => SHEET_RESULTS[name]),
    refused,
  };
}

const STATES =
  /^'?(?:scheduled|published|failed|expired|cancelled|missing|held|unknown|not applied|skipped|draft)\b/;
const LINK_LINE = /^(?:[\w./, -]{1,200}: )?https?:\/\/\S+$/;

/** Whether plancast wrote a text, or nobody did. */
function isOwnText(name: SheetResult, text: string): boolean {
  if (text === "") return true;
  const lines = text.split("\n");
  return name === "link"
    ? lines.every((line) => LINK_LINE.test(line))
    : lines.every((line) => STATES.test(line.replace(/^[\w./, -]{1,200}: /, "")) || STATES.test(line));
}

const CHANGED = "it has changed, moved or gone since the last fetch";

class RowFinder {
  readonly #copy: SheetTab;
  readonly #now: SheetTab;
  readonly #before: ReadonlyMap<string, readonly SheetLine[]>;
  readonly #after: ReadonlyMap<string, readonly SheetLine[]>;
  readonly #byLine: ReadonlyMap<number, SheetLine>;

  constructor(copy: SheetTab, now: SheetTab) {
    this.#copy = copy;
    this.#now = now;
    this.#before = groupBy(copy.lines, cellsOf);
    this.#after = groupBy(now.lines, cellsOf);
    this.#byLine = new Map(copy.lines.map((each) => [each.line, each]));
  }

  /** The number of the row in the sheet as it is. */
  find(line: number): number | { readonly why: string } {
    const row = this.#byLine.get(line);
    if (row === undefined) return { why: CHANGED };
    const before = this.#before.get(cellsOf(row)) ?? [];
    const after = this.#after.get(cellsOf(row)) ?? [];
    // Of equal rows, nobody knows which one is gone.
    const same = before.length === after.length ? after[before.indexOf(row)] : undefined;
    return same?.line ?? this.#byId(row) ?? { why: CHANGED };
  }

  #byId({ cells }: SheetLine): number | undefined {
    const [was, is] = [this.#copy.ids, this.#now.ids];
    const id = was === undefined ? "" : (cells[was] ?? "");
    if (is === undefined || id === "") return undefined;
    const [found, ...others] = this.#now.lines.filter(
      (each) => each.line > this.#now.header && each.cells[is] === id,
    );
    return others.length === 0 ? found?.line : undefined;
  }
}

function cellsOf({ cells }: Pick<SheetLine, "cells">): string {
  return JSON.stringify(cells);
}
