/**
 * Messages of `plan --watch` between plans: the saved files, and the differences between the new plan and the last one.
 */

import type { Change, Plan } from "../../model/plan.ts";
import { rowMark } from "../../model/row.ts";
import { terminalText } from "../text/escape.ts";
import { counted, formatDuration, plural } from "../text/numbers.ts";
import { clipText, paragraph } from "../text/wrap.ts";
import type { Style } from "../text/style.ts";
import { actionMark, bodyLines, joinParts } from "./plan-text.ts";
import { type Difference, postView, rowDifferences } from "./plan-view.ts";

/** Further names are counted. */
const MOST_FILES = 3;
/** Further changes are counted, because the plan itself is above. */
const MOST_CHANGES = 10;
/** Graphemes of an edited text. */
const MAX_LINES = 3;
/** Graphemes of a text that identifies a post without an id. */
const MOST_LETTERS = 40;
/** Column of a change's details: after `  changed + `. */
const INDENT = " ".repeat(2 + "changed".length + 3);

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

/**
 * The differences between a plan and the previous plan: new, changed and removed changes.
 * @param timezone IANA zone of all times
 */
export function planDifferenceText(before: Plan, after: Plan, timezone: string, style: Style): string {
  const { added, changed, removed } = comparePlans(before, after);
  const counts = counted([
    [added.length, "new"],
    [changed.length, "changed"],
    [removed.length, "gone"],
  ]);
  if (counts === "") return terminalText(paragraph("Since the last plan: no changes.", style));
  const lines = [
    ...added.map((change) => changeLines("new", change, style)),
    ...changed.map((pair) => [
      ...changeLines("changed", pair.after, style),
      ...editLines(edits(pair.before, pair.after, timezone), style),
    ]),
    ...removed.map((change) => changeLines("gone", change, style)),
  ];
  const more = lines.length - MOST_CHANGES;
  return terminalText([
    style.colors.bold(`Since the last plan: ${counts}`),
    ...lines.slice(0, MOST_CHANGES).flat(),
    ...(more > 0 ? [`  and ${plural(more, "more", "more")}`] : []),
  ]);
}

/** The edits in the row since the last plan. */
function edits(before: Change, after: Change, timezone: string): readonly Difference[] {
  if (before.action === "cancel" || after.action === "cancel") return [];
  return rowDifferences(before.desired, after.desired, timezone);
}

function editLines(differences: readonly Difference[], style: Style): string[] {
  const edited = {
    content: undefined,
    differences,
    media: [],
    campaign: undefined,
    extras: [],
    reason: undefined,
  };
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

interface PlanChanges {
  readonly added: readonly Change[];
  /** The same post, with a different change. */
  readonly changed: readonly { readonly before: Change; readonly after: Change }[];
  readonly removed: readonly Change[];
}

function comparePlans(before: Plan, after: Plan): PlanChanges {
  const [old, now] = [byKey(before), byKey(after)];
  const added = after.changes.filter(({ key }) => !old.has(key));
  const removed = before.changes.filter(({ key }) => !now.has(key));
  const edited = editedRows(removed, added);
  const [olds, nows] = [
    new Set(edited.map((pair) => pair.before)),
    new Set(edited.map((pair) => pair.after)),
  ];
  const kept = after.changes.flatMap((change) => {
    const earlier = old.get(change.key);
    return earlier === undefined || changeEffect(earlier) === changeEffect(change)
      ? []
      : [{ before: earlier, after: change }];
  });
  return {
    added: added.filter((change) => !nows.has(change)),
    changed: [...kept, ...edited],
    removed: removed.filter((change) => !olds.has(change)),
  };
}

function byKey({ changes }: Plan): ReadonlyMap<string, Change> {
  return new Map(changes.map((change) => [change.key, change]));
}

/** A row without an id gets another key after an edit. It is recognised by its time and platforms, or by its line. */
function editedRows(removed: readonly Change[], added: readonly Change[]): PlanChanges["changed"] {
  const left = new Set(removed);
  const pairs: { before: Change; after: Change }[] = [];
  for (const traitOf of [timeAndPlatforms, lineInFile]) {
    const byTrait = new Map([...left].toReversed().map((change) => [traitOf(change), change]));
    for (const after of added) {
      const trait = traitOf(after);
      const before = trait === undefined ? undefined : byTrait.get(trait);
      if (before === undefined || !left.has(before) || pairs.some((pair) => pair.after === after)) continue;
      left.delete(before);
      pairs.push({ before, after });
    }
  }
  return pairs;
}

function timeAndPlatforms(change: Change): string | undefined {
  if (change.action !== "create") return undefined;
  const { source, scheduledAt, platforms } = change.desired;
  return JSON.stringify([source.file, scheduledAt, platforms]);
}

function lineInFile(change: Change): string | undefined {
  return change.action === "create" ? rowMark(change.desired.source) : undefined;
}

/** Equal for equal changes. The line of the row does not count. */
function changeEffect(change: Change): string {
  if (change.action === "cancel") return JSON.stringify([change.action, change.remote.id]);
  const { content, platforms, scheduledAt, media } = change.desired;
  const replaced = change.action === "create" ? undefined : change.remote.id;
  return JSON.stringify([change.action, replaced, content, platforms, scheduledAt, media]);
}
