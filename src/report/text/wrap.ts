/**
 * Splits text into graphemes and words, wraps it to a width in columns, and sets rows as a table. If the terminal is
 * too narrow for a table, each row is a paragraph. The time of Node's segmenter grows with the square of a text's
 * length, so it gets short pieces; runs of spaces are separate pieces.
 */

import stringWidth from "string-width";
import { once } from "../../model/data.ts";
import { escapeTerminal } from "./escape.ts";
import { type Style, oneLine } from "./style.ts";

/** Each of these characters is a grapheme of one column. Most texts contain nothing else. */
const PLAIN = /^[\u0020-\u007e…│]*$/;
const SHORT = /\s+|\S{1,500}/gu;

/** What people see as characters: a letter with its marks, an emoji with its parts. */
export function graphemes(text: string): Iterable<string> {
  return PLAIN.test(text) ? text : segments(text, byGrapheme());
}

/** Words, punctuation and spaces, by the rules of Unicode: also in scripts without spaces, and never half an emoji. */
export function words(text: string): string[] {
  return [...segments(text, byWord())];
}

/** The first one takes some milliseconds to create, and most runs do not need it. */
const byGrapheme = once(() => new Intl.Segmenter("en", { granularity: "grapheme" }));
const byWord = once(() => new Intl.Segmenter("en", { granularity: "word" }));

function* segments(text: string, segmenter: Intl.Segmenter): Generator<string> {
  for (const [short] of text.matchAll(SHORT)) {
    for (const { segment } of segmenter.segment(short)) yield segment;
  }
}

/** Emoji of several parts; many terminals draw the parts side by side. */
const JOINED = /\u200d|\p{Emoji_Modifier}/u;

/** The maximum number of columns that a text needs in any terminal. */
export function maxTextWidth(text: string): number {
  const width = textWidth(text);
  if (!JOINED.test(text)) return width;
  const apart = Array.from(text).reduce((sum, part) => sum + textWidth(part), 0);
  return Math.max(width, apart);
}

/** Columns of a text in a terminal. It must be escaped already. */
export function textWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  return (text.match(SHORT) ?? []).reduce((sum, short) => sum + stringWidth(short), 0);
}

/** The longest emoji in use have about this many UTF-16 units; longer graphemes are artificial. */
const UNITS_A_GRAPHEME = 24;

/** A text's first graphemes, with an ellipsis if some are left out; never half an emoji. */
export function clipText(text: string, length: number): string {
  let end = 0;
  let count = 0;
  for (const grapheme of graphemes(text)) {
    if (count === length || end + grapheme.length > length * UNITS_A_GRAPHEME) {
      return `${text.slice(0, end).trimEnd()} …`;
    }
    end += grapheme.length;
    count += 1;
  }
  return text;
}

/** A text cut to a number of columns, with an ellipsis if something is left out. It never cuts a character in half. */
export function clipToWidth(text: string, width: number, ellipsis: string): string {
  if (maxTextWidth(text) <= width) return text;
  let shown = "";
  let left = width - textWidth(ellipsis);
  for (const letter of graphemes(text)) {
    left -= maxTextWidth(letter);
    if (left < 0) break;
    shown += letter;
  }
  return shown.trimEnd() + ellipsis;
}

/** Like `clipToWidth`, but keeps the end of the text. */
function clipStart(text: string, width: number, ellipsis: string): string {
  if (maxTextWidth(text) <= width) return text;
  let shown = "";
  let left = width - textWidth(ellipsis);
  for (const letter of [...graphemes(text)].toReversed()) {
    left -= maxTextWidth(letter);
    if (left < 0) break;
    shown = letter + shown;
  }
  return ellipsis + shown.trimStart();
}

type Paint = (text: string) => string;

/** Text of one style. It must be escaped already and contain no line ends. */
export interface Span {
  readonly text: string;
  /** Colours the text; called on a part of one line at a time. */
  readonly paint?: Paint;
}

interface WrapOptions {
  /** Columns of a line. */
  readonly width: number;
  /** Maximum number of lines. If there are more, the last one ends with an ellipsis. */
  readonly maxLines?: number;
  readonly ellipsis: string;
}

/** A piece between two possible line breaks: a word, or spaces. */
interface Word {
  readonly spans: readonly Span[];
  readonly width: number;
  readonly blank: boolean;
}

