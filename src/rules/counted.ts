import { numberText } from "../calendar/number-text.ts";

/** A count with its noun: `1 picture`, `2 pictures`; none of them is `no pictures`. */
export function counted(count: number, noun: string): string {
  return `${count === 0 ? "no" : numberText(count)} ${noun}${count === 1 ? "" : "s"}`;
}
