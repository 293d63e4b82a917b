/**
 * Checks calendars that were read: turns rows into posts with known media, and applies the rules. Lists all posts that
 * can be shown. Needs no service.
 */

import { checkPosts } from "../checks/rules/check-posts.ts";
import { type UnplannedRow, countUnplanned, validate } from "../checks/validate.ts";
import type { HashCache } from "../media/hash-cache.ts";
import { resolveMedia } from "../media/resolve-media.ts";
import type { WebMedia } from "../media/web-media.ts";
import { utcTime } from "../model/canonical.ts";
import type { Clock } from "../model/clock.ts";
import type { CancelRisks } from "../model/plan.ts";
import type { ListedMedia, ListedPost, Post, ResolvedPost } from "../model/post.ts";
import type { Problem } from "../model/problem.ts";
import type { FilteredRows } from "../model/row-filter.ts";
import { compareText } from "../model/text.ts";
import { durationMs } from "../model/units.ts";
import type { Calendar } from "../settings/calendar-settings.ts";
import type { Project } from "../settings/config.ts";
import type { Selection } from "./select.ts";

/** The calendars, as far as they can be understood without the service. */
export interface CheckedCalendars extends CancelRisks {
  readonly calendars: readonly Calendar[];
  /** Rows in scope that no filter leaves out, whatever happened to them. */
  readonly rows: number;
  readonly posts: readonly ResolvedPost[];
  /** Posts with faulty media; the problems say why. */
  readonly unresolved: readonly Post[];
  /** Rows that are drafts or skipped, in scope or not. */
  readonly skippedRows: readonly UnplannedRow[];
  /** Number of different web addresses of media to post that were not downloaded. */
  readonly uncheckedUrls: number;
  /** Draft and skipped rows in scope. */
  readonly drafts: number;
  /** How many of these are skipped. */
  readonly skipped: number;
  readonly problems: readonly Problem[];
  readonly inScope: (file: string) => boolean;
  /** Rows that a filter leaves out. */
  readonly filteredRows: FilteredRows;
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
  { calendars, inScope, problems, only }: Selection,
  clock: Clock,
  { addresses, hashes }: MediaSources = {},
): Promise<CheckedCalendars> {
  const {
    posts,
    skippedRows,
    filteredRows,
    problems: wrong,
  } = validate(calendars, project.config, only);
  const now = clock.now();
  // Nobody needs the files of past rows, or of rows outside this run.
  const pastUntil = utcTime(now + durationMs(project.config.safety.lead_time));
  const isWanted = (post: Post): boolean => post.scheduledAt >= pastUntil && inScope(post.source.file);
  const resolved = await resolveMedia(
    posts,
    project.root,
    async (url, post) => addresses?.resolve(url, isWanted(post)),
    hashes?.read,
  );
  const found = checkPosts({ ...resolved, config: project.config, now });
  const all = [...problems, ...calendars.flatMap((each) => each.problems), ...wrong, ...resolved.problems];
  const broken = all.filter(
    (each) => each.severity === "error" && each.file !== undefined && !inScope(each.file),
  );
  return {
    calendars,
    rows:
      calendars.filter(({ file }) => inScope(file)).reduce((sum, { rows }) => sum + rows.length, 0) -
      filteredRows.count(inScope),
    posts: resolved.posts,
    unresolved: resolved.unresolved,
    skippedRows,
    uncheckedUrls: countUrls(resolved.posts.filter((post) => post.media.length > 0 && isWanted(post))),
    ...countUnplanned(skippedRows, inScope),
    problems: sortByCalendar(
      [
        ...all.filter((each) => each.file === undefined || inScope(each.file) || concernsSeveralFiles(each)),
        // Problems that do not prevent understanding the calendar.
        ...found.filter((each) => each.file === undefined || inScope(each.file)),
      ],
      calendars,
    ),
    inScope,
    filteredRows,
    isFiltered: only !== undefined,
    brokenOthers: [...new Set(broken.flatMap((each) => each.file ?? []))],
  };
}

/** How many different addresses were not downloaded. */
function countUrls(posts: readonly ResolvedPost[]): number {
  const urls = posts.flatMap(({ media }) => media.flatMap((each) => (each.kind === "url" ? each.url : [])));
  return new Set(urls).size;
}

/** A clash between two files concerns both. */
function concernsSeveralFiles({ code }: Problem): boolean {
  return code === "row/duplicate-id" || code === "row/duplicate-post";
}

/** In the order of the calendars. Problems outside calendars come first. */
export function sortByCalendar(
  problems: readonly Problem[],
  calendars: readonly Pick<Calendar, "file">[],
): readonly Problem[] {
  const order = new Map(calendars.map(({ file }, index) => [file, index]));
  const rank = ({ file }: Problem): number => (file === undefined ? -1 : (order.get(file) ?? -1));
  return [...problems].sort(
    (one, other) =>
      rank(one) - rank(other) ||
      (one.line ?? 0) - (other.line ?? 0) ||
      (one.column ?? 0) - (other.column ?? 0),
  );
}

/** Earliest first, then by key. Problems with the media of drafts are not reported yet. */
export async function listPosts(
  root: string,
  { posts, unresolved, skippedRows, inScope }: CheckedCalendars,
  { hashes }: Pick<MediaSources, "hashes"> = {},
): Promise<ListedPost[]> {
  const aside = await Promise.all(
    (["draft", "skip"] as const).map(async (status): Promise<ListedPost[]> => {
      const rows = skippedRows.filter((row) => row.status === status && inScope(row.file));
      const those = rows.flatMap((row) => row.posts());
      const resolved = await resolveMedia(those, root, async () => undefined, hashes?.read);
      return [...resolved.posts, ...resolved.unresolved].map((post) => ({ ...post, status }));
    }),
  );
  const ready = [...posts, ...unresolved]
    .filter(({ source }) => inScope(source.file))
    .map((post: Listable): ListedPost => ({ ...post, status: "ready" }));
  return [...ready, ...aside.flat()].sort(byTime);
}

type Listable = Omit<Post, "media"> & { readonly media: readonly ListedMedia[] };

function byTime(one: ListedPost, other: ListedPost): number {
  return compareText(one.scheduledAt, other.scheduledAt) || compareText(one.key, other.key);
}
