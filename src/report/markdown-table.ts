/** Cells are Markdown already; a `|` in one must be written as an entity or a backslash must stand before it. */
export function markdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return [header, header.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}

/** As code within a cell of a table, where a `|` would begin the next cell. */
export function codeCell(text: string): string {
  return `\`${text.replaceAll("|", String.raw`\|`)}\``;
}

/** The anchor that GitHub makes of a heading. */
export function headingAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}
