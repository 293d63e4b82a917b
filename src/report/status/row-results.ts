/** What `status --write` puts into a row: when and where its posts were published, or why they were not. Pure. */

import type { RowEdit } from "../../calendars/edit/row-edit.ts";
import type { ColumnName } from "../../calendars/write/written-row.ts";
import { type ResultPart, resultField } from "../../model/fields.ts";
import { groupBy } from "../../model/data.ts";
import { occurrencesIn } from "../../model/post.ts";
import type { PlatformResult, RowStatus } from "../../model/publication.ts";
import { type RawRow, rowMark } from "../../model/row.ts";
import { reasonText, stateName } from "./status-summary.ts";
import { clipText } from "../text/wrap.ts";
import { shortTime } from "../text/local-time.ts";

/**
 * The edits of a calendar's rows whose results are not there yet. A row without a result gets blank cells, and a row
 * whose result is unknown keeps its cells.
 * @param statuses of all calendars
 * @param timezone for times of rows that name no zone
 */
export function resultEdits(
  rows: readonly RawRow[],
  statuses: readonly RowStatus[],
  parts: readonly ResultPart[],
  timezone: string,
): readonly RowEdit[] {
  const tracked = statuses.flatMap((each) => (each.line === undefined ? [] : { ...each, line: each.line }));
  const byRow = groupBy(tracked, rowMark);
  return rows.flatMap((row, index) => {
    const posts = latestOfSeries(byRow.get(rowMark(row)) ?? []);
    if (posts.length === 0 || posts.some(({ state }) => state === "unknown")) return [];
    const cells = new Map(
      parts.flatMap((part): [ColumnName, string][] => {
        const field = resultField(part);
        const text = joinResults(resultsOf(part, posts, timezone), posts);
        return text === cellText(row, field) ? [] : [[field, text]];
      }),
    );
    return cells.size === 0 ? [] : { row: index, cells };
  });
}

/** A row that repeats has one cell for all its posts: it gets the result of the latest day that has one. */
function latestOfSeries(posts: readonly RowStatus[]): readonly RowStatus[] {
  const days = [...groupBy(posts, ({ key }) => occurrencesIn(key)[0]?.day ?? "").values()];
  return days.findLast((each) => each.some(({ state }) => OVER.has(state))) ?? days[0] ?? [];
}

const OVER: ReadonlySet<RowStatus["state"]> = new Set(["published", "failed", "expired", "cancelled"]);

function cellText({ cells }: RawRow, field: ReturnType<typeof resultField>): string {
  return String(cells[field] ?? "").replaceAll(/\r\n?/g, "\n");
}

/** A result, and the platforms that have it. */
interface Result {
  readonly platforms: readonly string[];
  readonly text: string;
}

function resultsOf(part: ResultPart, posts: readonly RowStatus[], timezone: string): readonly Result[] {
  switch (part) {
    case "time":
      return posts.flatMap(({ platforms, publishedAt, timezone: own = timezone }) =>
        publishedAt === undefined ? [] : { platforms, text: shortTime(publishedAt, own) },
      );
    case "url":
      return posts.flatMap(({ results }) =>
        results.flatMap(({ platform, url }) =>
          url === undefined ? [] : { platforms: [platform], text: oneLine(url) },
        ),
      );
    case "error":
      return posts.flatMap(errorsOf);
    default:
      return part satisfies never;
  }
}

function errorsOf(post: RowStatus): readonly Result[] {
  const { state, platforms, results } = post;
  if (state !== "failed" && state !== "expired" && state !== "cancelled") return [];
  const reason = reasonText(post) ?? stateName(state);
  const failed = results.filter((each) => each.state !== "published");
  if (state === "cancelled" || failed.length === 0) return [{ platforms, text: oneLine(reason) }];
  return failed.map((each: PlatformResult) => ({
    platforms: [each.platform],
    text: oneLine(each.reason ?? reason),
  }));
}

/** Longest result, in UTF-16 units. */
const MAX_LENGTH = 500;

/** A text of the service as it goes into a cell. */
function oneLine(text: string): string {
  return clipText(text.replaceAll(/[\p{Cc}\p{Cs}\s]+/gu, " ").trim(), MAX_LENGTH);
}

/** One result that all platforms of the row have, or a line for each with the platforms' names. */
function joinResults(results: readonly Result[], posts: readonly RowStatus[]): string {
  const all = new Set(posts.flatMap(({ platforms }) => platforms));
  const known = new Set(results.flatMap(({ platforms }) => platforms));
  const [first, ...others] = new Set(results.map(({ text }) => text));
  if (first === undefined) return "";
  if (others.length === 0 && [...all].every((platform) => known.has(platform))) return first;
  return results.map(({ platforms, text }) => `${platforms.join(", ")}: ${text}`).join("\n");
}
