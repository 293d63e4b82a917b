/** From raw rows to posts or problems. Checks every row, whatever faults others have, then all rows together. */

import { canonicalContent } from "../model/canonical.ts";
import { type Post, idOf, occurrenceKey } from "../model/post.ts";
import { type Position, type Problem, hasErrors, problem } from "../model/problem.ts";
import type { StayingRow, Only } from "../model/row-filter.ts";
import type { Assumed, Assumption, RawRow } from "../model/row.ts";
import type { StatusReading } from "../model/fields.ts";
import type { ProblemCode } from "../problems/catalogue.ts";
import type { Calendar } from "../settings/calendar-settings.ts";
import type { Config } from "../settings/config.ts";
import { type CalendarReading, platformNames, readingOf } from "./calendar-reading.ts";
import { readMediaCell } from "./media-cells.ts";
import { RowView } from "./row-view.ts";
import { type IdentifiedRow, crossRowProblems, hasTime } from "./cross-row-checks.ts";
import { type CheckedRow, NOTHING_ASSUMED, checkRow } from "./check-row.ts";
import { checkSeries, repeatOf, wholeSeries } from "./check-series.ts";
import { poolWithoutRepeat } from "./read-pool.ts";
import type { SeriesState } from "./series/occurrences.ts";
import type { SlotState } from "./slots/choose-slots.ts";
import { type ChooseAgain, isDraftWithoutSlot, placeRows, withTakenSlots } from "./row-slots.ts";
import { RowFilter, unknownFilterColumns } from "./filter-rows.ts";
import { type Platforms, platformsByText } from "./platforms.ts";
import { readStatus } from "./statuses.ts";
import { halfDayProblems, mixedDateProblems } from "./when/doubtful-times.ts";

export interface Validated {
  readonly posts: readonly Post[];
  /** Ready rows with errors. */
  readonly faultyRows: readonly FaultyRow[];
  readonly skippedRows: readonly UnplannedRow[];
  /** Ready rows that repeat. */
  readonly series: readonly WholeRow[];
  /** Rows that a filter leaves out, and parts of rows that repeat. */
  readonly filteredRows: readonly StayingRow[];
  /** Keyed by file and kind. */
  readonly assumptions: readonly Assumption[];
  readonly problems: readonly Problem[];
  /** Chooses the slots again, with other slots that rows have. Undefined if no row asks for a slot. */
  readonly slotsAgain: ChooseAgain | undefined;
}

/** The known facts about a row that cannot become a post, for further checks. */
export interface FaultyRow extends Pick<Post, "platforms" | "media" | "at"> {
  readonly id: string | undefined;
  readonly source: Pick<RawRow, "file" | "line">;
}

/** A row as people read it: a row that repeats is one post. */
export interface WholeRow {
  readonly file: string;
  /** The posts that it is or would be; none if it is not complete yet. Computed on demand, because a plan does not need them. */
  readonly posts: () => readonly Post[];
}

/** A row that its status excludes from the plan. */
export interface UnplannedRow extends WholeRow {
  readonly id: string | undefined;
  readonly row: Pick<RawRow, "file" | "sheet" | "line" | "at">;
  readonly status: "draft" | "skip";
}

/** Draft rows and skipped rows in scope. */
export function countUnplanned(
  rows: readonly UnplannedRow[],
  inScope: (file: string) => boolean,
): { readonly drafts: number; readonly skipped: number } {
  const those = rows.filter(({ file }) => inScope(file));
  const skipped = those.filter(({ status }) => status === "skip").length;
  return { drafts: those.length - skipped, skipped };
}

/** What rows without a time, and rows that repeat, depend on. */
interface RunState {
  readonly slots: SlotState | undefined;
  readonly series: SeriesState | undefined;
}

/**
 * Checks each row, then all rows together. Pure: only the plan decides whether a time is past.
 * @param only limits this run, besides `only:` in plancast.yaml; rows that it leaves out have no problems
 * @param slots what slots depend on. Without it, rows that ask for a slot have no time yet.
 * @param series what series depend on. Without it, a row that repeats is one post on its own day.
 */
