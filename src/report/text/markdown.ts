/** Text, places, links and tables in Markdown on GitHub: safe, and short enough. */

import { type Position, placeName } from "../../model/problem.ts";
import { parseUrl } from "../../model/address.ts";
import { markLineEnds, replaceHidden, visibleForm } from "./escape.ts";
import { plural } from "./numbers.ts";

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

/** One of our own sentences, with its commands between backticks as code. Without them, it is escaped as foreign text. */
export function markdownWithCode(sentence: string): string {
  const parts = sentence.split("`");
  return parts.map((part, index) => (index % 2 === 0 ? escapeMarkdown(part) : `\`${part}\``)).join("");
}

/** Addresses of the project's files on the website of its repository. Undefined for a file that is not there. */
export interface RepositoryLinks {
  /** Of the line, as far as the website can show lines of this file. */
  readonly place: (at: Pick<Position, "file" | "line" | "cell">) => string | undefined;
  /** Of the bytes of a picture, by its path from the project's folder. */
  readonly picture: (path: string) => string | undefined;
}

/** A place in a file as inline Markdown, with a link if there are links. A sheet's place is in words. */
export function placeMarkdown(at: Partial<Position>, links: RepositoryLinks | undefined): string {
  const { file, line, cell } = at;
  if (file === undefined) return "";
  const text = escapeBreakable(cell === undefined ? placeName(at) : `${file}, ${sheetPlace(cell, at)}`);
  const sheet = cell === undefined ? {} : { cell };
  const address = links?.place({ file, ...(line === undefined ? {} : { line }), ...sheet });
  return address === undefined ? text : `[${text}](${address})`;
}

/** `Plan!C14` in words: `sheet Plan, cell C14`; without a column `sheet Plan, row 14`. */
function sheetPlace(cell: string, { line, column }: Partial<Position>): string {
  const end = cell.lastIndexOf("!");
  const sheet = end === -1 ? "" : `sheet ${cell.slice(0, end)}, `;
  return `${sheet}${column === undefined && line !== undefined ? `row ${line}` : `cell ${cell.slice(end + 1)}`}`;
}

/** An address that is safe in a link: nothing in it can end the link or the cell. */
export function linkTarget(url: string): string | undefined {
  const read = /^https?:/i.test(url) ? parseUrl(url) : undefined;
  return read?.href.replaceAll(
    /[^\w\-./:?#@!$&*+,;=%~]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).padStart(2, "0").toUpperCase()}`,
  );
}

/** Longest word without a place for a line break, characters: a longer one makes a table too wide for a phone. */
const MAX_WORD = 20;

/** The same as `escapeMarkdown`, with places for line breaks in long addresses and the like. */
export function escapeBreakable(text: string): string {
  const cuts = Array.from(text.matchAll(LONG_WORD)).flatMap(({ 0: word, index }) =>
    Array.from(word.matchAll(PIECE), (piece) => index + piece.index + piece[0].length),
  );
  return [...cuts, text.length]
    .map((end, part) => escapeMarkdown(text.slice(cuts[part - 1] ?? 0, end)))
    .join("<wbr>")
    .replaceAll(BETWEEN_HIDDEN, "$1<wbr>$2");
}

/** Between two hidden characters that are shown as `\u{301}\u{301}`. */
const BETWEEN_HIDDEN = /(&#125;)(&#92;u&#123;)/g;
/** Browsers break other scripts themselves, or have to keep their letters together. */
const LONG_WORD = new RegExp(`[!-~]{${MAX_WORD + 1},}`, "g");
/** As much of a text as fits, if possible up to a place where a long address or path can break. */
const PIECE = new RegExp(`(?=.{${MAX_WORD + 1}})(?:.{1,${MAX_WORD - 1}}[/?&=_-]|.{${MAX_WORD}})`, "g");

/** Cells are already Markdown. In a cell, write `|` as an entity or with a backslash before it. */
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

/** UTF-16 units for what ends a text that was cut off. */
const MAX_END = 300;

/**
 * The first lines of Markdown that is too long: what is left out is counted, and what is open is closed. So the most
 * important belongs at the beginning.
 * @param maxLength UTF-16 units
 * @param whole where all of it is, as the end of a sentence in Markdown
 */
export function cutMarkdown(text: string, maxLength: number, whole: string): string {
  if (text.length <= maxLength) return text;
  const shown = text.slice(0, text.lastIndexOf("\n", maxLength - MAX_END) + 1);
  const left = text.slice(shown.length).split("\n").filter(isFact).length;
  const isInCode = (shown.match(/^ *```/gm)?.length ?? 0) % 2 === 1;
  const isFolded = shown.lastIndexOf("\n<details") > shown.lastIndexOf("\n</details>");
  const end = `${isInCode ? "  ```\n" : ""}${isFolded ? "\n</details>\n" : ""}`;
  return `${shown}${end}\n**${plural(left, "more line")}** did not fit here; ${whole}.\n`;
}

/** Whether a line says something: it is not blank, a tag, or below the heads of a table. */
function isFact(line: string): boolean {
  return line !== "" && !/^(?:<\/?details|\| (?:\||---))/.test(line);
}
