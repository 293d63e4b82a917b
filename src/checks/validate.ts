/** From raw rows to posts or problems. Checks every row, whatever faults others have, then all rows together. */

import { canonicalContent } from "../model/canonical.ts";
import { type Post, DERIVED_KEY_PREFIX, occurrenceKey } from "../model/post.ts";
import { type Position, type Problem, hasErrors, problem } from "../model/problem.ts";
import { type FilteredRow, type Only, FilteredRows } from "../model/row-filter.ts";
import type { Assumed, Assumption, RawRow } from "../model/row.ts";
import { serviceTypeFacts } from "../model/service-interface.ts";
import type { StatusReading } from "../model/fields.ts";
import type { ProblemCode } from "../problems/catalogue.ts";
import type { Calendar } from "../settings/calendar-settings.ts";
import type { Config } from "../settings/config.ts";
import { RowView, readMediaCell } from "./row-view.ts";
import { type IdentifiedRow, CROSS_ROW_CHECKS, hasTime, uniqueIds } from "./cross-row-checks.ts";
import { type CheckedRow, type PlatformNames, NOTHING_ASSUMED, checkRow } from "./check-row.ts";
import { type SeriesReading, checkSeries, repeatOf, wholeSeries } from "./check-series.ts";
import { poolWithoutRepeat } from "./read-pool.ts";
import type { SeriesState } from "./series/occurrences.ts";
import type { SlotState } from "./slots/choose-slots.ts";
import { type ChooseAgain, isDraftWithoutSlot, placeRows, withTakenSlots } from "./row-slots.ts";
import { LEFT_OUT } from "./networks/network-names.ts";
import { RowFilter, unknownFilterColumns } from "./filter-rows.ts";
import { aliasesOf, platformReader, platformsByText } from "./platforms.ts";
import { type DateOrders, dateOrdersOf } from "./schedule.ts";
import { readStatus } from "./statuses.ts";
import { halfDayProblems, mixedDateProblems } from "./when/doubtful-times.ts";

export interface Validated {
  readonly posts: readonly Post[];
  /** Ready rows with errors. */
  readonly faultyRows: readonly FaultyRow[];
  readonly skippedRows: readonly UnplannedRow[];
  /** Ready rows that repeat. */
  readonly series: readonly WholeRow[];
  readonly filteredRows: FilteredRows;
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
  const found = readRows(calendars, config, only, { slots, series });
  const { read, filtered, rows, drafts, skippedRows, filteredOut, assumptions, series: whole } = found;
  const faultyRows = [...found.faultyRows];
  const faultyIds = faultyRows.map(({ id }) => id);
  const { posts, unplaced, problems: ofSlots, again } = placeRows({ read, filtered, faultyIds }, slots);
  faultyRows.push(...unplaced.map(toFaultyRow));
  const problems = [
    ...found.problems,
    ...ofSlots,
    ...CROSS_ROW_CHECKS.flatMap((rule) => rule({ rows, posts })),
    ...uniqueIds({ rows: drafts, posts: [] }),
    ...unknownFilterColumns(calendars, only),
  ];
  if (filteredOut.length > 0 && posts.length + skippedRows.length + problems.length === 0)
    problems.push(problem("filter/no-rows", NO_ROWS));
  const planned = new Set(filteredOut.length === 0 ? [] : posts.map(({ key }) => key));
  const filteredRows = new FilteredRows(filteredOut, planned);
  return {
    posts,
    faultyRows,
    skippedRows,
    series: whole,
    filteredRows,
    assumptions,
    problems,
    slotsAgain: again,
  };
}

function toFaultyRow(post: Post): FaultyRow {
  return { ...post, id: post.key.startsWith(DERIVED_KEY_PREFIX) ? undefined : post.key };
}

/** What rows without a time, and rows that repeat, depend on. */
interface RunState {
  readonly slots: SlotState | undefined;
  readonly series: SeriesState | undefined;
}

function checkReadyRow(row: RowView, reading: SeriesReading, { slots, series }: RunState): CheckedRow {
  const repeat = repeatOf(row);
  const unrepeated = repeat === undefined ? poolWithoutRepeat(row) : [];
  if (unrepeated.length > 0) return { posts: [], problems: unrepeated };
  return repeat === undefined || series === undefined
    ? withTakenSlots(checkRow(row, reading.platforms, reading.orders), slots)
    : checkSeries(row, repeat, reading, series);
}

