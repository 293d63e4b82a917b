/** What a header says in brackets about the cells below it: a time zone, or the order of day, month and year. */

import type { DateOrder } from "../../model/fields.ts";
import { findZone } from "../../checks/when/local-time.ts";
import { LANGUAGES, looseWord, wordsOf } from "../../settings/languages/languages.ts";

/** A zone in a header. */
export type HeaderZone =
  | { readonly kind: "exact"; readonly zone: string; readonly text: string }
  /** `EST` may be a fixed offset, or the place that has it in winter: only `timezone:` can say which. */
  | { readonly kind: "abbreviation"; readonly text: string; readonly family: ZoneFamily; readonly isSummer: boolean };

/** Offsets in minutes of places that share abbreviations, with an example. */
interface ZoneFamily {
  readonly standard: number;
  readonly summer: number;
  readonly example: string;
}

/** Longer headers are notes, UTF-16 units. */
const MAX_HEADER = 200;

const BRACKETS = /\(([^()]*)\)|\[([^[\]]*)\]/g;
const FIRST_WORD = /^([A-Z]{1,5}(?:[+-]\d{1,2})?)\s+\S/;
const LAST_WORD = /[\s,–-]([A-Z]{2,5}(?:[+-]\d{1,2})?)$/;

/** The zone that a header names, as in `Time (EST)`, `Time EST` or `UTC Time`; undefined if it names none. */
export function zoneInHeader(name: string): HeaderZone | undefined {
  if (name.length > MAX_HEADER) return undefined;
  for (const text of inBrackets(name)) {
    const zone = zoneNamed(text) ?? placeNamed(text);
    if (zone !== undefined) return zone;
  }
  return zoneWithoutBrackets(name)?.zone;
}

/** A header such as `Time EST` or `Date DD/MM/YYYY` without its zone or format; undefined if it has neither. */
export function withoutNote(name: string): string | undefined {
  if (name.length > MAX_HEADER) return undefined;
  const zoned = zoneWithoutBrackets(name)?.rest;
  if (zoned !== undefined) return zoned;
  return orderInHeader(name) === undefined ? undefined : name.normalize("NFKC").replace(DATE_FORMAT, "").trim();
}

function zoneWithoutBrackets(name: string): { readonly zone: HeaderZone; readonly rest: string } | undefined {
  const trimmed = name.normalize("NFKC").trim();
  for (const pattern of [LAST_WORD, FIRST_WORD]) {
    const word = pattern.exec(trimmed)?.[1];
    const zone = word === undefined ? undefined : zoneNamed(word);
    if (word === undefined || zone === undefined) continue;
    const rest =
      pattern === LAST_WORD ? trimmed.slice(0, -word.length).replace(/[\s,–-]{1,200}$/, "") : trimmed.slice(word.length);
    return { zone, rest: rest.trim() };
  }
  return undefined;
}

function inBrackets(name: string): string[] {
  return [...name.normalize("NFKC").matchAll(BRACKETS)].map(([, round, square]) => (round ?? square ?? "").trim());
}

const UTC = /^(?:utc|z|zulu|utc time)$/i;
const OFFSET = /^(?:(?:utc|gmt)\s*([+\-−])\s*(\d{1,2})(?::?(\d\d))?|([+\-−])(\d{1,2}):(\d\d))$/i;

