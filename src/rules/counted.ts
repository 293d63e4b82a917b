import { formatNumber } from "../calendar/number-text.ts";

/** A count with its noun: `1 picture`, `2 pictures`; none of them is `no pictures`. */
export function countWithNoun(count: number, noun: string): string {
  return `${count === 0 ? "no" : formatNumber(count)} ${noun}${count === 1 ? "" : "s"}`;
}
