/** From raw rows to posts or problems. Every row is looked at, whatever is wrong with the others. */
import type { Config } from "../calendar/config.ts";
import type { Post } from "../calendar/post.ts";
import type { Problem } from "../calendar/problem.ts";
import type { Calendar } from "../calendar/row.ts";
import { checkRow } from "./check-row.ts";
import { DateOrderHint } from "./date-order-hint.ts";
import { aliasesOf, platformReader } from "./platforms.ts";
import { RowView } from "./row-view.ts";
import { RULES, type IdentifiedRow } from "./rules.ts";
import { statusOf } from "./status.ts";

export interface Validated {
  readonly posts: readonly Post[];
  /** Files of the rows whose status is draft or skip, one entry a row. */
  readonly drafts: readonly string[];
  readonly problems: readonly Problem[];
}

/** Checks every row by itself, then all rows together. Pure: whether a time is past is the plan's to say. */
export function validate(calendars: readonly Calendar[], config: Config): Validated {
  const aliases = aliasesOf(config.platforms);
  const platforms = { aliases, read: platformReader(aliases) };
  const posts: Post[] = [];
  const rows: IdentifiedRow[] = [];
  const drafts: string[] = [];
  const problems: Problem[] = [];
  for (const calendar of calendars) {
    const orders = { order: calendar.settings.date_order, hint: new DateOrderHint(calendar) };
    for (const row of calendar.rows) {
      const view = new RowView(row, calendar, config);
      const status = statusOf(view.value("status"), calendar.settings.status_values);
      if (status === "draft" || status === "skip") {
        drafts.push(row.file);
        continue;
      }
      const id = view.own("id")?.text.normalize("NFC");
      if (id !== undefined) rows.push({ id, source: row });
      const checked =
        status === "ready" ? checkRow(view, platforms, orders) : { posts: [], problems: [status] };
      posts.push(...checked.posts);
      problems.push(...checked.problems);
    }
  }
  problems.push(...RULES.flatMap((rule) => rule({ rows, posts })));
  return { posts, drafts, problems };
}
