import { distance } from "fastest-levenshtein";

/** Of the known names the one that a person most probably meant, or undefined when none is near. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase();
  let best: { name: string; distance: number } | undefined;
  for (const each of known) {
    const far = distance(wanted, each.toLowerCase());
    if (best === undefined || far < best.distance) best = { name: each, distance: far };
  }
  // A third of the letters wrong is still a slip; more is another word.
  return best !== undefined && best.distance <= Math.max(1, Math.ceil(wanted.length / 3))
    ? best.name
    : undefined;
}

/** ` Did you mean "x"?`, or nothing. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const near = nearest(name, known);
  return near === undefined ? "" : ` Did you mean "${near}"?`;
}
