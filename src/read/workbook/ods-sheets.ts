import { cellName } from "./cell-name.ts";
import { odsCell } from "./ods-cell.ts";
import type { OdsStyles } from "./ods-styles.ts";
import { ParagraphText } from "./paragraph-text.ts";
import { CellCount, SheetBuilder } from "./sheet-builder.ts";
import type { XmlElement, XmlVisitor } from "./visit-part.ts";
import type { Hidden, Sheet, SheetInfo } from "./workbook.ts";

/** Columns whose default style is remembered: no cell further right is read. */
const MAX_STYLED_COLUMNS = 1000;

/** Reads all sheets of an ODS file, which are one part (ODF 1.3 part 3, 9). Its styles come first. */
export class OdsSheets implements XmlVisitor {
  readonly sheets: (SheetInfo & { readonly sheet: Sheet })[] = [];
  readonly #styles: OdsStyles;
  readonly #count = new CellCount();
  readonly #text = new ParagraphText();
  #builder: SheetBuilder | undefined;
  #info: SheetInfo = { name: "", hidden: false };
  /** Tables may stand within cells; those are no sheets. */
  #depth = 0;
  #row = 1;
  #rowElement: XmlElement | undefined;
  #cell: XmlElement | undefined;
  #column = 0;
  #columnStyles: (string | undefined)[] = [];

  constructor(styles: OdsStyles) {
    this.#styles = styles;
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
    builder.endRow(hiddenBy(this.#rowElement?.get("table:visibility")), times);
    this.#row += times;
    this.#rowElement = undefined;
  }

  #endCell(builder: SheetBuilder): void {
    const cell = this.#cell;
    this.#cell = undefined;
    if (cell === undefined) return;
    const { text, link } = this.#text.take();
    const column = this.#column;
    const times = repeatCount(cell.get("table:number-columns-repeated"));
    this.#column += times;
    // What another cell covers is not shown, even where it holds something.
    if (cell.name === "table:covered-table-cell") return;
    this.#merge(builder, cell, column);
    const value = odsCell(cell, text, this.#shownAs(cell, column));
    if (value === "") return;
    for (let index = column; index < this.#column; index += 1) builder.cell(index, value);
    if (link !== undefined) builder.link(cellName(this.#row, column), link);
  }

  #shownAs(cell: XmlElement, column: number): ReturnType<OdsStyles["shownAs"]> {
    const row = this.#rowElement?.get("table:default-cell-style-name");
    return this.#styles.shownAs(cell.get("table:style-name") ?? row ?? this.#columnStyles[column]);
  }

  #merge(builder: SheetBuilder, cell: XmlElement, column: number): void {
    const rows = repeatCount(cell.get("table:number-rows-spanned"));
    const columns = repeatCount(cell.get("table:number-columns-spanned"));
    if (rows === 1 && columns === 1) return;
    const bottom = this.#row + rows - 1;
    builder.merge({ top: this.#row, bottom, left: column, right: column + columns - 1 });
  }
}

function hiddenBy(visibility: string | undefined): Hidden | undefined {
  if (visibility === "filter") return "filter";
  return visibility === "collapse" ? "hand" : undefined;
}

function repeatCount(count: string | undefined): number {
  const times = Number(count ?? "1");
  return Number.isInteger(times) && times > 0 ? times : 1;
}
