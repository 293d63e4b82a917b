/** Edits of posts on the page of `preview --serve`: each one is written into its calendar, or refused with the reason. */

import { posix } from "node:path";
import { newId } from "../../disk/machine.ts";
import { rowId } from "../../calendars/row-groups.ts";
import { type CalendarFile, CANNOT_ADD, editCalendar } from "../../calendars/edit/edit-calendar.ts";
import { type EditedPart, type PostChange, PostEdit } from "../../calendars/edit/edit-post.ts";
import { statusCells } from "../../calendars/edit/edit-status.ts";
import type { NewTime } from "../../calendars/edit/edit-time.ts";
import type { IdentifyPlatform, RowEdit } from "../../calendars/formats/row-edit.ts";
import { KnownCalendars, versionOf } from "../../calendars/read-calendar.ts";
import { splitColumn } from "../../calendars/formats/written-row.ts";
import { identify, limitsOfProject, splitTargets } from "../../checks/networks/network-names.ts";
import { aliasesOf } from "../../checks/platforms.ts";
import { isPostFile } from "../../checks/rules/rule.ts";
import { networkTexts } from "../../checks/network-texts.ts";
import { findZone, localInstant } from "../../checks/when/local-time.ts";
import { canonicalContent, utcMs, wallMs } from "../../model/canonical.ts";
import { withoutMedia } from "../../model/post.ts";
import { type Clock, durationMs } from "../../model/clock.ts";
import { Failure } from "../../model/failure.ts";
import type { Only } from "../../model/row-filter.ts";
import { type RawRow, rowMark } from "../../model/row.ts";
import { sameList } from "../../model/text.ts";
import {
  type EditAnswer,
  type EditRequest,
  type EditedPost,
  type Meter,
  type OpenedEdit,
  type PageChange,
  type PreviewData,
  type PreviewPlatform,
  type PreviewPost,
  type RefusedEdit,
  FIXED_STATUSES,
} from "../../preview/preview-data.ts";
import { textMeters } from "../../preview/preview-post.ts";
import { visibleText } from "../../report/text/escape.ts";
import { sortableTime } from "../../report/text/local-time.ts";
import type { Calendar } from "../../settings/calendar-settings.ts";
import type { Project } from "../../settings/config.ts";
import { isUnderstood, readCalendarFiles, saveCalendarFile } from "../project/written-files.ts";

/** What the page shows: edits are about exactly this. */
interface ShownCalendars {
  readonly project: Project;
  readonly calendars: readonly Calendar[];
  /** What limits this run, besides `only:` in plancast.yaml. */
  readonly only: Only | undefined;
  readonly data: PreviewData;
  /** The clock of the page. */
  readonly clock: Clock;
}

/** One edit that can be undone: the file before and after it. */
interface UndoableEdit {
  readonly file: string;
  readonly before: Uint8Array;
  readonly after: Uint8Array;
}

/** The server keeps the files before and after each edit that can be undone, up to this many bytes. */
const MAX_UNDOABLE_BYTES = 128 * 1_048_576;

export class CalendarEditor {
  /** Anybody who has it may edit. */
  readonly token = newId();
  /** The values that the page read. */
  readonly calendars = new KnownCalendars();
  readonly #onSave: (file: string) => void;
  readonly #undoable = new Map<string, UndoableEdit>();
  #shown: ShownCalendars | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** @param onSave is called after each edit, with the file */
  constructor(onSave: (file: string) => void) {
    this.#onSave = onSave;
  }

  /** @param shown undefined while the project cannot be read */
  show(shown: ShownCalendars | undefined): void {
    this.#shown = shown;
  }

