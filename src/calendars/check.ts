/**
 * Checks calendars that were read: turns rows into posts with known media, and applies the rules. Lists all posts that
 * can be shown. Needs no service.
 */

import type { ChooseAgain } from "../checks/row-slots.ts";
import { HeldPosts, unknownHoldColumns } from "../checks/held-posts.ts";
import { checkPosts } from "../checks/rules/check-posts.ts";
import { type FaultyRow, type UnplannedRow, type WholeRow, validate } from "../checks/validate.ts";
import { oneSidedFiles } from "../disk/unfinished-merge.ts";
import { readSlotState } from "./slot-state.ts";
import { readApprovalRecord, unapprovedPosts } from "./approval-record.ts";
import type { HashCache } from "../media/hash-cache.ts";
import { mediaPlaces, resolveMedia } from "../media/resolve-media.ts";
import type { WebMedia } from "../media/web-media.ts";
import { utcTime } from "../model/canonical.ts";
import type { Clock } from "../model/clock.ts";
import type { ListedMedia, ListedPost, Post, ResolvedPost, UtcTime } from "../model/post.ts";
import { type Problem, problem, sheetOf } from "../model/problem.ts";
import type { Assumption } from "../model/row.ts";
import { type LeftOut, countFiltered } from "../model/row-filter.ts";
import { compareText } from "../model/text.ts";
import type { Calendar } from "../settings/calendar-settings.ts";
import type { Project } from "../settings/config.ts";
import type { Selection } from "./select.ts";

/** The calendars, as far as plancast can check them without the service. */
export interface CheckedCalendars {
  readonly calendars: readonly Calendar[];
  /** Rows in scope that no filter leaves out, whatever happened to them. */
  readonly rows: number;
  readonly posts: readonly ResolvedPost[];
  /** Posts with faulty media; the problems say why. */
  readonly unresolved: readonly Post[];
  /** Rows that would be posts without their errors. */
  readonly faultyRows: readonly FaultyRow[];
  /** The number of rows with errors that --only-valid left out. */
  readonly invalidLeftOut: number;
  /** Rows that are drafts or skipped, in scope or not. */
  readonly skippedRows: readonly UnplannedRow[];
  /** Ready rows that repeat, each as a whole. */
  readonly series: readonly WholeRow[];
  /** Number of different web addresses of media to post that were not downloaded. */
  readonly uncheckedUrls: number;
  /** The time of the check, in ms since the epoch. */
  readonly now: number;
  /** Posts before this time cannot be scheduled any more. */
  readonly pastUntil: UtcTime;
  /** The assumptions about rows in scope, sorted by file and kind. */
  readonly assumptions: readonly Assumption[];
  readonly problems: readonly Problem[];
  readonly inScope: (file: string) => boolean;
  readonly holds: HeldPosts;
  readonly leftOut: LeftOut;
  /** Chooses the slots of the posts again. Undefined if no row asks for a slot. */
  readonly slotsAgain: ChooseAgain | undefined;
}

/** Sources for the content of media: of addresses, and of unchanged files. */
export interface MediaSources {
  readonly addresses?: WebMedia;
  readonly hashes?: Pick<HashCache, "read">;
}

/**
 * Rows become posts with known media, or problems. Works offline, unless `addresses` may download; without `addresses`,
 * web addresses of media are not checked. Without `hashes`, every file is read.
 */
