import type { Config } from "../calendar/config.ts";
import type { WrittenRow } from "./format.ts";

/** Platforms that somebody who adds a row may want: those the project names, then those of the rows. */
export function platformsToOffer(
  { platforms, defaults }: Config,
  rows: readonly WrittenRow[],
): readonly string[] {
  const usual = defaults.platforms ?? [];
  const named = [...(typeof usual === "string" ? [usual] : usual), ...Object.keys(platforms)];
  const used = rows.flatMap((row) => row.get("platforms") ?? []);
  return [...new Set([...named, ...used].map((name) => name.trim().toLowerCase()))];
}