/** Spaces; one letter of a script without spaces; or a word. */
const PIECES =
  /\s+|[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]\p{M}*|[^\s\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]+/gu;
const UNSPACED = /^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]/u;

/** Wraps text, at spaces if possible. Spaces at a break are dropped. */
export function wrap(spans: readonly Span[], { width, maxLines, ellipsis }: WrapOptions): string[] {
  const lines: Word[][] = [];
  let line: Word[] = [];
  let blank: Word | undefined;
  for (const word of breakable(wordsOf(spans), width)) {
    if (word.blank) {
      blank = word;
      continue;
    }
    const gap = line.length > 0 && blank !== undefined ? [blank] : [];
    if (line.length > 0 && widthOf([...line, ...gap, word]) > width) {
      lines.push(line);
      line = [word];
      if (maxLines !== undefined && lines.length >= maxLines) {
        return [...lines.slice(0, maxLines - 1), clipped(lines[maxLines - 1] ?? [], width, ellipsis)].map(
          painted,
        );
      }
    } else line.push(...gap, word);
    blank = undefined;
  }
  if (line.length > 0) lines.push(line);
  return lines.map(painted);
}

function* wordsOf(spans: readonly Span[]): Generator<Word> {
  let open: Span[] = [];
  for (const { text, ...look } of spans) {
    for (const [piece] of text.matchAll(PIECES)) {
      const blank = piece.trim() === "";
      if ((blank || UNSPACED.test(piece)) && open.length > 0) {
        yield word(open);
        open = [];
      }
      if (blank) yield { ...word([{ ...look, text: piece }]), blank };
      else open.push({ ...look, text: piece });
    }
  }
  if (open.length > 0) yield word(open);
}

function word(spans: readonly Span[]): Word {
  return { spans, width: spans.reduce((sum, { text }) => sum + maxTextWidth(text), 0), blank: false };
}

/**
 * Words that are wider than a line are split into graphemes, and graphemes into letters: Hangul may stack any
 * number of letters in a grapheme.
 */
function* breakable(all: Iterable<Word>, width: number): Generator<Word> {
  for (const each of all) {
    if (each.width <= width || each.blank) yield each;
    else yield* letters(each, width);
  }
}

function* letters({ spans }: Word, width: number): Generator<Word> {
  for (const { text, ...look } of spans) {
    for (const grapheme of graphemes(text)) {
      const pieces = textWidth(grapheme) > Math.max(2, width) ? grapheme : [grapheme];
      for (const letter of pieces) yield word([{ ...look, text: letter }]);
    }
  }
}

function widthOf(line: readonly Word[]): number {
  return line.reduce((sum, { width }) => sum + width, 0);
}

function clipped(line: readonly Word[], width: number, ellipsis: string): Word[] {
  const end = word([{ text: ` ${ellipsis}` }]);
  // A single word that fills the line is cut; otherwise, whole words are dropped.
  const kept = line.length === 1 ? [...breakable(line, 0)] : [...line];
  while (kept.length > 1 && (widthOf(kept) + end.width > width || kept.at(-1)?.blank === true)) kept.pop();
  return [...kept, end];
}

/** The line as text; neighbours with one style are painted together. */
function painted(line: readonly Word[]): string {
  const runs: { text: string; paint: Paint | undefined }[] = [];
  for (const { text, paint } of line.flatMap(({ spans }) => spans)) {
    const last = runs.at(-1);
    if (last !== undefined && last.paint === paint) last.text += text;
    else runs.push({ text, paint });
  }
  return runs.map(({ text, paint }) => (paint === undefined ? text : paint(text))).join("");
}

/** Text of any origin as lines of the style's width, each after an indent. */
export function paragraph(text: string, style: Style, indent = ""): string[] {
  const width = style.width - indent.length;
  return wrap([{ text: oneLine(text, style) }], { width, ellipsis: style.marks.ellipsis }).map(
    (line) => indent + line,
  );
}

/** What to do next: a paragraph after an arrow. */
export function advice(text: string, style: Style): string[] {
  const arrow = `  ${style.marks.arrow} `;
  return paragraph(text, style, " ".repeat(arrow.length)).map((line, index) =>
    index === 0 ? arrow + line.trimStart() : line,
  );
}