export async function checkCalendars(
  project: Project,
  { calendars, inScope, problems, only, holds }: Selection,
  clock: Clock,
  { addresses, hashes }: MediaSources = {},
): Promise<CheckedCalendars> {
  const withHashes = hashes === undefined ? {} : { hashes };
  const now = clock.now();
  const state = await readSlotState(project, calendars, now);
  const { slots, closed } = state;
  const validated = validate(calendars, project.config, only, slots, state.series);
  const { faultyRows, filteredRows, skippedRows, series } = validated;
  // The run does not need the files of past rows, or of rows outside it.
  const pastUntil = utcTime(now + slots.leadTimeMs);
  const isWanted = (post: Post): boolean => post.scheduledAt >= pastUntil && inScope(post.source.file);
  const resolved = await resolveMedia(
    validated.posts,
    mediaPlaces(project),
    async (url, post) => addresses?.resolve(url, isWanted(post)),
    hashes?.read,
  );
  const record = await readApprovalRecord(project);
  const listed = { ...resolved, skippedRows, series, inScope, pastUntil };
  const whole = record.size === 0 ? [] : await listWholePosts(project, listed, withHashes);
  const approvals = unapprovedPosts(record, whole);
  const found = checkPosts({ ...resolved, config: project.config, now, closed, approvals });
  const all = [
    ...problems,
    ...(await unmergedProblems(project.root, calendars)),
    ...state.problems,
    ...unknownHoldColumns(calendars, holds, now),
    ...calendars.flatMap((each) => each.problems),
    ...validated.problems,
    ...resolved.problems,
    ...(await mediaProblems(faultyRows, project, hashes)),
  ];
  const broken = all.filter(
    (each) => each.severity === "error" && each.file !== undefined && !inScope(each.file),
  );
  return {
    calendars,
    rows:
      calendars.filter(({ file }) => inScope(file)).reduce((sum, { rows }) => sum + rows.length, 0) -
      countFiltered(filteredRows, inScope),
    posts: resolved.posts,
    unresolved: resolved.unresolved,
    faultyRows,
    invalidLeftOut: 0,
    skippedRows,
    series,
    uncheckedUrls: countUrls(resolved.posts.filter((post) => post.media.length > 0 && isWanted(post))),
    now,
    pastUntil,
    assumptions: validated.assumptions.filter(({ file }) => inScope(file)),
    problems: sortByCalendar(
      [
        ...all.filter((each) => each.file === undefined || inScope(each.file) || concernsSeveralFiles(each)),
        // Problems that do not prevent understanding the calendar.
        ...found.filter((each) => each.file === undefined || inScope(each.file)),
      ],
      calendars,
    ),
    inScope,
    holds: new HeldPosts(holds, calendars, project.config),
    leftOut: {
      rows: filteredRows,
      isFiltered: only !== undefined,
      rowsWithoutId: [],
      brokenOthers: [...new Set(broken.flatMap((each) => each.file ?? []))],
    },
    slotsAgain: validated.slotsAgain,
  };
}

/**
 * After a merge, workbooks that lack the rows of the other branch: apply would cancel the posts of these rows. In a
 * text file, git leaves markers, so people see the conflict.
 */
async function unmergedProblems(root: string, calendars: readonly Calendar[]): Promise<readonly Problem[]> {
  const books = new Set(calendars.flatMap(({ file, encoding }) => (encoding === undefined ? file : [])));
  const oneSided = books.size === 0 ? books : await oneSidedFiles(root, books);
  return [...books]
    .filter((file) => oneSided.has(file))
    .map((file) => {
      const message =
        "git could not merge this file, so it has only the rows of one branch. " +
        "Add the other branch's rows, then run `git add` on the file. If the file is already complete, only run `git add`.";
      return problem("calendar/conflict", message, { file });
    });
}

/** Also checks the files of rows that have other faults, so that one run reports everything. */
async function mediaProblems(
  rows: readonly FaultyRow[],
  project: Project,
  hashes: MediaSources["hashes"],
): Promise<readonly Problem[]> {
  const posts = rows.map(toUnplannedPost);
  return (await resolveMedia(posts, mediaPlaces(project), async () => undefined, hashes?.read)).problems;
}

/** A faulty row in the form of a post, without text and time. */
export function toUnplannedPost(row: FaultyRow): Post {
  return { ...row, key: row.id ?? "", content: "", scheduledAt: "" };
}

/** The number of different addresses that were not downloaded. */
function countUrls(posts: readonly ResolvedPost[]): number {
  const urls = posts.flatMap(({ media }) => media.flatMap((each) => (each.kind === "url" ? each.url : [])));
  return new Set(urls).size;
}

/** How many files there are: a workbook with several entries under `calendars:` is several calendars. */
export function countFiles(calendars: readonly Pick<Calendar, "file">[]): number {
  return new Set(calendars.map(({ file }) => file)).size;
}

