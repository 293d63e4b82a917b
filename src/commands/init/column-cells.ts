/** What the columns of a calendar hold, so that a question about a column can show some of its cells. */

import type { EachRow } from "../../calendars/read/format.ts";
import type { UnderstoodTable } from "../../model/columns.ts";
import { foldValue } from "../../model/row-filter.ts";
import type { ShownColumn } from "../../report/init/asked-question.ts";

/** More different cells show nothing new. */
const MAX_VALUES = 100;
const MAX_SAMPLES = 3;
/** Longest text of a cell that is kept, in UTF-16 units. */
const MAX_UNITS = 200;

/** The cells of each column, from the first row to the last. */
export class ColumnCells {
  readonly #values = new Map<number, Map<string, { readonly text: string; rows: number }>>();

  readonly note: EachRow = (cells) => {
    for (const [column, cell] of cells.entries()) {
      const text = cell.trim().slice(0, MAX_UNITS);
      if (text === "") continue;
      const values = this.#values.get(column) ?? new Map<string, { readonly text: string; rows: number }>();
      this.#values.set(column, values);
      const key = foldValue(text);
      const known = values.get(key);
      if (known !== undefined) known.rows += 1;
      else if (values.size < MAX_VALUES) values.set(key, { text, rows: 1 });
    }
  };

  /** @param key the column's name under `columns:` */
  shown(key: string, table: UnderstoodTable | undefined): ShownColumn {
    const found = table?.columns.find((each) => each.key === key);
    const values = [...(this.#values.get(found?.column ?? -1)?.values() ?? [])];
    return {
      key,
      header: found === undefined || found.name.trim() === "" ? undefined : found.name.trim(),
      samples: values.slice(0, MAX_SAMPLES).map(({ text }) => text),
      rowsWith: (text) => this.#values.get(found?.column ?? -1)?.get(foldValue(text))?.rows ?? 0,
    };
  }
}
