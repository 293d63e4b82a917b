import { clipText } from "./clip-text.ts";
import { escapeMarkdown } from "./escape-markdown.ts";
import { guardAdvice } from "./guard-advice.ts";
import { unchangedCounts, changeCounts, requestsSentence } from "./plan-counts.ts";
import type { DayView, PlanView } from "./plan-view.ts";
import { plural } from "./plural.ts";
import { POST_TABLE_HEAD, postRow, type LongTexts } from "./post-markdown.ts";

export interface PlanMarkdownOptions {
  /**
   * UTF-16 units at most. A GitHub comment holds 65,536 characters, a step summary 1 MiB of UTF-8. The numbers and
   * the guards are always there, so much less than 4,000 cannot be kept to.
   */
  readonly maxLength: number;
  /** Where the whole plan is, as the end of a sentence in Markdown: `… shows every one.` */
  readonly whole?: string;
}

const WHOLE = "`plancast plan --verbose` shows every one";

/** A plan with more changes than this opens folded. */
const MAX_OPEN = 30;
const MAX_MESSAGE = 400;

/**
 * A plan for a pull request or a step summary: the numbers first, then a table for each day while there is room. Texts
 * are there whole, for whoever reviews them; they are cut where so more posts have room.
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
  const end = texts === "cut" ? `\nLong texts are cut here; ${whole}.\n` : "";
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
  const advice = guardAdvice(view);
  return [
    "",
    "> [!WARNING]",
    "> **Apply will refuse this plan.**",
    ...view.guards.map(
      ({ code, message }) => `> - ${code}: ${escapeMarkdown(clipText(message, MAX_MESSAGE))}`,
    ),
    ...(advice === undefined ? [] : [">", `> ${escapeMarkdown(advice)}`]),
    "",
  ].join("\n");
}

/** A day's table with as many of its posts as there is room for. */
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
