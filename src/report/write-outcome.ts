/** What became of a single write, for people and as data. */
import { clipText } from "./clip-text.ts";
import { terminalText } from "./escape-terminal.ts";
import { advice, paragraph } from "./paragraph.ts";
import type { Style } from "./style.ts";

/** As the service's writes end. */
export type WriteOutcome<T> =
  | { readonly result: "done"; readonly value: T }
  | { readonly result: "refused"; readonly code: string; readonly message: string }
  | {
      readonly result: "unknown";
      readonly message: string;
      /** What the service answered, where that cannot be read. */
      readonly answer?: string;
    }
  | { readonly result: "not_started" };

export interface Wording {
  /** Whole sentence. */
  readonly done: string;
  /** Such as `post_81f was not cancelled`. */
  readonly refused: string;
  /** Such as `post_81f may or may not be cancelled`. */
  readonly unknown: string;
  readonly whenUnknown: string;
}

export function writeOutcomeText(written: WriteOutcome<unknown>, wording: Wording, style: Style): string {
  return terminalText([
    ...paragraph(writeOutcomeSentence(written, wording), style),
    ...(written.result === "unknown" ? unknownLines(written, wording, style) : []),
  ]);
}

/** More than any network takes as a text; not all of a picture. UTF-16 units. */
export const MAX_ANSWER_LENGTH = 5_000;

function unknownLines(
  { answer }: { readonly answer?: string },
  { whenUnknown }: Wording,
  style: Style,
): string[] {
  const told =
    answer === undefined ? [] : paragraph(`It answered: ${clipText(answer, MAX_ANSWER_LENGTH)}`, style);
  return [...told, ...advice(whenUnknown, style)];
}

/** What became of it; raw. */
export function writeOutcomeSentence(written: WriteOutcome<unknown>, wording: Wording): string {
  switch (written.result) {
    case "done":
      return wording.done;
    case "refused":
      return `${wording.refused}: ${written.message.replace(/\.$/, "")} (${written.code}).`;
    case "unknown":
      return `${wording.unknown}: ${written.message.replace(/\.$/, "")}.`;
    case "not_started":
      return `${wording.refused}: the run was stopped before.`;
    default:
      return written satisfies never;
  }
}

/** The words that `apply --format json` has for the same. */
export function writeOutcomeDocument(written: WriteOutcome<unknown>): object {
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
