/**
 * The status of the posts, in counts and short phrases, and as data. `status --format json` is a contract with scripts: its
 * names and meanings never change; new ones may be added. `status --format csv` has the posts of each network and campaign
 * in each month, for a spreadsheet. `status --write` puts results into the cells of rows.
 */

import type { RowResult } from "../../calendars/sheet-results.ts";
import { guarded } from "../../calendars/columns/formula-guard.ts";
import type { RowEdit } from "../../calendars/formats/row-edit.ts";
import { csvText } from "../../calendars/formats/csv/write-csv.ts";
import type { ColumnName } from "../../calendars/formats/written-row.ts";
import { groupBy } from "../../model/data.ts";
import { type ResultPart, resultField } from "../../model/fields.ts";
import { DERIVED_KEY_PREFIX, occurrencesIn } from "../../model/post.ts";
import type { Problem } from "../../model/problem.ts";
import { type RowReason, type RowState, type RowStatus, ROW_STATES } from "../../model/publication.ts";
import { type RawRow, rowMark } from "../../model/row.ts";
import { compareText } from "../../model/text.ts";
import type { DocumentOf } from "../documents/parts.ts";
import type { statusSchema } from "../documents/runs.ts";
import { problemDocument } from "../problems/problems-json.ts";
import { escapeTerminal, withoutHashCommands } from "../text/escape.ts";
import { shortTime, sortableTime } from "../text/local-time.ts";
import { counted, unplannedCounts } from "../text/numbers.ts";
import { clipText } from "../text/wrap.ts";

export type StatusDocument = DocumentOf<typeof statusSchema>;
export type StatusRow = StatusDocument["rows"][number];

/** @param unplanned counts of rows that are drafts or skipped */
export function statusDocument(
  rows: readonly StatusRow[],
  { drafts, skipped }: { readonly drafts: number; readonly skipped: number },
  more: Pick<StatusDocument, "requests" | "written">,
  problems: readonly Problem[],
): StatusDocument {
  const count = (status: RowState): number => rows.filter((row) => row.status === status).length;
  return {
    version: 1,
    summary: {
      scheduled: count("scheduled"),
      published: count("published"),
      failed: count("failed"),
      expired: count("expired"),
      cancelled: count("cancelled"),
      missing: count("missing"),
      held: count("held"),
      unknown: count("unknown"),
      not_applied: count("not_applied"),
      draft: drafts,
      skipped,
    },
    rows,
    ...more,
    problems: problems.map(problemDocument),
  };
}

export function statusRow(row: RowStatus): StatusRow {
  const { key, file, sheet, line, place, timezone, platforms, content, campaign } = row;
  return {
    key,
    source: { file, ...(sheet === undefined ? {} : { sheet }), line },
    place,
    scheduled_at: row.scheduledAt,
    timezone,
    platforms,
    content,
    status: row.state,
    post_id: row.postId,
    results: row.results.map(({ platform, state, url, reason }) => ({
      platform,
      status: state,
      url,
      reason,
    })),
    published_at: row.publishedAt,
    campaign,
    reason: row.reason?.kind === "said" ? row.reason.text : row.reason && REASONS[row.reason.kind],
    row: row.since,
  };
}

/** Display names of the statuses. */
export function stateName(state: RowState): string {
  return state === "not_applied" ? "not applied" : state;
}

/** `12 published, 1 failed`; empty without rows. */
export function summaryText({ summary }: StatusDocument): string {
  return counted([
    ...ROW_STATES.map((state) => [summary[state], stateName(state)] as const),
    ...unplannedCounts({ drafts: summary.draft, skipped: summary.skipped }),
  ]);
}

/** What people should know about a post whose row has changed, and what to do; undefined if the row has not changed. */
export function rowChangeText({ row, key, source: { file }, place }: StatusRow): string | undefined {
  switch (row) {
    case undefined:
      return undefined;
    case "edited":
      return `The row was edited after this post was applied. ${SEE_PLAN}`;
    case "set_aside":
      return `Its row, ${place}, is now a draft or skipped. ${SEE_PLAN}`;
    case "gone": {
      // Without an id, an edited row looks like a new one.
      const other = key.startsWith(DERIVED_KEY_PREFIX) ? ", or was edited" : "";
      return `Its row is gone from ${file}${other}. ${SEE_PLAN}`;
    }
    case "unreadable":
      return `Its row is gone from ${file}, or plancast cannot read it there.`;
    default:
      return row satisfies never;
  }
}

