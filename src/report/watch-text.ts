/** What `plan --watch` says between plans. */
import type { Change, Plan } from "../calendar/change.ts";
import { terminalText } from "./escape-terminal.ts";
import { clipText } from "./clip-text.ts";
import { formatDuration } from "./format-duration.ts";
import { paragraph } from "./paragraph.ts";
import { counted, plural } from "./plural.ts";
import { flow, mark } from "./post-text.ts";
import { postView } from "./post-view.ts";
import type { Style } from "./style.ts";

/** More names than this are counted. */
const MOST_FILES = 3;
/** More changes than this are counted: the plan itself stands above. */
const MOST_CHANGES = 10;
/** Of a text that stands for a post without an id. */
const MOST_LETTERS = 40;

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

/** How a plan differs from the one before it: which changes came, became others and went. */
export function sinceText(before: Plan, after: Plan, style: Style): string {
  const [old, now] = [byKey(before), byKey(after)];
  const news = after.changes.filter(({ key }) => !old.has(key));
  const others = after.changes.filter(
    ({ key }) => old.has(key) && meaning(old.get(key)) !== meaning(now.get(key)),
  );
  const gone = before.changes.filter(({ key }) => !now.has(key));
  const counts = counted([
    [news.length, "new"],
    [others.length, "changed"],
    [gone.length, "gone"],
  ]);
  if (counts === "") return terminalText(paragraph("Since the last plan: no difference.", style));
  const lines = [
    ...news.map((change) => changeLines("new", change, style)),
    ...others.map((change) => changeLines("changed", change, style)),
    ...gone.map((change) => changeLines("gone", change, style)),
  ];
  const more = lines.length - MOST_CHANGES;
  return terminalText([
    style.colors.bold(`Since the last plan: ${counts}`),
    ...lines.slice(0, MOST_CHANGES).flat(),
    ...(more > 0 ? [`  and ${plural(more, "more", "more")}`] : []),
  ]);
}

function byKey({ changes }: Plan): ReadonlyMap<string, Change> {
  return new Map(changes.map((change) => [change.key, change]));
}

/** Equal where the same would be done. Where a row stands in its file is no matter. */
function meaning(change: Change | undefined): string {
  if (change === undefined) return "";
  if (change.action === "cancel") return JSON.stringify([change.action, change.remote.id]);
  const { content, platforms, scheduledAt, media } = change.desired;
  const replaced = change.action === "create" ? undefined : change.remote.id;
  return JSON.stringify([change.action, replaced, content, platforms, scheduledAt, media]);
}

function changeLines(what: "new" | "changed" | "gone", change: Change, style: Style): string[] {
  const { id, place, content, action } = postView(change, "UTC");
  const head = `  ${what.padEnd("changed".length)} ${mark(action, style)} `;
  const indent = " ".repeat(2 + "changed".length + 3);
  const parts = [
    { text: id ?? `"${clipText(content?.split("\n")[0] ?? "", MOST_LETTERS)}"` },
    { text: place, paint: style.colors.dim },
  ];
  return flow(parts, style, style.width - indent.length).map(
    (line, index) => (index === 0 ? head : indent) + line,
  );
}
