/** Rows as a table that fits the terminal. If it is too narrow, each row is a paragraph. */

import { escapeTerminal } from "./escape.ts";
import { clipStart, clipToWidth, textWidth, wrap } from "./wrap.ts";
import { type Style, oneLine } from "./style.ts";

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
