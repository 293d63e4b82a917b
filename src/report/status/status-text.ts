/** `plancast status` for a terminal. */

import { networkTitle, networkTitles } from "../../checks/networks/network-names.ts";
import type { Failure } from "../../model/failure.ts";
import { idOf } from "../../model/post.ts";
import type { RowState } from "../../model/publication.ts";
import { terminalText } from "../text/escape.ts";
import { type ShownTime, cityOf, rowTime, sortableTime, timesText } from "../text/local-time.ts";
import { plural } from "../text/numbers.ts";
import { type Style, oneLine } from "../text/style.ts";
import { type Column, advice, clipToWidth, paragraph, tableLines } from "../text/wrap.ts";
import {
  type StatusDocument,
  type StatusRow,
  rowChangeText,
  shownRows,
  stateName,
  summaryText,
} from "./status-data.ts";

const INDENT = " ".repeat(4);

/** The status of each row, as a table. Addresses and reasons are below their rows, in full. */
export function statusText(document: StatusDocument, timezone: string, style: Style): string {
  const rows = shownRows(document);
  return terminalText([
    ...rowLines(rows, timezone, style),
    ...(rows.length === 0 ? [] : [""]),
    ...totalLines(document, timezone, style),
    ...adviceLines(document, style),
  ]);
}

/** Columns of a terminal that has room for id, place and enough of the text. */
const MIN_PLACE_WIDTH = 140;

const STATE_COLORS: Readonly<Record<RowState, "green" | "red" | "yellow" | "cyan" | "dim">> = {
  scheduled: "cyan",
  published: "green",
  failed: "red",
  expired: "yellow",
  cancelled: "yellow",
  missing: "yellow",
  held: "yellow",
  unknown: "yellow",
  not_applied: "dim",
};

function rowLines(rows: readonly StatusRow[], timezone: string, style: Style): readonly string[] {
  const hasRoom = style.tableWidth >= MIN_PLACE_WIDTH;
  const columns: Column<StatusRow>[] = [
    { title: "time", cell: (row) => timeCell(row, timezone) },
    {
      title: "status",
      cell: ({ status }) => stateName(status),
      paint: ({ status }, text) => style.colors[STATE_COLORS[status]](text),
    },
    { title: "networks", cell: ({ platforms }) => networkTitles(platforms), mayTruncate: true },
    {
      title: hasRoom ? "id" : "row",
      cell: ({ key, place }) => idOf(key) ?? (hasRoom ? "" : place),
      mayTruncate: "start",
    },
    ...(hasRoom
      ? [
          {
            title: "row",
            cell: ({ place }: StatusRow) => place,
            mayTruncate: "start",
            paint: (_row: StatusRow, text: string) => style.colors.dim(text),
          } as const,
        ]
      : []),
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
      ...textLines(row, style),
      ...detailLines(row, style),
    ]);
  const [head = "", ...table] = lines;
  return [head, ...rows.flatMap((row, index) => [table[index] ?? "", ...detailLines(row, style)])];
}

/** The time as the row says it. In another zone than the project's, `2027-03-01 17:00 Tokyo (09:00)`. */
function timeCell(row: StatusRow, timezone: string): string {
  const own = ownTime(row, timezone);
  const project = sortableTime(row.scheduled_at, timezone);
  if (own === undefined) return `${project.date} ${project.clock}`.trimEnd();
  const day = own.isoDay === project.date ? "" : `${project.date} `;
  return `${own.isoDay} ${own.clock} ${cityOf(own.timezone)} (${day}${project.clock})`;
}

function ownTime(
  { scheduled_at: scheduledAt, timezone: own }: StatusRow,
  timezone: string,
): ShownTime | undefined {
  return rowTime({ scheduledAt, timezone: own }, timezone);
}

function textLines({ content }: StatusRow, style: Style): string[] {
  if (content === "") return [];
  const room = style.width - INDENT.length;
  return [INDENT + clipToWidth(oneLine(content.slice(0, 500), style), room, style.marks.ellipsis)];
}

function detailLines(row: StatusRow, style: Style): string[] {
  const { status, results, reason } = row;
  const networks = results.flatMap((result) => {
    const name = networkTitle(result.platform);
    const note = result.reason === undefined ? [] : paragraph(result.reason, style, INDENT);
    // People copy addresses, so they are never broken.
    if (result.url !== undefined) return [`${INDENT}${oneLine(`${name}: ${result.url}`, style)}`, ...note];
    if (result.status === "published")
      return [...(status === "failed" ? [`${INDENT}${oneLine(`${name}: published`, style)}`] : []), ...note];
    return paragraph(
      `${name}: ${result.status}${result.reason === undefined ? "" : `: ${result.reason}`}`,
      style,
      INDENT,
    );
  });
  const notes = [reason, rowChangeText(row)].flatMap((text) =>
    text === undefined ? [] : paragraph(text, style, INDENT),
  );
  return [...networks, ...notes];
}

/** Why a status is not recorded: another process is writing, or an error. */
export function noRecordText(why: "another-status" | Failure, style: Style): string {
  const sentence =
    why === "another-status"
      ? "Another plancast status is saving its record, so this run does not save one."
      : `This run does not save its record: ${why.message}`;
  return terminalText(paragraph(sentence, style));
}

function totalLines(document: StatusDocument, timezone: string, style: Style): string[] {
  const summary = summaryText(document);
  if (summary === "") return ["No rows."];
  const hasOthers = shownRows(document).some((row) => ownTime(row, timezone) !== undefined);
  const times = timesText(timezone, hasOthers);
  return [
    // On one line, however long, because scripts and people look for it.
    `Status: ${summary}`,
    ...paragraph(`${times} ${plural(document.requests, "request")} sent.`, style),
  ];
}

/** Whether it is about results that plancast could not write. */
function isUnwritten({ code }: StatusDocument["problems"][number]): boolean {
  return code === "write/not-written";
}

function adviceLines({ written, problems }: StatusDocument, style: Style): string[] {
  const notWritten = problems.filter(isUnwritten).length;
  const broken = problems.filter((each) => each.severity === "error" && !isUnwritten(each)).length;
  // Problems name the files that plancast could not edit.
  const isSaid = written === undefined || (written.length === 0 && notWritten > 0);
  const news = isSaid ? undefined : writtenText(written);
  return [
    ...(news === undefined ? [] : paragraph(news, style)),
    ...(broken === 0
      ? []
      : advice(
          `${plural(broken, "error")} in the calendars. Run plancast validate to see these rows.`,
          style,
        )),
  ];
}

function writtenText(written: NonNullable<StatusDocument["written"]>): string {
  if (written.length === 0) return "The calendars already have all results.";
  const files = written.map(({ file, rows }) => `${plural(rows, "row")} of ${file}`);
  return `Wrote results into ${files.join(", ")}.`;
}