export function validate(
  calendars: readonly Calendar[],
  config: Config,
  only?: Only,
  slots?: SlotState,
  series?: SeriesState,
): Validated {
  const names = platformNames(config);
  const found = nothingRead();
  for (const calendar of calendars) {
    const filter = RowFilter.of([calendar.settings.only, only], names.aliases);
    const run = { calendar, reading: readingOf(calendar, names), filter, state: { slots, series } };
    readCalendar(run, found);
  }
  const faultyIds = found.faultyRows.map(({ id }) => id);
  const { posts, unplaced, problems: ofSlots, again } = placeRows({ ...found, faultyIds }, slots);
  const problems = [
    ...found.problems,
    ...ofSlots,
    ...crossRowProblems({ rows: found.rows, posts }, found.drafts),
    ...unknownFilterColumns(calendars, only),
  ];
  if (found.filteredOut.length > 0 && posts.length + found.skippedRows.length + problems.length === 0)
    problems.push(problem("filter/no-rows", NO_ROWS));
  return {
    posts,
    faultyRows: [...found.faultyRows, ...unplaced.map(toFaultyRow)],
    skippedRows: found.skippedRows,
    series: found.series,
    filteredRows: found.filteredOut,
    assumptions: found.assumptions.found,
    problems,
    slotsAgain: again,
  };
}

const NO_ROWS = "No row matches the filter in `only:` or --only. Check the spelling of its values.";

function toFaultyRow(post: Post): FaultyRow {
  return { ...post, id: idOf(post.key) };
}

/** What the rows say, each for itself. */
interface ReadRows {
  readonly read: Post[];
  /** Posts of rows that a filter leaves out. */
  readonly filtered: Post[];
  readonly filteredOut: StayingRow[];
  readonly rows: IdentifiedRow[];
  readonly drafts: IdentifiedRow[];
  readonly faultyRows: FaultyRow[];
  readonly skippedRows: UnplannedRow[];
  readonly series: WholeRow[];
  readonly assumptions: AssumptionTally;
  readonly problems: Problem[];
}

function nothingRead(): ReadRows {
  return {
    read: [],
    filtered: [],
    filteredOut: [],
    rows: [],
    drafts: [],
    faultyRows: [],
    skippedRows: [],
    series: [],
    assumptions: new AssumptionTally(),
    problems: [],
  };
}

/** What the rows of one calendar depend on. */
interface CalendarRun {
  readonly calendar: Calendar;
  readonly reading: CalendarReading;
  /** Undefined for a run with all rows. */
  readonly filter: RowFilter | undefined;
  readonly state: RunState;
}

function readCalendar(run: CalendarRun, found: ReadRows): void {
  const { calendar, reading, filter } = run;
  const rows = calendar.rows.filter((row) => readRow(new RowView(row, calendar), run, found));
  found.problems.push(...mixedDateProblems(rows), ...halfDayProblems(rows));
  for (const row of calendar.faultyRows ?? []) {
    const view = new RowView(row, calendar);
    const platforms = reading.read(view);
    // Only the rows that this run would plan without their faults.
    if (filter?.fitsCells(view, platforms.names) === false) continue;
    if (["draft", "skip"].includes(statusOf(view, platforms, reading))) continue;
    found.rows.push(...identified(view, false));
    found.faultyRows.push(faultyRow(view, platforms));
    const further = furtherProblems(view, reading, platforms);
    found.problems.push(...further.filter(isNotReported(calendar.problems)));
  }
}

/**
 * Each row takes the same steps: its networks, the filter of cells, its status, its posts, the filter of dates. Returns
 * whether its cells are in the run.
 */
