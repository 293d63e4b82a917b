/**
 * What a header says about the dates and times of its column. It may name their time zone: `Time (EST)`,
 * `Heure de Paris`, `UTC Time`. It may name their order of day, month and year: `DATE (MONTH/DAY/YEAR)`,
 * `Datum (TT.MM.)`.
 */

import { once } from "../../model/data.ts";
import { networkNamed } from "../../checks/networks/network-names.ts";
import {
  type Abbreviation,
  type Country,
  type ExactZone,
  isSameZone,
  placeNamed,
  usesAbbreviation,
  zoneNamed,
} from "../../checks/when/zone-names.ts";
import { type DateOrder, fieldNamed } from "../../model/fields.ts";
import { LANGUAGES, looseWord, wordsOf } from "../../settings/languages/languages.ts";
import { meaningOf } from "./column-names.ts";

/** What a header says about the zone of its times. */
export type HeaderZone =
  | ExactZone
  | Abbreviation
  | Country
  /** Several zones at once. */
  | { readonly kind: "several"; readonly zones: readonly string[]; readonly text: string }
  /** It looks like a place or a zone that plancast does not know. */
  | { readonly kind: "unknown"; readonly text: string };

/** A longer header is a note, in UTF-16 units. */
const MAX_HEADER = 200;

const BRACKETS = /\(([^()]*)\)|\[([^[\]]*)\]/g;

/** The zone that a header names; undefined if it names none. */
export function zoneInHeader(name: string): HeaderZone | undefined {
  if (name.length > MAX_HEADER) return undefined;
  const notes = [...name.normalize("NFKC").matchAll(BRACKETS)].map(
    ([, round, square]) => round ?? square ?? "",
  );
  return zoneInNotes(notes) ?? zoneWithoutBrackets(name)?.zone ?? zoneWord(name);
}

/** Between two zones in one note: `Berlin, GMT+1`. A name such as Europe/Paris has `/` inside. */
const BETWEEN = /\s*[,、;|&]\s*|\s+[-–—]\s+|\s+(?:and|or|et|ou|und|oder|y|o|e)\s+/u;

function zoneInNotes(notes: readonly string[]): HeaderZone | undefined {
  const found = notes.flatMap((note) => {
    const whole = zoneIn(note);
    if (whole !== undefined) return [whole];
    const parts = note.split(BETWEEN);
    return parts.flatMap((part) => zonePart(part) ?? part.split("/").flatMap((each) => zonePart(each) ?? []));
  });
  if (found.length > 0) return merged(found, notes.join(", ").trim());
  const unknown = notes.find(mayNameZone);
  return unknown === undefined ? undefined : { kind: "unknown", text: unknown.trim() };
}

type KnownZone = Exclude<HeaderZone, { kind: "unknown" }>;

function zoneIn(note: string): KnownZone | undefined {
  const text = note.trim();
  if (text === "" || isPlain(text) || networkNamed(text) !== undefined) return undefined;
  return zoneNamed(text) ?? placeNamed(text);
}

/** Like `zoneIn`, for a part of a note. Two letters there are not the code of a country. */
function zonePart(part: string): KnownZone | undefined {
  const text = part.trim();
  return /^[a-z]{1,2}$/i.test(text) && zoneNamed(text) === undefined ? undefined : zoneIn(text);
}

/** What several names of zones mean together: `CET, Paris` is one zone, and `ET/PT` are two. */
function merged(all: readonly HeaderZone[], text: string): HeaderZone | undefined {
  const [first] = all;
  const exact = all.find((each) => each.kind === "exact") ?? first;
  if (first === undefined || exact === undefined || all.every((each) => isCompatible(exact, each)))
    return exact;
  return { kind: "several", zones: [...new Set(all.flatMap(zonesOf))], text };
}

function isCompatible(one: HeaderZone, other: HeaderZone): boolean {
  if (one.kind === "exact" && other.kind === "abbreviation") return usesAbbreviation(one.zone, other);
  const others = zonesOf(other);
  return zonesOf(one).some((zone) => others.some((each) => isSameZone(zone, each)));
}

/** The zones that a note may mean, the most likely one first. */
export function zonesOf(note: HeaderZone): readonly string[] {
  switch (note.kind) {
    case "exact":
      return [note.zone];
    case "abbreviation":
      return [note.family.example];
    case "unknown":
      return [];
    default:
      return note.zones;
  }
}

/** The abbreviation or offset at the start or the end of a header that `columns:` names, as in `Slot EST`. */
function zoneWord(name: string): HeaderZone | undefined {
  const words = name
    .normalize("NFKC")
    .trim()
    .split(/[\s,_.|:–-]+(?!\d)/);
  const ends = words.length > 1 ? [words.at(-1) ?? "", words[0] ?? ""] : [];
  return ends.flatMap((word) =>
    /^(?:[A-Z]{2,5}|utc|gmt)(?:[+-]\d{1,2})?$/.test(word) ? (zoneNamed(word) ?? []) : [],
  )[0];
}

/** A header such as `Time EST` or `Heure de Paris`, in two parts: the column's name, and the zone. */
function zoneWithoutBrackets(name: string): { readonly zone: HeaderZone; readonly rest: string } | undefined {
  // Any sign may separate them: `scheduled_at_utc`. A minus before a number belongs to the zone: `time_gmt-5`.
  const words = name
    .normalize("NFKC")
    .trim()
    .split(/[\s_.|:–—]+|-(?!\d)/)
    .filter((word) => word !== "");
  if (name.length > MAX_HEADER || isTimeName(words.join(" "))) return undefined;
  for (let at = words.length - 1; at > 0; at -= 1) {
    const [start, end] = [words.slice(0, at).join(" "), words.slice(at).join(" ")];
    for (const [rest, note] of [
      [start.replace(/[\s,:–-]+$/, ""), end.replace(/^[,:–-]\s+/, "")],
      [end, start],
    ] as const) {
      const isCode = /^[A-Z]{2}$/.test(note) && zoneNamed(note) === undefined;
      const zone = isTimeName(rest) && !isCode ? zoneInNotes([note]) : undefined;
      if (zone !== undefined && zone.kind !== "unknown") return { zone, rest };
    }
  }
  return undefined;
}

