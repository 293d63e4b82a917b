/** Names of time zones as people write them: IANA names, offsets, abbreviations, cities and countries. */

import { once } from "../../model/data.ts";
import { findZone, zoneMeant } from "./local-time.ts";
import { LANGUAGES, looseWord } from "../../settings/languages/languages.ts";

export interface ExactZone {
  readonly kind: "exact";
  readonly zone: string;
  readonly text: string;
}

/** `EST` may be a fixed offset, or the place that has it in winter: only `timezone:` can say which. */
export interface Abbreviation {
  readonly kind: "abbreviation";
  readonly text: string;
  readonly family: ZoneFamily;
  readonly isSummer: boolean;
}

/** A country with several zones. */
export interface Country {
  readonly kind: "country";
  readonly text: string;
  readonly zones: readonly string[];
}

/** Offsets in minutes of places that share abbreviations, with an example. */
interface ZoneFamily {
  readonly standard: number;
  readonly summer: number;
  readonly example: string;
}

const UTC = /^(?:utc|z|zulu|utc time)$/i;
const OFFSET = /^(?:(?:utc|gmt)\s*([+\-−])\s*(\d{1,2})(?::?(\d\d))?|([+\-−])(\d{1,2}):(\d\d))$/i;

/** A zone as its IANA name, an offset or an abbreviation. */
export function zoneNamed(text: string): ExactZone | Abbreviation | undefined {
  if (UTC.test(text)) return { kind: "exact", zone: "UTC", text };
  const offset = OFFSET.exec(text);
  if (offset !== null) {
    const sign = (offset[1] ?? offset[4]) === "+" ? 1 : -1;
    const minutes = sign * (Number(offset[2] ?? offset[5]) * 60 + Number(offset[3] ?? offset[6] ?? 0));
    const zone = zoneAtOffset(minutes);
    return zone === undefined ? undefined : { kind: "exact", zone, text };
  }
  if (text.includes("/") && findZone(text) !== undefined) return { kind: "exact", zone: text, text };
  const words = text.split("/").map((word) =>
    word
      .trim()
      .toUpperCase()
      .replace(/ TIME$/, ""),
  );
  const found = words.map((word) => ABBREVIATIONS.get(word));
  const [first] = found;
  if (first === undefined || !found.every((each) => each?.family === first.family)) return undefined;
  return { kind: "abbreviation", text, ...first };
}

/** A zone with this offset all year. */
export function zoneAtOffset(minutes: number): string | undefined {
  if (minutes === 0) return "UTC";
  if (minutes % 60 !== 0) return PART_HOURS.get(minutes);
  // The signs of these names are the other way around.
  const name = `Etc/GMT${minutes > 0 ? "-" : "+"}${Math.abs(minutes) / 60}`;
  return findZone(name) === undefined ? undefined : name;
}

const PART_HOURS: ReadonlyMap<number, string> = new Map([
  [330, "Asia/Kolkata"],
  [345, "Asia/Kathmandu"],
  [270, "Asia/Kabul"],
  [390, "Asia/Yangon"],
  [570, "Australia/Darwin"],
]);

