/** A plan in Markdown: for `plan --format markdown`, step summaries, and the comment on a pull request. */

import { problemsMarkdown } from "../problems/github.ts";
import { escapeMarkdown } from "../text/markdown.ts";
import { plural } from "../text/numbers.ts";
import { clipText } from "../text/wrap.ts";
import { type DiffPart, shortenDiff, wordDiff } from "../text/word-diff.ts";
import {
  type DayView,
  type Difference,
  type PlanRun,
  type PlanView,
  type PostView,
  FIELD_NAMES,
  changeCounts,
  requestsSentence,
  unchangedCounts,
} from "./plan-view.ts";

export interface PlanMarkdownOptions {
  /**
   * Most UTF-16 units. A GitHub comment holds 65,536 characters, a step summary 1 MiB of UTF-8. The numbers and the
   * guards are always included, so limits far below 4,000 are exceeded.
   */
  readonly maxLength: number;
  /** Where the whole plan is, as the end of a sentence in Markdown: `… shows every one.` */
  readonly whole?: string;
}

const WHOLE = "`plancast plan --verbose` shows all of them";

/** A plan with more changes is collapsed. */
const MAX_OPEN = 30;
const MAX_MESSAGE = 400;

/** For `plan --format markdown`: a GitHub comment holds 65,536 characters; the rest is for a title or a marker. */
const MAX_OUTPUT = 60_000;

/** `plan --format markdown`: the plan, or the problems that stopped the run. */
export async function planRunMarkdown({ planned, problems }: PlanRun): Promise<string> {
  return planned === undefined
    ? problemsMarkdown(problems, { maxLength: MAX_OUTPUT })
    : planMarkdown(planned.view(), { maxLength: MAX_OUTPUT });
}

/**
 * A plan for a pull request or a step summary: the numbers first, then a table for each day while there is space. Texts
 * are complete for reviewers, or shortened if more posts fit that way.
 */
export function planMarkdown(view: PlanView, options: PlanMarkdownOptions): string {
  const { text, isWhole } = planTables(view, "folded", options);
  return isWhole ? text : planTables(view, "cut", options).text;
}

function planTables(
  view: PlanView,
  texts: LongTexts,
  { maxLength, whole = WHOLE }: PlanMarkdownOptions,
): { readonly text: string; readonly isWhole: boolean } {
  const total = view.days.reduce((sum, { posts }) => sum + posts.length, 0);
  const top = headText(view) + guardText(view);
  const end = texts === "cut" ? `\nLong texts are shortened here; ${whole}.\n` : "";
  let room = maxLength - top.length - end.length - leftOutText(total, whole).length;
  let left = total;
  const tables: string[] = [];
  for (const day of view.days) {
    const { text, rows } = dayText(day, { texts, folded: total > MAX_OPEN, room });
    tables.push(text);
    room -= text.length;
    left -= rows;
    if (rows < day.posts.length) break;
  }
  return { text: top + tables.join("") + end + leftOutText(left, whole), isWhole: left === 0 };
}

function headText(view: PlanView): string {
  const doing = changeCounts(view.summary);
  const rest = unchangedCounts(view);
  const facts = [
    ...(rest === "" ? [] : [`${rest}.`]),
    ...(doing === "" ? [] : [requestsSentence(view)]),
    ...(view.days.length === 0 ? [] : [`Times are in ${escapeMarkdown(view.timezone)}.`]),
  ];
  return `### ${doing === "" ? "Plan: nothing to do" : `Plan: ${doing}`}\n\n${facts.map((fact) => `${fact}\n`).join("")}`;
}

function guardText(view: PlanView): string {
  if (view.guards.length === 0) return "";
  return [
    "",
    "> [!WARNING]",
    "> **Apply will refuse this plan.**",
    ...view.guards.map(
      ({ code, message }) => `> - ${code}: ${escapeMarkdown(clipText(message, MAX_MESSAGE))}`,
    ),
    ">",
    `> ${escapeMarkdown(view.guardAdvice)}`,
    "",
  ].join("\n");
}

