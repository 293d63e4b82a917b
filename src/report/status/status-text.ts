/** `plancast status` for a terminal. */

import type { Failure } from "../../model/failure.ts";
import { DERIVED_KEY_PREFIX } from "../../model/post.ts";
import type { RowStatus } from "../../model/publication.ts";
import { terminalText } from "../text/escape.ts";
import { shortTime } from "../text/local-time.ts";
import { plural } from "../text/numbers.ts";
import { type Style, oneLine } from "../text/style.ts";
import { type Column, tableLines } from "../text/table.ts";
import { advice, paragraph } from "../text/wrap.ts";
import { type StatusReport, reasonText, rowChangeText, stateName, summaryText } from "./status-summary.ts";

const INDENT = " ".repeat(4);

/** The status of each row, as a table. Addresses and reasons are below their rows, in full. */
export function statusText(report: StatusReport, timezone: string, style: Style): string {
  const rows = report.rows.filter(({ state }) => state !== "not_applied");
  return terminalText([
    ...rowLines(rows, timezone, style),
    ...(rows.length === 0 ? [] : [""]),
    ...totalLines(report, timezone, style),
    ...adviceLines(report, style),
  ]);
}

/** Its id, else its place. */
function rowLabel({ key, place }: RowStatus): string {
  return key.startsWith(DERIVED_KEY_PREFIX) ? place : key;
}

function rowLines(rows: readonly RowStatus[], timezone: string, style: Style): readonly string[] {
  const columns: Column<RowStatus>[] = [
    { title: "time", cell: ({ scheduledAt }) => shortTime(scheduledAt, timezone) },
    { title: "status", cell: ({ state }) => stateName(state) },
    { title: "platforms", cell: ({ platforms }) => platforms.join(", "), mayTruncate: true },
    { title: "row", cell: rowLabel, mayTruncate: "start" },
    { title: "text", cell: ({ content }) => content.slice(0, 500), mayTruncate: true },
  ];
  if (rows.length === 0) return [];
  const lines = tableLines(rows, columns, style);
  // If it is too narrow for a table, each row is a separate paragraph.
  if (lines.length !== rows.length + 1)
    return rows.flatMap((row) => [
      ...paragraph(
        columns
          .slice(0, 4)
          .flatMap(({ cell }) => cell(row) || [])
          .join(` ${style.marks.separator} `),
        style,
      ),
      ...detailLines(row, style),
    ]);
  const [head = "", ...table] = lines;
  return [head, ...rows.flatMap((row, index) => [table[index] ?? "", ...detailLines(row, style)])];
}

function detailLines(row: RowStatus, style: Style): string[] {
  const { state, results } = row;
  const networks = results.flatMap((result) => {
    // People copy addresses, so they are never broken.
    if (result.url !== undefined) return [`${INDENT}${oneLine(`${result.platform}: ${result.url}`, style)}`];
    if (result.state === "published")
      return state === "failed" ? [`${INDENT}${oneLine(`${result.platform}: published`, style)}`] : [];
    return paragraph(
      `${result.platform}: failed${result.reason === undefined ? "" : `: ${result.reason}`}`,
      style,
      INDENT,
    );
  });
  const notes = [reasonText(row), rowChangeText(row)].flatMap((text) =>
    text === undefined ? [] : paragraph(text, style, INDENT),
  );
  return [...networks, ...notes];
}

/** Why a status is not recorded: another process is writing, or an error. */
export function noRecordText(why: "another-status" | Failure, style: Style): string {
  const sentence =
    why === "another-status"
      ? "Another plancast status is saving its record, so this one saves none."
      : `This status saves no record: ${why.message}`;
  return terminalText(paragraph(sentence, style));
}

function totalLines(report: StatusReport, timezone: string, style: Style): string[] {
  const summary = summaryText(report);
  if (summary === "") return ["No rows."];
  return [
    // On one line, however long, because scripts and people look for it.
    `Status: ${summary}`,
    ...paragraph(`Times are in ${timezone}. ${plural(report.requests, "request")} sent.`, style),
  ];
}

function adviceLines({ broken }: StatusReport, style: Style): string[] {
  if (broken === 0) return [];
  return advice(
    `${plural(broken, "error")} in the calendars. Run plancast validate to see these rows.`,
    style,
  );
}
