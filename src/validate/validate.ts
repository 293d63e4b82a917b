/** From raw rows to posts or problems. Every row is looked at, whatever is wrong with the others. */
import { hash } from "node:crypto";
import { canonicalContent, utcTime } from "../calendar/canonical.ts";
import type { Config } from "../calendar/config.ts";
import { DERIVED_KEY_PREFIX, type Post } from "../calendar/post.ts";
import { problem, type Problem } from "../calendar/problem.ts";
import type { Calendar, Field } from "../calendar/row.ts";
import { mediaOf } from "./media.ts";
import { aliasesOf, platformsOf, type Aliases } from "./platforms.ts";
import { RowView } from "./row-view.ts";
import { RULES, type IdentifiedRow } from "./rules.ts";
import { dueTime } from "./schedule.ts";
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
  const posts: Post[] = [];
  const rows: IdentifiedRow[] = [];
  const drafts: string[] = [];
  const problems: Problem[] = [];
  for (const calendar of calendars) {
    for (const row of calendar.rows) {
      const view = new RowView(row, calendar, config);
      const status = statusOf(view.value("status"), calendar.settings.status_values);
      if (status === "draft" || status === "skip") {
        drafts.push(row.file);
        continue;
      }
      rows.push({ id: view.own("id")?.text.normalize("NFC"), source: row, at: (field) => view.at(field) });
      const checked = status === "ready" ? checkRow(view, aliases) : [status];
      if (Array.isArray(checked)) problems.push(...checked);
      else posts.push(checked);
    }
  }
  problems.push(...RULES.flatMap((rule) => rule({ rows, posts })));
  return { posts, drafts, problems };
}

function checkRow(row: RowView, aliases: Aliases): Post | Problem[] {
  const problems: Problem[] = [];
  const id = idOf(row, problems);
  const due = dueTime(row);
  if ("problem" in due) problems.push(due.problem);
  const platforms = platformsOf(row, aliases);
  const media = mediaOf(row);
  problems.push(...platforms.problems, ...media.problems);
  const content = canonicalContent(row.items("content")?.items.join("\n") ?? "");
  if (content === "" && media.references.length === 0 && media.problems.length === 0) {
    const message = "The row has neither text nor media. Fill in content, or mark the row as draft or skip.";
    problems.push(problem("row/missing-field", message, row.at("content")));
  }
  if (problems.length > 0 || "problem" in due) return problems;
  const scheduledAt = utcTime(due.ms);
  const said = [content, platforms.names, scheduledAt, content === "" ? media.references : []];
  return {
    key: id ?? `${DERIVED_KEY_PREFIX}${hash("sha256", JSON.stringify(said)).slice(0, 16)}`,
    source: row.row,
    at: (field, item) => row.at(whereGiven(field, row), item),
    content,
    platforms: platforms.names,
    scheduledAt,
    media: media.references,
  };
}

/** A row that gives its time as date and time has it there. */
function whereGiven(field: Field | undefined, { row }: RowView): Field | undefined {
  return field === "scheduled_at" && row.cells.scheduled_at === undefined ? "date" : field;
}

// oxlint-disable-next-line no-control-regex
const PRINTABLE = /^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]{1,200}$/u;

/** The one name that a JavaScript object cannot carry as an entry. */
const UNUSABLE = "__proto__";

function idOf(row: RowView, problems: Problem[]): string | undefined {
  const id = row.own("id");
  if (id === undefined) return undefined;
  const text = id.text.normalize("NFC");
  if (!PRINTABLE.test(text) || text.startsWith(DERIVED_KEY_PREFIX) || text === UNUSABLE) {
    const message = `An id is one line of at most 200 characters, does not start with "${DERIVED_KEY_PREFIX}" and is not "${UNUSABLE}".`;
    problems.push(problem("row/id", message, id.at()));
  }
  return text;
}
