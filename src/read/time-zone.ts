import { nearest } from "./nearest.ts";

/** Whether a name is an IANA zone. An offset such as `+02:00`, which newer engines accept as one, is not. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

/** The zone that a name most likely means: mistyped, or the city alone. */
export function nearestTimeZone(name: string): string | undefined {
  const zones = Intl.supportedValuesOf("timeZone");
  const city = name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, "_");
  return zones.find((zone) => zone.toLowerCase().endsWith(`/${city}`)) ?? nearest(name, zones);
}
