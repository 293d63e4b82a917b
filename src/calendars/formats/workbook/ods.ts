/** Reads ODS files, the format of LibreOffice. */

import { linkInFormula } from "../../../model/address.ts";
import {
  type Sheet,
  type SheetCell,
  type SheetInfo,
  type Workbook,
  CellCount,
  NO_RESULT,
  SheetBuilder,
  cellName,
  damaged,
  detachText,
  errorCell,
  macrosNotAllowed,
  passwordNeeded,
} from "./workbook.ts";
import { type ShownAs, GENERAL, isoDateText, numberText, serialText } from "./cell-number.ts";
import { type XmlElement, type XmlVisitor, visitPart } from "./xml.ts";
import type { ZipParts } from "./zip.ts";

/** Opens an ODS file (ODF 1.3). Throws a WorkbookFault. */
export async function openOds(parts: ZipParts): Promise<Workbook> {
  await visitPart(parts, "META-INF/manifest.xml", { open: refuseEncrypted });
  if ([...parts.names()].some((name) => /^(?:basic|scripts)\//.test(name)))
    throw macrosNotAllowed("an ODS spreadsheet");
  if (!parts.has("content.xml")) throw damaged("its part content.xml is missing");
  const styles = new OdsStyles();
  await visitPart(parts, "styles.xml", styles);
  const found = new OdsSheets(styles);
  await visitPart(parts, "content.xml", found);
  return {
    sheets: found.sheets.map(({ name, hidden }) => ({ name, hidden })),
    readSheet: async (index): Promise<Sheet> => {
      const { sheet } = found.sheets[index] ?? {};
      if (sheet === undefined) throw damaged(`its sheet ${index + 1} is missing`);
      return sheet;
    },
  };
}

function refuseEncrypted({ name }: XmlElement): void {
  if (name === "manifest:encryption-data") throw passwordNeeded();
}

/** Number of columns with a known default style. No cell further right is read. */
const MAX_STYLED_COLUMNS = 1000;

/** Reads all sheets of an ODS file, which are in one part (ODF 1.3 part 3, 9), after its styles. */
class OdsSheets implements XmlVisitor {
  readonly sheets: (SheetInfo & { readonly sheet: Sheet })[] = [];
  readonly #styles: OdsStyles;
  readonly #count = new CellCount();
  readonly #text: ParagraphText;
  #builder: SheetBuilder | undefined;
  #info: SheetInfo = { name: "", hidden: false };
  /** Cells may contain tables, which are not sheets. */
  #depth = 0;
  #row = 1;
  #rowElement: XmlElement | undefined;
  #cell: XmlElement | undefined;
  #column = 0;
  #columnStyles: (string | undefined)[] = [];

  constructor(styles: OdsStyles) {
    this.#styles = styles;
    this.#text = new ParagraphText((style) => styles.isStruck(style));
  }

  open(element: XmlElement): void {
    const { name } = element;
    if (name === "table:table") this.#beginTable(element);
    else if (this.#builder === undefined) this.#styles.open(element);
    else if (this.#depth > 1) return;
    else if (name === "table:table-column") this.#styleColumns(element);
    else if (name === "table:table-row") this.#beginRow(element);
    else if (name === "table:table-cell" || name === "table:covered-table-cell") this.#cell = element;
    else if (this.#cell !== undefined) this.#text.open(element);
  }

  text(text: string): void {
    if (this.#cell !== undefined && this.#depth === 1) this.#text.add(text);
  }

  close(name: string): void {
    if (name === "table:table") this.#endTable();
    else if (this.#builder === undefined) this.#styles.close(name);
    else if (this.#depth > 1) return;
    else if (name === "table:table-row") this.#endRow(this.#builder);
    else if (name === "table:table-cell" || name === "table:covered-table-cell") this.#endCell(this.#builder);
    else if (this.#cell !== undefined) this.#text.close(name);
  }

  #beginTable(element: XmlElement): void {
    this.#depth += 1;
    if (this.#depth > 1) return;
    const hidden = this.#styles.hidesTable(element.get("table:style-name"));
    this.#info = { name: element.get("table:name") ?? "", hidden };
    this.#builder = new SheetBuilder(this.#count);
    this.#row = 1;
    this.#columnStyles = [];
  }

  #endTable(): void {
    this.#depth -= 1;
    if (this.#depth > 0 || this.#builder === undefined) return;
    this.sheets.push({ ...this.#info, sheet: this.#builder.finish() });
    this.#builder = undefined;
  }

  #styleColumns(element: XmlElement): void {
    const times = repeatCount(element.get("table:number-columns-repeated"));
    const style = element.get("table:default-cell-style-name");
    for (let left = times; left > 0 && this.#columnStyles.length < MAX_STYLED_COLUMNS; left -= 1) {
      this.#columnStyles.push(style);
    }
  }

  #beginRow(element: XmlElement): void {
    this.#rowElement = element;
    this.#column = 0;
    this.#builder?.beginRow(this.#row);
  }

  #endRow(builder: SheetBuilder): void {
    const times = repeatCount(this.#rowElement?.get("table:number-rows-repeated"));
    builder.endRow(this.#isHidden(), times);
    this.#row += times;
    this.#rowElement = undefined;
  }

  /** By hand, by a closed group, or by a filter. */
  #isHidden(): boolean {
    return ["collapse", "filter"].includes(this.#rowElement?.get("table:visibility") ?? "");
  }

  #endCell(builder: SheetBuilder): void {
    const cell = this.#cell;
    this.#cell = undefined;
    if (cell === undefined) return;
    const { text, link, note, hasStruck } = this.#text.take();
    const column = this.#column;
    const times = repeatCount(cell.get("table:number-columns-repeated"));
    this.#column += times;
    // A covered cell is not shown, even if it has content.
    if (cell.name === "table:covered-table-cell") return;
    this.#merge(builder, cell, column);
    const value = odsCell(cell, text, this.#styles.shownAs(this.#styleOf(cell, column)));
    if (value === "") return;
    for (let index = column; index < this.#column; index += 1) builder.cell(index, value);
    const style = this.#styleOf(cell, column);
    const struck = this.#styles.isStruck(style) ? "all" : hasStruck ? "part" : undefined;
    if (struck !== undefined) builder.mark(cellName(this.#row, column), { struck });
    if (note !== "") builder.mark(cellName(this.#row, column), { note });
    const colour = this.#styles.colourOf(style);
    if (colour !== undefined) builder.colour(colour);
    const target = link ?? linkInFormula(cell.get("table:formula") ?? "");
    if (target !== undefined) builder.link(cellName(this.#row, column), target);
  }

  #styleOf(cell: XmlElement, column: number): string | undefined {
    const row = this.#rowElement?.get("table:default-cell-style-name");
    return cell.get("table:style-name") ?? row ?? this.#columnStyles[column];
  }

  #merge(builder: SheetBuilder, cell: XmlElement, column: number): void {
    const rows = repeatCount(cell.get("table:number-rows-spanned"));
    const columns = repeatCount(cell.get("table:number-columns-spanned"));
    if (rows === 1 && columns === 1) return;
    const bottom = this.#row + rows - 1;
    builder.merge({ top: this.#row, bottom, left: column, right: column + columns - 1 });
  }
}

function repeatCount(count: string | undefined): number {
  const times = Number(count ?? "1");
  return Number.isInteger(times) && times > 0 ? times : 1;
}

/** The text of a failed formula: `#REF!`, `#N/A`, `Err:508`. */
const ERROR = /^(?:#(?:[A-Z/0]+[!?]?|N\/A)|Err:\d+)$/;

/** The value of a cell (ODF 1.3 part 3, 9.1.4 and 19.385). `text` is what its paragraphs show. */
function odsCell(cell: XmlElement, text: string, shown: ShownAs | undefined): SheetCell {
  const hasFormula = cell.get("table:formula") !== undefined;
  const type = cell.get("office:value-type");
  const isError = cell.get("calcext:value-type") === "error" || (hasFormula && ERROR.test(text));
  if (isError) return errorCell(text);
  switch (type) {
    case undefined:
      return hasFormula && text === "" ? NO_RESULT : text;
    case "string":
      return text === "" ? (cell.get("office:string-value") ?? "") : text;
    case "boolean":
      return cell.get("office:boolean-value") === "true" ? "TRUE" : "FALSE";
    case "date":
      return isoDateText(cell.get("office:date-value") ?? "", shown) ?? noValue(type);
    case "time":
      return durationText(cell.get("office:time-value") ?? "", text, shown) ?? noValue(type);
    case "float":
    case "percentage":
    case "currency":
      return numberValue(cell.get("office:value") ?? "", text) ?? noValue(type);
    default:
      return noValue(type);
  }
}

function noValue(type: string): never {
  throw damaged(`a cell has no value of type "${type}"`);
}

function numberValue(value: string, text: string): string | undefined {
  if (value.trim() === "" || !Number.isFinite(Number(value))) return undefined;
  // Ids with leading zeros, such as 0012, are numbers with their own format.
  if (/^0\d+$/.test(text) && Number(text) === Number(value)) return text;
  return numberText(Number(value), GENERAL, "1900");
}

const DURATION = /^P(?:(\d+)D)?T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:[.,]\d+)?)S)?$/;

/** A day or more as people see it: `33:30`, but not `9:30`. */
const LONG = /^(?:2[4-9]|[3-9]\d|\d{3,}):/;

/**
 * `PT20H30M00S` as `20:30`. A day or more is a clock time only if the cell shows it as one. Programs store a day and a
 * time in this way, and show only the time. Otherwise the hours continue beyond a day.
 */
function durationText(value: string, text: string, shown: ShownAs | undefined): string | undefined {
  const found = DURATION.exec(value);
  if (found === null) return undefined;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = found
    .slice(1)
    .map((part) => Number((part ?? "0").replace(",", ".")));
  const serial = days + (hours + (minutes + seconds / 60) / 60) / 24;
  return serialText(serial, shown === "time" && !LONG.test(text) ? "time" : "duration", "1900");
}

const COMMENT = "office:annotation";

/** Elements inside an ODS cell that are not its text: comments, footnotes, pronunciation, drawings. */
const IGNORED_ELEMENTS = new Set([COMMENT, "text:note", "text:ruby-text", "draw:frame"]);

/** Spaces that one `text:s` may represent. */
const MAX_BLANKS = 10_000;

/** Joins the paragraphs of a cell (ODF 1.3 part 3, 6.1), one per line. */
class ParagraphText {
  #text = "";
  #paragraphs = 0;
  #asides = 0;
  #inParagraph = false;
  #link: string | undefined;
  #inComment = false;
  #note = "";
  /** Whether each span around the text is struck through. */
  readonly #spans: boolean[] = [];
  #hasStruck = false;
  readonly #isStruck: (style: string | undefined) => boolean;

  constructor(isStruck: (style: string | undefined) => boolean) {
    this.#isStruck = isStruck;
  }

  open(element: XmlElement): void {
    const { name } = element;
    if (IGNORED_ELEMENTS.has(name)) this.#asides += 1;
    if (name === COMMENT) this.#inComment = true;
    if (this.#inComment && name === "text:p") this.#note += "\n";
    if (this.#asides > 0) return;
    if (name === "text:span") this.#spans.push(this.#isStruck(element.get("text:style-name")));
    if (name === "text:p") {
      if (this.#paragraphs > 0) this.#text += "\n";
      this.#paragraphs += 1;
      this.#inParagraph = true;
    } else if (name === "text:s") {
      this.#text += " ".repeat(Math.min(MAX_BLANKS, Math.max(1, Number(element.get("text:c") ?? "1") || 1)));
    } else if (name === "text:tab") this.#text += "\t";
    else if (name === "text:line-break") this.#text += "\n";
    else if (name === "text:a") this.#link ??= element.get("xlink:href");
  }

  /** White space in a paragraph counts as one space. Further spaces are written as elements. */
  add(text: string): void {
    if (this.#inComment) this.#note += text;
    if (!this.#inParagraph || this.#asides > 0) return;
    this.#text += text.replaceAll(/[ \t\r\n]+/g, " ");
    this.#hasStruck ||= this.#spans.includes(true) && text.trim() !== "";
  }

  close(name: string): void {
    if (name === COMMENT) this.#inComment = false;
    if (name === "text:span" && this.#asides === 0) this.#spans.pop();
    if (IGNORED_ELEMENTS.has(name)) this.#asides -= 1;
    else if (name === "text:p" && this.#asides === 0) this.#inParagraph = false;
  }

  /** The text, the target of its first link, and the comment. Starts the next cell. */
  take(): {
    readonly text: string;
    readonly link: string | undefined;
    readonly note: string;
    readonly hasStruck: boolean;
  } {
    const taken = {
      text: detachText(this.#text),
      link: this.#link,
      note: this.#note,
      hasStruck: this.#hasStruck,
    };
    this.#text = "";
    this.#note = "";
    this.#hasStruck = false;
    this.#paragraphs = 0;
    this.#link = undefined;
    return taken;
  }
}

interface Style {
  /** The name of its number format. */
  readonly format: string | undefined;
  readonly parent: string | undefined;
  struck?: boolean;
  colour?: string | undefined;
}

/** Parts of a date format that show a time. All others show a day (ODF 1.3 part 3, 16.29). */
const CLOCK = new Set(["number:hours", "number:minutes", "number:seconds", "number:am-pm"]);
const CALENDAR = new Set([
  "number:year",
  "number:month",
  "number:day",
  "number:day-of-week",
  "number:week-of-year",
  "number:quarter",
  "number:era",
]);

/** The styles of an ODS file: how cells show dates, times and texts, and which sheets are hidden. */
class OdsStyles implements XmlVisitor {
  readonly #styles = new Map<string, Style>();
  readonly #formats = new Map<string, ShownAs>();
  readonly #hidingTables = new Set<string>();
  #style = "";
  #format: { readonly name: string; date: boolean; time: boolean; duration: boolean } | undefined;

  /** How a cell style shows dates and times; undefined if it does not say. */
  shownAs(style: string | undefined): ShownAs | undefined {
    return this.#find(style, ({ format }) => this.#formats.get(format ?? ""));
  }

  isStruck(style: string | undefined): boolean {
    return this.#find(style, ({ struck }) => struck) === true;
  }

  /** The colour of the cells with this style; undefined for none, and for white. */
  colourOf(style: string | undefined): string | undefined {
    const colour = this.#find(style, (each) => each.colour);
    return colour === "transparent" || colour === "#ffffff" ? undefined : colour;
  }

  /** What a style says, or one of its parents. */
  #find<T>(style: string | undefined, read: (style: Style) => T | undefined): T | undefined {
    let name = style;
    // In a broken file, a style may name itself as its parent.
    for (let step = 0; step < 10 && name !== undefined; step += 1) {
      const found = this.#styles.get(name);
      const value = found === undefined ? undefined : read(found);
      if (value !== undefined) return value;
      name = found?.parent;
    }
    return undefined;
  }

  hidesTable(style: string | undefined): boolean {
    return this.#hidingTables.has(style ?? "");
  }

  open(element: XmlElement): void {
    const { name } = element;
    if (name === "style:style") this.#beginStyle(element);
    else if (name === "style:text-properties") this.#noteStruck(element);
    else if (name === "style:table-cell-properties") this.#noteColour(element);
    else if (name === "style:table-properties" && element.get("table:display") === "false") {
      this.#hidingTables.add(this.#style);
    } else if (name === "number:date-style" || name === "number:time-style") {
      const duration = element.get("number:truncate-on-overflow") === "false";
      this.#format = { name: element.get("style:name") ?? "", date: false, time: false, duration };
    } else if (this.#format !== undefined) {
      this.#format.time ||= CLOCK.has(name);
      this.#format.date ||= CALENDAR.has(name);
    }
  }

  close(name: string): void {
    if (name !== "number:date-style" && name !== "number:time-style") return;
    if (this.#format !== undefined) this.#formats.set(this.#format.name, shownBy(this.#format));
    this.#format = undefined;
  }

  #noteStruck(element: XmlElement): void {
    const line = element.get("style:text-line-through-style");
    const style = this.#styles.get(this.#style);
    if (style !== undefined && line !== undefined) style.struck = line !== "none";
  }

  #noteColour(element: XmlElement): void {
    const style = this.#styles.get(this.#style);
    if (style !== undefined) style.colour = element.get("fo:background-color")?.toLowerCase();
  }

  #beginStyle(element: XmlElement): void {
    this.#style = element.get("style:name") ?? "";
    this.#styles.set(this.#style, {
      format: element.get("style:data-style-name"),
      parent: element.get("style:parent-style-name"),
    });
  }
}

function shownBy(format: {
  readonly date: boolean;
  readonly time: boolean;
  readonly duration: boolean;
}): ShownAs {
  if (format.date) return format.time ? "datetime" : "date";
  return format.duration ? "duration" : "time";
}
