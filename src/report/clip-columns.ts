import { graphemes, roomFor, textWidth } from "./segments.ts";

/** A text that takes so many columns at most, with an ellipsis where some of it is left out; never half a character. */
export function clipColumns(text: string, width: number, ellipsis: string): string {
  if (roomFor(text) <= width) return text;
  let shown = "";
  let left = width - textWidth(ellipsis);
  for (const letter of graphemes(text)) {
    left -= roomFor(letter);
    if (left < 0) break;
    shown += letter;
  }
  return shown.trimEnd() + ellipsis;
}
