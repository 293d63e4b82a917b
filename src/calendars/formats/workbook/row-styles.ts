/**
 * What people see of a whole row besides its texts: its colour, or a line through it. It may say which rows are published.
 * So it becomes a column with values, which somebody must explain like those of any other column.
 */

import { ROW_STYLE, STRUCK_THROUGH } from "../../../model/columns.ts";
import { groupBy } from "../../../model/data.ts";
import type { RawRow, RawCalendar } from "../../../model/row.ts";
import { foldName } from "../../../model/text.ts";
import { type Sheet, type SheetRow, cellName } from "./workbook.ts";

/**
 * The style of each row that has one, and the header of their column in the row with the header. Undefined if no row has a
 * style that may say something.
 * @param read reads the table without styles
 */
export function rowStyles(
  all: readonly SheetRow[],
  marks: Sheet["marks"],
  columns: Readonly<Record<string, string>>,
  read: () => Pick<RawCalendar, "rows" | "table">,
): ReadonlyMap<number, string> | undefined {
  const isStruck = [...marks.values()].some(({ struck }) => struck === "all");
  if (!isStruck && all.every(({ colours }) => colours === undefined)) return undefined;
  const { rows, table } = read();
  const header = [table?.headerRow.value ?? "none"].flat().at(-1);
  if (table === undefined || typeof header !== "number") return undefined;
  const used = table.columns.flatMap(({ meaning, column }) =>
    meaning.kind === "used" ? [{ column, meaning }] : [],
  );
  const said = Object.entries(columns).find(([name]) => foldName(name) === foldName(ROW_STYLE))?.[1];
  const byNumber = new Map(all.map((row) => [row.number, row]));
  const hasStatus = used.some(({ meaning }) => "field" in meaning.as && meaning.as.field === "status");
  const coloured = rows.map((row) => ({ row, colours: byNumber.get(row.line)?.colours ?? "" }));
  const hasColours = said !== undefined || (!hasStatus && saySomething(coloured));
  const styles = coloured.flatMap(({ row: { line }, colours }): [number, string][] => {
    const cells = byNumber.get(line)?.cells ?? [];
    // A result that `status --write` added has no line through it.
    const filled = used.filter(
      ({ column, meaning }) => (cells[column] ?? "") !== "" && !meaning.as.field.startsWith("result_"),
    );
    if (filled.every(({ column }) => marks.get(cellName(line, column))?.struck === "all"))
      return [[line, STRUCK_THROUGH]];
    return hasColours && colours !== "" ? [[line, colours.split(" ").map(colourName).join(" + ")]] : [];
  });
  return styles.length === 0 ? undefined : new Map([[header, ROW_STYLE], ...styles]);
}

/** The rows with their styles in a further column. */
export function withStyles(
  rows: readonly SheetRow[],
  styles: ReadonlyMap<number, string>,
): readonly SheetRow[] {
  const width = widthOf(rows);
  return rows.map((row) => {
    const cells = Array.from({ length: width }, (_none, column) => row.cells[column]);
    return { ...row, cells: [...cells, styles.get(row.number)] };
  });
}

/** The number of columns of the widest row. */
export function widthOf(rows: readonly SheetRow[]): number {
  return rows.reduce((widest, { cells }) => Math.max(widest, cells.length), 0);
}

interface ColouredRow {
  readonly row: RawRow;
  readonly colours: string;
}

/** Fewer rows may alternate by chance. */
const MIN_BANDS = 6;

/** Whether the colours are not the same everywhere, not only bands that are easy to read, and do not only repeat the networks. */
function saySomething(rows: readonly ColouredRow[]): boolean {
  if (new Set(rows.map(({ colours }) => colours)).size < 2) return false;
  const areBands =
    rows.length >= MIN_BANDS &&
    rows.every(({ colours }, index) => index < 2 || colours === rows[index - 2]?.colours);
  const groups = [...groupBy(rows, ({ row }) => [row.cells.platforms ?? ""].flat().join(",")).values()];
  const areOfNetworks =
    groups.length > 1 &&
    groups.length < rows.length &&
    groups.every(([first, ...more]) => more.every(({ colours }) => colours === first?.colours));
  return !areBands && !areOfNetworks;
}

/**
 * A colour in words, with its number: `green 92D050`. A colour of the theme has the name that Excel shows for it.
 * @param written as in the file: `FF92D050`, `#92d050`, or a number of the theme with its tint
 */
function colourName(written: string): string {
  const [, theme = "", tint = ""] = /^(\d+)\/(-?[\d.]*)$/.exec(written) ?? [];
  if (theme !== "") {
    const share = Math.round(Math.abs(Number(tint)) * 100);
    const shade = share === 0 ? "" : `, ${Number(tint) > 0 ? "lighter" : "darker"} ${share} %`;
    return `${THEME[Number(theme)] ?? `accent ${Number(theme) - 3}`}${shade}`;
  }
  const [, hex] = /^#?(?:[\da-f]{2})?([\da-f]{6})$/i.exec(written) ?? [];
  return hex === undefined ? `colour ${written}` : `${hueOf(hex)} ${hex.toUpperCase()}`;
}

/** The colours of a theme before its accents (ECMA-376 part 1, 20.1.6.2). */
const THEME = ["white", "black", "background 2", "text 2"];

/** Where the colours of the wheel end, in degrees. */
const HUES = [
  [15, "red"],
  [45, "orange"],
  [70, "yellow"],
  [165, "green"],
  [195, "turquoise"],
  [255, "blue"],
  [290, "purple"],
  [345, "pink"],
  [360, "red"],
] as const;

/** The least difference between the parts of a colour that people do not call grey. */
const LEAST_CHROMA = 20;

function hueOf(hex: string): string {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((start) => parseInt(hex.slice(start, start + 2), 16));
  const most = Math.max(red, green, blue);
  const chroma = most - Math.min(red, green, blue);
  if (chroma < LEAST_CHROMA) return most < LEAST_CHROMA ? "black" : "grey";
  const sixth =
    most === red
      ? (green - blue) / chroma
      : most === green
        ? 2 + (blue - red) / chroma
        : 4 + (red - green) / chroma;
  const degrees = (sixth * 60 + 360) % 360;
  return HUES.find(([end]) => degrees < end)?.[1] ?? "red";
}