/** Words around a place: `Paris time`, `heure de Paris`. */
const AROUND_PLACE =
  /(?<!\p{L})(?:local time|time zone|time|heure|uhrzeit|zeit|hora|ora|tijd|in|at|à|de|du|des|del|di|d[’'])(?!\p{L})|(?:標準)?時間?$|^بتوقيت\s/giu;

/** The zone of a city or a country. */
export function placeNamed(text: string): ExactZone | Country | undefined {
  const place = text.replaceAll(AROUND_PLACE, " ").replaceAll(/\s+/g, " ").trim();
  if (!/^\p{L}[\p{L} .'-]+$/u.test(place)) return undefined;
  const city = place.length < 3 ? undefined : zoneMeant(place.normalize("NFKD").replaceAll(/\p{M}/gu, ""));
  if (city !== undefined) return { kind: "exact", zone: city, text };
  const zones = zonesOfCountry(place);
  const [first] = zones;
  if (first === undefined) return undefined;
  const areSame = zones.every((zone) => hasSameOffsets(zone, first));
  return areSame ? { kind: "exact", zone: first, text } : { kind: "country", zones, text };
}

/** Names of countries that no list has. */
const SHORT_NAMES: ReadonlyMap<string, string> = new Map([
  ["usa", "US"],
  ["uae", "AE"],
  ["england", "GB"],
  ["scotland", "GB"],
  ["wales", "GB"],
  ["holland", "NL"],
]);

/** The codes of all countries, by their names in every language. */
const countries = once((): ReadonlyMap<string, string> => {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".split("");
  const codes = letters.flatMap((one) => letters.map((two) => one + two));
  const found = new Map(SHORT_NAMES);
  for (const { code: language } of LANGUAGES) {
    const names = new Intl.DisplayNames([language], { type: "region", fallback: "none" });
    for (const code of codes) {
      const name = names.of(code);
      if (name !== undefined) found.set(looseWord(name), code);
    }
  }
  return found;
});

/** The zones of a country, by its name or its code in capitals. */
function zonesOfCountry(name: string): readonly string[] {
  const code = /^[A-Z]{2}$/.test(name) ? name : countries().get(looseWord(name));
  return code === undefined ? [] : zonesOfRegion(code);
}

interface RegionLocale extends Intl.Locale {
  /** In newer programs, a method replaces this property. */
  readonly timeZones?: readonly string[];
  getTimeZones?(): readonly string[] | undefined;
}

function zonesOfRegion(code: string): readonly string[] {
  const locale: RegionLocale = new Intl.Locale("und", { region: code });
  return locale.getTimeZones?.() ?? locale.timeZones ?? [];
}

/** Whether two zones have the same offsets in winter and in summer. */
function hasSameOffsets(one: string, other: string): boolean {
  return offsetsOf(one).join() === offsetsOf(other).join();
}

/** Offsets in January and July, minutes; none for an unknown zone. */
function offsetsOf(name: string): readonly number[] {
  const zone = findZone(name);
  return zone === undefined
    ? []
    : [Date.UTC(2036, 0, 15), Date.UTC(2036, 6, 15)].map((ms) => zone.offset(ms));
}

/** Whether two names mean the same zone, such as `Asia/Kolkata` and `Asia/Calcutta`. */
export function isSameZone(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase() || canonicalZone(one) === canonicalZone(other);
}

function canonicalZone(name: string): string {
  if (findZone(name) === undefined) return name;
  return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
}

/** Abbreviations that some places use only for a part of the year, or for several zones. Offsets in minutes. */
const FAMILIES: readonly (readonly [
  standard: string,
  offset: number,
  example: string,
  summer?: string,
  both?: string,
])[] = [
  ["EST", -300, "America/New_York", "EDT", "ET,EASTERN"],
  ["CST", -360, "America/Chicago", "CDT", "CT,CENTRAL"],
  ["MST", -420, "America/Denver", "MDT", "MT,MOUNTAIN"],
  ["PST", -480, "America/Los_Angeles", "PDT", "PT,PACIFIC"],
  ["AST", -240, "America/Halifax", "ADT", "AT,ATLANTIC"],
  ["GMT", 0, "Europe/London", "BST", "UK"],
  ["WET", 0, "Europe/Lisbon", "WEST"],
  ["CET", 60, "Europe/Paris", "CEST"],
  ["MEZ", 60, "Europe/Berlin", "MESZ"],
  ["EET", 120, "Europe/Athens", "EEST"],
  ["IST", 330, "Asia/Kolkata"],
  ["AEST", 600, "Australia/Sydney", "AEDT", "AET"],
  ["NZST", 720, "Pacific/Auckland", "NZDT"],
  ["JST", 540, "Asia/Tokyo"],
  ["KST", 540, "Asia/Seoul"],
  ["SGT", 480, "Asia/Singapore"],
  ["HKT", 480, "Asia/Hong_Kong"],
  ["SAST", 120, "Africa/Johannesburg"],
  ["BRT", -180, "America/Sao_Paulo"],
];

const ABBREVIATIONS = new Map(
  FAMILIES.flatMap(([standard, offset, example, summer, both = ""]) => {
    const family = { standard: offset, summer: summer === undefined ? offset : offset + 60, example };
    return [standard, summer ?? [], both === "" ? [] : both.split(",")].flat().map((word) => {
      return [word, { family, isSummer: word === summer }] as const;
    });
  }),
);

/** Whether people in a zone may use the abbreviation: it has these offsets, or the offset that people mean all year. */
export function usesAbbreviation(
  zoneName: string,
  { family: { standard, summer }, isSummer }: Abbreviation,
): boolean {
  const [january, july] = offsetsOf(zoneName);
  if (january === undefined) return false;
  if (january === july) return january === (isSummer ? summer : standard);
  return (january === standard && july === summer) || (january === summer && july === standard);
}

/** The offset of an abbreviation, as people write it: `UTC-5`. */
export function offsetOf({ family: { standard, summer }, isSummer }: Abbreviation): string {
  const minutes = isSummer ? summer : standard;
  const part = Math.abs(minutes % 60);
  return `UTC${minutes < 0 ? "-" : "+"}${Math.floor(Math.abs(minutes) / 60)}${part === 0 ? "" : `:${part}`}`;
}