/** A day's table with as many of its posts as fit. */
function dayText(
  { day, posts }: DayView,
  { texts, folded, room }: { readonly texts: LongTexts; readonly folded: boolean; readonly room: number },
): { text: string; rows: number } {
  const before = folded
    ? `\n<details><summary><b>${escapeMarkdown(day)}</b>: ${plural(posts.length, "post")}</summary>\n\n`
    : `\n**${escapeMarkdown(day)}**\n\n`;
  const after = folded ? "\n</details>\n" : "";
  let text = before + POST_TABLE_HEAD;
  let rows = 0;
  for (const post of posts) {
    const row = postRow(post, texts);
    if (text.length + row.length + after.length > room) break;
    text += row;
    rows += 1;
  }
  return rows === 0 ? { text: "", rows } : { text: text + after, rows };
}

function leftOutText(posts: number, whole: string): string {
  if (posts === 0) return "";
  return `\n**${plural(posts, "more post")}** did not fit here; ${whole}.\n`;
}

/** Graphemes of a text, and of a name or list, in a table: enough to recognise it. */
const MAX_CONTENT = 240;
const MAX_LABEL = 120;
/** UTF-16 units of a changed text, including removed parts. A text with more changes is shown as a new one. */
const MAX_CHANGED = 720;

/** The head of a table of posts. */
const POST_TABLE_HEAD = "| | Time | Platforms | Post | Row |\n| --- | --- | --- | --- | --- |\n";

/** Whether the rest of a long text can be expanded, or is left out. */
type LongTexts = "folded" | "cut";

/** A post as a row of that table, with its newline. */
function postRow(post: PostView, texts: LongTexts): string {
  const { action, when, platforms, id, place } = post;
  const row = [...(id === undefined ? [] : [label(id)]), `<code>${label(place)}</code>`].join("<br>");
  const cells = [
    action === "cancel" ? "**cancel**" : action,
    when.clock,
    label(platforms.join(", ")),
    postCell(post, texts),
    row,
  ];
  return `| ${cells.join(" | ")} |\n`;
}

function postCell({ content, differences, media, reason }: PostView, texts: LongTexts): string {
  const text = differences.find(({ field }) => field === "content");
  const facts = [
    text?.before === undefined
      ? contentText(content ?? "", texts)
      : changedText(text.before, text.after, texts),
    ...differences.map(differenceText),
    ...(differences.some(({ field }) => field === "mediaIds") ? [] : [label(media.join(", "))]),
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
  return before === undefined ? "The text has changed. The service does not show the old text." : "";
}

function label(text: string, length = MAX_LABEL): string {
  return escapeMarkdown(clipText(text, length));
}

/** Limit of GitHub for a comment, characters. */
const MAX_COMMENT = 65_536;

interface CommentFacts {
  /** Distinguishes several projects of one repository. */
  readonly name: string;
  /** Address of the run's page. */
  readonly runUrl: string;
  /** The commit of the plan. */
  readonly sha: string;
  /** The plan's hash; empty without a plan. */
  readonly hash: string;
}

/** The beginning of the comment, by which it is found again. It is invisible. */
export function commentMarker(name: string): string {
  return `<!-- plancast: ${name} -->`;
}

/** @param body returns the content, in at most this many UTF-16 units */
export function commentMarkdown(facts: CommentFacts, body: (maxLength: number) => string): string {
  const { name, runUrl, sha, hash } = facts;
  const plan = hash === "" ? "" : ` · plan <code>${hash.replace("sha256:", "").slice(0, 12)}</code>`;
  const head = `${commentMarker(name)}\n`;
  const foot = `\n<sub>Commit ${sha.slice(0, 7)}${plan} · [the run](${runUrl}) has all of it.</sub>\n`;
  return head + body(MAX_COMMENT - head.length - foot.length) + foot;
}

/** How to apply a plan that a job refused, for its summary. @param hash of the plan that is shown below */
export function applyByHandMarkdown(hash: string): string {
  return `To apply exactly the plan below, read it. Then choose _Run workflow_ on this workflow's page, with this as \`plan\`:

\`\`\`
${hash}
\`\`\`

If the workflow does not have this input, an earlier plancast wrote it: \`plancast init\` in an empty folder writes the current one.
`;
}
