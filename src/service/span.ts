/** A time that is known within bounds, both included: ms, by the local clock or as a difference of clocks. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** What two spans have in common; undefined when they do not meet. */
export function intersect(one: Span, other: Span): Span | undefined {
  const from = Math.max(one.from, other.from);
  const to = Math.min(one.to, other.to);
  return from <= to ? { from, to } : undefined;
}

/** A span moved by a time that is itself known within bounds. */
export function shift(span: Span, by: Span): Span {
  return { from: span.from + by.from, to: span.to + by.to };
}

/** The span that holds all of them. */
export function hull(spans: Iterable<Span>): Span {
  const all = [...spans];
  return { from: Math.min(...all.map(({ from }) => from)), to: Math.max(...all.map(({ to }) => to)) };
}
