/** Reads XLSX files, the format of Excel. */

import { posix } from "node:path";
import { linkInFormula } from "../../../model/address.ts";
import {
  type Area,
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
  parseArea,
  parseCellName,
} from "./workbook.ts";
import { type DateSystem, isoDateText, numberText } from "./cell-number.ts";
import {
  type Relationship,
  SharedStrings,
  TextRuns,
  XlsxStyles,
  isTrue,
  readContentTypes,
  readRelationships,
  unescapeText,
} from "./xlsx-parts.ts";
import { type XmlElement, type XmlVisitor, visitPart } from "./xml.ts";
import type { ZipParts } from "./zip.ts";

/** Opens an XLSX file (ECMA-376, transitional or strict). Throws a WorkbookFault. */
export async function openXlsx(parts: ZipParts): Promise<Workbook> {
  const types = await readContentTypes(parts);
  if ([...types].some((type) => /macroenabled|vbaproject/i.test(type)))
    throw macrosNotAllowed("an Excel workbook (.xlsx)");
  const { related, sheets, dates, uncalculated } = await readTop(parts);
  const shared = { ...(await readShared(parts, related)), dates, uncalculated };
  return {
    sheets: sheets.map(({ name, hidden }) => ({ name, hidden })),
    readSheet: async (index, maxRows = Infinity) =>
      readSheet(parts, sheets[index]?.part ?? "", shared, maxRows),
  };
}

/**
 * The part of the sheet with that name, and the day from which its dates count; undefined if there is none. Throws a
 * WorkbookFault.
 */
export async function sheetPart(
  parts: ZipParts,
  sheet: string,
): Promise<{ readonly part: string; readonly dates: DateSystem } | undefined> {
  const { sheets, dates } = await readTop(parts);
  const part = sheets.find(({ name }) => name === sheet)?.part;
  return part === undefined ? undefined : { part, dates };
}

async function readTop(
  parts: ZipParts,
): Promise<Main & { readonly related: ReadonlyMap<string, Relationship> }> {
  const top = [...(await readRelationships(parts, "")).values()];
  const main = top.find(({ type }) => type === "officeDocument")?.target ?? "xl/workbook.xml";
  if (!parts.has(main)) throw damaged(`its part ${main} is missing`);
  const related = await readRelationships(parts, main);
  return { related, ...(await readMain(parts, main, related)) };
}

interface XlsxSheetInfo extends SheetInfo {
  readonly part: string;
}

interface Main {
  readonly sheets: readonly XlsxSheetInfo[];
  readonly dates: DateSystem;
  readonly uncalculated: boolean;
}

/** Reads the list of sheets, and the settings for all of them (ECMA-376 part 1, 18.2). */
async function readMain(
  parts: ZipParts,
  part: string,
  related: ReadonlyMap<string, Relationship>,
): Promise<Main> {
  const sheets: XlsxSheetInfo[] = [];
  let dates: DateSystem = "1900";
  let uncalculated = false;
  const open = (element: XmlElement): void => {
    if (element.name === "workbookPr" && isTrue(element.get("date1904"))) dates = "1904";
    if (element.name === "calcPr" && isTrue(element.get("fullCalcOnLoad"))) uncalculated = true;
    if (element.name !== "sheet") return;
    const target = related.get(element.get("r:id") ?? "");
    const name = element.get("name") ?? "";
    if (target === undefined) throw damaged(`its sheet "${name}" is missing`);
    // Charts and dialogs are listed with the sheets and have no cells.
    if (target.type !== "worksheet") return;
    const hidden = (element.get("state") ?? "visible") !== "visible";
    sheets.push({ name, hidden, part: target.target });
  };
  await visitPart(parts, part, { open });
  return { sheets, dates, uncalculated };
}

async function readShared(
  parts: ZipParts,
  related: ReadonlyMap<string, Relationship>,
): Promise<Pick<XlsxShared, "strings" | "styles">> {
  const strings = new SharedStrings();
  const styles = new XlsxStyles();
  for (const { type, target } of related.values()) {
    // One after the other: unpacked bytes are counted over all parts.
    if (type === "sharedStrings") await visitPart(parts, target, strings);
    else if (type === "styles") await visitPart(parts, target, styles);
  }
  return { strings, styles };
}

async function readSheet(parts: ZipParts, part: string, shared: XlsxShared, maxRows: number): Promise<Sheet> {
  if (!parts.has(part)) throw damaged(`its part ${posix.basename(part)} is missing`);
  const related = await readRelationships(parts, part);
  const builder = new SheetBuilder(new CellCount());
  const sheet = new XlsxSheet(shared, related, builder, maxRows);
  await visitPart(parts, part, sheet);
  const comments = [...related.values()].filter(({ type }) => type === "comments");
  for (const { target } of comments) await visitPart(parts, target, new XlsxComments(builder));
  return sheet.finish();
}

/** Data that the sheets of a workbook share. */
interface XlsxShared {
  readonly strings: SharedStrings;
  readonly styles: XlsxStyles;
  readonly dates: DateSystem;
  /** Formulas must be calculated when the file is opened: the stored values are not results. */
  readonly uncalculated: boolean;
}

/** Reads the sheet of an XLSX file (ECMA-376 part 1, 18.3). */
class XlsxSheet implements XmlVisitor {
  readonly #builder: SheetBuilder;
  readonly #shared: XlsxShared;
  readonly #links: ReadonlyMap<string, Relationship>;
  readonly #maxRows: number;
  readonly #runs = new TextRuns();
  #row = 0;
  #column = 0;
  #hidden = false;
  #cell: XmlElement | undefined;
  #hasFormula = false;
  #value = "";
  #inValue = false;
  #inFormula = false;
  #formula = "";