  /** Answers requests one after the other, so that two edits never mix. Rejects only because of a bug. */
  answer(request: EditRequest): Promise<EditAnswer> {
    const answer = this.#last.then(async () => {
      try {
        return await this.#answerNow(request);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        return refused(
          error.code,
          [error.message, error.hint].filter((each) => each !== undefined).join(" "),
        );
      }
    });
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  async #answerNow(request: EditRequest): Promise<EditAnswer> {
    const shown = this.#shown;
    if (shown === undefined) return NOT_READY;
    if (request.ask === "undo") return this.#undo(request.edit, shown);
    if (request.ask === "measure") return measuredText(request, shown) ?? FILE_CHANGED;
    const found = await findPost(request.post, shown, this.calendars);
    if ("answer" in found) return found;
    return request.ask === "open" ? openPost(found, shown) : this.#change(found, request.change, shown);
  }

  async #change({ file, edit }: FoundPost, change: PageChange, shown: ShownCalendars): Promise<EditAnswer> {
    const when = newTime(edit, change, shown);
    if (when !== undefined && "answer" in when) return when;
    const { text, platforms, status } = change;
    if (when === undefined && isReady(edit, status) && isTooLate(utcMs(edit.post.scheduledAt), shown))
      return TOO_LATE;
    const wanted: PostChange = {
      ...(when === undefined ? {} : { when }),
      ...(text === undefined ? {} : { text }),
      ...(platforms === undefined ? {} : { platforms }),
      ...(status === undefined ? {} : { status }),
    };
    const planned = edit.cells(wanted);
    if ("message" in planned) return refused("write/not-written", planned.message);
    if (planned.cells.size === 0) return refused("write/not-written", "The post already has these values.");
    const rows = [{ row: edit.row, cells: planned.cells }];
    const { contents, faults } = await editCalendar(file, rows, identifyIn(shown.project));
    const [fault] = faults;
    if (fault !== undefined)
      return refused("write/not-written", explained(fault.message, planned.cells, file.calendar));
    if (!(await saveCalendarFile(shown.project, file, contents, "try again."))) return FILE_CHANGED;
    this.#onSave(file.calendar.file);
    const moved = when === undefined ? undefined : edit.when();
    return {
      answer: "changed",
      edit: this.#remember(file.calendar.file, file.bytes, contents),
      posts: moved !== undefined && "value" in moved ? moved.value.posts : edit.count(),
    };
  }

  #remember(file: string, before: Uint8Array, after: Uint8Array): string {
    const name = newId();
    this.#undoable.set(name, { file, before, after });
    // The last one can always be undone.
    let bytes = 0;
    for (const [each, edit] of [...this.#undoable].reverse()) {
      bytes += edit.before.length + edit.after.length;
      if (bytes > MAX_UNDOABLE_BYTES && each !== name) this.#undoable.delete(each);
    }
    return name;
  }

  /** Puts the bytes before an edit back, if the file still has those after it. */
  async #undo(name: string, { project }: ShownCalendars): Promise<EditAnswer> {
    const edit = this.#undoable.get(name);
    if (edit === undefined)
      return refused(
        "write/not-written",
        "plancast can no longer undo this change. Change the file instead.",
      );
    const { file, before, after } = edit;
    const isUndone = await saveCalendarFile(
      project,
      { calendar: { file }, bytes: after },
      before,
      "try again.",
    );
    if (!isUndone) return CHANGED_SINCE;
    this.#onSave(file);
    this.#undoable.delete(name);
    return { answer: "undone", edit: this.#remember(file, after, before) };
  }
}

function refused(code: string, message: string): RefusedEdit {
  return { answer: "refused", code, message: visibleText(message) };
}

const FILE_CHANGED = refused(
  "write/file-changed",
  "The file has changed since the page showed it, so plancast wrote nothing. Look at the new state, and try again.",
);

const CHANGED_SINCE = refused(
  "write/file-changed",
  "The file has changed since this edit, so plancast wrote nothing. Change the file instead.",
);

const NOT_READY = refused(
  "write/not-written",
  "The page does not show the current state of the project. Fix what it reports, and try again.",
);

interface FoundPost {
  readonly file: CalendarFile;
  readonly edit: PostEdit;
}

/** The post in exactly the version of the file that the page shows. */
async function findPost(
  { file: name, version, sheet, line, platforms }: EditedPost,
  { project, calendars, only, data }: ShownCalendars,
  { read }: KnownCalendars,
): Promise<FoundPost | RefusedEdit> {
  const shown = shownPost({ file: name, sheet, line, platforms }, data);
  if (shown !== undefined && FIXED_STATUSES.has(shown.status))
    return refused("write/not-written", "This post is past, so it cannot be edited.");
  const known = calendars.filter((each) => each.file === name);
  // Answers to yes or no are not fields.
  const kept = known.flatMap(statusCells);
  const files = await readCalendarFiles(project, known, only, { kept, read });
  const mark = rowMark({ file: name, sheet, line });
  for (const file of files) {
    if (versionOf(file.bytes) !== version) return FILE_CHANGED;
    const row = file.calendar.rows.findIndex((each) => rowMark(each) === mark);
    const alike = rowsAlike(file.calendar, calendars);
    const edit = row === -1 ? undefined : PostEdit.of(file.calendar, row, platforms, project.config, alike);
    if (edit === undefined) continue;
    if (isUnderstood(file)) return { file, edit };
    const message = `${name} has errors. Fix them, and try again.`;
    return refused("write/not-written", message);
  }
  return FILE_CHANGED;
}