function isTimeName(name: string): boolean {
  const field = fieldNamed(name) ?? meaningOf(name)?.field;
  return field === "time" || field === "date" || field === "scheduled_at";
}

/** Words in a note that says nothing about a zone: `(local time)`, `(HH:mm)`, `(if known)`. */
const PLAIN_WORDS: ReadonlySet<string> = new Set(
  (
    "h hh mm ss am pm hr hrs hour hours clock time times of day the in a your our my its local format military optional " +
    "required approx approximate approximately estimated tbc tbd tba best suggested planned exact start end if known " +
    "post posting publish publishing published go live auto automatic new final heure heures locale optionnel " +
    "facultatif uhr uhrzeit optional lokal ortszeit hora horas opcional ora ore locale tijd lokaal czas"
  ).split(" "),
);

/** A note with one of these words is about the time. */
const ZONE_WORD =
  /(?<!\p{L})(?:time ?zone|tz|time|zone|fuseau|heure|zeitzone|zeit|zona|hora|ora|tijd|czas)(?!\p{L})|時間|توقيت/iu;

/** Whether a note in brackets may name a place or a zone: names, capitals, or a word such as `time`. */
function mayNameZone(note: string): boolean {
  if (/^\s*\d/.test(note) || isPlain(note) || networkNamed(note) !== undefined) return false;
  return ZONE_WORD.test(note) || otherWords(note).every((word) => /^\p{Lu}/u.test(word));
}

function isPlain(note: string): boolean {
  return otherWords(note).length === 0 && !/\d/.test(note);
}

/** The words of a note that may be a name. A letter that repeats is part of a format, as in `YYYY-MM-DD HH:mm`. */
function otherWords(note: string): string[] {
  const words = note.normalize("NFKC").match(/[\p{L}\p{M}]+/gu) ?? [];
  return words.filter((word) => !PLAIN_WORDS.has(word.toLowerCase()) && !/^(\p{L})\1+$/iu.test(word));
}

// The order of day, month and year.

const PARTS = { day: "d", month: "m", year: "y" } as const;

type DatePart = (typeof PARTS)[keyof typeof PARTS];

/** Letters and words for the parts of a date: `JJ` is a day in French and a year in German. */
const dateParts = once((): ReadonlyMap<string, ReadonlySet<DatePart>> => {
  const found = new Map<string, Set<DatePart>>();
  for (const { dateParts: words } of LANGUAGES)
    for (const name of ["day", "month", "year"] as const)
      for (const word of wordsOf(words[name]).map(looseWord))
        found.set(word, (found.get(word) ?? new Set()).add(PARTS[name]));
  return found;
});

/** Two or three words with one sign between them. */
const DATE_FORMAT = /(?<!\p{L})(\p{L}{1,10})(\s?[-/.]\s?|\s)(\p{L}{1,10})(?:\2(\p{L}{1,10}))?(?!\p{L})/gu;

/** What every format contains: most headers do not, and the patterns above take long to compile. */
const SEVERAL_WORDS = /[\s\-/.]/;

interface HeaderFormat {
  /** Undefined for an order that plancast does not read. */
  readonly order: DateOrder | undefined;
  /** The note as the header writes it. */
  readonly text: string;
}

/** The format of dates that a header names; undefined if it names none. */
export function formatInHeader(name: string): HeaderFormat | undefined {
  if (name.length > MAX_HEADER) return undefined;
  const text = name.normalize("NFKC");
  if (!SEVERAL_WORDS.test(text)) return undefined;
  for (let from = 0; from < text.length;) {
    DATE_FORMAT.lastIndex = from;
    const match = DATE_FORMAT.exec(text);
    if (match === null) return undefined;
    const [whole, first = "", , second = "", third] = match;
    const words = third === undefined ? [first, second] : [first, second, third];
    const orders = ordersOf(words);
    // A day and a month with a year before or after it; a month and a year say no order.
    const [order, ...others] = orders;
    if (order !== undefined) return { order: others.length > 0 ? undefined : ORDERS.get(order), text: whole };
    from = match.index + first.length;
  }
  return undefined;
}

/** The orders of different parts that words can mean: `dmy`. */
function ordersOf(words: readonly string[]): readonly string[] {
  let found = [""];
  for (const word of words) {
    const parts = [...(dateParts().get(looseWord(word)) ?? [])];
    found = found.flatMap((before) =>
      parts.flatMap((part) => (before.includes(part) ? [] : [before + part])),
    );
  }
  return found.filter((order) => order.includes("d"));
}

const ORDERS: ReadonlyMap<string, DateOrder> = new Map([
  ["dmy", "dmy"],
  ["dm", "dmy"],
  ["mdy", "mdy"],
  ["md", "mdy"],
  ["ymd", "ymd"],
]);

/** A header such as `Time EST` or `Date DD/MM/YYYY` without its zone or format; undefined if it has neither. */
export function withoutNote(name: string): string | undefined {
  const zoned = zoneWithoutBrackets(name)?.rest;
  if (zoned !== undefined) return zoned;
  const format = formatInHeader(name);
  return format === undefined ? undefined : name.normalize("NFKC").replace(format.text, "").trim();
}
