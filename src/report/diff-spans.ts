import { escapeTerminal } from "./escape-terminal.ts";
import { visibleForm } from "./hidden-characters.ts";
import { oneLine, type Style } from "./style.ts";
import { shortenDiff, wordDiff, type DiffPart } from "./word-diff.ts";
import type { Span } from "./wrap.ts";

/**
 * A text and what became of it, word by word: `a [-red-]{+blue+} car`, or in colours. `whole` leaves nothing out.
 */
export function diffSpans(before: string, after: string, style: Style, whole: boolean): readonly Span[] {
  const parts = wordDiff(before, after);
  const shown = whole ? parts : shortenDiff(parts, style.marks.ellipsis);
  const { color, colors } = style;
  const removed = (text: string): string => colors.red(colors.strikethrough(text));
  return shown.map(({ kind, text }): Span => {
    const visible = kind === "same" ? oneLine(text, style) : changedText(text, style);
    switch (kind) {
      case "same":
        return { text: visible };
      case "removed":
        return color ? { text: visible, paint: removed } : { text: `[-${visible}-]` };
      case "added":
        return color ? { text: visible, paint: colors.green } : { text: `{+${visible}+}` };
      default:
        return kind satisfies never;
    }
  });
}

/** Blanks that are all that changes would not be seen. */
function changedText(text: DiffPart["text"], style: Style): string {
  if (/[^\p{Z}]/u.test(text)) return oneLine(text, style);
  return escapeTerminal(text.replaceAll(" ", style.marks.space)).replace(/\p{Z}/gu, visibleForm);
}
