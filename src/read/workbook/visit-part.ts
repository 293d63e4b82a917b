/**
 * The elements of a part, one after the other: no tree is built. This is the only file that knows saxes. What breaks
 * the rules of XML is refused and never guessed at, because rows that are lost in silence would be posts cancelled.
 */
import { SaxesParser } from "saxes";
import { damaged, tooLarge, WorkbookFault } from "./workbook-fault.ts";
import { XmlNames } from "./xml-names.ts";
import type { ZipParts } from "./zip-parts.ts";

/** An element. Names have the prefixes of `xml-names.ts`, whatever those of the file are. */
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

function makeParser(visitor: XmlVisitor): SaxesParser<{ xmlns: false; position: false }> {
  const parser = new SaxesParser({ xmlns: false, position: false });
  const scopes = [{ names: new XmlNames(), name: "" }];
  let attributes = 0;
  parser.on("doctype", () => {
    throw damaged("it declares XML entities, which no spreadsheet program does");
  });
  parser.on("attribute", () => {
    attributes += 1;
    if (attributes > MAX_ATTRIBUTES) throw tooLarge("an element has too many attributes");
  });
  parser.on("opentag", (tag) => {
    attributes = 0;
    if (scopes.length > MAX_DEPTH) throw tooLarge("its elements nest too deep");
    const names = scopes.at(-1)?.names.within(tag.attributes) ?? new XmlNames();
    const name = names.element(tag.name);
    scopes.push({ names, name });
    visitor.open({ name, get: (attribute) => names.attribute(tag.attributes, attribute) });
  });
  parser.on("closetag", () => {
    // Also where nobody listens: what is in an optional call is not even evaluated then.
    const name = scopes.pop()?.name ?? "";
    visitor.close?.(name);
  });
  const onText = (text: string): void => visitor.text?.(text);
  parser.on("text", onText);
  parser.on("cdata", onText);
  return parser;
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
