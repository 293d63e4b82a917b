import { builtInFormat, GENERAL, parseFormat, type NumberFormat } from "./number-format.ts";
import type { XmlElement, XmlVisitor } from "./visit-part.ts";

/** The number formats of a workbook's cells, by the number of their style. */
export class XlsxStyles implements XmlVisitor {
  readonly #written = new Map<number, NumberFormat>();
  readonly #formats: NumberFormat[] = [];
  #within = "";

  /** The format of a style; the general one where the cell names none. */
  formatOf(style: string | undefined): NumberFormat {
    return style === undefined ? (this.#formats[0] ?? GENERAL) : (this.#formats[Number(style)] ?? GENERAL);
  }

  open(element: XmlElement): void {
    const { name } = element;
    // Other lists of the same elements hold the looks of conditions and of named styles.
    if (name === "numFmts" || name === "cellXfs" || name === "dxfs" || name === "cellStyleXfs") {
      this.#within = name;
    } else if (name === "numFmt" && this.#within === "numFmts") {
      this.#written.set(Number(element.get("numFmtId")), parseFormat(element.get("formatCode") ?? ""));
    } else if (name === "xf" && this.#within === "cellXfs") {
      const id = Number(element.get("numFmtId") ?? "0");
      this.#formats.push(this.#written.get(id) ?? builtInFormat(id));
    }
  }
}
