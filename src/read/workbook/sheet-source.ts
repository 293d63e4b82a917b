import type { Position } from "../../calendar/problem.ts";
import type { TableSource } from "../table-source.ts";
import { cellInSheet } from "./cell-name.ts";

/** The cells of a sheet. A record's number is the row's. */
export class SheetSource implements TableSource {
  readonly file: string;
  readonly surplusRemedy = "Name each column in the header.";
  readonly #sheet: string;

  constructor(file: string, sheet: string) {
    this.file = file;
    this.#sheet = sheet;
  }

  lineOf(record: number): number {
    return record;
  }

  at(record: number, column = 0): Position {
    return {
      file: this.file,
      line: record,
      column: column + 1,
      cell: cellInSheet(this.#sheet, record, column),
    };
  }
}
