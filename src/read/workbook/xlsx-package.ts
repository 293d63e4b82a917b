/** How the parts of an XLSX file hang together (ECMA-376 part 2, Open Packaging Conventions). */
import { posix } from "node:path";
import type { ZipParts } from "./zip-parts.ts";
import { visitPart, type XmlElement } from "./visit-part.ts";

export interface Relationship {
  /** The last word of its type's address, for example `worksheet`. */
  readonly type: string;
  /** A part's name, or for a link the address that it leads to. */
  readonly target: string;
}

/** What a part refers to, by id. `part` is empty for the whole package. */
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

/** The name of a part that is named from a folder, or from the top with `/`. */
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