  /** `links`: the targets of the sheet's part. */
  constructor(
    shared: XlsxShared,
    links: ReadonlyMap<string, Relationship>,
    builder: SheetBuilder,
    maxRows: number,
  ) {
    this.#shared = shared;
    this.#builder = builder;
    this.#links = links;
    this.#maxRows = maxRows;
  }

  get done(): boolean {
    return this.#builder.rowCount >= this.#maxRows;
  }

  finish(): Sheet {
    return this.#builder.finish();
  }

  open(element: XmlElement): void {
    switch (element.name) {
      case "row":
        this.#beginRow(element);
        break;
      case "c":
        this.#beginCell(element);
        break;
      case "f":
        this.#hasFormula = true;
        this.#inFormula = true;
        break;
      case "v":
        this.#inValue = true;
        break;
      case "mergeCell":
        this.#builder.merge(areaOf(element));
        break;
      case "hyperlink":
        this.#link(element);
        break;
      default:
        this.#runs.open(element);
    }
  }

  text(text: string): void {
    if (this.#inValue) this.#value += text;
    else if (this.#inFormula) this.#formula += text;
    else if (this.#cell !== undefined) this.#runs.add(text);
  }

  close(name: string): void {
    if (name === "row") this.#builder.endRow(this.#hidden);
    else if (name === "v") this.#inValue = false;
    else if (name === "f") this.#inFormula = false;
    else if (name === "c") this.#endCell();
    else this.#runs.close(name);
  }

  #beginRow(element: XmlElement): void {
    const number = element.get("r");
    this.#row = number === undefined ? this.#row + 1 : Number(number);
    this.#column = 0;
    this.#hidden = isTrue(element.get("hidden"));
    this.#builder.beginRow(this.#row);
  }

  #beginCell(element: XmlElement): void {
    const name = element.get("r");
    if (name !== undefined) {
      const place = parseCellName(name);
      if (place?.row !== this.#row) throw damaged(`its row ${this.#row} contains a cell ${name}`);
      this.#column = place.column;
    }
    this.#cell = element;
    this.#hasFormula = false;
    this.#value = "";
    this.#formula = "";
    this.#runs.take();
  }

  #endCell(): void {
    if (this.#cell !== undefined) this.#addCell(this.#cell);
    const target = this.#formula === "" ? undefined : linkInFormula(this.#formula);
    if (target !== undefined) this.#builder.link(cellName(this.#row, this.#column), target);
    this.#cell = undefined;
    this.#column += 1;
  }

  #addCell(cell: XmlElement): void {
    const hasStruck =
      this.#runs.hasStruck || (cell.get("t") === "s" && this.#shared.strings.isStruck(Number(this.#value)));
    const value = this.#readCell(cell);
    if (value === "") return;
    this.#builder.cell(this.#column, value);
    const { styles } = this.#shared;
    const style = cell.get("s");
    const struck = styles.isStruck(style) ? "all" : hasStruck ? "part" : undefined;
    if (struck !== undefined) this.#builder.mark(cellName(this.#row, this.#column), { struck });
    const colour = styles.colourOf(style);
    if (colour !== undefined) this.#builder.colour(colour);
  }

  #readCell(cell: XmlElement): SheetCell {
    const value = this.#value;
    const type = cell.get("t") ?? "n";
    if (this.#hasFormula && (this.#shared.uncalculated || (type === "n" && value === ""))) return NO_RESULT;
    if (type === "inlineStr") return this.#runs.take() || unescapeText(detachText(value));
    if (type === "str") return unescapeText(detachText(value));
    if (value === "") return "";
    switch (type) {
      case "s":
        return this.#shared.strings.at(Number(value));
      case "b":
        return isTrue(value) ? "TRUE" : "FALSE";
      case "e":
        return errorCell(value);
      default:
        return this.#number(cell, type, value);
    }
  }

  #number(cell: XmlElement, type: string, value: string): string {
    const format = this.#shared.styles.formatOf(cell.get("s"));
    if (type === "d") {
      const shown = format.kind === "general" || format.kind === "padded" ? undefined : format.kind;
      const text = isoDateText(value, shown);
      if (text !== undefined) return text;
    } else if (type === "n" && Number.isFinite(Number(value))) {
      return numberText(Number(value), format, this.#shared.dates);
    }
    throw damaged(`its cell ${cellName(this.#row, this.#column)} has no value of type "${type}"`);
  }

  #link(element: XmlElement): void {
    const { top, left } = areaOf(element);
    const target = this.#links.get(element.get("r:id") ?? "")?.target;
    if (target !== undefined) this.#builder.link(cellName(top, left), target);
  }
}

/** Reads the comments of a sheet (ECMA-376 part 1, 18.7). A conversation has its first comment here too. */
class XlsxComments implements XmlVisitor {
  readonly #builder: SheetBuilder;
  readonly #runs = new TextRuns();
  #cell = "";

  constructor(builder: SheetBuilder) {
    this.#builder = builder;
  }

  open(element: XmlElement): void {
    if (element.name !== "comment") return this.#runs.open(element);
    this.#cell = element.get("ref") ?? "";
    this.#runs.take();
  }

  text(text: string): void {
    this.#runs.add(text);
  }

  close(name: string): void {
    if (name === "comment") this.#builder.mark(this.#cell, { note: this.#runs.take() });
    else this.#runs.close(name);
  }
}

function areaOf(element: XmlElement): Area {
  const name = element.get("ref") ?? "";
  const area = parseArea(name);
  if (area === undefined) throw damaged(`"${name}" is not an area of cells`);
  return area;
}
