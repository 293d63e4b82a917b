/** What is known of OOXML (ECMA-376, transitional and strict) and ODF 1.3, each with the prefix that it gets here. */
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
  ["urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0", "calcext"],
  ["http://www.w3.org/1999/xlink", "xlink"],
]);

/** The prefix of namespaces that nobody asks for. */
const OTHER = "other";

/**
 * The prefixes that hold within an element, and what they stand for (Namespaces in XML 1.0). An element without
 * declarations, as nearly all are, shares those of the one around it.
 */
export class XmlNames {
  /** A prefix of the file, with that of the table. */
  readonly #known: ReadonlyMap<string, string>;
  /** The names that an attribute may have in the file, by its name here. */
  readonly #attributes = new Map<string, readonly string[]>();

  constructor(known: ReadonlyMap<string, string> = new Map()) {
    this.#known = known;
  }

  /** The names that hold within an element with these attributes. */
  within(attributes: Readonly<Record<string, string>>): XmlNames {
    let known: Map<string, string> | undefined;
    for (const name in attributes) {
      if (!name.startsWith("xmlns")) continue;
      const [, prefix = ""] = name.split(":");
      known ??= new Map(this.#known);
      known.set(prefix, NAMESPACES.get(attributes[name] ?? "") ?? OTHER);
    }
    return known === undefined ? this : new XmlNames(known);
  }

  /** An element's name with the prefix of the table. */
  element(name: string): string {
    const colon = name.indexOf(":");
    const prefix = colon === -1 ? "" : name.slice(0, colon);
    const known = this.#known.get(prefix) ?? (prefix === "" ? "" : OTHER);
    if (known === prefix) return name;
    const local = name.slice(colon + 1);
    return known === "" ? local : `${known}:${local}`;
  }

  /** The value of an attribute, given by its name with the prefix of the table. Without a prefix it is in no namespace. */
  attribute(attributes: Readonly<Record<string, string>>, name: string): string | undefined {
    let names = this.#attributes.get(name);
    if (names === undefined) {
      names = this.#namesOf(name);
      this.#attributes.set(name, names);
    }
    for (const each of names) {
      const value = attributes[each];
      if (value !== undefined) return value;
    }
    return undefined;
  }

  #namesOf(name: string): readonly string[] {
    const [prefix, local] = name.split(":");
    if (local === undefined) return [name];
    return [...this.#known].filter(([, known]) => known === prefix).map(([own]) => `${own}:${local}`);
  }
}
