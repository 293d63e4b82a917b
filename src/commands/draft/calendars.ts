/**
 * The calendars of a draft: reads what their rows ask for, decides which answers of earlier runs are still wanted, and
 * writes the answers into the rows. Calendars are read with their bytes, because `draft` edits them.
 */

import { sortByCalendar } from "../../calendars/check.ts";
import { type CalendarFile, unusableTextReason } from "../../calendars/edit/edit-calendar.ts";
import type { IdentifyPlatform } from "../../calendars/formats/row-edit.ts";
import { selectCalendars, severalEntries } from "../../calendars/select.ts";
import { identify } from "../../checks/networks/network-names.ts";
import { aliasesOf, platformReader } from "../../checks/platforms.ts";
import { realpath } from "../../disk/machine.ts";
import {
  type UnsavedPicture,
  findAltTasks,
  loadPicture,
  savePicture,
  withoutVideos,
} from "../../draft/pictures.ts";
import { mediaPlaces } from "../../media/resolve-media.ts";
import type { DraftAnswer, DraftAnswers } from "../../draft/answers.ts";
import {
  type DraftSelection,
  type DraftTask,
  type DraftTasks,
  type RedraftSelection,
  findDraftTasks,
} from "../../draft/tasks.ts";
import {
  type DraftFault,
  type DraftedRow,
  type GeneratedValue,
  type SaveCalendar,
  draftRowEdit,
  findWritableTasks,
  writeDrafts,
} from "../../draft/write-drafts.ts";
import type { WebMedia } from "../../media/web-media.ts";
import { Failure } from "../../model/failure.ts";
import type { AnswerNext } from "../../model/plan.ts";
import type { Problem } from "../../model/problem.ts";
import type { DraftDocument } from "../../report/documents/calendars.ts";
import { type DraftItem, type UndraftedItem, undraftedMessage } from "../../report/outcomes/draft.ts";
import type { Project } from "../../settings/config.ts";
import { isUnderstood, readCalendarFiles, saveCalendarFile } from "../project/written-files.ts";
import { type OnlyFlag, parseOnly } from "../shell/command.ts";
import type { Shell } from "../shell/shell.ts";

export interface DraftFlags extends OnlyFlag {
  readonly calendar: string[];
  /** Undefined: not given; empty: all drafts. */
  readonly again: string[] | undefined;
  readonly alt: boolean;
  readonly "dry-run": boolean;
  readonly yes: boolean;
  readonly format: "text" | "json";
}

export interface DraftRequests extends DraftTasks {
  readonly files: readonly CalendarFile[];
  readonly identify: IdentifyPlatform;
}

export async function readDraftRequests(
  project: Project,
  flags: DraftFlags,
  { cwd }: Shell,
): Promise<DraftRequests> {
  const only = parseOnly(flags.only);
  const {
    calendars,
    inScope,
    problems: wrong,
  } = await selectCalendars(project, { calendars: flags.calendar, only }, cwd);
  const files: CalendarFile[] = [];
  const problems: Problem[] = [...wrong];
  const wanted = calendars.filter((each) => inScope(each.file));
  const twice = wanted.find((each, index) => wanted.findIndex(({ file }) => file === each.file) < index);
  if (twice !== undefined) throw severalEntries(twice, "draft");
  for (const file of await readCalendarFiles(project, wanted, only)) {
    problems.push(...file.calendar.problems);
    if (isUnderstood(file)) files.push(file);
  }
  const aliases = aliasesOf(project.config);
  const identifyPlatform = (platform: string): string => identify(platform, aliases);
  const wish = { aliases, read: platformReader(aliases), only, again: redraftSelection(flags.again) };
  const found = await tasksOf(project, files, wish, flags.alt);
  checkNames(flags.again, found.names, flags.alt);
  const probed = await findWritableTasks(found.wanted, identifyPlatform);
  return {
    ...found,
    wanted: probed.wanted,
    problems: sortByCalendar([...problems, ...found.problems, ...probed.problems], calendars),
    files,
    identify: identifyPlatform,
  };
}

/** Either texts and pictures, or alt texts. Answers of the other kind that wait are still known. */
async function tasksOf(
  project: Project,
  files: readonly CalendarFile[],
  wish: DraftSelection,
  isAlt: boolean,
): Promise<DraftTasks> {
  const texts = findDraftTasks(files, wish);
  const alts = findAltTasks(files, wish);
  const known = new Set([...texts.known, ...alts.had.keys()]);
  if (!isAlt) return { ...texts, known };
  const requested = new Set(alts.wanted.map(({ request }) => request));
  const { wanted, problems } = await withoutVideos(
    { ...mediaPlaces(project), root: await realpath(project.root) },
    alts.wanted,
  );
  const had = new Map([...alts.had].filter(([request]) => !requested.has(request)));
  return { wanted, problems, had, known, names: alts.names, unsure: texts.unsure };
}

