/**
 * The results of writes besides those of an apply, such as a cancel, the trigger of an automation or uploads: for people,
 * and as JSON for scripts.
 */

import type { DocumentOf, writeOutcomeSchema } from "../documents/parts.ts";
import type { applySchema } from "../documents/runs.ts";
import type { PruneDocument, UploadDocument } from "../documents/service.ts";
import type { WriteResult } from "../../service/records.ts";
import { terminalText } from "../text/escape.ts";
import { advice, clipText, paragraph } from "../text/wrap.ts";
import type { Style } from "../text/style.ts";
import { shellArgument } from "../../model/text.ts";
import { plural } from "../text/numbers.ts";

export interface Wording {
  /** A whole sentence. */
  readonly done: string;
  /** For example `post_81f was not cancelled`. */
  readonly refused: string;
  /** For example `post_81f may or may not be cancelled`. */
  readonly unknown: string;
  readonly whenUnknown: string;
}

/** How a write ended: a part of the documents of all commands that write. */
export type WriteOutcomeDocument = DocumentOf<typeof writeOutcomeSchema>;

export function writeOutcomeText(outcome: WriteOutcomeDocument, wording: Wording, style: Style): string {
  return terminalText([
    ...paragraph(writeOutcomeSentence(outcome, wording), style),
    ...(outcome.status === "unknown" ? unknownLines(outcome, wording, style) : []),
  ]);
}

/** More than the longest text of any network, but less than a picture. UTF-16 units. */
export const MAX_ANSWER_LENGTH = 5_000;

function unknownLines({ answer }: WriteOutcomeDocument, { whenUnknown }: Wording, style: Style): string[] {
  const answered =
    answer === undefined ? [] : paragraph(`It answered: ${clipText(answer, MAX_ANSWER_LENGTH)}`, style);
  return [...answered, ...advice(whenUnknown, style)];
}

/** The result; not escaped. */
function writeOutcomeSentence(
  { status, code, message = "" }: WriteOutcomeDocument,
  wording: Wording,
): string {
  switch (status) {
    case "done":
      return wording.done;
    case "failed":
      return `${wording.refused}: ${message.replace(/\.$/, "")} (${code}).`;
    case "unknown":
      return `${wording.unknown}: ${message.replace(/\.$/, "")}.`;
    case "not_started":
      return `${wording.refused}, because the run stopped before it.`;
    default:
      return status satisfies never;
  }
}

export function writeOutcomeDocument(written: WriteResult<unknown>): WriteOutcomeDocument {
  switch (written.result) {
    case "done":
      return { status: "done" };
    case "refused":
      return { status: "failed", code: written.code, message: written.message };
    case "unknown":
      return { status: "unknown", message: written.message, answer: written.answer };
    case "not_started":
      return { status: "not_started" };
    default:
      return written satisfies never;
  }
}

/** @param name of the account */
export function disconnectWording(name: string): Wording {
  return {
    done: `Disconnected ${name}.`,
    refused: `${name} was not disconnected`,
    unknown: `${name} may or may not have been disconnected`,
    whenUnknown: "Check with plancast platforms list, or run this again.",
  };
}

/** Shows the host, not the whole address: those who know that can send events. */
export function webhookWording(host: string, id: string | undefined, events: readonly string[]): Wording {
  const name = id === undefined ? "" : ` (${id})`;
  return {
    done: `Registered the address at ${host}${name} for ${events.join(", ") || "no events"}.`,
    refused: `The address at ${host} was not registered`,
    unknown: `The address at ${host} may or may not have been registered`,
    whenUnknown:
      "Check on the service. If it is registered twice, plancast listen still records each event once.",
  };
}

