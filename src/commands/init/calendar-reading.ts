/**
 * A calendar as the project would read it with some settings, and what its columns hold, so that a question about a
 * column can show some of its cells.
 */

import { configSchema } from "../../calendars/check-project.ts";
import { checkCalendars } from "../../calendars/check.ts";
import { findCalendars, patternFor } from "../../calendars/find.ts";
import { readCalendar } from "../../calendars/read-calendar.ts";
import type { EachRow } from "../../calendars/read/format.ts";
import { type UnplannedRow, validate } from "../../checks/validate.ts";
import { openStateFolder } from "../../disk/state-folder.ts";
import type { Clock } from "../../model/clock.ts";
import type { UnderstoodTable } from "../../model/columns.ts";
import type { Post } from "../../model/post.ts";
import type { Problem } from "../../model/problem.ts";
import { filterColumns, foldValue } from "../../model/row-filter.ts";
import type { RawRow } from "../../model/row.ts";
import type { ShownColumn } from "../../report/init/asked-question.ts";
import type { LeftOutRow } from "../../report/init/notes.ts";
import { type Calendar, settingsOf } from "../../settings/calendar-settings.ts";
import type { Config, ProjectSettings } from "../../settings/config.ts";

/** A calendar as the project would read it. */
export interface CalendarReading {
  readonly calendar: Calendar;
  readonly settings: ProjectSettings;
  readonly config: Config;
  /** What would be planned, in the order of the file. */
  readonly posts: readonly Post[];
  /** Drafts and skipped rows. */
  readonly leftOut: readonly LeftOutRow[];
  readonly problems: readonly Problem[];
  /** A column with its cells. */
  readonly column: (key: string) => ShownColumn;
}

/**
 * The reading with all problems that `validate` would show, also missing pictures. Writes nothing.
 * @param root the folder of the calendar
 */
export async function withAllProblems(
  reading: CalendarReading,
  root: string,
  clock: Clock,
): Promise<CalendarReading> {
  const project = { root, file: "plancast.yaml", config: reading.config, state: await openStateFolder(root) };
  const selection = { calendars: [reading.calendar], inScope: () => true, problems: [], only: undefined };
  return { ...reading, problems: (await checkCalendars(project, selection, clock)).problems };
}

/**
 * Reads a calendar as a project with these settings would. Pictures are not looked for.
 * @param root the folder of the calendar
 * @param file relative to the root
 * @throws Failure if the file cannot be read
 */
export async function readWith(
  root: string,
  file: string,
  settings: ProjectSettings,
): Promise<CalendarReading> {
  const config = configSchema.parse({ ...settings, calendars: [patternFor(file)] });
  const { files, entriesOf } = await findCalendars(root, config.calendars);
  const own = settingsOf(config, entriesOf(file));
  const cells = new ColumnCells();
  const keep = filterColumns([own.only ?? {}]);
  const raw = await readCalendar(root, file, { ...own, known: files, keep, eachRow: cells.note });
  const calendar = { ...raw, settings: own };
  const { posts, problems, skippedRows } = validate([calendar], config);
  return {
    calendar,
    config,
    settings,
    posts,
    leftOut: leftOutRows(raw.rows, skippedRows),
    problems: [...raw.problems, ...problems],
    column: (key) => cells.shown(key, raw.table),
  };
}

function leftOutRows(rows: readonly RawRow[], skipped: readonly UnplannedRow[]): LeftOutRow[] {
  const cellsOf = new Map<UnplannedRow["row"], RawRow["cells"]>(rows.map((row) => [row, row.cells]));
  return skipped.map(({ row, status }) => {
    const word = [cellsOf.get(row)?.status ?? []].flat().join(", ");
    return { at: row.at(), word: word === "" || word === status ? undefined : word, status };
  });
}

/** More different cells show nothing new. */
const MAX_VALUES = 100;
const MAX_SAMPLES = 3;
/** Longest text of a cell that is kept, in UTF-16 units. */
const MAX_UNITS = 200;

/** The cells of each column, from the first row to the last. */
class ColumnCells {
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
