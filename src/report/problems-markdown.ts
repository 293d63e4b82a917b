import type { Problem } from "../calendar/problem.ts";
import { placeName } from "../calendar/place-name.ts";
import { escapeMarkdown } from "./escape-markdown.ts";
import { plural } from "./plural.ts";
import { problemsSummary } from "./problems-text.ts";
import { worstFirst } from "./worst-first.ts";

/** What stopped a plan, for a comment or a step summary: errors first, cut off with a count where it grows too long. */
export function problemsMarkdown(
  problems: readonly Problem[],
  { maxLength, title = "No plan" }: { readonly maxLength: number; readonly title?: string },
): string {
  const sorted = worstFirst(problems);
  let text = `**${title}: ${problemsSummary(problems)}**\n\n`;
  for (const [index, each] of sorted.entries()) {
    const line = problemLine(each);
    const left = `\n… and ${plural(sorted.length - index, "more problem")}\n`;
    if (text.length + line.length + left.length > maxLength) return text + left;
    text += line;
  }
  return text;
}

function problemLine(problem: Problem): string {
  const { severity, code, message } = problem;
  const place = placeName(problem);
  const where = place === "" ? "" : `${escapeMarkdown(place)} `;
  return `- ${where}**${severity}** ${escapeMarkdown(code)}: ${escapeMarkdown(message)}\n`;
}