/** The posts of a row that are in the run: of a row that repeats, a filter may leave out some. */
function splitSeries(
  row: RowView,
  filter: RowFilter | undefined,
  posts: readonly Post[],
): {
  readonly due: readonly Post[];
  readonly others: readonly Post[];
  readonly filteredPart: readonly FilteredRow[];
} {
  const isDue = (post: Post): boolean => post.series === undefined || filter?.fitsDue(row, [post]) !== false;
  if (filter === undefined || posts.every(isDue)) return { due: posts, others: NONE, filteredPart: NONE };
  const others = posts.filter((post) => !isDue(post));
  return {
    due: posts.filter(isDue),
    others,
    filteredPart: [{ ...toFilteredRow(row, undefined, { posts: others, problems: [] }), isPart: true }],
  };
}

const NONE: readonly never[] = [];

/** What the rows say, each for itself. */
interface ReadRows extends Pick<
  Validated,
  "faultyRows" | "skippedRows" | "series" | "assumptions" | "problems"
> {
  readonly read: readonly Post[];
  /** Posts of rows that a filter leaves out. */
  readonly filtered: readonly Post[];
  readonly filteredOut: readonly FilteredRow[];
  readonly rows: readonly IdentifiedRow[];
  readonly drafts: readonly IdentifiedRow[];
}

function platformNames(config: Config): PlatformNames {
  const aliases = aliasesOf(config);
  const hasOneAccountPerPost = serviceTypeFacts(config.service.type)?.hasOneAccountPerPost === true;
  return { aliases, read: platformReader(aliases), hasOneAccountPerPost };
}

function readRows(
  calendars: readonly Calendar[],
  config: Config,
  only: Only | undefined,
  state: RunState,
): ReadRows {
  const platforms = platformNames(config);
  const reading = { platforms, languageTag: config.series.language };
  const statusOf = statusReader(platforms);
  const [read, filtered]: [Post[], Post[]] = [[], []];
  const [rows, drafts]: [IdentifiedRow[], IdentifiedRow[]] = [[], []];
  const faultyRows: FaultyRow[] = [];
  const [skippedRows, filteredOut, problems]: [UnplannedRow[], FilteredRow[], Problem[]] = [[], [], []];
  const series: WholeRow[] = [];
  const assumptions = new AssumptionTally();
  for (const calendar of calendars) {
    const orders = dateOrdersOf(calendar);
    const inCalendar = { ...reading, orders };
    const filter = RowFilter.of([calendar.settings.only, only], platforms);
    const inFilter: RawRow[] = [];
    for (const row of calendar.rows) {
      const view = new RowView(row, calendar);
      const id = idOf(view);
      const isIn = filter === undefined || filter.fitsCells(view);
      if (isIn) inFilter.push(row);
      const status = isIn ? statusOf(view) : "ready";
      if (status === "draft" || status === "skip") {
        // A draft becomes ready one day, and then two rows must not have the same id.
        if (status === "draft" && isIn) drafts.push(...identified(id, row, false));
        if (status === "draft" && isIn) assumptions.noteBlank(view, "draft");
        const posts = (): readonly Post[] => wholePosts(view, inCalendar, state.series);
        skippedRows.push({ file: row.file, id, row, status, posts });
        continue;
      }
      const said =
        status === "unknown"
          ? { posts: [], problems: furtherProblems(view, platforms, orders) }
          : checkReadyRow(view, inCalendar, state);
      const checked = withDoubts(said, row);
      const isPlanned = isIn && filter?.fitsDue(view, said.posts) !== false;
      rows.push(...identified(id, row, !isPlanned, checked.posts));
      if (isPlanned) {
        const { due, others, filteredPart } = splitSeries(view, filter, checked.posts);
        for (const post of due) read.push(post);
        if (repeatOf(view) !== undefined)
          series.push({ file: row.file, posts: () => wholePosts(view, inCalendar, state.series) });
        filtered.push(...others);
        filteredOut.push(...filteredPart);
        problems.push(...checked.problems);
        if (checked.posts.length === 0 && (status === "unknown" || hasErrors(checked.problems)))
          faultyRows.push(faultyRow(view, id, platforms));
        assumptions.note(view, checked);
      } else {
        filteredOut.push(toFilteredRow(view, id, checked));
        filtered.push(...checked.posts);
      }
    }
    problems.push(...mixedDateProblems(inFilter), ...halfDayProblems(inFilter));
    for (const view of notSetAside(calendar, filter, statusOf)) {
      rows.push(...identified(idOf(view), view.row, false));
      faultyRows.push(faultyRow(view, idOf(view), platforms));
      problems.push(...furtherProblems(view, platforms, orders).filter(isNotReported(calendar.problems)));
    }
  }
  return {
    read,
    filtered,
    filteredOut,
    rows,
    drafts,
    faultyRows,
    skippedRows,
    series,
    assumptions: assumptions.found,
    problems,
  };
}