const SEE_PLAN = "plancast plan shows what apply would do.";

const REASONS: Readonly<Record<Exclude<RowReason["kind"], "said">, string>> = {
  late: "Its time has passed, but the service still shows it as scheduled.",
  gone: "The service no longer has it.",
  removed: "Somebody cancelled it on the service.",
  "gone-when-due": "The service no longer has it. It was due, so it may or may not have been published.",
  missed:
    "Its time passed before an apply scheduled it. If the row was edited after its post was published, do nothing.",
  expired: "It expired before an apply scheduled it.",
  "unknown-create":
    "An apply ended before it knew whether this post was scheduled. Run plancast apply again.",
};

/** Rows that were never applied are not shown, unless their time has just passed. */
export function shownRows({ rows }: StatusDocument): readonly StatusRow[] {
  return rows.filter(({ status, reason }) => status !== "not_applied" || reason !== undefined);
}

/** A post on one network. */
interface NetworkPost {
  /** `2027-03`, in the project's zone. */
  readonly month: string;
  /** Blank if the row of the post is gone, and the service does not show its platforms. */
  readonly network: string;
  readonly campaign: string;
  readonly state: RowState;
}

const HEADER = ["month", "network", "campaign", "posts", ...ROW_STATES];

/** @param timezone in which months begin, IANA */
export function statusCsv(document: StatusDocument, timezone: string): string {
  const posts = shownRows(document).flatMap((row) => networkPosts(row, timezone));
  const groups = groupBy(posts, ({ month, network, campaign }) => JSON.stringify([month, network, campaign]));
  const lines = [...groups.values()].map((group) => lineOf(group));
  return csvText([HEADER, ...lines.sort((one, other) => compareText(one.join("\0"), other.join("\0")))]);
}

/** One line for each post on each network, with its address, for reports. @param timezone for rows that name none, IANA */
export function postsCsv(document: StatusDocument, timezone: string): string {
  const lines = shownRows(document).flatMap((row) => {
    const { date, clock } = sortableTime(row.scheduled_at, row.timezone ?? timezone);
    const names = row.platforms.length === 0 ? [""] : row.platforms;
    return names.map((network) => {
      const own = row.results.find(({ platform }) => platform === network);
      const { key, campaign = "", content, published_at: publishedAt = "" } = row;
      const status = own?.status ?? row.status;
      const why = own?.reason ?? row.reason ?? "";
      const texts = [network, status, own?.url ?? "", publishedAt, key, campaign, row.place, content, why];
      return [date, clock, ...texts.map((text) => csvCell(oneLine(text)))];
    });
  });
  return csvText([POSTS_HEADER, ...lines]);
}

const POSTS_HEADER = [
  "date",
  "time",
  "network",
  "status",
  "url",
  "published_at",
  "key",
  "campaign",
  "row",
  "text",
  "reason",
];

function networkPosts(row: StatusRow, timezone: string): readonly NetworkPost[] {
  const { scheduled_at: at, platforms, campaign = "", results, status } = row;
  const month = sortableTime(at, timezone).date.slice(0, "2027-03".length);
  const names = platforms.length === 0 ? [""] : platforms;
  return names.map((network) => {
    const own = results.find(({ platform }) => platform === network);
    return { month, network, campaign, state: own?.status ?? status };
  });
}

function lineOf(group: readonly NetworkPost[]): readonly string[] {
  const [{ month, network, campaign } = NOTHING] = group;
  const counts = ROW_STATES.map((state) => group.filter((each) => each.state === state).length);
  return [month, csvCell(network), csvCell(campaign), String(group.length), ...counts.map(String)];
}

/** One line, safe in a terminal, a log and a spreadsheet. */
function csvCell(text: string): string {
  return guarded(withoutHashCommands(escapeTerminal(text)));
}

const NOTHING = { month: "", network: "", campaign: "" };

// What `status --write` puts into a row: when and where its posts were published, or why they were not.