/** Lines of several sections with an empty line between them; empty sections are dropped. */
export function sections(all: readonly (readonly string[])[]): string[] {
  return all
    .filter((lines) => lines.length > 0)
    .flatMap((lines, index) => (index === 0 ? lines : ["", ...lines]));
}

export interface Column<T> {
  readonly title: string;
  /** Text of any origin: it is escaped here. */
  readonly cell: (row: T) => string;
  /** May be cut to make space. Text that people copy, such as an id, must not be cut. */
  readonly mayTruncate?: boolean | "start";
  /** Colours a cell, which must have its meaning without colour too. */
  readonly paint?: (row: T, text: string) => string;
}

const GAP = 2;
/** A narrower cut text is useless, in columns. */
const MIN_CUT = 12;
/** Lines of a text that may be cut, in a paragraph. */
const CUT_LINES = 2;

/** Columns without any text are left out. */
export function tableLines<T>(rows: readonly T[], columns: readonly Column<T>[], style: Style): string[] {
  const cells = rows.map((row) => columns.map(({ cell }) => oneLine(cell(row), style)));
  const used = columns.flatMap((column, index) => {
    const texts = cells.map((row) => row[index] ?? "");
    return texts.some((text) => text !== "")
      ? [{ column, texts: [escapeTerminal(column.title), ...texts] }]
      : [];
  });
  const natural = used.map(({ texts }) => texts.reduce((most, text) => Math.max(most, textWidth(text)), 0));
  const widths = fitted(
    natural,
    used.map(({ column }) => isFlexible(column)),
    style.tableWidth,
  );
  if (widths === undefined) return rows.flatMap((row) => stacked(row, columns, style));
  return ["title", ...rows].map((_, line) => {
    const text = used
      .map(({ column, texts }, index) => {
        const width = widths[index] ?? 0;
        const shown = texts[line] ?? "";
        const keepsEnd = column.mayTruncate === "start";
        const text = keepsEnd ? clipStart(shown, width, style.marks.ellipsis) : shown;
        const cell =
          index === used.length - 1
            ? clipToWidth(text, width, style.marks.ellipsis)
            : padded(text, width, style);
        const row = rows[line - 1];
        return row === undefined || column.paint === undefined ? cell : column.paint(row, cell);
      })
      .join(" ".repeat(GAP))
      .trimEnd();
    return line === 0 ? style.colors.bold(text) : text;
  });
}

function isFlexible({ mayTruncate = false }: Pick<Column<never>, "mayTruncate">): boolean {
  return mayTruncate !== false;
}

/** The widths of columns that may be cut give way, the widest first; undefined where that is not enough. */
function fitted(
  natural: readonly number[],
  mayCut: readonly boolean[],
  width: number,
): readonly number[] | undefined {
  const room = width - GAP * (natural.length - 1);
  const fixed = natural.filter((_, index) => mayCut[index] !== true).reduce((sum, each) => sum + each, 0);
  let left = room - fixed;
  const widths = [...natural];
  const flexible = natural
    .map((each, index) => ({ each, index }))
    .filter(({ index }) => mayCut[index] === true);
  flexible.sort((one, other) => one.each - other.each);
  for (const [position, { each, index }] of flexible.entries()) {
    const share = Math.floor(left / (flexible.length - position));
    widths[index] = Math.min(each, share);
    if (share < Math.min(each, MIN_CUT)) return undefined;
    left -= widths[index];
  }
  return left < 0 ? undefined : widths;
}

/** Text of one line, cut or padded to a number of columns. It must be escaped already. */
export function padded(text: string, width: number, style: Style): string {
  const shown = clipToWidth(text, width, style.marks.ellipsis);
  return shown + " ".repeat(Math.max(0, width - textWidth(shown)));
}

function stacked<T>(row: T, columns: readonly Column<T>[], style: Style): string[] {
  const lines = columns.flatMap((column) => {
    const { title, cell } = column;
    const text = oneLine(cell(row), style);
    if (text === "") return [];
    const most = isFlexible(column) ? { maxLines: CUT_LINES } : {};
    const spans = [{ text: `${escapeTerminal(title)}: ${text}` }];
    return wrap(spans, { ...most, width: style.width - 2, ellipsis: style.marks.ellipsis });
  });
  return lines.map((line, index) => (index === 0 ? style.colors.bold(line) : `  ${line}`));
}
