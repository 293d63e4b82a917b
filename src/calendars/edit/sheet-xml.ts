/** Finds rows and cells in the XML of a sheet (ECMA-376 part 1, 18.3) that was already read and is valid. */

import { type Area, parseArea, parseCellName } from "../read/workbook/workbook.ts";

/** An element's offsets in the text. */
interface Span {
  readonly start: number;
  readonly end: number;
}

interface XmlCell extends Span {
  /** From 0. */
  readonly column: number;
  readonly attributes: ReadonlyMap<string, string>;
  readonly isEmpty: boolean;
  readonly hasFormula: boolean;
}

export interface XmlRow {
  /** The start tag of the row. */
  readonly tag: Span;
  readonly isEmpty: boolean;
  /** Start of its end tag, or end of a tag without content. */
  readonly end: number;
  readonly cells: readonly XmlCell[];
}

export interface SheetXml {
  /** Prefix of the elements' names, with its colon. */
  readonly prefix: string;
  readonly rows: ReadonlyMap<number, XmlRow>;
  readonly merged: readonly Area[];
  /** Style of a column's empty cells. */
  readonly styleOf: (column: number) => string | undefined;
  readonly dimension: Span | undefined;
}

/** Markup that is not an element, by start and end. The reader refuses a document type. */
const NO_ELEMENTS = [
  ["<!--", "-->"],
  ["<![CDATA[", "]]>"],
  ["<?", "?>"],
] as const;
/** An attribute's value may contain `>`. */
const TAG = /<([^"'>]*(?:(?:"[^"]*"|'[^']*')[^"'>]*)*)>/y;
const NAME = /^\/?[^\s/]*/;
const ATTRIBUTE = /\s*([^\s=]+)\s*=\s*("[^"]*"|'[^']*')/y;

interface Tag extends Span {
  readonly name: string;
  readonly kind: "open" | "close" | "empty";
  readonly attributes: ReadonlyMap<string, string>;
}

function* tagsIn(text: string): Generator<Tag, void> {
  let end = 0;
  for (let start = text.indexOf("<"); start !== -1; start = text.indexOf("<", end)) {
    const other = NO_ELEMENTS.find(([opening]) => text.startsWith(opening, start));
    if (other !== undefined) {
      const closing = text.indexOf(other[1], start);
      if (closing === -1) return;
      end = closing + other[1].length;
      continue;
    }
    TAG.lastIndex = start;
    const [, inner] = TAG.exec(text) ?? [];
    if (inner === undefined) return;
    end = TAG.lastIndex;
    const [name = ""] = NAME.exec(inner) ?? [];
    const kind = name.startsWith("/") ? "close" : inner.endsWith("/") ? "empty" : "open";
    const attributes = attributesIn(inner.slice(name.length));
    yield { name: name.replace("/", ""), kind, start, end, attributes };
  }
}

function attributesIn(text: string): Map<string, string> {
  const found = new Map<string, string>();
  ATTRIBUTE.lastIndex = 0;
  for (let match = ATTRIBUTE.exec(text); match !== null; match = ATTRIBUTE.exec(text)) {
    const [, name = "", quoted = ""] = match;
    found.set(name, quoted.slice(1, -1));
  }
  return found;
}

export function readSheetXml(text: string): SheetXml {
  const reader = new SheetReader();
  for (const tag of tagsIn(text)) reader.visit(tag);
  return reader.sheet();
}

class SheetReader {
  readonly #rows = new Map<number, XmlRow>();
  readonly #merged: Area[] = [];
  readonly #columns: { readonly min: number; readonly max: number; readonly style: string | undefined }[] =
    [];
  #prefix: string | undefined;
  #dimension: Span | undefined;
  #isInData = false;
  #number = 0;
  #row: { readonly tag: Tag; readonly cells: XmlCell[] } | undefined;
  #cell: { readonly tag: Tag; readonly column: number } | undefined;
  #hasFormula = false;
  #column = 0;

  visit(tag: Tag): void {
    this.#prefix ??= tag.name.includes(":") ? `${tag.name.split(":")[0]}:` : "";
    if (!tag.name.startsWith(this.#prefix)) return;
    const name = tag.name.slice(this.#prefix.length);
    if (name === "sheetData") this.#isInData = tag.kind === "open";
    else if (this.#isInData) this.#inData(name, tag);
    else this.#outsideData(name, tag);
  }

  sheet(): SheetXml {
    const styleOf = (column: number): string | undefined =>
      this.#columns.find(({ min, max }) => min <= column + 1 && column < max)?.style;
    return {
      prefix: this.#prefix ?? "",
      rows: this.#rows,
      merged: this.#merged,
      styleOf,
      dimension: this.#dimension,
    };
  }

  #outsideData(name: string, tag: Tag): void {
    const { attributes, kind } = tag;
    if (kind === "close") return;
    const area = parseArea(attributes.get("ref") ?? "");
    if (name === "mergeCell" && area !== undefined) this.#merged.push(area);
    if (name === "dimension") this.#dimension = tag;
    if (name === "col") {
      const [min, max] = [Number(attributes.get("min")), Number(attributes.get("max"))];
      this.#columns.push({ min, max, style: attributes.get("style") });
    }
  }

  #inData(name: string, tag: Tag): void {
    if (name === "row") this.#atRow(tag);
    else if (name === "c") this.#atCell(tag);
    else if (name === "f" && tag.kind !== "close") this.#hasFormula = true;
  }

  #atRow(tag: Tag): void {
    if (tag.kind === "close") {
      if (this.#row !== undefined)
        this.#rows.set(this.#number, { ...this.#row, isEmpty: false, end: tag.start });
      this.#row = undefined;
      return;
    }
    this.#number = Number(tag.attributes.get("r") ?? this.#number + 1);
    this.#column = 0;
    if (tag.kind === "empty") this.#rows.set(this.#number, { tag, isEmpty: true, end: tag.end, cells: [] });
    else this.#row = { tag, cells: [] };
  }

  #atCell(tag: Tag): void {
    if (tag.kind !== "close") {
      const named = parseCellName(tag.attributes.get("r") ?? "");
      this.#cell = { tag, column: named?.column ?? this.#column };
      this.#hasFormula = false;
      if (tag.kind === "open") return;
    }
    if (this.#cell === undefined) return;
    const { tag: open, column } = this.#cell;
    this.#row?.cells.push({
      column,
      start: open.start,
      end: tag.end,
      attributes: open.attributes,
      isEmpty: tag.end === open.end || tag.start === open.end,
      hasFormula: this.#hasFormula,
    });
    this.#column = column + 1;
    this.#cell = undefined;
  }
}
