const UNITS = ["B", "kB", "MB", "GB", "TB"];

/** A size for people, in powers of 1000: `999 B`, `48 kB`, `1.2 MB`. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (rounded(value) >= 1000 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${rounded(value)} ${UNITS[unit] ?? ""}`;
}

/** One decimal below 10, none above. */
function rounded(value: number): number {
  return value < 9.95 ? Math.round(value * 10) / 10 : Math.round(value);
}
