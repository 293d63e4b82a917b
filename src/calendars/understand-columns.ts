/** Finds out how plancast understands the columns of one calendar, by reading it as for a plan. */

import { type DateOrderExamples, noteDateOrder, mixedDateProblems } from "../checks/when/doubtful-times.ts";
import { type CalendarColumns, type ColumnSample, type SeenStatus } from "../model/columns.ts";
import { STATUSES } from "../model/fields.ts";
import { type Problem, hasErrors } from "../model/problem.ts";
import { filterColumns } from "../model/row-filter.ts";
import type { RawCalendar } from "../model/row.ts";
import type { ProblemCode } from "../problems/catalogue.ts";
import { type CalendarSettings, settingsOf } from "../settings/calendar-settings.ts";
import { presetNamed } from "../settings/presets/presets.ts";
import type { Config } from "../settings/config.ts";
import type { Columns } from "./columns/columns.ts";
import { type FoundCalendars, findCalendars } from "./find.ts";
import { formatOf } from "./all-formats.ts";
import { readCalendar } from "./read-calendar.ts";
import type { EachRow } from "./read/format.ts";

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
  const looking = new Map<number, CellStats>();
  const calendar = await readCalendar(root, file, {
    ...settings,
    known,
    keep: filterColumns([settings.only ?? {}]),
    eachRow: collectCells(looking),
  });
  const { table, notes, encoding, problems } = calendar;
  const cells = new Map([...looking].map(([column, each]) => [column, cellsOf(each)]));
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

const MAX_SAMPLES = 3;
/** Maximum length of a sample, in UTF-16 units. */
const SAMPLE_UNITS = 200;

interface CellStats {
  filled: number;
  readonly samples: Set<string>;
  readonly orders: DateOrderExamples;
}

/** Looks at every cell of every row, and stores little. */
function collectCells(found: Map<number, CellStats>): EachRow {
  let known: { readonly columns: Columns; readonly dates: ReadonlySet<number> } | undefined;
  return (cells, columns, line) => {
    if (known?.columns !== columns) known = { columns, dates: dateColumns(columns) };
    for (const [column, cell] of cells.entries()) {
      const text = cell.trim();
      if (text === "") continue;
      const each = found.get(column) ?? { filled: 0, samples: new Set(), orders: new Map() };
      if (each.filled === 0) found.set(column, each);
      each.filled += 1;
      if (each.samples.size < MAX_SAMPLES) each.samples.add(text.slice(0, SAMPLE_UNITS));
      if (known.dates.has(column)) noteDateOrder(each.orders, text.slice(0, SAMPLE_UNITS), line);
    }
  };
}

function dateColumns({ meanings }: Columns): ReadonlySet<number> {
  const isDate = (column: number): boolean => {
    const meaning = meanings[column];
    if (meaning?.kind !== "used") return false;
    return meaning.as.field === "date" || meaning.as.field === "scheduled_at";
  };
  return new Set([...meanings.keys()].filter(isDate));
}

function cellsOf({ filled, samples, orders }: CellStats): ColumnSample {
  return {
    filled,
    samples: [...samples],
    orders: [...orders].map(([order, witness]) => ({ order, ...witness })),
  };
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
