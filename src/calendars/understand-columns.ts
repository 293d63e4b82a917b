/** Finds out how plancast understands the columns of one calendar, by reading it as for a plan. */

import { dateOrderExamples, mixedDateProblems } from "../checks/when/doubtful-times.ts";
import { type CalendarColumns, type ColumnSample, type SeenStatus } from "../model/columns.ts";
import { STATUSES } from "../model/fields.ts";
import { type Problem, hasErrors } from "../model/problem.ts";
import { filterColumns } from "../model/row-filter.ts";
import type { RawCalendar } from "../model/row.ts";
import type { ProblemCode } from "../problems/catalogue.ts";
import { type CalendarSettings, settingsOf } from "../settings/calendar-settings.ts";
import { presetNamed } from "../settings/presets/presets.ts";
import type { Config } from "../settings/config.ts";
import { type FoundCalendars, findCalendars } from "./find.ts";
import { formatOf } from "./all-formats.ts";
import { readCalendar } from "./read-calendar.ts";

/** A folder with the settings of its calendars; outside a project, without settings. */
export interface ColumnsContext {
  readonly root: string;
  readonly config: Config;
}

/** Finds the project's calendars, and how each is read. */
export async function calendarsOf({ root, config }: ColumnsContext): Promise<FoundCalendars> {
  return findCalendars(root, config.calendars);
}

/** @param file relative to the root, with `/` */
export async function understandColumns(
  { root, config }: ColumnsContext,
  file: string,
  { files: known, entriesOf }: Pick<FoundCalendars, "files" | "entriesOf">,
): Promise<CalendarColumns> {
  const settings = settingsOf(config, entriesOf(file));
  const calendar = await readCalendar(root, file, {
    ...settings,
    known,
    keep: filterColumns([settings.only ?? {}]),
  });
  const { table, notes, encoding, problems } = calendar;
  const cells = samplesOf(calendar);
  const keys = table === undefined && formatOf(file)?.isTable === false ? keysOf(calendar) : undefined;
  const relevant =
    table === undefined
      ? problems.filter(isError)
      : [...problems.filter(isAboutColumns), ...mixedDateProblems(calendar.rows)];
  const dateOrder = dateOrderOf([...cells.values()], settings, notes);
  return {
    file,
    ...(table === undefined ? {} : { table }),
    notes,
    cells,
    ...(keys === undefined || hasErrors(relevant) ? {} : { keys }),
    ...(encoding === undefined ? {} : { encoding }),
    ...(dateOrder === undefined ? {} : { dateOrder }),
    statuses: statusesOf(calendar),
    problems: relevant,
    sourceLine: (line) => calendar.sourceLine(line),
    otherProblems: problems.filter((each) => isError(each) && !relevant.includes(each)).length,
  };
}

/** Whether a plan could use these columns. */
export function areUnderstood({ table, keys, problems }: CalendarColumns): boolean {
  return (table !== undefined || keys !== undefined) && !hasErrors(problems);
}

/** The problems of a header. Ignored columns are not among them, because the columns show that themselves. */
const ABOUT_COLUMNS: readonly ProblemCode[] = [
  "csv/weekly-grid",
  "csv/missing-header",
  "columns/unknown",
  "columns/unknown-value",
  "csv/row-above-header",
  "csv/header-zone",
  "schedule/date-order",
];

function isAboutColumns({ code }: Problem): boolean {
  return ABOUT_COLUMNS.includes(code);
}

function isError({ severity }: Problem): boolean {
  return severity === "error";
}

/** What the cells of each column show. */
function samplesOf({ account, rows, table }: RawCalendar): ReadonlyMap<number, ColumnSample> {
  const orders = [...dateOrderExamples(rows)].map(([order, witness]) => ({ order, ...witness }));
  const dates = table?.columns.find(
    ({ meaning }) =>
      meaning.kind === "used" && (meaning.as.field === "date" || meaning.as.field === "scheduled_at"),
  );
  const filled = (account?.columns ?? []).filter((each) => each.filled > 0);
  return new Map(
    filled.map(({ column, filled: count, examples }) => [
      column,
      { filled: count, samples: examples, orders: column === dates?.column ? orders : [] },
    ]),
  );
}

function dateOrderOf(
  cells: readonly ColumnSample[],
  { date_order, preset }: CalendarSettings,
  notes: RawCalendar["notes"],
): CalendarColumns["dateOrder"] {
  if (date_order !== undefined) {
    const isPresets = preset !== undefined && presetNamed(preset)?.settings.date_order === date_order;
    return { value: date_order, isExplicit: true, ...(isPresets ? { preset } : {}) };
  }
  if (notes?.dateOrder !== undefined) {
    const { order, header } = notes.dateOrder;
    return { value: order, isExplicit: false, header };
  }
  const [value, ...others] = new Set(cells.flatMap(({ orders }) => orders.map(({ order }) => order)));
  return value === undefined || others.length > 0 ? undefined : { value, isExplicit: false };
}

/** The different words of the columns for the status. */
function statusesOf({ account }: RawCalendar): SeenStatus[] {
  const ofStatus = account?.deciding.filter(({ kind }) => kind === "status") ?? [];
  return ofStatus.flatMap(({ values }) =>
    values.flatMap(({ text, rows, meaning, by = "language" }) =>
      text === ""
        ? []
        : [{ text, rows, meaning: STATUSES.find((each) => each === meaning) ?? "unknown", by }],
    ),
  );
}

function keysOf({ rows }: RawCalendar): { name: string; posts: number }[] {
  const counts = new Map<string, number>();
  for (const { cells, variants } of rows) {
    const own = variants.flatMap((each) =>
      Object.keys(each.cells).map((field) => `${field}:${each.platform}`),
    );
    for (const name of [...Object.keys(cells), ...own]) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, posts]) => ({ name, posts }));
}
