import { graphemes } from "./segments.ts";

/** The longest emoji in use have about as many UTF-16 units; more is a character made to be long. */
const UNITS_A_GRAPHEME = 24;

/** A text's first graphemes, with an ellipsis where some are left out; never half an emoji. */
export function clipText(text: string, length: number): string {
  let end = 0;
  let count = 0;
  for (const grapheme of graphemes(text)) {
    if (count === length || end + grapheme.length > length * UNITS_A_GRAPHEME) {
      return `${text.slice(0, end).trimEnd()} …`;
    }
    end += grapheme.length;
    count += 1;
  }
  return text;
}