function readRow(view: RowView, { reading, filter, state }: CalendarRun, found: ReadRows): boolean {
  const { row } = view;
  const platforms = reading.read(view);
  const isIn = filter === undefined || filter.fitsCells(view, platforms.names);
  const status = isIn ? statusOf(view, platforms, reading) : "ready";
  const whole = { file: row.file, posts: () => wholePosts(view, reading, state.series) };
  if (status === "draft" || status === "skip") {
    // A draft becomes ready one day, and then two rows must not have the same id.
    if (status === "draft") found.drafts.push(...identified(view, false));
    if (status === "draft") found.assumptions.noteBlank(view, "draft");
    found.skippedRows.push({ ...whole, id: view.id, row, status });
    return isIn;
  }
  const said =
    status === "unknown"
      ? { posts: [], problems: furtherProblems(view, reading, platforms) }
      : checkReadyRow(view, reading, platforms, state);
  const isPlanned = isIn && (filter === undefined || filter.fitsDue(view, said.posts));
  const checked = withDoubts(said, row);
  found.rows.push(...identified(view, !isPlanned, checked.posts));
  if (!isPlanned) {
    found.filteredOut.push(toFilteredRow(view, checked.posts));
    found.filtered.push(...checked.posts);
    return isIn;
  }
  addDuePosts(view, checked.posts, filter, found);
  if (repeatOf(view) !== undefined) found.series.push(whole);
  found.problems.push(...checked.problems);
  if (checked.posts.length === 0 && (status === "unknown" || hasErrors(checked.problems)))
    found.faultyRows.push(faultyRow(view, platforms));
  found.assumptions.note(view, checked);
  return isIn;
}

/** Of a row that repeats, a filter may leave out some posts. */
function addDuePosts(
  view: RowView,
  posts: readonly Post[],
  filter: RowFilter | undefined,
  found: ReadRows,
): void {
  const others: Post[] = [];
  for (const post of posts) {
    const isDue = filter === undefined || post.series === undefined || filter.fitsDue(view, [post]);
    (isDue ? found.read : others).push(post);
  }
  if (others.length === 0) return;
  const keys = others.map(({ key }) => key);
  found.filteredOut.push({ ...toFilteredRow(view, others), keys, isPart: true });
  found.filtered.push(...others);
}

/** What a row's status means, also where other cells decide it. */
function statusOf(view: RowView, { names, problems }: Platforms, reading: CalendarReading): StatusReading {
  const { status_values: words } = view.settings;
  const goesNowhere = names.length + problems.length === 0;
  const unready = goesNowhere ? unreadyStatuses(view) : [];
  // plancast.yaml leaves out all its platforms.
  if (goesNowhere && unready.length === 0) return "skip";
  if (isDraftWithoutSlot(view, names, reading)) return "draft";
  const own = readStatus(view.values.status, words);
  if (own !== "ready" || !goesNowhere) return own;
  return (
    unready.find((status) => status === "unknown") ?? unready.find((status) => status === "draft") ?? "skip"
  );
}

/** Of a row with a status for each of its networks. */
function unreadyStatuses({ row, settings }: RowView): readonly StatusReading[] {
  return row.variants.flatMap(({ cells: { status } }) => {
    const read = typeof status === "string" ? readStatus({ text: status }, settings.status_values) : "ready";
    return read === "ready" ? [] : [read];
  });
}

function checkReadyRow(
  row: RowView,
  reading: CalendarReading,
  platforms: Platforms,
  { slots, series }: RunState,
): CheckedRow {
  const repeat = repeatOf(row);
  const unrepeated = repeat === undefined ? poolWithoutRepeat(row) : [];
  if (unrepeated.length > 0) return { posts: [], problems: unrepeated };
  return repeat === undefined || series === undefined
    ? withTakenSlots(checkRow(row, reading, platforms), slots)
    : checkSeries(row, repeat, reading, platforms, series);
}

function withDoubts(checked: CheckedRow, { doubts = [] }: RawRow): CheckedRow {
  return doubts.length === 0
    ? checked
    : { ...checked, posts: [], problems: [...doubts, ...checked.problems] };
}

