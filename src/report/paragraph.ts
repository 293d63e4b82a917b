import { oneLine, type Style } from "./style.ts";
import { wrap } from "./wrap.ts";

/** Text of any origin as lines of the style's width, each after an indent. */
export function paragraph(text: string, style: Style, indent = ""): string[] {
  const width = style.width - indent.length;
  return wrap([{ text: oneLine(text, style) }], { width, ellipsis: style.marks.ellipsis }).map(
    (line) => indent + line,
  );
}

/** What to do next: a paragraph that hangs from an arrow. */
export function advice(text: string, style: Style): string[] {
  const arrow = `  ${style.marks.arrow} `;
  return paragraph(text, style, " ".repeat(arrow.length)).map((line, index) =>
    index === 0 ? arrow + line.trimStart() : line,
  );
}
