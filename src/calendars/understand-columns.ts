/** Finds out how plancast understands the columns of one calendar, by reading it as for a plan. */

import { dateOrderExamples, mixedDateProblems } from "../checks/when/doubtful-times.ts";
import type { CalendarAccount, CalendarColumns, DateExample } from "../model/column-account.ts";
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
  const account = calendar.account ?? (formatOf(file)?.isTable === false ? NO_KEYS : undefined);
  const relevant =
    table === undefined
      ? problems.filter(isError)
      : [...problems.filter(isAboutColumns), ...mixedDateProblems(calendar.rows)];
  const dateExamples =
    table === undefined
      ? []
      : [...dateOrderExamples(calendar.rows)].map(([order, witness]) => ({ order, ...witness }));
  const dateOrder = dateOrderOf(dateExamples, settings, notes);
  return {
    file,
    ...(table === undefined ? {} : { table }),
    ...(account === undefined || (table === undefined && hasErrors(relevant)) ? {} : { account }),
    notes,
    ...(encoding === undefined ? {} : { encoding }),
    ...(dateOrder === undefined ? {} : { dateOrder }),
    dateExamples,
    problems: relevant,
    sourceLine: (line) => calendar.sourceLine(line),
    otherProblems: problems.filter((each) => isError(each) && !relevant.includes(each)).length,
  };
}

/** Whether a plan could use these columns. */
export function areUnderstood({ account, problems }: CalendarColumns): boolean {
  return account !== undefined && !hasErrors(problems);
}

/** Of a file without a post, such as a note. */
const NO_KEYS: CalendarAccount = { columns: [], deciding: [] };

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

function dateOrderOf(
  examples: readonly DateExample[],
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
  const [value, ...others] = new Set(examples.map(({ order }) => order));
  return value === undefined || others.length > 0 ? undefined : { value, isExplicit: false };
}
