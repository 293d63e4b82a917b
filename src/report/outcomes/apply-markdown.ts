/** The result of an apply for a pull request or a step summary. */

import type { ApplyResult, Change, Outcome } from "../../model/plan.ts";
import { fullTime } from "../text/local-time.ts";
import { escapeMarkdown } from "../text/markdown.ts";
import { plural } from "../text/numbers.ts";
import { clipText } from "../text/segments.ts";
import { NOTHING, appliedText } from "./apply-summary.ts";
import { type ViewOf, viewsOf, whyLines } from "./apply-text.ts";
import { type AfterApply, afterApplySentence } from "./write-outcome.ts";

/** Of a run that was refused before its first change. */
export const NOTHING_APPLIED = `### ${NOTHING}\n`;

/** Changes that are listed: a step summary is read by people. */
const MAX_ROWS = 100;
const MAX_TEXT = 400;

const TABLE_HEAD =
  "| Change | Outcome | Time | Platforms | Row | Why |\n| --- | --- | --- | --- | --- | --- |\n";

/** What an apply did, for a step summary: the numbers, then what is not done. */
export function applyMarkdown(
  result: ApplyResult,
  changes: readonly Change[],
  timezone: string,
  after: AfterApply | undefined,
): string {
  const viewOf = viewsOf(changes, timezone);
  const unfinished = result.outcomes.filter(({ status }) => status !== "done");
  const rows = unfinished.slice(0, MAX_ROWS).map((outcome) => rowLine(outcome, viewOf));
  const left = unfinished.length - rows.length;
  return [
    `### ${appliedText(result)}\n`,
    ...(rows.length === 0 ? [] : [`\n${TABLE_HEAD}${rows.join("")}`]),
    ...(left === 0 ? [] : [`\n**${plural(left, "more change")}** not done.\n`]),
    ...(result.interrupted ? ["\nInterrupted: nothing new was begun after the signal.\n"] : []),
    ...(after === undefined ? [] : [`\n${label(afterApplySentence(after))}\n`]),
  ].join("");
}

function rowLine(outcome: Outcome, viewOf: ViewOf): string {
  const view = viewOf(outcome);
  const cells = [
    outcome.action,
    `**${outcome.status.replace("_", " ")}**`,
    view === undefined ? "" : escapeMarkdown(fullTime(view.when)),
    label(view?.platforms.join(", ") ?? ""),
    view === undefined ? label(outcome.key) : `<code>${label(view.place)}</code>`,
    label(whyLines(outcome).join(" ")),
  ];
  return `| ${cells.join(" | ")} |\n`;
}

function label(text: string): string {
  return escapeMarkdown(clipText(text, MAX_TEXT));
}
