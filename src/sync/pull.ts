/**
 * Writes scheduled posts as a calendar: each as a row with exactly the same meaning. The result is read again, together
 * with the project's other calendars. A post is left out, with the reason, if its row would give another post, or clash
 * with another row.
 */

import { createHash } from "node:crypto";
import { checkCalendars } from "../calendars/check.ts";
import { type TargetFile, readBack } from "../calendars/convert.ts";
import { FORMATS } from "../calendars/all-formats.ts";
import { platformsToOffer } from "../calendars/rows-to-write.ts";
import { type ColumnName, type WrittenRow, optionColumn } from "../calendars/formats/written-row.ts";
import type { Aliases } from "../checks/networks/network-names.ts";
import { aliasesOf } from "../checks/platforms.ts";
import { findZone, localText } from "../checks/when/local-time.ts";
import { utcMs } from "../model/canonical.ts";
import type { Clock } from "../model/clock.ts";
import { groupBy } from "../model/data.ts";
import { joinFiles } from "../model/address.ts";
import { EXTRA_PARTS, filledExtras, joinAlt, mediaByText, trimmedTexts } from "../model/extras.ts";
import { Failure } from "../model/failure.ts";
import {
  type RemotePost,
  type ResolvedPost,
  DERIVED_KEY_PREFIX,
  differingParts,
  rowIdsOf,
} from "../model/post.ts";
import { type Problem, problem } from "../model/problem.ts";
import { type Cell, rowAt } from "../model/row.ts";
import { compareText } from "../model/text.ts";
import type { ProblemCode } from "../problems/catalogue.ts";
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
  const written = await FORMATS[target.format].write(cells, {
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
  const own = await checkCalendars(project, { calendars: [back], inScope, holds: [], problems: [] }, clock);
  const errors = errorsIn(back, own.problems).filter(({ isClash }) => !isClash);
  const wrong = reasonsByRow(rows, [...errors, ...mismatchedRows(rows, back, own.posts)]);
  if (wrong.size > 0) return { wrong };
  const all = await checkCalendars(
    project,
    { calendars: [...calendars, back], inScope, holds: [], problems: [] },
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
    "write/unwritable",
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

// A post as a row.

/** Settings that the row of a post can rely on. */
interface RowContext {
  /** The zone of times that have no zone. Without it, times are written in UTC. */
  readonly timezone: string | undefined;
  readonly aliases: Aliases;
}

/** Longest id that a row may have, in characters. */
const ID_LENGTH = 200;

const POST_PREFIX = "post_";

/** The id that keeps the row the same post after edits of text or time: the post's own, in the form `post_<id>`. */
function rowId(postId: string): string {
  const id = postId.startsWith(POST_PREFIX) ? postId : POST_PREFIX + postId;
  return id.length <= ID_LENGTH ? id : hashedRowId(postId);
}

/** The id of a row if its own is too long or taken. */
function hashedRowId(postId: string): string {
  return POST_PREFIX + createHash("sha256").update(postId).digest("hex").slice(0, 16);
}

/** @param key the row's key; it is not written if it is derived from the row's content */
function postToRow(
  post: RemotePost,
  key: string,
  context: RowContext,
): { readonly row: WrittenRow } | { readonly reason: string } {
  const { content, scheduledAt, noRow } = post;
  if (noRow !== undefined) return { reason: NO_ROW[noRow] };
  if (content === undefined) return { reason: "the service does not show their text" };
  if (scheduledAt === undefined) return { reason: "the service does not show their time" };
  if (post.platforms === undefined) return { reason: "the service does not show their platforms" };
  const platforms = post.platforms.map((name) => platformNameInRow(name, context.aliases));
  if (!platforms.every((name) => name !== undefined))
    return { reason: "aliases in plancast.yaml use the names of their platforms for other platforms" };
  const zone = context.timezone === undefined ? undefined : findZone(context.timezone);
  const { alt = [], thread_media: _counts, ...extras } = filledExtras(post);
  const media = (post.mediaIds ?? []).map((id, index) => ({ id, alt: alt[index] ?? "" }));
  const [own = [], ...inThread] = mediaByText(media, post);
  const altInThread = inThread.map((items) => joinAlt(altOf(items), items.length));
  if (!altInThread.every((text) => text !== undefined)) return { reason: "their alt texts contain ||" };
  const row = new Map<ColumnName, Cell>();
  if (!key.startsWith(DERIVED_KEY_PREFIX)) row.set("id", key);
  const timeText = (time: string): string => (zone === undefined ? time : localText(zone, utcMs(time)));
  row.set("scheduled_at", timeText(scheduledAt));
  row.set("platforms", platforms);
  if (content !== "") row.set("content", content);
  if (own.length > 0) row.set("media", idsOf(own));
  if (altOf(own).length > 0) row.set("alt", altOf(own));
  if (inThread.length > 0)
    row.set(
      "thread_media",
      inThread.map((items) => joinFiles(idsOf(items))),
    );
  if (altInThread.some((text) => text !== "")) row.set("thread_alt", altInThread);
  for (const part of EXTRA_PARTS) {
    const isOwn = part === "alt" || part === "thread_media" || part === "options";
    const value = isOwn ? undefined : extras[part];
    if (value !== undefined) row.set(part, value);
  }
  for (const text of extras.options ?? []) {
    const [column, value] = optionColumn(text) ?? [];
    if (column !== undefined && value !== undefined) row.set(column, value);
  }
  if (extras.expires !== undefined) row.set("expires", timeText(extras.expires));
  return { row };
}

interface MediumInRow {
  readonly id: string;
  readonly alt: string;
}

function idsOf(media: readonly MediumInRow[]): readonly string[] {
  return media.map(({ id }) => id);
}

function altOf(media: readonly MediumInRow[]): readonly string[] {
  return trimmedTexts(media.map(({ alt }) => alt));
}

const NO_ROW: Readonly<Record<NonNullable<RemotePost["noRow"]>, string>> = {
  repeats: "the service repeats them, and a row would be only one post",
  "own-parts": "one of their networks has its own text, media or time, which the row would lose",
};

/** A name that counts as an identifier, unless it is an alias of another identifier. */
function platformNameInRow(identifier: string, aliases: Aliases): string | undefined {
  if ((aliases.get(identifier) ?? identifier) === identifier) return identifier;
  return [...aliases].find(([, meant]) => meant === identifier)?.[0];
}

/** A post that cannot become a row, and why: the text after "are left out:". */
interface SkippedPost {
  readonly postId: string;
  readonly reason: string;
}

/** The reason why a post cannot become a row, from the fault of that row. */
const REASONS: Partial<Record<ProblemCode, string>> = {
  "row/missing-field": "they have no text and media, or no platform",
  "row/duplicate-post": "another post has the same text at the same time on the same platform",
  "platform/unknown": "no row can name their platforms",
};

/** Why a post is left out, by what is wrong with its row. */
function skipReason({ code, message }: Problem): string {
  return REASONS[code] ?? message.replace(/\.$/, "");
}

/** Maximum number of ids that a warning names. The JSON report has them all. */
const NAMED_IDS = 10;

/** One warning for each reason to leave posts out. */
export function skippedPostProblems(skipped: readonly SkippedPost[]): Problem[] {
  return [...groupBy(skipped, ({ reason }) => reason)].map(([reason, group]) => {
    const ids = group.map(({ postId }) => postId);
    const posts = ids.length === 1 ? "1 scheduled post is" : `${ids.length} scheduled posts are`;
    return problem("pull/left-out", `${posts} left out: ${reason}. ${idList(ids)}`);
  });
}

/** If a service's records do not contain media, the posts may still have media. */
export function unknownMediaProblems(ids: readonly string[]): Problem[] {
  if (ids.length === 0) return [];
  const message =
    "The service does not show the media of its posts, so the rows have none. If a post has media, " +
    `add them before you change its row: plancast sends a changed row as it is. ${idList(ids)}`;
  return [problem("pull/media-untold", message)];
}

function idList(ids: readonly string[]): string {
  const more = ids.length > NAMED_IDS ? `, and ${ids.length - NAMED_IDS} more` : "";
  return `(${ids.slice(0, NAMED_IDS).join(", ")}${more})`;
}
