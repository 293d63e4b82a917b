import { fieldNamed } from "../calendar/fold-name.ts";
import { problem, type Problem } from "../calendar/problem.ts";
import { filterColumns, type Only } from "../calendar/row-filter.ts";
import type { Calendar } from "../calendar/row.ts";

/** A filter by a column that no calendar has would leave out every row, and look like nothing to do. */
export function unknownFilterColumns(calendars: readonly Calendar[], only: Only | undefined): Problem[] {
  const found = new Map<string, boolean>();
  for (const { rows, settings } of calendars) {
    for (const name of filterColumns([settings.only ?? {}, only ?? {}])) {
      const isHere =
        fieldNamed(name) !== undefined || rows.some(({ others }) => Object.hasOwn(others ?? {}, name));
      found.set(name, isHere || found.get(name) === true);
    }
  }
  return [...found].flatMap(([name, isFound]) => {
    if (isFound) return [];
    const message = `No calendar has a column "${name}", by which rows are to be chosen. Correct the name; \`plancast columns\` shows those there are.`;
    return [problem("filter/unknown-column", message)];
  });
}
