/** Two versions of a text, compared word by word. */

import { diffArrays } from "diff";
import { escapeTerminal, visibleForm } from "./escape.ts";
import { type Span, words } from "./wrap.ts";
import { type Style, oneLine } from "./style.ts";

/** A part of two texts: in both, only in the old one, or only in the new one. */
export interface DiffPart {
  readonly kind: "same" | "removed" | "added";
  readonly text: string;
}

/** Texts that differ in more than this many words are shown as one change, because comparing them is quadratic. */
const MAX_EDITS = 1000;
/** If less than this share of the longer text stays, it is easier to read as a new text. */
const MIN_SHARED = 0.25;
/** About how many UTF-16 units of a long unchanged part are kept on each side of a change. */
const CONTEXT = 40;
const SAYS_SOMETHING = /[\p{L}\p{N}\p{Extended_Pictographic}]/u;

/**
 * Compares two texts word by word. Without the removed parts, the rest is the new text. Without the added parts, it
 * is the old text.
 */
export function wordDiff(before: string, after: string): readonly DiffPart[] {
  const changes = diffArrays(words(before), words(after), { maxEditLength: MAX_EDITS });
  if (changes === undefined) return wholeChange(before, after);
  const parts = changes.map(({ value, added, removed }): DiffPart => {
    const kind = added ? "added" : removed ? "removed" : "same";
    return { kind, text: value.join("") };
  });
  const shared = parts.reduce((sum, part) => sum + (part.kind === "same" ? part.text.length : 0), 0);
  if (shared < MIN_SHARED * Math.max(before.length, after.length)) return wholeChange(before, after);
  return joinNeighbours(parts);
}

/** Two texts as one change. A long common beginning is separate: if both were shortened, they would look alike. */
function wholeChange(before: string, after: string): readonly DiffPart[] {
  const [old, now] = [words(before), words(after)];
  const start = old.slice(0, sharedStart(old, now)).join("");
  if (start.length <= CONTEXT) return change(before, after);
  return [{ kind: "same", text: start }, ...change(before.slice(start.length), after.slice(start.length))];
}

function change(before: string, after: string): readonly DiffPart[] {
  const parts: DiffPart[] = [
    { kind: "removed", text: before },
    { kind: "added", text: after },
  ];
  return parts.filter(({ text }) => text !== "");
}

/** Changes with only spaces and punctuation between them become one, which reads as a phrase. */
function joinNeighbours(parts: readonly DiffPart[]): readonly DiffPart[] {
  const joined: DiffPart[] = [];
  let before = "";
  let after = "";
  parts.forEach((part, index) => {
    const between = index > 0 && index < parts.length - 1 && !SAYS_SOMETHING.test(part.text);
    if (part.kind === "same" && !between) {
      joined.push(...trimmedChange(before, after), part);
      before = "";
      after = "";
      return;
    }
    if (part.kind !== "added") before += part.text;
    if (part.kind !== "removed") after += part.text;
  });
  return mergeSame([...joined, ...trimmedChange(before, after)]);
}

/** Leaves out the spaces and punctuation at the edges of a joined change that both texts have. */
function trimmedChange(before: string, after: string): readonly DiffPart[] {
  const [old, now] = [words(before), words(after)];
  const start = sharedStart(old, now);
  const end = sharedStart(old.slice(start).toReversed(), now.slice(start).toReversed());
  const inner = (all: readonly string[]): string => all.slice(start, all.length - end).join("");
  return [
    { kind: "same", text: old.slice(0, start).join("") },
    ...change(inner(old), inner(now)),
    { kind: "same", text: old.slice(old.length - end).join("") },
  ];
}

/** The number of words that both begin with. */
function sharedStart(old: readonly string[], now: readonly string[]): number {
  const different = old.findIndex((word, index) => word !== now[index]);
  return different === -1 ? old.length : different;
}

function mergeSame(parts: readonly DiffPart[]): readonly DiffPart[] {
  const merged: DiffPart[] = [];
  for (const part of parts.filter(({ text }) => text !== "")) {
    const last = merged.at(-1);
    if (part.kind === "same" && last?.kind === "same")
      merged.splice(-1, 1, { kind: "same", text: last.text + part.text });
    else merged.push(part);
  }
  return merged;
}

/** Like `joinNeighbours`, for a long change: its beginning is more useful than its end. */
const CHANGE_START = 120;
const CHANGE_END = 40;

/** Shortens long parts, at the edges of words, to what shows the changes and their place. */
export function shortenDiff(parts: readonly DiffPart[], ellipsis: string): readonly DiffPart[] {
  return parts.map(({ kind, text }, index) => {
    if (kind !== "same") return { kind, text: shorten(text, CHANGE_START, CHANGE_END, ellipsis) };
    const start = index === 0 ? 0 : CONTEXT;
    const end = index === parts.length - 1 ? 0 : CONTEXT;
    return { kind, text: shorten(text, start, end, ellipsis) };
  });
}

function shorten(text: string, start: number, end: number, ellipsis: string): string {
  // It is not worth leaving out only one or two words.
  if (text.length <= start + end + 20) return text;
  const all = words(text);
  // A long address is one word.
  const head = takeWords(all, start).join("").trimEnd() || Array.from(text).slice(0, start).join("");
  const tail = takeWords(all.toReversed(), end).toReversed().join("").trimStart();
  return [head, ellipsis, tail].filter((each) => each !== "").join(" ");
}

/** The first words that fit into this many UTF-16 units. */
function takeWords(all: readonly string[], length: number): readonly string[] {
  let used = 0;
  const tooMany = all.findIndex((word) => (used += word.length) > length);
  return tooMany === -1 ? all : all.slice(0, tooMany);
}

/** The changes of a text, word by word: `a [-red-]{+blue+} car`, or in colours. `whole` leaves nothing out. */
export function diffSpans(before: string, after: string, style: Style, whole: boolean): readonly Span[] {
  const parts = wordDiff(before, after);
  const shown = whole ? parts : shortenDiff(parts, style.marks.ellipsis);
  const { color, colors } = style;
  const removed = (text: string): string => colors.red(colors.strikethrough(text));
  return shown.flatMap(({ kind, text }, index): Span[] => {
    const visible = kind === "same" ? oneLine(text, style) : changedText(text, style);
    switch (kind) {
      case "same":
        return [{ text: visible }];
      case "removed":
        return [color ? { text: visible, paint: removed } : { text: `[-${visible}-]` }];
      case "added":
        if (!color) return [{ text: `{+${visible}+}` }];
        // Otherwise, the old and the new word look like one word.
        return [
          ...(shown[index - 1]?.kind === "removed" ? [{ text: " " }] : []),
          { text: visible, paint: colors.green },
        ];
      default:
        return kind satisfies never;
    }
  });
}

/** Changes of only spaces would be invisible. */
function changedText(text: DiffPart["text"], style: Style): string {
  if (/[^\p{Z}]/u.test(text)) return oneLine(text, style);
  return escapeTerminal(text.replaceAll(" ", style.marks.space)).replace(/\p{Z}/gu, visibleForm);
}
