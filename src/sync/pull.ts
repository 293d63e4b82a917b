/**
 * Writes scheduled posts as a calendar. The result is read again, together with the project's other calendars. A post
 * is left out, with the reason, if its row would give another post, or clash with another row.
 */

import { checkCalendars } from "../calendars/check.ts";
import { type TargetFile, readBack } from "../calendars/convert.ts";
import { WRITE_FORMATS, platformsToOffer } from "../calendars/write/formats.ts";
import {
  type SkippedPost,
  hashedRowId,
  postToRow,
  rowId,
  skipReason,
} from "../calendars/write/post-to-row.ts";
import type { WrittenRow } from "../calendars/write/written-row.ts";
import { aliasesOf } from "../checks/platforms.ts";
import type { Clock } from "../model/clock.ts";
import { Failure } from "../model/failure.ts";
import { type RemotePost, type ResolvedPost, differingParts, rowIdsOf } from "../model/post.ts";
import type { Problem } from "../model/problem.ts";
import { rowAt } from "../model/row.ts";
import { compareText } from "../model/text.ts";
import type { Calendar } from "../settings/calendar-settings.ts";
import type { Project } from "../settings/config.ts";
import { matchesMediaId } from "./plan/compare.ts";
import type { Diff } from "./plan/input.ts";

interface PulledRow {
  readonly key: string;
  readonly post: RemotePost;
}

export interface Pulled {
  readonly contents: string | Uint8Array;
  readonly rows: readonly PulledRow[];
  readonly skipped: readonly SkippedPost[];
}

interface PullOptions {
  readonly project: Project;
  /** The project's own calendars. */
  readonly calendars: readonly Calendar[];
  readonly target: TargetFile;
  readonly clock: Clock;
}

/** Throws a Failure if the settings in plancast.yaml for the target do not fit the result. */
export async function pullPosts(pulling: PullOptions, posts: readonly RowlessPost[]): Promise<Pulled> {
  const { project, calendars, target } = pulling;
  const context = { timezone: target.settings.timezone, aliases: aliasesOf(project.config) };
  const skipped: SkippedPost[] = [];
  let rows = withKeys(posts, idsIn(calendars), skipped).flatMap(({ post, key }): Candidate[] => {
    const made = postToRow(post, key, context);
    if ("row" in made) return [{ key, post, row: made.row }];
    skipped.push({ postId: post.id, reason: made.reason });
    return [];
  });
  for (;;) {
    // Each round leaves out at least one, or is the last.
    const tried = await tryRows(rows, pulling);
    if ("contents" in tried) return { contents: tried.contents, rows, skipped };
    skipped.push(...[...tried.wrong].map(([{ post }, reason]) => ({ postId: post.id, reason })));
    rows = rows.filter((each) => !tried.wrong.has(each));
  }
}

interface Candidate extends PulledRow {
  readonly row: WrittenRow;
}

function idsIn(calendars: readonly Calendar[]): ReadonlySet<string> {
  const cells = calendars.flatMap(({ rows }) => rows.flatMap(({ cells }) => cells.id ?? []));
  return new Set(cells.map((id) => id.trim().normalize("NFC")));
}

/** Each post with the key of its row: the row that owns the post, otherwise the post's own id. */
function withKeys(
  posts: readonly RowlessPost[],
  taken: ReadonlySet<string>,
  skipped: SkippedPost[],
): readonly PulledRow[] {
  const used = new Set<string>();
  return posts.flatMap(({ post, ownedAs }) => {
    const own = ownedAs ?? rowId(post.id);
    if (taken.has(own)) {
      const reason = "another row already has its id, but with other contents";
      skipped.push({ postId: post.id, reason });
      return [];
    }
    const key = used.has(own) ? hashedRowId(post.id) : own;
    used.add(key);
    return [{ post, key }];
  });
}

type WriteAttempt =
  { readonly contents: string | Uint8Array } | { readonly wrong: ReadonlyMap<Candidate, string> };

