/** Makes text safe for Markdown on GitHub. */

import { markLineEnds, replaceHidden, visibleForm } from "./escape.ts";

/**
 * Special characters of Markdown, HTML and GitHub's mathematics. Also what GitHub detects in the rendered text:
 * mentions, addresses, emoji names, numbers of issues.
 */
const SPECIAL = /[&<>"'`*_~[\](){}!|\\$^]|@|#(?=\d)|:(?=\/\/|[\w+-]+:)|www(?=\.)|GH-(?=\d)/gi;

/** Foreign text as inline Markdown that shows exactly this text: no markup, HTML, link, mention or reference. */
export function escapeMarkdown(text: string): string {
  return replaceHidden(markLineEnds(text, "⏎"), visibleForm).replace(SPECIAL, disarm);
}

/**
 * A character reference never begins structure, but GitHub's own patterns match the rendered text, so those are
 * interrupted. An invisible comment does that, but mails drop it, and a mention there would notify people. So a
 * zero-width space follows each `@`, which mails keep. Sources: github/cmark-gfm issue 181; dependabot/dependabot-core
 * pull request 3157.
 */
function disarm(special: string): string {
  if (special === "@") return "@&#8203;";
  if (/^[#:a-z]/i.test(special)) return `${special}<!-- -->`;
  return `&#${special.charCodeAt(0)};`;
}

/** Cells are already Markdown. A `|` in one must be an entity or have a backslash before it. */
export function markdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return [header, header.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}

/** As code in a cell of a table, where a `|` would begin the next cell. */
export function codeCell(text: string): string {
  return `\`${text.replaceAll("|", String.raw`\|`)}\``;
}

/** The anchor that GitHub gives a heading. */
export function headingAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}
