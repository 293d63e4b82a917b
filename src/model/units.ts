/** Durations such as `5m`. */

import { z } from "zod";

const UNIT_MS = new Map([
  ["ms", 1],
  ["s", 1_000],
  ["m", 60_000],
  ["h", 3_600_000],
  ["d", 86_400_000],
]);
/** The form of a duration. */
export const DURATION = /^(\d{1,9})(ms|s|m|h|d)$/;

/** Describes a duration, to follow "must be". */
export const DURATION_FORM = "a number and a unit, such as 90s, 2m, 1h or 1d";

/** A duration such as `2m`, as text, so that the generated schema can contain its pattern. */
export const durationSchema = z.string().regex(DURATION, DURATION_FORM);

/** Milliseconds of a duration; undefined for any other text. */
export function durationOf(text: string): number | undefined {
  const [, count = "", unit = ""] = DURATION.exec(text) ?? [];
  const unitMs = UNIT_MS.get(unit);
  return unitMs === undefined ? undefined : Number(count) * unitMs;
}

/** Milliseconds of a duration that the schema has accepted. */
export function durationMs(text: string): number {
  return durationOf(text) ?? Number.NaN;
}