/** A clash between two files concerns both. */
function concernsSeveralFiles({ code }: Problem): boolean {
  return code === "row/duplicate-id" || code === "row/duplicate-post";
}

/** Listed in the order of the calendars. Problems outside calendars come first. */
export function sortByCalendar(
  problems: readonly Problem[],
  calendars: readonly Pick<Calendar, "file">[],
): readonly Problem[] {
  const order = new Map(calendars.map(({ file }, index) => [file, index]));
  const rank = ({ file }: Problem): number => (file === undefined ? -1 : (order.get(file) ?? -1));
  const sheets = sheetOrder(problems);
  const sheetRank = (each: Problem): number => sheets.get(sheetMark(each)) ?? -1;
  return [...problems].sort(
    (one, other) =>
      rank(one) - rank(other) ||
      sheetRank(one) - sheetRank(other) ||
      (one.line ?? 0) - (other.line ?? 0) ||
      (one.column ?? 0) - (other.column ?? 0),
  );
}

/** The order of the sheets for problems. Problems of the whole file come first. */
function sheetOrder(problems: readonly Problem[]): ReadonlyMap<string, number> {
  const names = new Set(problems.filter(({ cell }) => cell !== undefined).map(sheetMark));
  return new Map([...names].map((name, index) => [name, index]));
}

function sheetMark(each: Problem): string {
  const sheet = sheetOf(each);
  return sheet === undefined ? "" : JSON.stringify([each.file, sheet]);
}

type Listed = Pick<
  CheckedCalendars,
  "posts" | "unresolved" | "skippedRows" | "series" | "inScope" | "pastUntil"
>;

/** Earliest first, then by key. Problems with the media of drafts are not reported yet. */
export async function listPosts(
  project: Project,
  checked: Listed,
  { hashes }: Pick<MediaSources, "hashes"> = {},
): Promise<ListedPost[]> {
  const aside = await Promise.all(
    (["draft", "skip"] as const).map((status) =>
      listRows(
        project,
        checked.skippedRows.filter((row) => row.status === status),
        status,
        checked,
        hashes,
      ),
    ),
  );
  return [...readyPosts(checked), ...aside.flat()].sort(byTime);
}

/** Like `listPosts`, but a row that repeats is one post, at the time of its next one: people answer it as a whole. */
export async function listWholePosts(
  project: Project,
  checked: Listed,
  sources: Pick<MediaSources, "hashes"> = {},
): Promise<ListedPost[]> {
  const series = await listRows(project, checked.series, "ready", checked, sources.hashes);
  const listed = await listPosts(project, checked, sources);
  const single = listed.filter((post) => post.series === undefined);
  return [...single, ...series]
    .map((post): ListedPost => {
      const next = post.repeats?.posts.find(({ scheduledAt }) => scheduledAt >= checked.pastUntil);
      return next === undefined ? post : { ...post, scheduledAt: next.scheduledAt };
    })
    .sort(byTime);
}

async function listRows(
  project: Project,
  rows: readonly WholeRow[],
  status: ListedPost["status"],
  { inScope }: Pick<Listed, "inScope">,
  hashes: MediaSources["hashes"],
): Promise<ListedPost[]> {
  const posts = rows.filter(({ file }) => inScope(file)).flatMap((row) => row.posts());
  const resolved = await resolveMedia(posts, mediaPlaces(project), async () => undefined, hashes?.read);
  return [...resolved.posts, ...resolved.unresolved].map((post) => ({ ...post, status }));
}

function readyPosts({ posts, unresolved, inScope }: Listed): readonly ListedPost[] {
  return [...posts, ...unresolved]
    .filter(({ source }) => inScope(source.file))
    .map((post: Listable): ListedPost => ({ ...post, status: "ready" }));
}

type Listable = Omit<Post, "media"> & { readonly media: readonly ListedMedia[] };

function byTime(one: ListedPost, other: ListedPost): number {
  return compareText(one.scheduledAt, other.scheduledAt) || compareText(one.key, other.key);
}
