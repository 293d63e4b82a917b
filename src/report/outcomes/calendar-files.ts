/** The results of `pull` and `convert`, and what to do next: for people, and as JSON for scripts. */

import { shellArgument } from "../../model/text.ts";
import type { ConvertDocument, PullDocument } from "../documents/calendars.ts";
import { terminalText } from "../text/escape.ts";
import { plural } from "../text/numbers.ts";
import type { Style } from "../text/style.ts";
import { advice, paragraph } from "../text/wrap.ts";

/** The outside of a pull, for its next steps. */
interface PullContext {
  /** Whether the posts were adopted. */
  readonly adopts: boolean;
  readonly lockfile: string;
  /** Whether the file is one of the project's calendars. */
  readonly isCalendar: boolean;
}

export function pulledText({ out, summary }: PullDocument, context: PullContext, style: Style): string {
  const { rows, adopted, known, rowless } = summary;
  const has = known === 0 ? "" : ` ${plural(known, "scheduled post")} already had a row.`;
  const lines =
    out === undefined
      ? paragraph(`Nothing to pull: no file was written.${has}`, style)
      : paragraph(`Wrote ${out}: ${plural(rows, "row")}, one for each scheduled post.${has}`, style);
  if (out !== undefined) lines.push(...nextSteps(out, adopted, context, style));
  if (rowless > 0) {
    const gone = `${plural(rowless, "post")} of this project no longer ${rowless === 1 ? "has" : "have"} a row, so apply would cancel ${rowless === 1 ? "it" : "them"}`;
    lines.push(...advice(`${gone}: plancast pull --all writes a row for each.`, style));
  }
  return terminalText(lines);
}

function nextSteps(
  out: string,
  adopted: number,
  { adopts, lockfile, isCalendar }: PullContext,
  style: Style,
): string[] {
  if (!isCalendar) {
    const message = `${out} is not yet one of the project's calendars: add it under \`calendars:\` in plancast.yaml.`;
    return advice(message, style);
  }
  if (!adopts) {
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

/**
 * Why a new file cannot be planned yet: both files are calendars of the project, or the new file is not one.
 */
export type Obstacle = "twice" | "no-calendar" | undefined;

export function convertedText(document: ConvertDocument, obstacle: Obstacle, style: Style): string {
  const { from, out, rows, files, faulty } = document;
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