/** Writes the rows and reads them again. `wrong`: rows that give another post, or else rows that clash. */
async function tryRows(
  rows: readonly Candidate[],
  { project, calendars, target, clock }: PullOptions,
): Promise<WriteAttempt> {
  const { config } = project;
  const cells = rows.map(({ row }) => row);
  const written = await WRITE_FORMATS[target.format].write(cells, {
    platforms: platformsToOffer(config, cells),
  });
  if ("faults" in written) {
    const reasons = written.faults.map(({ row, message }) => ({ row, reason: message.replace(/\.$/, "") }));
    return { wrong: reasonsByRow(rows, reasons) };
  }
  const back = await readBack(written.contents, target);
  const unread = back.problems.find(({ severity }) => severity === "error");
  if (unread !== undefined || back.rows.length !== rows.length) throw notReadableAsWritten(target, unread);
  const inScope = (file: string): boolean => file === back.file;
  const own = await checkCalendars(project, { calendars: [back], inScope, problems: [] }, clock);
  const errors = errorsIn(back, own.problems).filter(({ isClash }) => !isClash);
  const wrong = reasonsByRow(rows, [...errors, ...mismatchedRows(rows, back, own.posts)]);
  if (wrong.size > 0) return { wrong };
  const all = await checkCalendars(
    project,
    { calendars: [...calendars, back], inScope, problems: [] },
    clock,
  );
  const clashes = errorsIn(back, all.problems);
  if (clashes.length > 0) return { wrong: reasonsByRow(rows, clashes) };
  return { contents: written.contents };
}

interface RowReason {
  /** Index of the row. */
  readonly row: number;
  readonly reason: string;
}

/** The first reason for each row. */
function reasonsByRow(
  rows: readonly Candidate[],
  reasons: readonly RowReason[],
): ReadonlyMap<Candidate, string> {
  const found = new Map<Candidate, string>();
  for (const { row, reason } of reasons) {
    const candidate = rows[row];
    if (candidate !== undefined && !found.has(candidate)) found.set(candidate, reason);
  }
  return found;
}

/** Problems of one row with another. */
const CLASHES: ReadonlySet<string> = new Set([
  "row/duplicate-id",
  "row/duplicate-post",
  "row/same-minute",
  "row/repeated-text",
]);

/** Problems of the written rows. */
function errorsIn(
  { file, rows }: Calendar,
  problems: readonly Problem[],
): (RowReason & { readonly isClash: boolean })[] {
  return problems
    .filter((each) => each.file === file && each.severity === "error")
    .map((each) => ({
      row: rowAt(rows, each.line ?? 0),
      reason: skipReason(each),
      isClash: CLASHES.has(each.code),
    }));
}

/** Rows that do not give the post that they were made from. */
function mismatchedRows(
  rows: readonly Candidate[],
  back: Calendar,
  posts: readonly ResolvedPost[],
): RowReason[] {
  const byLine = new Map(posts.map((post) => [post.source.line, post]));
  const changesTexts = (back.settings.utm ?? back.settings.mentions) !== undefined;
  return rows.flatMap((candidate, row) => {
    const post = byLine.get(back.rows[row]?.line ?? 0);
    if (isSameAsRemote(post, candidate)) return [];
    const isChanged = changesTexts && post !== undefined && post.content !== candidate.post.content;
    return [{ row, reason: isChanged ? TEXT_WOULD_CHANGE : "no row can contain them" }];
  });
}

const TEXT_WOULD_CHANGE = "`utm:` or `mentions:` in plancast.yaml would change their texts";

function isSameAsRemote(post: ResolvedPost | undefined, { key, post: remote }: Candidate): boolean {
  // A service may have one post for each account: then the key of a post ends with the account.
  if (post === undefined || !rowIdsOf(post.key).includes(key)) return false;
  const ids = remote.mediaIds ?? [];
  const mediaIds = post.media.map((each, index) => {
    const id = ids[index] ?? "";
    return matchesMediaId(each, id, {}) ? id : "";
  });
  return differingParts({ ...post, mediaIds }, { mediaIds: [], ...remote }).length === 0;
}

function notReadableAsWritten({ file }: TargetFile, unread: Problem | undefined): Failure {
  return new Failure(
    "write/not-the-same",
    `plancast would read different posts from ${file}: ${unread?.message ?? "a row would be lost."}`,
    "plancast.yaml has settings for other files with that name: choose another name with --out.",
  );
}

/** A scheduled post without a row. */
interface RowlessPost {
  readonly post: RemotePost;
  /** The key under which the project owns it; undefined if it does not. */
  readonly ownedAs: string | undefined;
}

/** The scheduled posts that no row covers, earliest first. */
export function rowlessPosts({ changes, unmanaged }: Diff): readonly RowlessPost[] {
  const owned = changes.flatMap((change): RowlessPost[] =>
    change.action === "cancel" && !change.retiring ? [{ post: change.remote, ownedAs: change.key }] : [],
  );
  const strange = unmanaged.map((post): RowlessPost => ({ post, ownedAs: undefined }));
  return [...owned, ...strange].sort((one, other) => compareText(dueAt(one), dueAt(other)));
}

function dueAt({ post }: RowlessPost): string {
  return `${post.scheduledAt ?? ""} ${post.id}`;
}
