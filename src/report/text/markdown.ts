/** Text made safe for Markdown on GitHub. */

import { markLineEnds, replaceHidden, visibleForm } from "./escape.ts";

/**
 * What means something in Markdown, in HTML or in GitHub's mathematics; and what GitHub looks for in the text once it
 * is rendered: mentions, addresses, emoji names, numbers of issues.
 */
const SPECIAL = /[&<>"'`*_~[\](){}!|\\$^]|@|#(?=\d)|:(?=\/\/|[\w+-]+:)|www(?=\.)|GH-(?=\d)/gi;

/** Text of others as inline Markdown that says exactly this text: no markup, HTML, link, mention or reference. */
export function escapeMarkdown(text: string): string {
  return replaceHidden(markLineEnds(text, "⏎"), visibleForm).replace(SPECIAL, disarm);
}

/**
 * A character reference never begins structure, but GitHub's own patterns match rendered text, so those are
 * interrupted. A comment does that and leaves no trace, but is lost where a mail quotes it, and a mention there still
 * notifies people: after `@` stands a zero-width space, which stays.
 * Sources: github/cmark-gfm issue 181; dependabot/dependabot-core pull request 3157.
 */
function disarm(special: string): string {
  if (special === "@") return "@&#8203;";
  if (/^[#:a-z]/i.test(special)) return `${special}<!-- -->`;
  return `&#${special.charCodeAt(0)};`;
}

/** Cells are Markdown already; a `|` in one must be written as an entity or a backslash must stand before it. */
export function markdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return [header, header.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}

/** As code within a cell of a table, where a `|` would begin the next cell. */
export function codeCell(text: string): string {
  return `\`${text.replaceAll("|", String.raw`\|`)}\``;
}

/** The anchor that GitHub makes of a heading. */
export function headingAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}