/** @param end of a post after its cancel is done */
export function cancelWording(
  id: string,
  end: "cancelled" | "already-gone" | "published" | undefined,
): Wording {
  const done = {
    cancelled: `Cancelled ${id}.`,
    "already-gone": `${id} was already cancelled, so there is nothing to do.`,
    published: `${id} was published before plancast could cancel it.`,
  };
  return {
    done: end === undefined ? "" : done[end],
    refused: `${id} was not cancelled`,
    unknown: `${id} may or may not have been cancelled`,
    whenUnknown: `Check with plancast posts show ${id}, or run this again.`,
  };
}

/** The start of an automation. After an apply: `not_started` if not all changes were applied. */
export type TriggerDocument = NonNullable<DocumentOf<typeof applySchema>["automation"]>;

export function triggerDocument(
  id: string,
  input: string,
  written: WriteResult<{ readonly id?: string; readonly status?: string }>,
): TriggerDocument {
  const run = written.result === "done" ? { run_id: written.value.id, run_status: written.value.status } : {};
  return { automation_id: id, input, ...writeOutcomeDocument(written), ...run };
}

export function triggerWording({ automation_id: id, run_id, run_status }: TriggerDocument): Wording {
  const run = [run_id === undefined ? "" : `run ${run_id}`, run_status ?? ""].filter(Boolean).join(", ");
  return {
    done: `Triggered ${id}${run === "" ? "" : `: ${run}`}.`,
    refused: `${id} was not triggered`,
    unknown: `${id} may or may not have been triggered`,
    whenUnknown: "plancast does not send it again, so that it never runs twice. Check on the service.",
  };
}

/** Raw. */
export function afterApplySentence(after: TriggerDocument): string {
  return after.status === "not_started"
    ? `${after.automation_id} was not triggered, because not all changes were applied.`
    : writeOutcomeSentence(after, triggerWording(after));
}

/** The result as a sentence, and what to do if it was not triggered. */
export function afterApplyText(after: TriggerDocument, style: Style): string {
  const sentence = paragraph(afterApplySentence(after), style);
  if (after.status === "done") return terminalText(sentence);
  return terminalText([...sentence, ...advice(nextStep(after), style)]);
}

function nextStep(after: TriggerDocument): string {
  const byHand = `plancast automations trigger ${shellArgument(after.automation_id)} --input ${shellArgument(after.input)}`;
  if (after.status === "not_started")
    return `The next apply triggers the automation only if that apply changes a post. If there is nothing left to change, run: ${byHand}`;
  const step =
    after.status === "unknown" ? triggerWording(after).whenUnknown : `To trigger it now, run: ${byHand}`;
  return `The applied changes stay. ${step}`;
}

export function uploadedText(files: readonly UploadDocument[], style: Style): string {
  const doubtful = files.find(({ status }) => status === "unknown");
  return terminalText([
    ...files.flatMap((file) => paragraph(writeOutcomeSentence(file, uploadWording(file)), style)),
    ...(doubtful === undefined ? [] : advice(uploadWording(doubtful).whenUnknown, style)),
  ]);
}

function uploadWording({ path, media_id: id, uploaded }: UploadDocument): Wording {
  return {
    done: uploaded === true ? `Uploaded ${path} as ${id}.` : `${path} is on the service as ${id}.`,
    refused: `${path} was not uploaded`,
    unknown: `${path} may or may not have been uploaded`,
    whenUnknown: "Run it again. A file that is on the service twice does no harm.",
  };
}

export function prunedText({ pruned, summary }: PruneDocument, lockfile: string, style: Style): string {
  const entries = plural(pruned.length, "media entry", "media entries");
  const done =
    pruned.length === 0
      ? "Nothing to prune."
      : `Removed ${entries} from ${lockfile}, because the service no longer has these files. If a row names one of these files, apply uploads it again.`;
  const kept =
    summary.in_use === 0
      ? ""
      : `${plural(summary.in_use, "entry", "entries")} kept: the service does not list these media, but scheduled posts use them.`;
  return terminalText([
    ...paragraph(done, style),
    ...pruned.flatMap(({ id, path }) => paragraph(`${path} (${id})`, style, "  ")),
    ...(kept === "" ? [] : paragraph(kept, style)),
  ]);
}
