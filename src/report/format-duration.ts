import { plural } from "./plural.ts";

/** A duration for people, from ms: `0 seconds`, `34 seconds`, `2 minutes`, `1 hour 5 minutes`. */
export function formatDuration(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 60) return plural(seconds, "second");
  if (seconds < 3600) return twoParts(seconds, 60, "minute", "second");
  return twoParts(Math.ceil(seconds / 60), 60, "hour", "minute");
}

/** A duration that is only an estimate, from ms: `10 seconds`, `2 minutes`, `1 hour 5 minutes`. */
export function roughDuration(ms: number): string {
  const unitMs = ms < 55_000 ? 10_000 : 60_000;
  return formatDuration(Math.max(1, Math.round(ms / unitMs)) * unitMs);
}

function twoParts(count: number, size: number, large: string, small: string): string {
  const rest = count % size;
  const whole = plural(Math.floor(count / size), large);
  return rest === 0 ? whole : `${whole} ${plural(rest, small)}`;
}
