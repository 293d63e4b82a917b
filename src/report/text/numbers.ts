/** Counts, sizes and durations for people. */

import { formatNumber } from "../../model/text.ts";

/** A count with its noun: `1 post`, `2 posts`, `1,200 posts`. */
export function plural(count: number, noun: string, nouns = `${noun}s`): string {
  return `${formatNumber(count)} ${count === 1 ? noun : nouns}`;
}

/** Counts that are not zero, with their names: `2 created, 1 failed`. */
export function counted(counts: readonly (readonly [number, string])[]): string {
  return counts
    .filter(([count]) => count > 0)
    .map(([count, what]) => plural(count, what, what))
    .join(", ");
}

/** Rows that are not planned, for `counted`: `2 drafts`, `1 skipped`. */
export function unplannedCounts({
  drafts,
  skipped,
}: {
  readonly drafts: number;
  readonly skipped: number;
}): (readonly [number, string])[] {
  return [
    [drafts, drafts === 1 ? "draft" : "drafts"],
    [skipped, "skipped"],
  ];
}

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

/** A duration for people, from ms: `0 seconds`, `34 seconds`, `2 minutes`, `1 hour 5 minutes`. */
export function formatDuration(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 60) return plural(seconds, "second");
  if (seconds < 3600) return twoParts(seconds, 60, "minute", "second");
  return twoParts(Math.ceil(seconds / 60), 60, "hour", "minute");
}

/** An estimated duration, from ms: `10 seconds`, `2 minutes`, `1 hour 5 minutes`. */
export function roughDuration(ms: number): string {
  const unitMs = ms < 55_000 ? 10_000 : 60_000;
  return formatDuration(Math.max(1, Math.round(ms / unitMs)) * unitMs);
}

function twoParts(count: number, size: number, large: string, small: string): string {
  const rest = count % size;
  const whole = plural(Math.floor(count / size), large);
  return rest === 0 ? whole : `${whole} ${plural(rest, small)}`;
}
