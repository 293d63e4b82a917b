/** Takes some milliseconds to make, and most runs have no use for it. */
let numberFormat: Intl.NumberFormat | undefined;

/** A number for people: `1,200`. */
export function formatNumber(value: number): string {
  numberFormat ??= new Intl.NumberFormat("en-GB");
  return numberFormat.format(value);
}