/** A zone as its IANA name, an offset or an abbreviation. */
export function zoneNamed(text: string): HeaderZone | undefined {
  if (UTC.test(text)) return { kind: "exact", zone: "UTC", text };
  const offset = OFFSET.exec(text);
  if (offset !== null) {
    const sign = (offset[1] ?? offset[4]) === "+" ? 1 : -1;
    const minutes = sign * (Number(offset[2] ?? offset[5]) * 60 + Number(offset[3] ?? offset[6] ?? 0));
    const zone = zoneAtOffset(minutes);
    return zone === undefined ? undefined : { kind: "exact", zone, text };
  }
  if (text.includes("/") && findZone(text) !== undefined) return { kind: "exact", zone: text, text };
  const words = text.split("/").map((word) => word.trim().toUpperCase().replace(/ TIME$/, ""));
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

/** `Paris`, `Paris time` or `heure de Paris`: the zone of a city. */
function placeNamed(text: string): HeaderZone | undefined {
  const city = text
    .replaceAll(/\b(?:local time|time zone|time|heure d[e’']|heure|uhrzeit|zeit|hora de|hora|ora di|ora|tijd)\b/giu, "")
    .trim();
  if (!/^\p{L}[\p{L} .'-]{2,}$/u.test(city)) return undefined;
  const wanted = city.toLowerCase().replaceAll(" ", "_");
  const zone = Intl.supportedValuesOf("timeZone").find((each) => each.toLowerCase().split("/").at(-1) === wanted);
  return zone === undefined ? undefined : { kind: "exact", zone, text };
}

/** Abbreviations that some places use only for a part of the year, or for several zones. Offsets in minutes. */
const FAMILIES: readonly (readonly [standard: string, summer: string, both: string, ZoneFamily])[] = [
  ["EST", "EDT", "ET,EASTERN", { standard: -300, summer: -240, example: "America/New_York" }],
  ["CST", "CDT", "CT,CENTRAL", { standard: -360, summer: -300, example: "America/Chicago" }],
  ["MST", "MDT", "MT,MOUNTAIN", { standard: -420, summer: -360, example: "America/Denver" }],
  ["PST", "PDT", "PT,PACIFIC", { standard: -480, summer: -420, example: "America/Los_Angeles" }],
  ["AST", "ADT", "AT,ATLANTIC", { standard: -240, summer: -180, example: "America/Halifax" }],
  ["GMT", "BST", "UK", { standard: 0, summer: 60, example: "Europe/London" }],
  ["WET", "WEST", "", { standard: 0, summer: 60, example: "Europe/Lisbon" }],
  ["CET", "CEST", "", { standard: 60, summer: 120, example: "Europe/Paris" }],
  ["MEZ", "MESZ", "", { standard: 60, summer: 120, example: "Europe/Berlin" }],
  ["EET", "EEST", "", { standard: 120, summer: 180, example: "Europe/Athens" }],
  ["IST", "", "", { standard: 330, summer: 330, example: "Asia/Kolkata" }],
  ["AEST", "AEDT", "AET", { standard: 600, summer: 660, example: "Australia/Sydney" }],
  ["NZST", "NZDT", "", { standard: 720, summer: 780, example: "Pacific/Auckland" }],
  ["JST", "", "", { standard: 540, summer: 540, example: "Asia/Tokyo" }],
  ["KST", "", "", { standard: 540, summer: 540, example: "Asia/Seoul" }],
  ["SGT", "", "", { standard: 480, summer: 480, example: "Asia/Singapore" }],
  ["HKT", "", "", { standard: 480, summer: 480, example: "Asia/Hong_Kong" }],
  ["SAST", "", "", { standard: 120, summer: 120, example: "Africa/Johannesburg" }],
  ["BRT", "", "", { standard: -180, summer: -180, example: "America/Sao_Paulo" }],
];

const ABBREVIATIONS = new Map(
  FAMILIES.flatMap(([standard, summer, both, family]) =>
    [standard, summer, ...both.split(",")].flatMap((word) =>
      word === "" ? [] : [[word, { family, isSummer: word === summer }] as const],
    ),
  ),
);

/** Whether people in a zone may use the abbreviation: it has these offsets, or the offset that people mean all year. */
export function usesAbbreviation(
  zoneName: string,
  { family: { standard, summer }, isSummer }: HeaderZone & { kind: "abbreviation" },
): boolean {
  const zone = findZone(zoneName);
  if (zone === undefined) return false;
  const [january, july] = [Date.UTC(2036, 0, 15), Date.UTC(2036, 6, 15)].map((ms) => zone.offset(ms));
  if (january === july) return january === (isSummer ? summer : standard);
  return (january === standard && july === summer) || (january === summer && july === standard);
}

/** Letters and words for the parts of a date in every language: `JJ` is a day in French and a year in German. */
let madeParts: readonly ReadonlyMap<string, "d" | "m" | "y">[] | undefined;

function datePartsByLanguage(): readonly ReadonlyMap<string, "d" | "m" | "y">[] {
  madeParts ??= LANGUAGES.map(({ dateParts: { day, month, year } }) => {
    const parts = [
      [day, "d"],
      [month, "m"],
      [year, "y"],
    ] as const;
    return new Map(
      parts.flatMap(([list, part]) => wordsOf(list).map((word) => [looseWord(word), part] as const)),
    );
  });
  return madeParts;
}

const DATE_FORMAT = /(\p{L}{1,10})\s?([-/.])\s?(\p{L}{1,10})\s?\2\s?(\p{L}{1,10})/u;

/**
 * The order that a header says, as in `DATE (MONTH/DAY/YEAR)` or `TT.MM.JJJJ`: with the day or the month first. Undefined
 * if it says none, or if languages disagree.
 */
export function orderInHeader(name: string): DateOrder | undefined {
  if (name.length > MAX_HEADER) return undefined;
  const [, first = "", , second = "", third = ""] = DATE_FORMAT.exec(name.normalize("NFKC")) ?? [];
  const orders = new Set<string>();
  for (const parts of datePartsByLanguage()) {
    const order = [first, second, third].map((word) => parts.get(looseWord(word)) ?? "?").join("");
    if (order === "dmy" || order === "mdy") orders.add(order);
  }
  const [order, ...others] = orders;
  return others.length > 0 || (order !== "dmy" && order !== "mdy") ? undefined : order;
}
