/** Messages of `plan --watch` between plans. */

import { terminalText } from "../text/escape.ts";
import { formatDuration, plural } from "../text/numbers.ts";
import { paragraph } from "../text/wrap.ts";
import type { Style } from "../text/style.ts";

/** Further names are counted. */
const MOST_FILES = 3;

/** Which files were saved; relative to the project root. */
export function savedText(files: readonly string[], style: Style): string {
  const more = files.length - MOST_FILES;
  const names = [...files.slice(0, MOST_FILES), ...(more > 0 ? [plural(more, "more", "more")] : [])];
  return terminalText(paragraph(`Saved: ${names.join(", ")}. Planning again.`, style));
}

/** @param ageMs of the reused answers @param reuseMs their longest age */
export function reusedText(ageMs: number, reuseMs: number, style: Style): string {
  return terminalText(
    paragraph(
      `The service's posts are from ${formatDuration(ageMs)} ago. To save requests, plancast reads them again after ${formatDuration(reuseMs)}.`,
      style,
    ),
  );
}

export function watchingText(folder: string, style: Style): string {
  return terminalText(["", ...paragraph(`Watching the files in ${folder}. Ctrl-C stops.`, style)]);
}
