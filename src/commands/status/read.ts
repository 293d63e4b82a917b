/**
 * Reads the status of each row: from the lockfile, from records of earlier runs, and from the service for the rest. For
 * `plancast status` and `plancast watch`.
 */

import type { Selection } from "../../calendars/select.ts";
import { readSlotState } from "../../calendars/slot-state.ts";
import { HeldPosts } from "../../checks/held-posts.ts";
import { type UnplannedRow, type Validated, validate } from "../../checks/validate.ts";
import { LockHeld } from "../../disk/process-lock.ts";
import { Failure } from "../../model/failure.ts";
import type { Hold } from "../../model/holds.ts";
import type { Lockfile } from "../../model/lockfile.ts";
import type { Post } from "../../model/post.ts";
import { type Problem, rowName } from "../../model/problem.ts";
import type { Publication, RowStatus } from "../../model/publication.ts";
import { belongsTo } from "../../model/row-filter.ts";
import { noRecordText } from "../../report/status/status-text.ts";
import { readState } from "../../sync/state/project-state.ts";
import { currentPublications, openPublicationLog } from "../../tracking/publication-log.ts";
import { type Publications, isWorthRecording, publicationRecord } from "../../tracking/publications.ts";
import { type SkippedRow, type TrackedRow, rowStatus, trackedRows } from "../../tracking/row-statuses.ts";
import type { CheckedService } from "../project/connect.ts";
import type { ProjectRun } from "../shell/command.ts";

/** The rows of calendars, before the service is asked. */
interface ReadRows {
  readonly selection: Selection;
  readonly validated: Validated;
  /** Of the calendars in scope: a row with an error is not a post. */
  readonly problems: readonly Problem[];
}

export async function readRows({ project, shell }: ProjectRun, selection: Selection): Promise<ReadRows> {
  const { slots, series } = await readSlotState(project, selection.calendars, shell.clock.now());
  const validated = validate(selection.calendars, project.config, selection.only, slots, series);
  return { selection, validated, problems: problemsIn(selection, validated) };
}

/** At the service's clock. */
export async function rowStatuses(
  run: ProjectRun,
  { selection, validated, problems }: ReadRows,
  opened: CheckedService,
): Promise<{ readonly statuses: readonly RowStatus[]; readonly lockfile: Lockfile }> {
  const { service } = opened;
  const { lockfile } = await readState(run.project, service.origin);
  const now = opened.clock.now();
  const held = new HeldPosts(selection.holds, selection.calendars, run.project.config);
  const holdOf = (post: Post): Hold | undefined => held.holdOf(post, now);
  const known = { lockfile, supports: service.supports, holdOf };
  const followed = followedIn(selection, validated, problems, known);
  const publications = await publicationsOf(run, followed, opened, now);
  const statuses = followed.map((each) => rowStatus(each, publications.get(each.row.postId ?? ""), now));
  return { statuses, lockfile };
}

function problemsIn({ calendars, problems, inScope }: Selection, validated: Validated): readonly Problem[] {
  const all = [...problems, ...calendars.flatMap((each) => each.problems), ...validated.problems];
  return all.filter(({ file }) => file === undefined || inScope(file));
}

function followedIn(
  { inScope, only }: Selection,
  { posts, skippedRows, filteredRows }: Validated,
  problems: readonly Problem[],
  known: Pick<Parameters<typeof trackedRows>[0], "lockfile" | "supports" | "holdOf">,
): readonly TrackedRow[] {
  const errors = problems.filter(({ severity }) => severity === "error");
  const isLeftOut = belongsTo(filteredRows, posts);
  const broken = new Set(errors.map(({ file }) => file));
  return trackedRows({
    posts: posts.filter(({ source }) => inScope(source.file)),
    skippedRows: skippedRows.filter(({ file }) => inScope(file)).map(asideRow),
    ...known,
    // It is unknown whether a missing row would match a filter.
    isShown: (key, file) => only === undefined && inScope(file) && !isLeftOut(key),
    isBroken: (file) => broken.has(file),
  });
}

function asideRow({ file, id, row, posts }: UnplannedRow): SkippedRow {
  const keys = id === undefined ? posts().map(({ key }) => key) : [id];
  return { file, sheet: row.sheet, line: row.line, place: rowName(row, row.at()), keys };
}

/**
 * By post id, at the service's clock (ms). It does not request recorded final statuses again, and records new final
 * statuses.
 */
async function publicationsOf(
  run: ProjectRun,
  followed: readonly TrackedRow[],
  { service, checkAccounts }: Pick<CheckedService, "service" | "checkAccounts">,
  now: number,
): Promise<ReadonlyMap<string, Publication>> {
  const posts = followed.flatMap(({ row: { postId: id, scheduledAt: dueAt } }) =>
    id === undefined ? [] : { id, dueAt },
  );
  const { publications, asked, recorded } = await currentPublications(run.project, posts, service, now);
  // With another customer's key, every post would be missing.
  if ([...asked.values()].some(({ state }) => state === "missing")) await checkAccounts();
  await record(run, asked, recorded, service.origin);
  return publications;
}

/** The records are only a cache: if they cannot be written, the status is still right. */
async function record(
  { project, shell, console }: ProjectRun,
  asked: ReadonlyMap<string, Publication>,
  recorded: Publications,
  origin: string,
): Promise<void> {
  const records = [...asked].flatMap(([id, publication]) =>
    isWorthRecording(publication) && recorded.isNews(id, publication)
      ? [publicationRecord(id, publication, origin, shell.clock.now())]
      : [],
  );
  if (records.length === 0) return;
  try {
    const log = await openPublicationLog(project, "answers");
    try {
      await Promise.all(records.map((each) => log.append(each)));
    } finally {
      await log.close();
    }
  } catch (error) {
    if (!(error instanceof LockHeld || error instanceof Failure)) throw error;
    console.note(noRecordText(error instanceof Failure ? error : "another-status", console.errorStyle));
  }
}