/** A draft without a time takes no slot, so it is not a post yet. */
function wholePosts(
  view: RowView,
  reading: CalendarReading,
  series: SeriesState | undefined,
): readonly Post[] {
  const repeat = repeatOf(view);
  const posts =
    repeat === undefined || series === undefined
      ? checkRow(view, reading).posts
      : wholeSeries(view, repeat, reading, series);
  return posts.filter(hasTime);
}

/**
 * Problems of blank cells. These findings do not apply to a row with another fault, because it may be an unfinished
 * post.
 */
const OF_BLANK_CELLS: readonly ProblemCode[] = ["row/missing-field", "row/not-drafted"];

/** Further faults of a row that already has a fault. */
function furtherProblems(view: RowView, reading: CalendarReading, platforms: Platforms): Problem[] {
  const { problems } = checkRow(view, reading, platforms);
  return problems.filter(({ code }) => !OF_BLANK_CELLS.includes(code));
}

/** Whether no problem is at that cell yet: a cell that could not be read would only be reported twice. */
function isNotReported(problems: readonly Problem[]): (each: Partial<Position>) => boolean {
  const places = new Set(problems.map(({ line, column }) => `${line}:${column}`));
  return ({ line, column }) => !places.has(`${line}:${column}`);
}

function faultyRow(view: RowView, { names }: Platforms): FaultyRow {
  const { row, id } = view;
  return {
    id,
    source: row,
    at: (field, item) => row.at(field, item),
    platforms: names,
    media: readMediaCell(view).references,
  };
}

/** Counts the rows with each assumption. */
class AssumptionTally {
  readonly #found = new Map<string, Assumption>();

  get found(): readonly Assumption[] {
    return [...this.#found.values()];
  }

  note(view: RowView, { posts, assumed = NOTHING_ASSUMED }: CheckedRow): void {
    if (posts.length === 0) return;
    if (view.row.cells.platforms === undefined && platformsByText(view) === undefined) {
      const value = [...new Set(posts.flatMap(({ platforms }) => platforms))].join(", ");
      this.#count(view, { what: "platforms", value, from: "defaults" });
    }
    this.noteBlank(view, "ready");
    if (assumed.length === 0) return;
    // Several networks of a row can make the same assumption. Count it once.
    const marks = new Map(assumed.map((each) => [each.what, each]));
    for (const each of marks.values()) this.#count(view, each);
  }

  /** The status that a row gets because of blank cells in yes-or-no columns. */
  noteBlank(view: RowView, value: "ready" | "draft"): void {
    for (const each of view.row.blankAnswers ?? []) if (each.value === value) this.#count(view, each);
  }

  #count({ row: { file } }: RowView, assumed: Assumed): void {
    const key = JSON.stringify([file, assumed]);
    const rows = (this.#found.get(key)?.rows ?? 0) + 1;
    this.#found.set(key, { file, assumed, rows });
  }
}

/** The row's id, and the ids of its posts if it repeats. */
function identified(
  { id, row: source }: RowView,
  isFilteredOut: boolean,
  posts: readonly Post[] = [],
): readonly IdentifiedRow[] {
  if (id === undefined) return NOBODY;
  if (posts.every(({ series }) => series === undefined)) return [{ id, source, isFilteredOut }];
  const days = new Set(posts.flatMap(({ series }) => series?.day ?? []));
  return [id, ...[...days].map((day) => occurrenceKey(id, day))].map((each) => ({
    id: each,
    source,
    isFilteredOut,
  }));
}

const NOBODY: readonly IdentifiedRow[] = [];

function toFilteredRow({ row, id, values }: RowView, posts: readonly Post[]): StayingRow {
  return {
    why: "filter",
    file: row.file,
    keys: id === undefined ? posts.map(({ key }) => key) : [id],
    content: canonicalContent(values.content?.written ?? ""),
    places: posts.filter(hasTime),
  };
}
