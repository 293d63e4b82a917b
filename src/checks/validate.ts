/** From raw rows to posts or problems. Checks every row, whatever faults others have. */

import { canonicalContent } from "../model/canonical.ts";
import { groupsOfSeveral } from "../model/group.ts";
import type { Post } from "../model/post.ts";
import { type Problem, problem, rowName } from "../model/problem.ts";
import { type FilteredRow, type Only, FilteredRows } from "../model/row-filter.ts";
import type { RawRow } from "../model/row.ts";
import type { Calendar } from "../settings/calendar-settings.ts";
import type { Config } from "../settings/config.ts";
import { RowView, readStatus } from "./row-view.ts";
import { type CheckedRow, checkRow } from "./check-row.ts";
import { RowFilter, unknownFilterColumns } from "./filter-rows.ts";
import { aliasesOf, platformReader } from "./platforms.ts";
import { DateOrderHint } from "./when/date-order.ts";

export interface Validated {
  readonly posts: readonly Post[];
  readonly skippedRows: readonly UnplannedRow[];
  readonly filteredRows: FilteredRows;
  readonly problems: readonly Problem[];
}

/** A row that its status excludes from the plan. */
export interface UnplannedRow {
  readonly file: string;
  readonly id: string | undefined;
  readonly row: Pick<RawRow, "file" | "line" | "at">;
  readonly status: "draft" | "skip";
  /**
   * The posts that it would be; none if it is not complete yet. Computed on demand, because a plan does not need them.
   */
  readonly posts: () => readonly Post[];
}

/** Draft and skipped rows in scope, and how many of them are skipped. */
export function countUnplanned(
  rows: readonly UnplannedRow[],
  inScope: (file: string) => boolean,
): { readonly drafts: number; readonly skipped: number } {
  const those = rows.filter(({ file }) => inScope(file));
  return { drafts: those.length, skipped: those.filter(({ status }) => status === "skip").length };
}

/**
 * Checks each row, then all rows together. Pure: only the plan decides whether a time is past.
 * @param only limits this run, besides `only:` in plancast.yaml; rows that it leaves out have no problems
 */
export function validate(calendars: readonly Calendar[], config: Config, only?: Only): Validated {
  const aliases = aliasesOf(config.platforms);
  const platforms = { aliases, read: platformReader(aliases) };
  const posts: Post[] = [];
  const rows: IdentifiedRow[] = [];
  const skippedRows: UnplannedRow[] = [];
  const filteredOut: FilteredRow[] = [];
  const problems: Problem[] = [];
  for (const calendar of calendars) {
    const orders = { order: calendar.settings.date_order, hint: new DateOrderHint(calendar) };
    const filter = RowFilter.of([calendar.settings.only, only], platforms);
    for (const row of calendar.rows) {
      const view = new RowView(row, calendar);
      const id = view.own("id")?.text.normalize("NFC");
      const isIn = filter === undefined || filter.fitsCells(view);
      const status = isIn ? readStatus(view.value("status"), calendar.settings.status_values) : "ready";
      if (status === "draft" || status === "skip") {
        const posts = (): readonly Post[] => checkRow(view, platforms, orders).posts;
        skippedRows.push({ file: row.file, id, row, status, posts });
        continue;
      }
      const checked =
        status === "ready" ? checkRow(view, platforms, orders) : { posts: [], problems: [status] };
      const isPlanned = isIn && filter?.fitsDue(view, checked.posts) !== false;
      if (id !== undefined) rows.push({ id, source: row, isFilteredOut: !isPlanned });
      if (isPlanned) {
        posts.push(...checked.posts);
        problems.push(...checked.problems);
      } else filteredOut.push(toFilteredRow(view, id, checked));
    }
  }
  problems.push(
    ...CROSS_ROW_CHECKS.flatMap((rule) => rule({ rows, posts })),
    ...unknownFilterColumns(calendars, only),
  );
  if (filteredOut.length > 0 && posts.length + skippedRows.length + problems.length === 0) {
    problems.push(
      problem(
        "filter/no-rows",
        "No row matches the filter in `only:` or --only. Check the spelling of its values.",
      ),
    );
  }
  const planned = new Set(filteredOut.length === 0 ? [] : posts.map(({ key }) => key));
  return { posts, skippedRows, filteredRows: new FilteredRows(filteredOut, planned), problems };
}

