import { DateTime, IANAZone } from "luxon";
import { foldName, nearest } from "./text.ts";

const zones = new Map<string, IANAZone | undefined>();

/**
 * The zone of that name; undefined if there is none. Names without a region, such as `EST` or `CET`, are refused
 * although tzdata has them: people who write them mean a place with daylight saving time.
 */
export function findZone(name: string): IANAZone | undefined {
  if (!zones.has(name)) {
    const isName = /^(utc|gmt)$|^[a-z_]+\/[a-z0-9_+/-]+$/i.test(name);
    const zone = isName ? IANAZone.create(name) : undefined;
    zones.set(name, zone?.isValid === true ? zone : undefined);
  }
  return zones.get(name);
}

/** A UTC time as a message names it: `2027-03-01 09:30 (Europe/Paris)`. A time that cannot be read stays as it is. */
export function timeInZone(time: string, timezone: string): string {
  const local = DateTime.fromISO(time, { zone: timezone });
  if (!local.isValid) return time;
  return `${local.toFormat(local.second === 0 ? "yyyy-MM-dd HH:mm" : "yyyy-MM-dd HH:mm:ss")} (${timezone})`;
}

const COMMON_ABBREVIATIONS = new Map([
  ["est", "America/New_York"],
  ["edt", "America/New_York"],
  ["cst", "America/Chicago"],
  ["mst", "America/Denver"],
  ["pst", "America/Los_Angeles"],
  ["pdt", "America/Los_Angeles"],
  ["bst", "Europe/London"],
  ["wet", "Europe/Lisbon"],
  ["cet", "Europe/Paris"],
  ["cest", "Europe/Paris"],
  ["eet", "Europe/Helsinki"],
  ["ist", "Asia/Kolkata"],
  ["jst", "Asia/Tokyo"],
  ["aest", "Australia/Sydney"],
]);

/** A zone to suggest for an unknown name: by abbreviation, by city, or by spelling. */
export function suggestZone(name: string): string | undefined {
  const wanted = foldName(name);
  const names = Intl.supportedValuesOf("timeZone");
  return (
    COMMON_ABBREVIATIONS.get(wanted) ??
    names.find((each) => each.toLowerCase().split("/").at(-1) === wanted) ??
    nearest(wanted, names)
  );
}
