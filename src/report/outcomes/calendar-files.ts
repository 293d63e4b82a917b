/** The results of `pull` and `convert`, and what to do next: for people, and as JSON for scripts. */

import { shellArgument } from "../../model/text.ts";
import type { Problem } from "../../model/problem.ts";
import { problemDocument } from "../problems/problems-json.ts";
import { terminalText } from "../text/escape.ts";
import { plural } from "../text/numbers.ts";
import type { Style } from "../text/style.ts";
import { advice, paragraph } from "../text/wrap.ts";

export interface PullReport {
  /** The calendar's path from the project root; undefined if nothing was written. */
  readonly out: string | undefined;
  readonly rows: readonly { readonly key: string; readonly postId: string }[];
  /** Number of adopted posts; undefined if that was not requested. */
  readonly adopted: number | undefined;
  readonly lockfile: string;
  readonly skipped: readonly { readonly postId: string; readonly reason: string }[];
  /** Scheduled posts that already have rows in the calendars. */
  readonly known: number;
  /** Owned posts with a missing row that were not requested. */
  readonly rowless: number;
  /** Whether the file is one of the project's calendars. */
  readonly isCalendar: boolean;
}

export function pulledText(report: PullReport, style: Style): string {
  const { out, rows, known, rowless } = report;
  const has = known === 0 ? "" : ` ${plural(known, "scheduled post")} already had a row.`;
  const lines =
    out === undefined
      ? paragraph(`Nothing to pull: no file was written.${has}`, style)
      : paragraph(`Wrote ${out}: ${plural(rows.length, "row")}, one for each scheduled post.${has}`, style);
  if (out !== undefined) lines.push(...nextSteps(out, report, style));
  if (rowless > 0) {
    const gone = `${plural(rowless, "post")} of this project no longer ${rowless === 1 ? "has" : "have"} a row, so apply would cancel ${rowless === 1 ? "it" : "them"}`;
    lines.push(...advice(`${gone}: plancast pull --all writes a row for each.`, style));
  }
  return terminalText(lines);
}

function nextSteps(out: string, { adopted, lockfile, isCalendar }: PullReport, style: Style): string[] {
  if (!isCalendar) {
    const message = `${out} is not yet one of the project's calendars: add it under \`calendars:\` in plancast.yaml.`;
    return advice(message, style);
  }
  if (adopted === undefined) {
    const message =
      "Next, run plancast apply: it adopts these posts and sends nothing. Do not change the rows before that: " +
      "a changed row would become a second post.";
    return advice(message, style);
  }
  return [
    ...paragraph(`Adopted ${plural(adopted, "post")} into ${lockfile}.`, style),
    ...advice(`Next, commit ${out} and ${lockfile}. From now on, a changed row replaces its post.`, style),
  ];
}

/** `pull --format json`. Without a report, nothing was written, and the problems say why. */
export function pulledDocument(report: PullReport | undefined, problems: readonly Problem[]): object {
  return {
    version: 1,
    out: report?.out,
    summary: {
      rows: report?.rows.length ?? 0,
      adopted: report?.adopted ?? 0,
      left_out: report?.skipped.length ?? 0,
      known: report?.known ?? 0,
      rowless: report?.rowless ?? 0,
    },
    rows: (report?.rows ?? []).map(({ key, postId }) => ({ key, post_id: postId })),
    left_out: (report?.skipped ?? []).map(({ postId, reason }) => ({ post_id: postId, reason })),
    problems: problems.map(problemDocument),
  };
}

export interface Conversion {
  /** Paths of files from the project root. */
  readonly from: string;
  readonly out: string;
  readonly to: string;
  readonly rows: number;
  /** The files in the folder `out`, one for each row; undefined if `out` is a file. */
  readonly files: readonly string[] | undefined;
  /** Rows with errors, which were copied as they are. */
  readonly faulty: number;
  /**
   * The reason why the new file cannot be planned yet: both files are calendars of the project, or the new file is
   * not one.
   */
  readonly obstacle: "twice" | "no-calendar" | undefined;
}

export function conversionText(conversion: Conversion, style: Style): string {
  const { from, out, rows, files, faulty, obstacle } = conversion;
  const what =
    files === undefined
      ? `Wrote ${out}: ${plural(rows, "row")} from ${from}.`
      : `Wrote ${plural(files.length, "file")} into ${out}, one for each row of ${from}.`;
  const lines = paragraph(what, style);
  if (faulty > 0) {
    const which =
      faulty === 1 ? "1 row has an error and stays" : `${plural(faulty, "row")} have errors and stay`;
    lines.push(
      ...advice(`${which} as written: plancast validate ${shellArgument(from)} shows what is wrong.`, style),
    );
  }
  if (obstacle === "twice") {
    const message = `Both files are calendars of this project, so each row is there twice: remove ${from} before you plan.`;
    lines.push(...advice(message, style));
  }
  if (obstacle === "no-calendar") {
    const message = `${out} is not yet one of the project's calendars: add it under \`calendars:\` in plancast.yaml.`;
    lines.push(...advice(message, style));
  }
  return terminalText(lines);
}

/** `convert --format json`. Without a conversion, nothing was written, and the problems say why. */
export function conversionDocument(conversion: Conversion | undefined, problems: readonly Problem[]): object {
  const { from, out, to, rows = 0, files, faulty = 0 } = conversion ?? {};
  return { version: 1, from, out, to, rows, files, faulty, problems: problems.map(problemDocument) };
}
