/** Takes some milliseconds to make, and most runs have no use for it. */
let made: Intl.NumberFormat | undefined;

/** A number for people: `1,200`. */
export function numberText(value: number): string {
  made ??= new Intl.NumberFormat("en-GB");
  return made.format(value);
}
