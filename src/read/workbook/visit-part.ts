/**
 * The elements of a part, one after the other: no tree is built. This is the only file that knows saxes. What breaks
 * the rules of XML is refused and never guessed at, because rows that are lost in silence would be posts cancelled.
 */
import { SaxesParser, type SaxesTagNS } from "saxes";
import { damaged, tooLarge, WorkbookFault } from "./workbook-fault.ts";
import type { ZipParts } from "./zip-parts.ts";

/** An element, named with the prefix that NAMESPACES gives, whatever prefix the file uses. */
export interface XmlElement {
  readonly name: string;
  /** An attribute's value; attributes without a prefix are in no namespace. */
  get(name: string): string | undefined;
}

export interface XmlVisitor {
  open(element: XmlElement): void;
  text?(text: string): void;
  close?(name: string): void;
  /** Has seen what it came for. */
  readonly done?: boolean;
}

/** Elements within elements. Spreadsheets nest about a dozen; each costs memory. */
const MAX_DEPTH = 200;
/** Attributes of one element, for the same reason. */
const MAX_ATTRIBUTES = 1000;

/** What is known of OOXML (ECMA-376, transitional and strict) and ODF 1.3, each with the prefix that it gets here. */
const NAMESPACES: ReadonlyMap<string, string> = new Map([
  ["", ""],
  ["http://schemas.openxmlformats.org/spreadsheetml/2006/main", ""],
  ["http://purl.oclc.org/ooxml/spreadsheetml/main", ""],
  ["http://schemas.openxmlformats.org/package/2006/relationships", ""],
  ["http://schemas.openxmlformats.org/package/2006/content-types", ""],
  ["http://schemas.openxmlformats.org/officeDocument/2006/relationships", "r:"],
  ["http://purl.oclc.org/ooxml/officeDocument/relationships", "r:"],
  ["urn:oasis:names:tc:opendocument:xmlns:office:1.0", "office:"],
  ["urn:oasis:names:tc:opendocument:xmlns:table:1.0", "table:"],
  ["urn:oasis:names:tc:opendocument:xmlns:text:1.0", "text:"],
  ["urn:oasis:names:tc:opendocument:xmlns:style:1.0", "style:"],
  ["urn:oasis:names:tc:opendocument:xmlns:datastyle:1.0", "number:"],
  ["urn:oasis:names:tc:opendocument:xmlns:manifest:1.0", "manifest:"],
  ["urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0", "calcext:"],
  ["http://www.w3.org/1999/xlink", "xlink:"],
]);

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
    if (error instanceof WorkbookFault) throw error;
    const why = error instanceof Error ? error.message.replace(/\.$/, "") : String(error);
    throw damaged(`its part ${name} is no XML (${why})`);
  }
}

function makeParser(visitor: XmlVisitor): SaxesParser<{ xmlns: true; position: false }> {
  const parser = new SaxesParser({ xmlns: true, position: false });
  let depth = 0;
  let attributes = 0;
  parser.on("doctype", () => {
    throw damaged("it declares XML entities, which no spreadsheet program does");
  });
  parser.on("attribute", () => {
    attributes += 1;
    if (attributes > MAX_ATTRIBUTES) throw tooLarge("an element has too many attributes");
  });
  parser.on("opentag", (tag) => {
    depth += 1;
    attributes = 0;
    if (depth > MAX_DEPTH) throw tooLarge("its elements nest too deep");
    visitor.open(new SeenElement(tag));
  });
  parser.on("closetag", (tag) => {
    depth -= 1;
    visitor.close?.(prefixOf(tag.uri) + tag.local);
  });
  const onText = (text: string): void => visitor.text?.(text);
  parser.on("text", onText);
  parser.on("cdata", onText);
  return parser;
}

class SeenElement implements XmlElement {
  readonly name: string;
  readonly #tag: SaxesTagNS;

  constructor(tag: SaxesTagNS) {
    this.#tag = tag;
    this.name = prefixOf(tag.uri) + tag.local;
  }

  get(name: string): string | undefined {
    const { attributes } = this.#tag;
    // The file's prefixes are nearly always those of the table.
    const likely = attributes[name];
    if (likely !== undefined && prefixOf(likely.uri) + likely.local === name) return likely.value;
    return Object.values(attributes).find(({ uri, local }) => prefixOf(uri) + local === name)?.value;
  }
}

/** A name of another namespace gets a prefix that nobody asks for. */
function prefixOf(uri: string): string {
  return NAMESPACES.get(uri) ?? "other:";
}

/** XML is UTF-8 unless it starts with the mark of UTF-16 (XML 1.0, appendix F). Called without a piece at the end. */
function makeDecoder(start: Uint8Array): (chunk?: Uint8Array) => string {
  const decoder = new TextDecoder(encodingOf(start), { fatal: true });
  return (chunk) => decoder.decode(chunk, { stream: chunk !== undefined });
}

function encodingOf(start: Uint8Array): string {
  if (start[0] === 0xff && start[1] === 0xfe) return "utf-16le";
  return start[0] === 0xfe && start[1] === 0xff ? "utf-16be" : "utf-8";
}
