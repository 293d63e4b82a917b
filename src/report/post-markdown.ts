import { clipText } from "./clip-text.ts";
import { escapeMarkdown } from "./escape-markdown.ts";
import { FIELD_NAMES, type Difference, type PostView } from "./post-view.ts";
import { shortenDiff, wordDiff, type DiffPart } from "./word-diff.ts";

/** Graphemes of a text, and of a name or list, that a table shows at once: enough to know it again. */
const MAX_CONTENT = 240;
const MAX_LABEL = 120;
/** UTF-16 units of a changed text, with what is crossed out; a text with more changes is shown as a new one. */
const MAX_CHANGED = 720;

/** The head of a table of posts. */
export const POST_TABLE_HEAD = "| | Time | Platforms | Post | Row |\n| --- | --- | --- | --- | --- |\n";

/** Whether the rest of a long text can be unfolded, or is left out. */
export type LongTexts = "folded" | "cut";

/** A post as a row of that table, with its newline. */
export function postRow(post: PostView, texts: LongTexts): string {
  const { action, when, platforms, id, place } = post;
  const row = [...(id === undefined ? [] : [label(id)]), `<code>${label(place)}</code>`].join("<br>");
  const cells = [actionCell(action), when.clock, label(platforms.join(", ")), postCell(post, texts), row];
  return `| ${cells.join(" | ")} |\n`;
}

function actionCell(action: PostView["action"]): string {
  return action === "cancel" ? "**cancel**" : action;
}

function postCell({ content, differences, media, reason }: PostView, texts: LongTexts): string {
  const text = differences.find(({ field }) => field === "content");
  const facts = [
    text?.before === undefined
      ? contentText(content ?? "", texts)
      : changedText(text.before, text.after, texts),
    ...differences.map(differenceText),
    ...(differences.some(({ field }) => field === "media") ? [] : [label(media.join(", "))]),
    label(reason ?? "", 2 * MAX_LABEL),
  ];
  return facts.filter((fact) => fact !== "").join("<br>");
}

function contentText(content: string, texts: LongTexts): string {
  const clipped = clipText(content, MAX_CONTENT);
  if (clipped === content || texts === "cut") return escapeMarkdown(clipped);
  return `${escapeMarkdown(clipped)}<details><summary>The whole text</summary>${escapeMarkdown(content)}</details>`;
}

function changedText(before: string, after: string, texts: LongTexts): string {
  const parts = shortenDiff(wordDiff(before, after), "…");
  if (parts.reduce((sum, { text }) => sum + text.length, 0) <= MAX_CHANGED)
    return parts.map(changedPart).join("");
  return `${contentText(after, texts)}<br>The text has changed in many places.`;
}

function changedPart({ kind, text }: DiffPart): string {
  const visible = escapeMarkdown(text);
  switch (kind) {
    case "same":
      return visible;
    case "removed":
      return `<del>${visible}</del>`;
    case "added":
      return `<ins>${visible}</ins>`;
    default:
      return kind satisfies never;
  }
}

function differenceText({ field, before, after }: Difference): string {
  if (field !== "content") return `${FIELD_NAMES[field]}: ${label(before ?? "not known")} → ${label(after)}`;
  return before === undefined ? "The text has changed; the service does not tell the old one." : "";
}

function label(text: string, length = MAX_LABEL): string {
  return escapeMarkdown(clipText(text, length));
}
