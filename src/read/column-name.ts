/** How messages name columns. */
import type { Header } from "./table-header.ts";

/** A column as a message names it. */
export function columnName(header: Header, column: number): string {
  const name = qualified(header, column);
  return name === "" ? `column ${column + 1}` : `\`${showName(name)}\``;
}

/** A column's name, with its group's in front where another column has the same. */
function qualified({ names, groups }: Header, column: number): string {
  const name = names[column]?.trim() ?? "";
  const group = groups[column]?.trim() ?? "";
  const isAlone = names.every((each, index) => index === column || each.trim() !== name);
  return name === "" || isAlone || group === "" || group === name ? name : `${group} ${name}`;
}

/** A header cell as it is named in a message: short, on one line. */
export function showName(name = ""): string {
  const line = name.trim().replaceAll(/\s+/g, " ");
  return line.length > 40 ? `${line.slice(0, 39)}…` : line;
}

/** A column as a key of `columns:` in YAML, quoted where it needs to be. */
export function columnKey(header: Header, column: number): string {
  if (!header.isNamed) return String(column + 1);
  const name = qualified(header, column);
  return /^[\p{L}_][\p{L}\p{N}_ -]*$/u.test(name) ? name : JSON.stringify(name);
}
