/** A post of a plan as a row of a table in Markdown: three columns, so that a phone shows it without scrolling. */

import { type RepositoryLinks, escapeBreakable, escapeMarkdown, placeMarkdown } from "../text/markdown.ts";
import { visibleForm } from "../text/escape.ts";
import { cityOf } from "../text/local-time.ts";
import { type DiffPart, shortenDiff, wordDiff } from "../text/word-diff.ts";
import { clipText } from "../text/wrap.ts";
import {
  type Difference,
  type PostView,
  FIELD_NAMES,
  projectTime,
  rowClock,
  timeLabel,
} from "./plan-view.ts";

/** The sign of each action. The heading of a plan has the word for it. */
export const SIGNS: Readonly<Record<PostView["action"], string>> = {
  create: "➕",
  replace: "✏️",
  cancel: "❌",
  adopt: "✔️",
  missing: "❓",
  pending: "⏳",
  keep: "",
};

export const POST_TABLE_HEAD = "| | When | Post |\n| --- | --- | --- |\n";

/** Graphemes of a text, and of a name or list: enough to recognise it. */
const MAX_CONTENT = 200;
const MAX_LABEL = 120;
/** UTF-16 units of a changed text, including removed parts. A text with more changes is shown as a new text. */
const MAX_CHANGED = 600;
/** UTF-16 units of a text to unfold. The longest of most networks are below. */
const MAX_WHOLE = 6_000;
/** More pictures of one post are only named. */
const MAX_PICTURES = 4;
/** Px. */
const PICTURE_HEIGHT = 64;

/** The row of the table, with its newline. @param isWhole with pictures, and with whole texts to unfold */
export function postRow(post: PostView, isWhole: boolean, links: RepositoryLinks | undefined): string {
  const cells = [SIGNS[post.action], whenCell(post), postCell(post, isWhole, links)];
  return `| ${cells.join(" | ")} |\n`;
}

/** The day and the time as the row has them. Below a different zone's city is the project's time. */
function whenCell(post: PostView): string {
  const { rowTime } = post;
  const { date, clock } = rowClock(post);
  const day = unbroken(date.slice(0, MAX_LABEL));
  const slot = timeLabel(post);
  return [
    day,
    clock,
    ...(slot === "" ? [] : [`<small>${label(slot)}</small>`]),
    ...(rowTime === undefined
      ? []
      : [`<small>${label(cityOf(rowTime.timezone))}<br>(${unbroken(projectTime(post))})</small>`]),
  ]
    .filter((part) => part !== "")
    .join("<br>");
}

function unbroken(text: string): string {
  return text.split(" ").map(escapeMarkdown).join("&nbsp;");
}

function postCell(post: PostView, isWhole: boolean, links: RepositoryLinks | undefined): string {
  const { content, differences, media, campaign, extras, pictures, reason } = post;
  const unchanged = extras.filter(({ field }) => !differences.some((each) => each.field === field));
  const text = differences.find(({ field }) => field === "content");
  const shown = isWhole ? pictureTags(pictures, links) : "";
  const lines = [
    headLine(post, links),
    text?.before === undefined
      ? contentText(content ?? "", isWhole)
      : changedText(text.before, text.after, isWhole),
    ...differences.map(differenceText),
    shown,
    ...(differences.some(({ field }) => field === "mediaIds") ? [] : [mediaText(media, shown !== "")]),
    ...unchanged.map(({ name, text: value }) => `<small>${name}: ${label(value)}</small>`),
    campaign === undefined ? "" : `<small>campaign: ${label(campaign)}</small>`,
    label(reason ?? "", 2 * MAX_LABEL),
  ];
  return joinLines(lines);
}

/** The folded text is a block, which ends its line. */
function joinLines(lines: readonly string[]): string {
  return lines
    .filter((line) => line !== "")
    .join("<br>")
    .replaceAll(`${FOLD_END}<br>`, FOLD_END);
}

