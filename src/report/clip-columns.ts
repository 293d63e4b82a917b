import { graphemes, maxTextWidth, textWidth } from "./segments.ts";

/** A text that takes so many columns at most, with an ellipsis where some of it is left out; never half a character. */
export function clipToWidth(text: string, width: number, ellipsis: string): string {
  if (maxTextWidth(text) <= width) return text;
  let shown = "";
  let left = width - textWidth(ellipsis);
  for (const letter of graphemes(text)) {
    left -= maxTextWidth(letter);
    if (left < 0) break;
    shown += letter;
  }
  return shown.trimEnd() + ellipsis;
}
