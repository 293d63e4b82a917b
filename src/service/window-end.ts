/** The end of one window: where it lies for certain, and the time at which it is taken to be over. */
import { intersect, type Span } from "./span.ts";

/** The service's limit is per minute: so long a window lasts that does not tell its end. */
export const MINUTE_MS = 60_000;

/** How a reset was rounded when it was told. */
export type Rounding = "none" | "up" | "nearest" | "down";

/** Ms by the local clock. */
export interface WindowEnd {
  /** Where it lies for certain, under each way of rounding that is possible. */
  readonly bounds: ReadonlyMap<Rounding, Span>;
  /** Where it lies if the clocks agree; windows are told apart by it. */
  readonly likely: Span;
  /** From here on it is taken to be over. */
  readonly at: number;
  /** Whether something explains just that time; else it is the latest that is likely. */
  readonly isExplained: boolean;
}

/** An end that was not told but set: all that are told are earlier. */
export function fixedEnd(at: number): WindowEnd {
  return { bounds: new Map(), likely: { from: Infinity, to: -Infinity }, at, isExplained: false };
}

/** Whether two answers may have told the end of one window. */
export function isSameWindow({ likely }: WindowEnd, other: WindowEnd): boolean {
  return intersect(likely, other.likely) !== undefined;
}

export function isEarlierWindow({ likely }: WindowEnd, than: WindowEnd): boolean {
  return likely.to < than.likely.from;
}

/** A later end is another window's only where the known one may be over. */
export function isNewerWindow({ likely }: WindowEnd, known: WindowEnd, now: number): boolean {
  return likely.from > known.likely.to && now >= known.likely.from;
}

/** What is left of bounds when they must meet a span. May be nothing. */
export function boundsWithin(bounds: WindowEnd["bounds"], span: Span): Map<Rounding, Span> {
  return commonBounds(bounds, () => span);
}

/** What two answers leave of a window's bounds. May be nothing. */
export function commonBounds(
  bounds: WindowEnd["bounds"],
  spanFor: (rounding: Rounding) => Span | undefined,
): Map<Rounding, Span> {
  const left = new Map<Rounding, Span>();
  for (const [rounding, span] of bounds) {
    const other = spanFor(rounding);
    const both = other && intersect(span, other);
    if (both !== undefined) left.set(rounding, both);
  }
  return left;
}