/** Networks, id and place. */
function headLine({ networks, id, source }: PostView, links: RepositoryLinks | undefined): string {
  const first = networks.length === 0 ? [] : [`<b>${label(networks.join(", "))}</b>`];
  const names = [...(id === undefined ? [] : [label(id)]), placeMarkdown(clippedFile(source), links)];
  return [...first, `<small>${names.join(" · ")}</small>`].join(" ");
}

/** Real paths have at most a few hundred characters. */
function clippedFile(source: PostView["source"]): PostView["source"] {
  return source.file.length <= 4 * MAX_LABEL ? source : { file: clipText(source.file, MAX_LABEL) };
}

/** The first line. A longer text unfolds below it. */
function contentText(content: string, isWhole: boolean): string {
  const first = content.split("\n").find((line) => line.trim() !== "") ?? "";
  const clipped = clipText(first, MAX_CONTENT);
  const shown = escapeBreakable(clipped);
  if (clipped === content.trim()) return shown;
  if (isWhole && content.length <= MAX_WHOLE) return unfolding(shown, linesOf(content));
  return clipped === first ? `${shown} …` : shown;
}

function unfolding(summary: string, whole: string): string {
  return `<details><summary>${summary}</summary>${whole}${FOLD_END}`;
}

const FOLD_END = "</details>";

function linesOf(text: string): string {
  return text.split("\n").map(escapeBreakable).join("<br>");
}

function changedText(before: string, after: string, isWhole: boolean): string {
  const parts = wordDiff(before, after);
  const shortened = shortenDiff(parts, "…");
  if (lengthOf(shortened) > MAX_CHANGED)
    return joinLines([contentText(after, isWhole), "The text has changed in many places."]);
  const shown = changedParts(shortened, escapeBreakable);
  const isAll = lengthOf(shortened) === lengthOf(parts) && !after.includes("\n");
  if (isAll || !isWhole || lengthOf(parts) > MAX_WHOLE) return shown;
  return unfolding(shown, changedParts(parts, linesOf));
}

function lengthOf(parts: readonly DiffPart[]): number {
  return parts.reduce((sum, { text }) => sum + text.length, 0);
}

/** With a space between the old words and the new ones. */
function changedParts(parts: readonly DiffPart[], escape: (text: string) => string): string {
  return parts
    .map((part, index) => {
      const follows = part.kind === "added" && parts[index - 1]?.kind === "removed";
      return (follows ? " " : "") + changedPart(part, escape);
    })
    .join("");
}

/** Tags instead of `~~` and `**`, which mean nothing next to some characters. */
function changedPart({ kind, text }: DiffPart, escape: (text: string) => string): string {
  switch (kind) {
    case "same":
      return escape(text);
    case "removed":
      return `<del>${escape(visibleBlanks(text))}</del>`;
    case "added":
      return `<b>${escape(visibleBlanks(text))}</b>`;
    default:
      return kind satisfies never;
  }
}

/** Changes of only spaces would be invisible. */
function visibleBlanks(text: string): string {
  return /[^\p{Zs}]/u.test(text) ? text : text.replaceAll(" ", "␣").replace(/\p{Zs}/gu, visibleForm);
}

function differenceText({ field, before, after }: Difference): string {
  if (field !== "content")
    return `${FIELD_NAMES[field]}: <del>${label(before ?? "not known")}</del> → <b>${label(after)}</b>`;
  return before === undefined ? "The text has changed. The service does not show the old text." : "";
}

function pictureTags(pictures: readonly string[], links: RepositoryLinks | undefined): string {
  const shown = pictures.flatMap((path) => {
    const address = links?.picture(path);
    if (address === undefined) return [];
    const name = path.slice(path.lastIndexOf("/") + 1, MAX_LABEL).replaceAll(/[^\p{L}\p{N}. -]/gu, " ");
    return [`<img height="${PICTURE_HEIGHT}" alt="${name}" src="${address}">`];
  });
  return shown.slice(0, MAX_PICTURES).join(" ");
}

function mediaText(media: readonly string[], isCaption: boolean): string {
  const text = label(media.join(", "));
  return isCaption ? `<small>${text}</small>` : text;
}

function label(text: string, length = MAX_LABEL): string {
  return escapeBreakable(clipText(text, length));
}