function withDoubts<Checked extends CheckedRow>(checked: Checked, { doubts = [] }: RawRow): Checked {
  return doubts.length === 0
    ? checked
    : { ...checked, posts: [], problems: [...doubts, ...checked.problems] };
}

/** The calendar's faulty rows that this run would plan without their faults. */
function notSetAside(
  calendar: Calendar,
  filter: RowFilter | undefined,
  statusOf: (view: RowView) => StatusReading,
): readonly RowView[] {
  const views = (calendar.faultyRows ?? []).map((row) => new RowView(row, calendar));
  return views.filter(
    (view) => filter?.fitsCells(view) !== false && !["draft", "skip"].includes(statusOf(view)),
  );
}

/** A draft without a time takes no slot, so it is not a post yet. */
function wholePosts(view: RowView, reading: SeriesReading, series: SeriesState | undefined): readonly Post[] {
  const repeat = repeatOf(view);
  const posts =
    repeat === undefined || series === undefined
      ? checkRow(view, reading.platforms, reading.orders).posts
      : wholeSeries(view, repeat, reading, series);
  return posts.filter(hasTime);
}

const NO_ROWS = "No row matches the filter in `only:` or --only. Check the spelling of its values.";

/** What a row's status means, also where other cells decide it. */
function statusReader(platforms: PlatformNames): (view: RowView) => StatusReading {
  const isLeftOut = leftOutRows(platforms);
  return (view) => {
    if (isLeftOut(view)) return "skip";
    if (isDraftWithoutSlot(view, platforms)) return "draft";
    const own = readStatus(view.value("status"), view.settings.status_values);
    return own === "ready" ? statusOfNetworks(view, platforms) : own;
  };
}

/** Ready, unless the row has a status for each of its networks, and none of them is ready. */
function statusOfNetworks(view: RowView, { read }: PlatformNames): StatusReading {
  const said = view.row.variants.flatMap(({ cells: { status } }) =>
    typeof status === "string" ? [readStatus({ text: status }, view.settings.status_values)] : [],
  );
  if (said.every((status) => status === "ready")) return "ready";
  const { names, problems } = read(view);
  if (names.length + problems.length > 0) return "ready";
  return said.find((status) => status === "unknown") ?? said.find((status) => status === "draft") ?? "skip";
}

/** Detects rows whose platforms are all left out by plancast.yaml. */
function leftOutRows({ aliases, read }: PlatformNames): (view: RowView) => boolean {
  if (![...aliases.values()].includes(LEFT_OUT)) return () => false;
  return (view) => {
    const { names, problems } = read(view);
    return names.length + problems.length === 0;
  };
}

function idOf(view: RowView): string | undefined {
  return view.own("id")?.text.normalize("NFC");
}

/**
 * Problems of blank cells. These findings do not apply to a row with another fault, because it may be an unfinished
 * post.
 */
const OF_BLANK_CELLS: readonly ProblemCode[] = [
  "row/missing-field",
  "row/not-drafted",
  "schedule/incomplete",
];

/** Further faults of a row that already has a fault. */
function furtherProblems(view: RowView, platforms: PlatformNames, orders: DateOrders): Problem[] {
  const { problems } = checkRow(view, platforms, orders);
  return problems.filter(({ code }) => !OF_BLANK_CELLS.includes(code));
}

/** Whether no problem is at that cell yet: a cell that could not be read would only be reported twice. */
function isNotReported(problems: readonly Problem[]): (each: Partial<Position>) => boolean {
  const places = new Set(problems.map(({ line, column }) => `${line}:${column}`));
  return ({ line, column }) => !places.has(`${line}:${column}`);
}

function faultyRow(view: RowView, id: string | undefined, { read }: PlatformNames): FaultyRow {
  const { row } = view;
  return {
    id,
    source: row,
    at: (field, item) => row.at(field, item),
    platforms: read(view).names,
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
  id: string | undefined,
  source: RawRow,
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

function toFilteredRow(view: RowView, id: string | undefined, { posts }: CheckedRow): FilteredRow {
  return {
    file: view.row.file,
    keys: id === undefined ? posts.map(({ key }) => key) : [id],
    content: canonicalContent(view.value("content")?.written ?? ""),
    places: posts.filter(hasTime),
  };
}