/** Only the named rows. Without names, all rows that nobody has marked as ready. */
function redraftSelection(names: readonly string[] | undefined): RedraftSelection {
  if (names === undefined) return { includesRow: () => true, includesTask: () => false };
  if (names.length === 0) return { includesRow: () => true, includesTask: (isOpen) => isOpen };
  return { includesRow: (own) => own.some((name) => names.includes(name)), includesTask: () => true };
}

/** Throws a Failure for a name that matches no row of this run. */
function checkNames(names: readonly string[] | undefined, known: ReadonlySet<string>, isAlt: boolean): void {
  const stranger = names?.find((name) => !known.has(name));
  if (stranger === undefined) return;
  throw new Failure(
    "usage/not-found",
    `This run has no row "${stranger}" with ${isAlt ? "a picture" : "a prompt"}.`,
    "Name a row by its id, or as calendars/march.csv:4, and write calendars before --again. plancast does not draft skipped rows or rows with errors.",
  );
}

interface KeptAnswers {
  /** Requests whose answers are not written yet. */
  readonly pending: readonly DraftTask[];
  /** Requests whose answers are in their calendars. */
  readonly written: readonly string[];
  /** Requests whose answers are no longer needed, with a message for each one before plancast drops it. */
  readonly unwanted: ReadonlyMap<string, UndraftedItem>;
}

/** An answer replaces only the content at the time of the request, nothing newer. */
export function keptAnswers(found: DraftRequests, waiting: ReadonlyMap<string, DraftAnswer>): KeptAnswers {
  const still: DraftTask[] = found.wanted.filter((each) => hasUsableAnswer(each, waiting));
  const isWanted = new Set(still.map(({ request }) => request));
  const written: string[] = [];
  const unwanted = new Map<string, UndraftedItem>();
  for (const [request, answer] of waiting) {
    if (isWanted.has(request)) continue;
    const there = found.had.get(request);
    if (there === undefined) {
      if (isOrphaned(request, answer, found)) unwanted.set(request, itemFor(answer, undefined, "no-row"));
    } else if (there.current === undefined) continue;
    else if (there.current === answer.text) written.push(request);
    else if (there.current === answer.before) still.push(there);
    else unwanted.set(request, itemFor(answer, there, "changed-since"));
  }
  return { pending: still, written, unwanted };
}

/** Whether an interrupted run left a usable answer, even if this run requests another one. */
export function hasUsableAnswer(
  { request, isAgain }: DraftTask,
  waiting: ReadonlyMap<string, DraftAnswer>,
): boolean {
  const answer = waiting.get(request);
  return answer !== undefined && !(isAgain && answer.isStuck === true);
}

/** True only if plancast could read the whole calendar. Otherwise, the row may still exist. */
function isOrphaned(
  request: string,
  { file }: DraftAnswer,
  { files, known, unsure }: DraftRequests,
): boolean {
  return files.some(({ calendar }) => calendar.file === file) && !unsure.has(file) && !known.has(request);
}

function itemFor(
  answer: DraftAnswer,
  there: DraftTask | undefined,
  kind: "no-row" | "changed-since",
): UndraftedItem {
  const { file, text, image, platform, name = file } = answer;
  return {
    source: { file, line: there?.file.calendar.rows[there.row]?.line },
    row: there?.name ?? name,
    kind: text === undefined ? "image" : platform === undefined ? "alt" : "text",
    platform: there?.platform ?? platform,
    status: "unwanted",
    message: undraftedMessage({ kind }, undefined),
    text: text ?? image?.url ?? image?.mediaId,
  };
}

interface Writing {
  readonly wanted: readonly DraftTask[];
  readonly answers: DraftAnswers;
  readonly addresses: WebMedia;
}

interface WrittenRows {
  readonly rows: DraftDocument["rows"];
  readonly undrafted: readonly UndraftedItem[];
}

/** Writes each calendar once, with all its answers. */
export async function writeAnswers(
  project: Project,
  { files, identify }: DraftRequests,
  writing: Writing,
): Promise<WrittenRows> {
  const rows: DraftDocument["rows"][number][] = [];
  const undrafted: UndraftedItem[] = [];
  for (const file of files) {
    // One after the other, because the next picture's name depends on the existing ones.
    const { got, failed } = await valuesFor(project, file, writing);
    const written = await writeInto(project, file, got, identify, writing.answers);
    rows.push(...written.rows);
    const own = [...failed, ...written.undrafted];
    undrafted.push(...own.sort(({ source: one }, { source: other }) => (one.line ?? 0) - (other.line ?? 0)));
  }
  return { rows, undrafted };
}

