/** What `plan --watch` says between plans. */
import type { Change, Plan } from "../calendar/change.ts";
import { terminalText } from "./escape-terminal.ts";
import { clipText } from "./clip-text.ts";
import { formatDuration } from "./format-duration.ts";
import { paragraph } from "./paragraph.ts";
import { comparePlans } from "./compare-plans.ts";
import { counted, plural } from "./plural.ts";
import { bodyLines, joinParts, actionMark } from "./post-text.ts";
import { postView, rowDifferences, type Difference } from "./post-view.ts";
import type { Style } from "./style.ts";

/** More names than this are counted. */
const MOST_FILES = 3;
/** More changes than this are counted: the plan itself stands above. */
const MOST_CHANGES = 10;
/** Of a text that was edited. */
const MAX_LINES = 3;
/** Of a text that stands for a post without an id. */
const MOST_LETTERS = 40;
/** Where what belongs to a change begins: after `  changed + `. */
const INDENT = " ".repeat(2 + "changed".length + 3);

/** Which files were saved; relative to the project root. */
export function savedText(files: readonly string[], style: Style): string {
  const more = files.length - MOST_FILES;
  const names = [...files.slice(0, MOST_FILES), ...(more > 0 ? [plural(more, "more", "more")] : [])];
  return terminalText(paragraph(`Saved: ${names.join(", ")}. Planning again.`, style));
}

/** @param ageMs of the answers that were used once more @param reuseMs how old they may get */
export function reusedText(ageMs: number, reuseMs: number, style: Style): string {
  return terminalText(
    paragraph(
      `What the service has was read ${formatDuration(ageMs)} ago; it is read again after ${formatDuration(reuseMs)}, to spare the rate limit.`,
      style,
    ),
  );
}

export function watchingText(folder: string, style: Style): string {
  return terminalText(["", ...paragraph(`Watching the files in ${folder}. Ctrl-C ends.`, style)]);
}

/**
 * How a plan differs from the one before it: which changes came, which became others and in what, which went.
 * @param timezone IANA zone of every clock
 */
export function planDifferenceText(before: Plan, after: Plan, timezone: string, style: Style): string {
  const { news, others, gone } = comparePlans(before, after);
  const counts = counted([
    [news.length, "new"],
    [others.length, "changed"],
    [gone.length, "gone"],
  ]);
  if (counts === "") return terminalText(paragraph("Since the last plan: no difference.", style));
  const lines = [
    ...news.map((change) => changeLines("new", change, style)),
    ...others.map((pair) => [
      ...changeLines("changed", pair.after, style),
      ...editLines(edits(pair.before, pair.after, timezone), style),
    ]),
    ...gone.map((change) => changeLines("gone", change, style)),
  ];
  const more = lines.length - MOST_CHANGES;
  return terminalText([
    style.colors.bold(`Since the last plan: ${counts}`),
    ...lines.slice(0, MOST_CHANGES).flat(),
    ...(more > 0 ? [`  and ${plural(more, "more", "more")}`] : []),
  ]);
}

/** What was edited in the row since the last plan. */
function edits(before: Change, after: Change, timezone: string): readonly Difference[] {
  if (before.action === "cancel" || after.action === "cancel") return [];
  return rowDifferences(before.desired, after.desired, timezone);
}

function editLines(differences: readonly Difference[], style: Style): string[] {
  const edited = { content: undefined, differences, media: [], reason: undefined };
  return bodyLines(edited, style, style.width - INDENT.length, MAX_LINES).map((line) => INDENT + line);
}

function changeLines(what: "new" | "changed" | "gone", change: Change, style: Style): string[] {
  const { id, place, content, action } = postView(change, "UTC");
  const head = `  ${what.padEnd("changed".length)} ${actionMark(action, style)} `;
  const parts = [
    { text: id ?? `"${clipText(content?.split("\n")[0] ?? "", MOST_LETTERS)}"` },
    { text: place, paint: style.colors.dim },
  ];
  return joinParts(parts, style, style.width - INDENT.length).map(
    (line, index) => (index === 0 ? head : INDENT) + line,
  );
}
