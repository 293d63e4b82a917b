import type { Position } from "../calendar/problem.ts";
import { scanRecord } from "./csv-cells.ts";
import type { SourceText } from "./source-text.ts";
import type { TableSource } from "./table-source.ts";

/** The cells of delimited text. A record's number is the offset at which it starts. */
export class CsvSource implements TableSource {
  readonly #source: SourceText;
  readonly #delimiter: string;

  constructor(source: SourceText, delimiter: string) {
    this.#source = source;
    this.#delimiter = delimiter;
  }

  get file(): string {
    return this.#source.file;
  }

  get surplusRemedy(): string {
    const name = this.#delimiter === "\t" ? "a tab" : `\`${this.#delimiter}\``;
    return `Put a cell that holds ${name} in quotes.`;
  }

  lineOf(record: number): number {
    return this.#source.lineOf(record);
  }

  at(record: number, column?: number): Position {
    if (column === undefined) return this.#source.at(record);
    let index = 0;
    for (const cell of scanRecord(this.#source.text, record, this.#delimiter)) {
      if (index === column) return this.#source.at(cell.start, cell.end);
      index += 1;
    }
    return this.#source.at(record);
  }
}
