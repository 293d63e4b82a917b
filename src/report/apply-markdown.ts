import type { Change } from "../calendar/change.ts";
import type { ApplyResult, Outcome } from "../calendar/outcome.ts";
import type { Annotation } from "./annotations.ts";
import { applySummary } from "./apply-summary.ts";
import { clipText } from "./clip-text.ts";
import { escapeMarkdown } from "./escape-markdown.ts";
import { nextStep } from "./next-step.ts";
import { counted, plural } from "./plural.ts";

type Unfinished = Exclude<Outcome, { status: "done" }>;

const MAX_MESSAGE = 400;

export interface ApplyMarkdownOptions {
  /** UTF-16 units at most, but for the numbers. */
  readonly maxLength: number;
  /** How long a create of unknown outcome is left alone, ms. */
  readonly settleMs: number;
}

/** What an apply did, for a step summary: the numbers, then each change that is not done, and what to do. */
export function applyMarkdown(
  result: ApplyResult,
  changes: readonly Change[],
  { maxLength, settleMs }: ApplyMarkdownOptions,
): string {
  const places = placesOf(changes);
  const unfinished = result.outcomes.filter((each): each is Unfinished => each.status !== "done");
  let text = headText(result);
  for (const [index, outcome] of unfinished.entries()) {
    const place = places(outcome);
    const where = place.file === undefined ? outcome.key : [place.file, place.line].filter(Boolean).join(":");
    const line = `- <code>${escapeMarkdown(where)}</code> ${outcome.action}: **${outcome.status.replace("_", " ")}** ${why(outcome, settleMs)}\n`;
    const left = `\n… and ${plural(unfinished.length - index, "more change")}\n`;
    if (text.length + line.length + left.length > maxLength) return text + left;
    text += line;
  }
  return text;
}

function headText(result: ApplyResult): string {
  const { created, replaced, cancelled, adopted, uploaded, failed, unknown, not_started } =
    applySummary(result);
  const numbers = counted([
    [created, "created"],
    [replaced, "replaced"],
    [cancelled, "cancelled"],
    [adopted, "adopted"],
    [uploaded, uploaded === 1 ? "file uploaded" : "files uploaded"],
    [failed, "failed"],
    [unknown, "with an unknown outcome"],
    [not_started, "not started"],
  ]);
  const interrupted = result.interrupted ? "Interrupted: nothing new was begun after the signal.\n\n" : "";
  return `### ${numbers === "" ? "Applied: nothing to do" : `Applied: ${numbers}`}\n\n${interrupted}`;
}

function why(outcome: Unfinished, settleMs: number): string {
  const message = "message" in outcome ? `${escapeMarkdown(clipText(outcome.message, MAX_MESSAGE))} ` : "";
  return message + escapeMarkdown(nextStep(outcome, settleMs));
}

/** What failed, and what may or may not have been done, at its row. */
export function outcomeAnnotations(
  { outcomes }: Pick<ApplyResult, "outcomes">,
  changes: readonly Change[],
): readonly Annotation[] {
  const places = placesOf(changes);
  return outcomes.flatMap((outcome): Annotation[] => {
    if (outcome.status !== "failed" && outcome.status !== "unknown") return [];
    const code = outcome.status === "failed" ? outcome.code : "unknown outcome";
    return [{ code, severity: "error", message: outcome.message, ...places(outcome) }];
  });
}

interface Place {
  readonly file?: string;
  readonly line?: number;
  readonly cell?: string;
}

/** Where the row of an outcome stands; of a row that is gone, its file. */
function placesOf(changes: readonly Change[]): (outcome: Outcome) => Place {
  const places = new Map(
    changes.map((change): [string, Place] => [
      `${change.action} ${change.key}`,
      change.action === "cancel" ? { file: change.file } : change.desired.at("content"),
    ]),
  );
  return ({ action, key }) => places.get(`${action} ${key}`) ?? {};
}
