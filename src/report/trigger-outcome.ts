/** What became of the trigger of an automation. */
import { terminalText } from "./escape-terminal.ts";
import { advice, paragraph } from "./paragraph.ts";
import type { Style } from "./style.ts";
import {
  writeOutcomeDocument,
  writeOutcomeSentence,
  type Wording,
  type WriteOutcome,
} from "./write-outcome.ts";

export interface Triggered {
  /** Of the automation. */
  readonly id: string;
  readonly input: string;
  readonly written: WriteOutcome<{ readonly id?: string; readonly status?: string }>;
}

export function triggerWording({ id, written }: Triggered): Wording {
  return {
    done: `Triggered ${id}${written.result === "done" ? runText(written.value) : ""}.`,
    refused: `${id} was not triggered`,
    unknown: `${id} may or may not have been triggered`,
    whenUnknown: "It is not sent again by itself, so that it never runs twice. Look at the service.",
  };
}

function runText({ id, status }: { readonly id?: string; readonly status?: string }): string {
  const parts = [id === undefined ? "" : `run ${id}`, status ?? ""].filter((part) => part !== "");
  return parts.length === 0 ? "" : `: ${parts.join(", ")}`;
}

/** What became of an automation that is to be triggered after an apply; `skipped`: not everything was applied. */
export type AfterApply = Triggered | { readonly id: string; readonly input: string; readonly skipped: true };

export function isTriggered(after: AfterApply): boolean {
  return "written" in after && after.written.result === "done";
}

/** Raw. */
export function afterApplySentence(after: AfterApply): string {
  if ("skipped" in after) return `${after.id} was not triggered: not everything was applied.`;
  return writeOutcomeSentence(after.written, triggerWording(after));
}

/** In a sentence, and what to do where it was not triggered. */
export function afterApplyText(after: AfterApply, style: Style): string {
  const sentence = paragraph(afterApplySentence(after), style);
  if (isTriggered(after)) return terminalText(sentence);
  return terminalText([...sentence, ...advice(nextStep(after), style)]);
}

function nextStep(after: AfterApply): string {
  const byHand = `plancast automations trigger ${after.id} --input "${after.input}"`;
  if ("skipped" in after)
    return `The next apply triggers it only if it changes something itself. Else, when all is applied: ${byHand}`;
  const step =
    after.written.result === "unknown" ? triggerWording(after).whenUnknown : `To trigger it now: ${byHand}`;
  return `What was applied stays applied. ${step}`;
}

export function afterApplyDocument(after: AfterApply): object {
  if (!("skipped" in after)) return triggerDocument(after);
  return { automation_id: after.id, input: after.input, status: "not_started" };
}

export function triggerDocument({ id, input, written }: Triggered): object {
  const run = written.result === "done" ? { run_id: written.value.id, run_status: written.value.status } : {};
  return { automation_id: id, input, ...writeOutcomeDocument(written), ...run };
}
