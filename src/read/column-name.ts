/** How messages name columns. */
import { yamlKey } from "../calendar/yaml-key.ts";
import type { Header } from "./table-header.ts";
import { qualifiedName } from "./understood-table.ts";

/** A column as a message names it. */
export function columnName(header: Header, column: number): string {
  const name = qualifiedName(header, column);
  return name === "" ? `column ${column + 1}` : `\`${showName(name)}\``;
}

/** A header cell as it is named in a message: short, on one line. */
export function showName(name = ""): string {
  const line = name.trim().replaceAll(/\s+/g, " ");
  return line.length > 40 ? `${line.slice(0, 39)}…` : line;
}

/** A column as a key of `columns:` in YAML, quoted where it needs to be. */
export function columnKey(header: Header, column: number): string {
  if (!header.isNamed) return String(column + 1);
  return yamlKey(qualifiedName(header, column));
}