/** The rows of a calendar. For a file with one post, this includes the posts of the other files in its folder. */
function rowsAlike(calendar: Calendar, all: readonly Calendar[]): readonly RawRow[] {
  if (!isPostFile(calendar.file)) return calendar.rows;
  const folder = posix.dirname(calendar.file);
  const others = all.filter(({ file }) => isPostFile(file) && posix.dirname(file) === folder);
  return [...calendar.rows, ...others.flatMap(({ file, rows }) => (file === calendar.file ? [] : rows))];
}

function identifyIn({ config }: Project): IdentifyPlatform {
  const aliases = aliasesOf(config);
  return (platform) => identify(platform, aliases);
}

/** What can be edited: each part is tried by writing its cells. */
async function openPost({ file, edit }: FoundPost, shown: ShownCalendars): Promise<OpenedEdit> {
  const trials = edit.trialCells();
  const why = new Map<EditedPart, string>();
  const tryCells = async (tried: RowEdit): Promise<string | undefined> => {
    const { faults } = await editCalendar(file, [tried], identifyIn(shown.project));
    return faults[0] && visibleText(explained(faults[0].message, tried.cells, file.calendar));
  };
  const all = new Map([...trials.values()].flatMap(({ cells }) => [...cells]));
  // In most cases all parts can be written, and each try reads the file.
  if ((await tryCells({ row: edit.row, cells: all })) !== undefined) {
    for (const [part, cells] of trials) {
      const fault = await tryCells(cells);
      if (fault !== undefined) why.set(part, fault);
    }
  }
  const reason = (part: EditedPart): { readonly why: string } | undefined => {
    const text = why.get(part);
    return text === undefined ? undefined : { why: text };
  };
  return {
    answer: "open",
    text: reason("text") ?? edit.text(),
    platforms: reason("platforms") ?? edit.platforms(),
    when: reason("when") ?? edit.when(),
    status: reason("status") ?? offeredStatus(edit),
    choices: choicesOf(shown),
  };
}

function offeredStatus(edit: PostEdit): OpenedEdit["status"] {
  const status = edit.status();
  if ("why" in status) return { why: visibleText(status.why) };
  const { word, words } = status.value;
  return {
    value: {
      word,
      words: words.map((each) => ({ ...each, label: visibleText(each.word) })),
      posts: edit.posts.length,
    },
  };
}

/** The networks that the project names, in its rows or its settings. */
function choicesOf({ data: { platforms }, project: { config } }: ShownCalendars): PreviewPlatform[] {
  const limitsOf = limitsOfProject(config);
  const known = new Map(platforms.map((each) => [each.name, each]));
  for (const name of [...aliasesOf(config).values()].flatMap(splitTargets)) {
    if (name !== "skip" && !known.has(name))
      known.set(name, { name: visibleText(name), title: visibleText(limitsOf(name)?.title ?? name) });
  }
  return [...known.values()].sort((one, other) => one.title.localeCompare(other.title, "en"));
}

/** The time that the page asks for. Undefined if it stays. */
function newTime(
  { post }: PostEdit,
  { day, clock }: PageChange,
  shown: ShownCalendars,
): NewTime | undefined | RefusedEdit {
  const zoneName = shown.project.config.timezone ?? "UTC";
  const old = sortableTime(post.scheduledAt, zoneName);
  if ((day ?? old.date) === old.date && (clock ?? old.clock) === old.clock) return undefined;
  const days = Math.round((Date.parse(day ?? old.date) - Date.parse(old.date)) / 86_400_000);
  const wanted =
    clock === undefined || clock === old.clock ? { days } : atClock(day ?? old.date, clock, zoneName);
  if ("answer" in wanted) return wanted;
  const at = "at" in wanted ? wanted.at : utcMs(post.scheduledAt) + days * 86_400_000;
  return isTooLate(at, shown) ? TOO_LATE : wanted;
}

