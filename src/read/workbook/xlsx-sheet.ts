import { errorCell } from "./error-cell.ts";
import { cellName, parseArea, parseCellName } from "./cell-name.ts";
import { isTrue } from "./is-true.ts";
import { numberText, type DateSystem } from "./number-text.ts";
import { detachText } from "./own-text.ts";
import { isoDateText } from "./serial-date.ts";
import { CellCount, SheetBuilder } from "./sheet-builder.ts";
import type { XmlElement, XmlVisitor } from "./visit-part.ts";
import type { Area, Sheet, SheetCell, DoubtfulCell } from "./workbook.ts";
import { damaged } from "./workbook-fault.ts";
import type { Relationship } from "./xlsx-package.ts";
import { TextRuns, unescapeText, type SharedStrings } from "./xlsx-strings.ts";
import type { XlsxStyles } from "./xlsx-styles.ts";

/** What the sheets of a workbook share. */
export interface XlsxShared {
  readonly strings: SharedStrings;
  readonly styles: XlsxStyles;
  readonly dates: DateSystem;
  /** Its program left formulas to be calculated by whoever opens it: what stands beside them is no result. */
  readonly uncalculated: boolean;
}

const NO_RESULT: DoubtfulCell = { kind: "no-result", text: "(a formula)" };

/** Reads the sheet of an XLSX file (ECMA-376 part 1, 18.3). */
export class XlsxSheet implements XmlVisitor {
  readonly #builder = new SheetBuilder(new CellCount());
  readonly #shared: XlsxShared;
  readonly #links: ReadonlyMap<string, Relationship>;
  readonly #maxRows: number;
  readonly #runs = new TextRuns();
  readonly #filters: Area[] = [];
  #row = 0;
  #column = 0;
  #hidden = false;
  #cell: XmlElement | undefined;
  #hasFormula = false;
  #value = "";
  #inValue = false;
  #filter: Area | undefined;

  /** `links` are what the sheet's part refers to. */
  constructor(shared: XlsxShared, links: ReadonlyMap<string, Relationship>, maxRows: number) {
    this.#shared = shared;
    this.#links = links;
    this.#maxRows = maxRows;
  }

  get done(): boolean {
    return this.#builder.rowCount >= this.#maxRows;
  }

  finish(): Sheet {
    return this.#builder.finish(this.#filters);
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
      case "autoFilter":
        this.#filter = areaOf(element);
        break;
      case "filterColumn":
        // Only a filter that is set hides rows.
        if (this.#filter !== undefined) this.#filters.push(this.#filter);
        this.#filter = undefined;
        break;
      default:
        this.#runs.open(element.name);
    }
  }

  text(text: string): void {
    if (this.#inValue) this.#value += text;
    else if (this.#cell !== undefined) this.#runs.add(text);
  }

  close(name: string): void {
    if (name === "row") this.#builder.endRow(this.#hidden ? "hand" : undefined);
    else if (name === "v") this.#inValue = false;
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
      if (place?.row !== this.#row) throw damaged(`its row ${this.#row} holds a cell ${name}`);
      this.#column = place.column;
    }
    this.#cell = element;
    this.#hasFormula = false;
    this.#value = "";
    this.#runs.take();
  }

  #endCell(): void {
    if (this.#cell !== undefined) this.#builder.cell(this.#column, this.#readCell(this.#cell));
    this.#cell = undefined;
    this.#column += 1;
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
    throw damaged(`its cell ${cellName(this.#row, this.#column)} holds no value of type "${type}"`);
  }

  #link(element: XmlElement): void {
    const { top, left } = areaOf(element);
    const target = this.#links.get(element.get("r:id") ?? "")?.target;
    if (target !== undefined) this.#builder.link(cellName(top, left), target);
  }
}

function areaOf(element: XmlElement): Area {
  const name = element.get("ref") ?? "";
  const area = parseArea(name);
  if (area === undefined) throw damaged(`"${name}" is no area of cells`);
  return area;
}
