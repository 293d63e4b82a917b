/** How the parts of an XLSX file refer to each other (ECMA-376 part 2, Open Packaging Conventions). */

import { posix } from "node:path";
import { type NumberFormat, GENERAL, builtInFormat, parseFormat } from "./cell-number.ts";
import { detachText } from "./sheet-builder.ts";
import { damaged, tooLarge } from "./workbook.ts";
import { type XmlElement, type XmlVisitor, visitPart } from "./xml.ts";
import type { ZipParts } from "./zip.ts";

export interface Relationship {
  /** The last word of its type's address, for example `worksheet`. */
  readonly type: string;
  /** A part's name, or for a link the address that it leads to. */
  readonly target: string;
}

/** The targets of a part, by id. `part` is empty for the whole package. */
export async function readRelationships(
  parts: ZipParts,
  part: string,
): Promise<ReadonlyMap<string, Relationship>> {
  const folder = posix.dirname(part);
  const name = posix.join(folder, "_rels", `${posix.basename(part)}.rels`);
  const found = new Map<string, Relationship>();
  const open = (element: XmlElement): void => {
    const [id, type, target] = ["Id", "Type", "Target"].map((each) => element.get(each));
    if (element.name !== "Relationship" || id === undefined || target === undefined) return;
    const isLink = element.get("TargetMode") === "External";
    found.set(id, { type: posix.basename(type ?? ""), target: isLink ? target : partName(folder, target) });
  };
  await visitPart(parts, name, { open });
  return found;
}

/** The full name of a part, from a name relative to a folder, or to the top with `/`. */
function partName(folder: string, target: string): string {
  return (target.startsWith("/") ? posix.normalize(target) : posix.join("/", folder, target)).slice(1);
}

/** Names of the types of the parts, such as `application/vnd.ms-excel.sheet.macroEnabled.main+xml`. */
export async function readContentTypes(parts: ZipParts): Promise<readonly string[]> {
  const name = "[Content_Types].xml";
  const types: string[] = [];
  const open = (element: XmlElement): void => {
    const type = element.get("ContentType");
    if (type !== undefined) types.push(type);
  };
  await visitPart(parts, name, { open });
  return types;
}

/** The number of different texts in one workbook. */
const MAX_STRINGS = 4_000_000;

/** Characters that XML cannot hold are written as `_x000D_` (ECMA-376 part 1, 22.9.2.19, ST_Xstring). */
export function unescapeText(text: string): string {
  if (!text.includes("_x")) return text;
  return text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_whole, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/** Joins a text with its differently formatted runs. Leaves out the pronunciation that East Asian Excels add. */
export class TextRuns {
  #text = "";
  #inText = false;
  #inPhonetic = false;

  open(name: string): void {
    if (name === "t") this.#inText = true;
    if (name === "rPh") this.#inPhonetic = true;
  }

  add(text: string): void {
    if (this.#inText && !this.#inPhonetic) this.#text += text;
  }

  close(name: string): void {
    if (name === "t") this.#inText = false;
    if (name === "rPh") this.#inPhonetic = false;
  }

  /** The text so far. Starts the next one. */
  take(): string {
    const text = unescapeText(detachText(this.#text));
    this.#text = "";
    return text;
  }
}

/** The texts that cells refer to by number. */
export class SharedStrings implements XmlVisitor {
  readonly #strings: string[] = [];
  readonly #runs = new TextRuns();

  /** The text of a number. Throws a WorkbookFault when there is none. */
  at(index: number): string {
    const text = this.#strings[index];
    if (text === undefined) throw damaged(`a cell refers to text ${index}, which is missing`);
    return text;
  }

  open({ name }: XmlElement): void {
    this.#runs.open(name);
  }

  text(text: string): void {
    this.#runs.add(text);
  }

  close(name: string): void {
    this.#runs.close(name);
    if (name !== "si") return;
    this.#strings.push(this.#runs.take());
    if (this.#strings.length > MAX_STRINGS) throw tooLarge(`it contains more than ${MAX_STRINGS} texts`);
  }
}

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
    // The same elements in other lists are for conditions and named styles.
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

/** Whether an attribute says yes (XML Schema part 2, 3.2.2). */
export function isTrue(value: string | undefined): boolean {
  return value === "1" || value === "true";
}