function toFilteredRow(view: RowView, id: string | undefined, { posts }: CheckedRow): FilteredRow {
  return {
    file: view.row.file,
    keys: id === undefined ? posts.map(({ key }) => key) : [id],
    content: canonicalContent(view.value("content")?.written ?? ""),
    places: posts,
  };
}

// Checks across rows: each is a function from all posts to problems. To add one, write the function and list it below.

/** A row with an id, including one with problems. */
interface IdentifiedRow {
  readonly id: string;
  readonly source: RawRow;
  readonly isFilteredOut: boolean;
}

interface AllRows {
  readonly rows: readonly IdentifiedRow[];
  readonly posts: readonly Post[];
}

type CrossRowCheck = (all: AllRows) => Problem[];

const uniqueIds: CrossRowCheck = ({ rows }) =>
  repeats(rows, ({ id }) => [id]).flatMap(({ each, first }) => {
    // Problems between rows that a filter leaves out do not concern this run.
    if (each.isFilteredOut && first.isFilteredOut) return [];
    const message = `The id "${each.id}" is also the id of ${rowName(first.source, first.source.at())}. Give each row a different id, or none.`;
    return [problem("row/duplicate-id", message, each.source.at("id"))];
  });

/**
 * The part for one platform is stored under the row's id and the platform's name: `launch@twitter` must not be another
 * row's id.
 */
const uniqueKeys: CrossRowCheck = ({ rows, posts }) => {
  const suspects = posts.filter(({ key }) => key.includes("@"));
  if (suspects.length === 0) return [];
  const ids = new Map(rows.map((row) => [row.id, row]));
  return suspects.flatMap((post) => {
    const other = post.key.endsWith(`@${post.platforms[0]}`) ? ids.get(post.key) : undefined;
    if (other === undefined) return [];
    const own = rowName(post.source, post.at());
    if (own === rowName(other.source, other.source.at())) return [];
    const message = `plancast uses the id "${post.key}" for ${own} on one of its platforms. Choose another id.`;
    return [problem("row/duplicate-id", message, other.source.at("id"))];
  });
};

const uniquePosts: CrossRowCheck = ({ posts }) =>
  // Only posts at the same time can be duplicates, and few are.
  repeats(groupsOfSeveral(posts, ({ scheduledAt }) => scheduledAt).flat(), (post) =>
    post.platforms.map((platform) =>
      JSON.stringify([post.scheduledAt, platform, post.content, mediaIfNoText(post)]),
    ),
  ).map(({ each: post, first }) => {
    const message = `The row would publish the same text at the same time on the same platform as ${rowName(first.source, first.at())}. Remove one of them.`;
    return problem("row/duplicate-post", message, post.at("content"));
  });

const CROSS_ROW_CHECKS: readonly CrossRowCheck[] = [uniqueIds, uniqueKeys, uniquePosts];

/** Posts without text differ by their media. */
function mediaIfNoText(post: Post): unknown {
  return post.content === "" ? post.media : undefined;
}

/** Items with the same mark as an earlier item, each once, with the first item that has the mark. */
function repeats<T>(all: readonly T[], marks: (each: T) => readonly string[]): { each: T; first: T }[] {
  const seen = new Map<string, T>();
  const found: { each: T; first: T }[] = [];
  for (const each of all) {
    const own = marks(each);
    const known = own.find((mark) => seen.has(mark));
    const first = known === undefined ? undefined : seen.get(known);
    for (const mark of own) if (!seen.has(mark)) seen.set(mark, each);
    if (first !== undefined) found.push({ each, first });
  }
  return found;
}
