/**
 * What the parts of an XLSX file share: how they refer to each other (ECMA-376 part 2, Open Packaging Conventions), their
 * texts, and the styles of cells.
 */

import { posix } from "node:path";
import { type NumberFormat, GENERAL, builtInFormat, parseFormat } from "./cell-number.ts";
import { damaged, detachText, tooLarge } from "./workbook.ts";
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

/**
 * The types of the parts that exist, such as `application/vnd.ms-excel.sheet.macroEnabled.main+xml`. Programs also list
 * types for parts that they may write (ECMA-376 part 2, 10.1.2).
 */
export async function readContentTypes(parts: ZipParts): Promise<ReadonlySet<string>> {
  const defaults = new Map<string, string>();
  const own = new Map<string, string>();
  const open = (element: XmlElement): void => {
    const type = element.get("ContentType") ?? "";
    if (element.name === "Default") defaults.set((element.get("Extension") ?? "").toLowerCase(), type);
    if (element.name === "Override") own.set((element.get("PartName") ?? "").slice(1).toLowerCase(), type);
  };
  await visitPart(parts, "[Content_Types].xml", { open });
  const types = [...parts.names()].map((name) => own.get(name) ?? defaults.get(posix.extname(name).slice(1)));
  return new Set(types.filter((type) => type !== undefined));
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
  #inStruck = false;
  #hasStruck = false;

  open(element: XmlElement): void {
    const { name } = element;
    if (name === "t") this.#inText = true;
    if (name === "rPh") this.#inPhonetic = true;
    if (name === "r") this.#inStruck = false;
    if (name === "strike") this.#inStruck = isStrike(element);
  }

  add(text: string): void {
    if (!this.#inText || this.#inPhonetic) return;
    this.#text += text;
    this.#hasStruck ||= this.#inStruck && text.trim() !== "";
  }

  close(name: string): void {
    if (name === "t") this.#inText = false;
    if (name === "rPh") this.#inPhonetic = false;
    if (name === "r") this.#inStruck = false;
  }

  /** Whether a run of the text so far is struck through. */
  get hasStruck(): boolean {
    return this.#hasStruck;
  }

  /** The text so far. Starts the next one. */
  take(): string {
    const text = unescapeText(detachText(this.#text));
    this.#text = "";
    this.#hasStruck = false;
    return text;
  }
}

/** The texts that cells refer to by number. */
export class SharedStrings implements XmlVisitor {
  readonly #strings: string[] = [];
  readonly #struck = new Set<number>();
  readonly #runs = new TextRuns();

  /** The text of a number. Throws a WorkbookFault when there is none. */
  at(index: number): string {
    const text = this.#strings[index];
    if (text === undefined) throw damaged(`a cell refers to text ${index}, which is missing`);
    return text;
  }

  /** Whether a part of the text is struck through. */
  isStruck(index: number): boolean {
    return this.#struck.has(index);
  }

  open(element: XmlElement): void {
    this.#runs.open(element);
  }

  text(text: string): void {
    this.#runs.add(text);
  }

  close(name: string): void {
    this.#runs.close(name);
    if (name !== "si") return;
    if (this.#runs.hasStruck) this.#struck.add(this.#strings.length);
    this.#strings.push(this.#runs.take());
    if (this.#strings.length > MAX_STRINGS) throw tooLarge(`it contains more than ${MAX_STRINGS} texts`);
  }
}

/** The lists of styles that are read. The same elements in other lists are for conditions and named styles. */
const STYLE_LISTS = new Set(["numFmts", "fonts", "fills", "cellXfs", "dxfs", "cellStyleXfs"]);

/** The looks of a workbook's cells, by the number of their style. */
export class XlsxStyles implements XmlVisitor {
  readonly #written = new Map<number, NumberFormat>();
  readonly #formats: NumberFormat[] = [];
  readonly #struckFonts: boolean[] = [];
  readonly #fills: (string | undefined)[] = [];
  readonly #struck = new Set<number>();
  readonly #colours = new Map<number, string>();
  #within = "";

  /** The format of a style; the general one where the cell names none. */
  formatOf(style: string | undefined): NumberFormat {
    return style === undefined ? (this.#formats[0] ?? GENERAL) : (this.#formats[Number(style)] ?? GENERAL);
  }

  isStruck(style: string | undefined): boolean {
    return this.#struck.size > 0 && this.#struck.has(Number(style ?? "0"));
  }

  /** The colour of the cells with this style; undefined for none, and for white. */
  colourOf(style: string | undefined): string | undefined {
    return this.#colours.size === 0 ? undefined : this.#colours.get(Number(style ?? "0"));
  }

  open(element: XmlElement): void {
    const { name } = element;
    if (STYLE_LISTS.has(name)) {
      this.#within = name;
    } else if (this.#within === "fonts") {
      if (name === "font") this.#struckFonts.push(false);
      if (name === "strike") this.#struckFonts[this.#struckFonts.length - 1] = isStrike(element);
    } else if (this.#within === "fills") {
      if (name === "fill") this.#fills.push(undefined);
      if (name === "fgColor") this.#fills[this.#fills.length - 1] = colourIn(element);
    } else if (name === "numFmt" && this.#within === "numFmts") {
      this.#written.set(Number(element.get("numFmtId")), parseFormat(element.get("formatCode") ?? ""));
    } else if (name === "xf" && this.#within === "cellXfs") {
      const id = Number(element.get("numFmtId") ?? "0");
      const style = this.#formats.push(this.#written.get(id) ?? builtInFormat(id)) - 1;
      if (this.#struckFonts[Number(element.get("fontId") ?? "0")] === true) this.#struck.add(style);
      const colour = this.#fills[Number(element.get("fillId") ?? "0")];
      if (colour !== undefined) this.#colours.set(style, colour);
    }
  }
}

function isStrike(element: XmlElement): boolean {
  return isTrue(element.get("val") ?? "1");
}

/** A colour as it is written: with its alpha, or as a number of the theme. White does not count as a colour. */
function colourIn(element: XmlElement): string | undefined {
  const [rgb, theme, indexed] = ["rgb", "theme", "indexed"].map((name) => element.get(name));
  const isWhite =
    /^(?:FF|00)?FFFFFF$/i.test(rgb ?? "") || (theme === "0" && element.get("tint") === undefined);
  const colour = rgb ?? (theme === undefined ? indexed : `${theme}/${element.get("tint") ?? ""}`);
  // 64 is the colour of the window.
  return isWhite || ((rgb ?? theme) === undefined && indexed === "64") ? undefined : colour;
}

/** Whether an attribute says yes (XML Schema part 2, 3.2.2). */
export function isTrue(value: string | undefined): boolean {
  return value === "1" || value === "true";
}
