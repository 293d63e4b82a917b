/**
 * Reads the elements of a part one after the other, without building a tree. Only this file uses saxes. Invalid XML is
 * refused, never repaired, because silently lost rows would cancel posts.
 */

import { SaxesParser, type SaxesTagNS } from "saxes";
import { WorkbookFault, damaged, tooLarge } from "./workbook.ts";
import type { ZipParts } from "./zip.ts";

/** An element. Names have the prefixes of `NAMESPACES`, whatever prefixes the file uses. */
export interface XmlElement {
  readonly name: string;
  /** Where its start tag ends in the text, in UTF-16 units. */
  readonly end: number;
  /** The value of an attribute. Attributes without a prefix are in no namespace. */
  get(name: string): string | undefined;
}

export interface XmlVisitor {
  open(element: XmlElement): void;
  text?(text: string): void;
  /** @param end where the end tag ends; for an element without one, as in `open` */
  close?(name: string, end: number): void;
  /** Ends reading, because the reader has all that it needs. */
  readonly done?: boolean;
}

/** Levels of nesting. Spreadsheets use about a dozen, and each level costs memory. */
const MAX_DEPTH = 200;
/** Attributes of one element, for the same reason. */
const MAX_ATTRIBUTES = 1000;

/** Walks through a part, if it is there. Throws a WorkbookFault. */
export async function visitPart(parts: ZipParts, name: string, visitor: XmlVisitor): Promise<void> {
  if (!parts.has(name)) return;
  const parser = makeParser(visitor);
  let decode: ((chunk?: Uint8Array) => string) | undefined;
  try {
    for await (const chunk of parts.read(name)) {
      decode ??= makeDecoder(chunk);
      parser.write(decode(chunk));
      if (visitor.done === true) return;
    }
    parser.write(decode?.() ?? "").close();
  } catch (error) {
    throw notXml(name, error);
  }
}

/** Like `visitPart`, for the text of a part. */
export function visitText(text: string, name: string, visitor: XmlVisitor): void {
  try {
    makeParser(visitor).write(text).close();
  } catch (error) {
    throw notXml(name, error);
  }
}

function notXml(name: string, error: unknown): WorkbookFault {
  if (error instanceof WorkbookFault) return error;
  const why = error instanceof Error ? error.message.replace(/\.$/, "") : String(error);
  return damaged(`its part ${name} is not XML (${why})`);
}

function makeParser(visitor: XmlVisitor): SaxesParser<{ xmlns: true; position: false }> {
  const parser = new SaxesParser({ xmlns: true, position: false });
  let depth = 0;
  let attributes = 0;
  parser.on("doctype", () => {
    throw damaged("it declares XML entities, and no spreadsheet program does that");
  });
  parser.on("attribute", () => {
    attributes += 1;
    if (attributes > MAX_ATTRIBUTES) throw tooLarge("an element has too many attributes");
  });
  parser.on("opentag", (tag) => {
    attributes = 0;
    depth += 1;
    if (depth > MAX_DEPTH) throw tooLarge("its elements are nested too deep");
    visitor.open({
      name: elementName(tag),
      end: parser.position,
      get: (attribute) => attributeIn(tag, attribute),
    });
  });
  parser.on("closetag", (tag) => {
    depth -= 1;
    visitor.close?.(elementName(tag), parser.position);
  });
  const onText = (text: string): void => visitor.text?.(text);
  parser.on("text", onText);
  parser.on("cdata", onText);
  return parser;
}

/** An element's name with the prefix of the table. */
function elementName({ local, uri }: SaxesTagNS): string {
  const prefix = uri === "" ? "" : (NAMESPACES.get(uri) ?? OTHER);
  return prefix === "" ? local : `${prefix}:${local}`;
}

/** The value of an attribute, given by its name with the prefix of the table. Without a prefix it is in no namespace. */
function attributeIn({ attributes }: SaxesTagNS, name: string): string | undefined {
  const colon = name.indexOf(":");
  if (colon === -1) return attributes[name]?.value;
  const [prefix, local] = [name.slice(0, colon), name.slice(colon + 1)];
  return Object.values(attributes).find((each) => each.local === local && NAMESPACES.get(each.uri) === prefix)
    ?.value;
}

/** XML is UTF-8 unless it starts with the mark of UTF-16 (XML 1.0, appendix F). The last call has no piece. */
function makeDecoder(start: Uint8Array): (chunk?: Uint8Array) => string {
  const decoder = new TextDecoder(encodingOf(start), { fatal: true });
  return (chunk) => decoder.decode(chunk, { stream: chunk !== undefined });
}

function encodingOf(start: Uint8Array): string {
  if (start[0] === 0xff && start[1] === 0xfe) return "utf-16le";
  return start[0] === 0xfe && start[1] === 0xff ? "utf-16be" : "utf-8";
}

/** Namespaces of OOXML (ECMA-376, transitional and strict) and ODF 1.3, with the prefixes that plancast uses. */
const NAMESPACES: ReadonlyMap<string, string> = new Map([
  ["http://schemas.openxmlformats.org/spreadsheetml/2006/main", ""],
  ["http://purl.oclc.org/ooxml/spreadsheetml/main", ""],
  ["http://schemas.openxmlformats.org/package/2006/relationships", ""],
  ["http://schemas.openxmlformats.org/package/2006/content-types", ""],
  ["http://schemas.openxmlformats.org/officeDocument/2006/relationships", "r"],
  ["http://purl.oclc.org/ooxml/officeDocument/relationships", "r"],
  ["urn:oasis:names:tc:opendocument:xmlns:office:1.0", "office"],
  ["urn:oasis:names:tc:opendocument:xmlns:table:1.0", "table"],
  ["urn:oasis:names:tc:opendocument:xmlns:text:1.0", "text"],
  ["urn:oasis:names:tc:opendocument:xmlns:style:1.0", "style"],
  ["urn:oasis:names:tc:opendocument:xmlns:datastyle:1.0", "number"],
  ["urn:oasis:names:tc:opendocument:xmlns:drawing:1.0", "draw"],
  ["urn:oasis:names:tc:opendocument:xmlns:manifest:1.0", "manifest"],
  ["urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0", "fo"],
  ["urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0", "calcext"],
  ["http://www.w3.org/1999/xlink", "xlink"],
]);

/** The prefix for all other namespaces. */
const OTHER = "other";
