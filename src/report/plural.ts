import { formatNumber } from "../calendar/number-text.ts";

/** A count with its noun: `1 post`, `2 posts`, `1,200 posts`. */
export function plural(count: number, noun: string, nouns = `${noun}s`): string {
  return `${formatNumber(count)} ${count === 1 ? noun : nouns}`;
}

/** Counts that are not zero, with what they count: `2 created, 1 failed`. */
export function counted(counts: readonly (readonly [number, string])[]): string {
  return counts
    .filter(([count]) => count > 0)
    .map(([count, what]) => plural(count, what, what))
    .join(", ");
}
