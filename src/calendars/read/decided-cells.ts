/**
 * What several columns together say about a row: a row is ready only if all of them say so. Only the whole column shows
 * what a blank cell means, so this comes after reading the rows.
 */

import type { CalendarAccount } from "../../model/column-account.ts";
import type { RowVariant } from "../../model/row.ts";
import { withoutMidnight } from "../columns/account-for.ts";
import { strictestType } from "../../settings/post-types.ts";
import type { RowsTable, TableRow } from "./rows-table.ts";
import { strongest } from "./yes-or-no.ts";

/** In place of a word that nobody has explained: the file has an error about it. */
const UNEXPLAINED = "unknown";

/** The rows with what only their whole columns show. @param areDates whether the time 00:00 of all dates says nothing */
export function decidedRows(
  rows: readonly TableRow[],
  table: RowsTable,
  account: CalendarAccount,
  areDates: boolean,
): readonly TableRow[] {
  const decided = withDecidedCells(rows, table, account);
  if (!areDates) return decided;
  return decided.map((row) => {
    const { date } = row.cells;
    return typeof date === "string" ? row.asDecided({ date: withoutMidnight(date) }, row.variants) : row;
  });
}

/** The rows with the status and type that their columns give them. */
function withDecidedCells(
  rows: readonly TableRow[],
  { values, decided }: RowsTable,
  { deciding }: CalendarAccount,
): readonly TableRow[] {
  if (decided.length === 0) return rows;
  const blanks = new Map(
    deciding.map((each) => [each.column, each.values.find(({ text }) => text === "")?.meaning]),
  );
  return rows.map((row) => {
    const said = decided.flatMap((column, index) => {
      const of = values.get(column);
      const text = row.decidedCells[index] ?? "";
      if (of === undefined) return [];
      const isBlank = text.trim() === "";
      const meaning = isBlank ? blanks.get(column) : of.read(text).meaning;
      return [{ column, as: of.as, kind: of.kind, text: meaning ?? UNEXPLAINED, isBlank }];
    });
    const ofRow = said.filter(
      ({ as, kind, text }) =>
        as.kind === "field" && (kind === "status" || text === "draft" || text === "skip"),
    );
    const type = strictestType(said.filter(({ kind }) => kind === "type"));
    const own = row.cells.status;
    // A yes-or-no column has given the row a status.
    const answered = typeof own === "object" ? own.map((text) => ({ text, column: undefined })) : [];
    const status = strongest([...answered, ...ofRow].filter(({ text }) => text !== "ready"));
    const hasStatus =
      status !== undefined || ofRow.some(({ isBlank }) => !isBlank) || typeof own === "object";
    // A blank cell that means ready says nothing.
    const ofNetworks = said.flatMap(({ as, ...each }) =>
      as.kind === "variant" && !(each.isBlank && each.text === "ready")
        ? [{ ...each, platform: as.platform }]
        : [],
    );
    return row.asDecided(
      {
        ...(hasStatus ? { status: status?.text ?? "ready" } : {}),
        ...(type === undefined ? {} : { type: type.text }),
      },
      ofNetworks.reduce((variants, each) => withStatus(row, variants, each), row.variants),
      {
        ...(status?.column === undefined ? {} : { status: [{ column: status.column }] }),
        ...(type === undefined ? {} : { type: [{ column: type.column }] }),
      },
    );
  });
}

/** The parts of a row for single networks, with the status for one of them. A network has only one part. */
function withStatus(
  row: TableRow,
  variants: readonly RowVariant[],
  { platform, text, column }: { readonly platform: string; readonly text: string; readonly column: number },
): readonly RowVariant[] {
  const own = variants.find((each) => each.platform === platform);
  const joined: RowVariant = {
    platform,
    cells: { ...own?.cells, status: text },
    at: (field, item) =>
      field === "status" || own === undefined ? row.atColumn(column) : own.at(field, item),
  };
  return [...variants.filter((each) => each !== own), joined];
}
