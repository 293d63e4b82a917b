/** From raw rows to posts or problems. Every row is looked at, whatever is wrong with the others. */
import { canonicalContent } from "../calendar/canonical.ts";
import type { Config } from "../calendar/config.ts";
import { FilteredRows, type FilteredRow } from "../calendar/left-out.ts";
import type { Post } from "../calendar/post.ts";
import { problem, type Problem } from "../calendar/problem.ts";
import type { Only } from "../calendar/row-filter.ts";
import type { Calendar, RawRow } from "../calendar/row.ts";
import { checkRow, type CheckedRow } from "./check-row.ts";
import { DateOrderHint } from "./date-order-hint.ts";
import { unknownFilterColumns } from "./filter-problems.ts";
import { RowFilter } from "./filter-rows.ts";
import { aliasesOf, platformReader } from "./platforms.ts";
import { RowView } from "./row-view.ts";
import { CROSS_ROW_CHECKS, type IdentifiedRow } from "./rules.ts";
import { readStatus } from "./status.ts";

export interface Validated {
  readonly posts: readonly Post[];
  readonly skippedRows: readonly UnplannedRow[];
  readonly filteredRows: FilteredRows;
  readonly problems: readonly Problem[];
}

/** A row whose status says that it is not planned. */
export interface UnplannedRow {
  readonly file: string;
  readonly id: string | undefined;
  readonly row: Pick<RawRow, "file" | "line" | "at">;
  readonly status: "draft" | "skip";
  /** The posts that it would be; none where it is not complete yet. Understood when asked: a plan has no use for them. */
  readonly posts: () => readonly Post[];
}

/**
 * Checks every row by itself, then all rows together. Pure: whether a time is past is the plan's to say.
 * @param only narrows this run, besides what the project file says; a row that it leaves out has no problems
 */
export function validate(calendars: readonly Calendar[], config: Config, only?: Only): Validated {
  const aliases = aliasesOf(config.platforms);
  const platforms = { aliases, read: platformReader(aliases) };
  const posts: Post[] = [];
  const rows: IdentifiedRow[] = [];
  const setAside: UnplannedRow[] = [];
  const leftOut: FilteredRow[] = [];
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
        setAside.push({ file: row.file, id, row, status, posts });
        continue;
      }
      const checked =
        status === "ready" ? checkRow(view, platforms, orders) : { posts: [], problems: [status] };
      const isPlanned = isIn && filter?.fitsDue(view, checked.posts) !== false;
      if (id !== undefined) rows.push({ id, source: row, isFilteredOut: !isPlanned });
      if (isPlanned) {
        posts.push(...checked.posts);
        problems.push(...checked.problems);
      } else leftOut.push(toFilteredRow(view, id, checked));
    }
  }
  problems.push(
    ...CROSS_ROW_CHECKS.flatMap((rule) => rule({ rows, posts })),
    ...unknownFilterColumns(calendars, only),
  );
  if (leftOut.length > 0 && posts.length + setAside.length + problems.length === 0) {
    problems.push(problem("filter/no-rows", "No row is one that `only:` or --only asks for."));
  }
  const planned = new Set(leftOut.length === 0 ? [] : posts.map(({ key }) => key));
  return { posts, skippedRows: setAside, filteredRows: new FilteredRows(leftOut, planned), problems };
}

function toFilteredRow(view: RowView, id: string | undefined, { posts }: CheckedRow): FilteredRow {
  return {
    file: view.row.file,
    keys: id === undefined ? posts.map(({ key }) => key) : [id],
    content: canonicalContent(view.value("content")?.written ?? ""),
    places: posts,
  };
}