/** Whether a time (ms since the epoch) is too early for a post that is still to be scheduled. */
function isTooLate(at: number, { project: { config }, clock }: ShownCalendars): boolean {
  return at < clock.now() + durationMs(config.safety.lead_time);
}

const TOO_LATE = refused("write/not-written", "This time has passed, or is too near. Choose a later one.");

/** Whether a new word makes the row ready. */
function isReady(edit: PostEdit, word: string | undefined): boolean {
  const status = edit.status();
  if (word === undefined || "why" in status) return false;
  return status.value.words.some((each) => each.word === word && each.means === "ready");
}

function atClock(day: string, clock: string, zoneName: string): NewTime | RefusedEdit {
  const zone = findZone(zoneName);
  const wall = wallMs([...day.split("-"), ...clock.split(":"), "0"].slice(0, 6).map(Number));
  const local = zone === undefined || wall === undefined ? undefined : localInstant(zone, wall);
  if (local?.kind === "instant") return { at: local.ms };
  const what = local?.kind === "twice" ? "happens twice" : "does not exist";
  return refused(
    "write/not-written",
    `${day} ${clock} ${what} in ${zoneName}: the clocks change then. Choose another time.`,
  );
}

const SHARED =
  "Other rows would change with this cell, because it is merged, carried down to them or part of a post of several rows. Change it in the file.";

const CONTINUED =
  "The text of this row continues in another column, for example with hashtags. Change it in the file.";

const NOT_ALONE = "plancast cannot change this without changing something else. Change it in the file.";

/** A fault of an edit of cells, in the words of this page. */
function explained(message: string, cells: RowEdit["cells"], { settings }: Calendar): string {
  if (message !== CANNOT_ADD) return message.replace(/run again\.$/, "try again.");
  const fields = [...cells.keys()].map((name) => splitColumn(name).field);
  if (fields.every((field) => field === "content")) return CONTINUED;
  const { carry, carousel_rows, merged_cells } = settings;
  return carry !== undefined || carousel_rows === "join" || merged_cells === "carry" ? SHARED : NOT_ALONE;
}

interface MeasuredIn {
  readonly project: Project;
  readonly calendars: readonly Calendar[];
  readonly data: PreviewData;
}

/** Counts a text as the checks would after an edit, with the project's links and mentions. Undefined for a post that is gone. */
function measuredText(
  { post: edited, text, platforms }: Extract<EditRequest, { ask: "measure" }>,
  { project: { config }, calendars, data }: MeasuredIn,
): EditAnswer | undefined {
  const mark = rowMark(edited);
  const limitsOf = limitsOfProject(config);
  for (const calendar of calendars) {
    const index = calendar.rows.findIndex((each) => rowMark(each) === mark);
    const row = calendar.rows[index];
    if (row === undefined) continue;
    const post = PostEdit.of(calendar, index, edited.platforms, config)?.post;
    if (post === undefined) continue;
    const values = { campaign: post.campaign, id: rowId(row) };
    // Some limits depend on the media, and an edit does not change these.
    const known = shownPost(edited, data)?.meters.map(({ platform, limit, unit }) => ({
      name: data.platforms[platform]?.name,
      limit,
      unit,
    }));
    const version = networkTexts(calendar.settings, aliasesOf(config));
    const meters = platforms.flatMap((name, platform): Meter[] => {
      const { texts } = version?.({ content: text }, values, name) ?? { texts: { content: text } };
      const limits = limitsOf(name);
      const checked = { ...withoutMedia(post), content: canonicalContent(texts.content), media: undefined };
      const found = limits === undefined ? [] : textMeters(checked, limits, platform);
      return found.map((meter) => ({
        ...meter,
        limit: known?.find((each) => each.name === name && each.unit === meter.unit)?.limit ?? meter.limit,
      }));
    });
    return { answer: "measured", meters };
  }
  return undefined;
}

/** The post on the page. */
function shownPost(
  { file, sheet, line, platforms }: Omit<EditedPost, "version">,
  data: PreviewData,
): PreviewPost | undefined {
  return data.posts.find(
    ({ row, platforms: own }) =>
      row?.line === line &&
      row.sheet === sheet &&
      data.editing?.[row.file]?.name === file &&
      sameList(
        own.map((place) => data.platforms[place]?.name ?? ""),
        platforms,
      ),
  );
}