/**
 * The edits of a calendar's rows whose results are not there yet. A row without a result gets blank cells, and a row
 * whose result is unknown keeps its cells.
 * @param statuses of all calendars
 * @param timezone for times of rows that name no zone
 */
export function resultEdits(
  rows: readonly RawRow[],
  statuses: readonly StatusRow[],
  parts: readonly ResultPart[],
  timezone: string,
): readonly RowEdit[] {
  const byRow = groupBy(statuses, ({ source }) => rowMark({ ...source, line: source.line ?? 0 }));
  return rows.flatMap((row, index) => {
    const posts = latestOfSeries(byRow.get(rowMark(row)) ?? []);
    if (posts.length === 0 || posts.some(({ status }) => status === "unknown")) return [];
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

/** What plancast writes beside the rows of a sheet that people keep elsewhere. Statuses that are unknown change no cell. */
export function sheetResults(
  rows: readonly RawRow[],
  statuses: readonly StatusRow[],
): readonly (RowResult & Pick<RawRow, "sheet">)[] {
  const byRow = groupBy(statuses, ({ source }) => rowMark({ ...source, line: source.line ?? 0 }));
  return rows.flatMap((row) => {
    const posts = latestOfSeries(byRow.get(rowMark(row)) ?? []);
    if (posts.length === 0 || posts.some(({ status }) => status === "unknown")) return [];
    const links = resultsOf("url", posts, "UTC").filter(({ text }) => /^https?:\/\/\S+$/.test(text));
    const status = joinResults(posts.flatMap(statesOf), posts);
    return [{ line: row.line, sheet: row.sheet, status, link: joinResults(links, posts) }];
  });
}

function stateText(state: RowState, why = ""): string {
  return oneLine(why === "" || state === "published" ? stateName(state) : `${stateName(state)}: ${why}`);
}

/** A row that no apply has scheduled has no status yet. */
function statesOf({ status, platforms, results, reason }: StatusRow): readonly Result[] {
  if (status === "not_applied") return [];
  const isOne = results.every((each) => each.status === status);
  return isOne
    ? [{ platforms, text: stateText(status, results.find((each) => each.reason)?.reason ?? reason) }]
    : results.map((each) => ({ platforms: [each.platform], text: stateText(each.status, each.reason) }));
}

/** A row that repeats has one cell for all its posts: it gets the result of the latest day that has one. */
function latestOfSeries(posts: readonly StatusRow[]): readonly StatusRow[] {
  const days = [...groupBy(posts, ({ key }) => occurrencesIn(key)[0]?.day ?? "").values()];
  return days.findLast((each) => each.some(({ status }) => OVER.has(status))) ?? days[0] ?? [];
}

const OVER: ReadonlySet<RowState> = new Set(["published", "failed", "expired", "cancelled"]);

function cellText({ cells }: RawRow, field: ReturnType<typeof resultField>): string {
  return String(cells[field] ?? "").replaceAll(/\r\n?/g, "\n");
}

/** A result, and the platforms that have it. */
interface Result {
  readonly platforms: readonly string[];
  readonly text: string;
}

function resultsOf(part: ResultPart, posts: readonly StatusRow[], timezone: string): readonly Result[] {
  switch (part) {
    case "time":
      return posts.flatMap(({ platforms, published_at: at, timezone: own = timezone }) =>
        at === undefined ? [] : { platforms, text: shortTime(at, own) },
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

function errorsOf({ status, platforms, results, reason = stateName(status) }: StatusRow): readonly Result[] {
  if (status !== "failed" && status !== "expired" && status !== "cancelled") return [];
  const failed = results.filter(({ status: each }) => each === "failed" || each === "expired");
  if (status === "cancelled" || failed.length === 0) return [{ platforms, text: oneLine(reason) }];
  return failed.map((each) => ({
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
function joinResults(results: readonly Result[], posts: readonly StatusRow[]): string {
  const all = new Set(posts.flatMap(({ platforms }) => platforms));
  const known = new Set(results.flatMap(({ platforms }) => platforms));
  const [first, ...others] = new Set(results.map(({ text }) => text));
  if (first === undefined) return "";
  if (others.length === 0 && [...all].every((platform) => known.has(platform))) return first;
  return results.map(({ platforms, text }) => `${platforms.join(", ")}: ${text}`).join("\n");
}
