import type { Change } from "../calendar/change.ts";
import type { ApplyResult, Outcome } from "../calendar/outcome.ts";
import { appliedText, NOTHING } from "./apply-summary.ts";
import { clipText } from "./clip-text.ts";
import { escapeMarkdown } from "./escape-markdown.ts";
import { fullTime } from "./local-time.ts";
import { viewsOf, whyLines, type ViewOf } from "./outcome-text.ts";
import { plural } from "./plural.ts";
import { afterApplySentence, type AfterApply } from "./trigger-outcome.ts";

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
