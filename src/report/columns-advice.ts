/** What to do about columns that are not understood, and the like: one function each. */
import type { CalendarColumns } from "../calendar/calendar-columns.ts";
import { isIgnoredByDefault, type UnderstoodColumn } from "../calendar/table-columns.ts";
import { yamlKey } from "../calendar/yaml-key.ts";
import { dateEvidence } from "./columns-view.ts";
import { plural } from "./plural.ts";

type Advise = (calendar: CalendarColumns) => string | undefined;

const ADVICE: readonly Advise[] = [unknownColumns, unclearDates, otherProblems];

/** Sentences, not escaped yet. */
export function columnsAdvice(calendar: CalendarColumns): string[] {
  return ADVICE.flatMap((advise) => advise(calendar) ?? []);
}

/** Columns that the example names. */
const MAX_NAMED = 3;

function unknownColumns({ table }: CalendarColumns): string | undefined {
  const columns = table?.columns ?? [];
  const unknown = columns.filter(isIgnoredByDefault);
  // Where nothing is understood, what is wrong is not the columns' names.
  if (unknown.length === columns.length) return undefined;
  if (unknown.length === 0) return undefined;
  const nameable = unknown.filter(({ key }) => key !== undefined);
  const count = `${plural(unknown.length, "column is", "columns are")} left out.`;
  if (nameable.length === 0) return `${count} To use one, give it a name in the header.`;
  // A name that is near a field's is the better example.
  const [first, ...others] = nameable.toSorted((one, other) => hinted(one) - hinted(other));
  const named = [first, ...others]
    .slice(0, MAX_NAMED)
    .flatMap((each) => (each === undefined ? [] : entryText(each)));
  return `${count} Say in the project file what one stands for, or \`ignore\`, which silences the warning: \`columns: { ${named.join(", ")} }\`.`;
}

function hinted({ suggestion }: UnderstoodColumn): number {
  return suggestion === undefined ? 1 : 0;
}

function entryText({ key = "", suggestion }: UnderstoodColumn): string {
  return `${yamlKey(key)}: ${suggestion ?? "ignore"}`;
}

function unclearDates(calendar: CalendarColumns): string | undefined {
  const orders = new Set(
    [...calendar.cells.values()].flatMap((each) => each.orders.map(({ order }) => order)),
  );
  if (orders.size < 2) return undefined;
  return `The dates do not have one order: ${dateEvidence(calendar)}. Write them alike, such as 2027-03-01.`;
}

function otherProblems({ file, otherProblems: count }: CalendarColumns): string | undefined {
  if (count === 0) return undefined;
  return `${plural(count, "row or cell", "rows and cells")} cannot be read: \`plancast validate ${file}\` names each.`;
}