interface Values {
  readonly got: readonly GeneratedValue[];
  readonly failed: readonly UndraftedItem[];
}

/** The new cells of a calendar. Drops answers that can never be written. */
async function valuesFor(
  project: Project,
  file: CalendarFile,
  { wanted, answers, addresses }: Writing,
): Promise<Values> {
  const got: GeneratedValue[] = [];
  const failed: UndraftedItem[] = [];
  for (const each of wanted.filter((one) => one.file === file)) {
    const answer = answers.waiting.get(each.request);
    if (answer === undefined) continue;
    const value = await valueOf(project, each, answer, addresses);
    if (typeof value === "string") {
      got.push({ wanted: each, value });
      continue;
    }
    const isKept = value.isGone !== true && !LOST.has(value.code);
    const { code, reason } = value;
    const next = isKept ? "waits" : each.kind === "image" ? undefined : nextOfText(each);
    const message = undraftedMessage(reason, next);
    failed.push({ ...itemOf(each), status: "failed", code, message, text: answer.text });
    await (isKept ? answers.markStuck([each.request]) : answers.settle([each.request]));
  }
  return { got, failed };
}

const SAVED_ANSWERS = "run again: plancast kept the answers, so they cost nothing more.";

async function writeInto(
  project: Project,
  file: CalendarFile,
  got: readonly GeneratedValue[],
  identify: IdentifyPlatform,
  answers: DraftAnswers,
): Promise<WrittenRows> {
  if (got.length === 0) return { rows: [], undrafted: [] };
  const indexes = [...new Set(got.map((each) => each.wanted.row))].sort((one, other) => one - other);
  const drafted = indexes.map((row) => {
    const own = got.filter((each) => each.wanted.row === row);
    return draftRowEdit(file.calendar, row, own, identify);
  });
  const save: SaveCalendar = (edited, contents) => saveCalendarFile(project, edited, contents, SAVED_ANSWERS);
  const { written, failed } = await writeDrafts(save, file, drafted, identify);
  await answers.settle([...written.keys()].flatMap(requestsOf));
  const stuck = [...failed].filter(([, { code }]) => code === "write/not-written");
  await answers.markStuck(stuck.flatMap(([row]) => requestsOf(row)));
  return {
    rows: [...written].map(([row, cells]) => ({ ...placeOf(row), cells })),
    undrafted: [...failed].flatMap(([row, fault]) => row.got.map((each) => failedItem(each, fault))),
  };
}

/** The answer can never be written: the next run asks for another. */
const LOST: ReadonlySet<string> = new Set(["ai/unusable", "media/type", "service/unreadable"]);

function nextOfText({ current }: DraftTask): AnswerNext {
  return current === undefined ? "asked-again" : "row-stays";
}

/** The content of the cell; a fault if a picture is unavailable, or no cell can hold a text. */
async function valueOf(
  project: Project,
  { file, name }: DraftTask,
  { text, image = {} }: DraftAnswer,
  addresses: WebMedia,
): Promise<string | UnsavedPicture> {
  if (text !== undefined) {
    const message = unusableTextReason(file.calendar, text);
    if (message === undefined) return text;
    return { code: "ai/unusable", reason: { kind: "message", message } };
  }
  const picture = await loadPicture(image, addresses);
  if ("bytes" in picture) return savePicture(project, file.calendar.file, name, picture);
  // The service has the picture, so the calendar can name it there.
  return image.mediaId !== undefined && /^media_[\w-]+$/.test(image.mediaId) ? image.mediaId : picture;
}

export function itemOf({ file: { calendar }, row, name, kind, platform }: DraftTask): DraftItem {
  return { source: { file: calendar.file, line: lineOf(calendar, row) }, row: name, kind, platform };
}

function lineOf({ rows }: CalendarFile["calendar"], row: number): number {
  return rows[row]?.line ?? 1;
}

function failedItem({ wanted, value }: GeneratedValue, { code, reason }: DraftFault): UndraftedItem {
  const text = wanted.kind === "image" ? undefined : value;
  return { ...itemOf(wanted), status: "failed", code, message: undraftedMessage(reason, undefined), text };
}

function placeOf({
  got: [first],
}: DraftedRow): Pick<DraftDocument["rows"][number], "file" | "line" | "name"> {
  if (first === undefined) throw new Error("A drafted row needs an answer from the service.");
  const { file, row, name } = first.wanted;
  return { file: file.calendar.file, line: lineOf(file.calendar, row), name };
}

function requestsOf({ got }: DraftedRow): string[] {
  return got.map(({ wanted }) => wanted.request);
}
