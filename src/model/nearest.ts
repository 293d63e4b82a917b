import { distance } from "fastest-levenshtein";
import { foldName } from "./text.ts";

/** A longer text is no mistyped name, UTF-16 units. */
const LONGEST_NAME = 100;

/** The candidate that a mistyped name most likely means; undefined when none is near. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > LONGEST_NAME) return undefined;
  const folded = foldName(name);
  let best: { readonly candidate: string; readonly edits: number } | undefined;
  for (const candidate of candidates) {
    const edits = distance(folded, foldName(candidate));
    if (edits < (best?.edits ?? Infinity)) best = { candidate, edits };
  }
  // A third of the letters wrong is a typing mistake; more is another word.
  return best !== undefined && best.edits <= Math.max(1, folded.length / 3) ? best.candidate : undefined;
}

/** ` Did you mean …?`, or nothing when no candidate is near. */
export function didYouMean(suggestion: string | undefined): string {
  return suggestion === undefined ? "" : ` Did you mean \`${suggestion}\`?`;
}
