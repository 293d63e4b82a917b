/** What cells show by their content, whatever their column is called. */

import { Aliases, foldPlatform, networkNamed, networksIn } from "../../checks/networks/network-names.ts";
import { PLATFORM_SEPARATOR } from "../../checks/platforms.ts";
import { weekdayNamed, weekdayOf } from "../../checks/when/written-forms.ts";
import { isRepeated, readRepeat } from "../../checks/series/repeat-words.ts";
import { readWhen } from "../../checks/when/read-when.ts";
import type { DateOrder } from "../../model/fields.ts";
import { splitMedia } from "../../model/address.ts";
import { zoneNamed } from "../../checks/when/zone-names.ts";

const MEDIA_FILE = /\.(?:jpe?g|png|gif|webp|heic|mp4|mov|m4v|webm)(?:[?#]\S{0,2000})?$/i;

/** A longer cell holds more than the names of a carousel's pictures, in UTF-16 units. */
const LONGEST_MEDIA = 2_000;

/** Whether a cell that is not blank names only pictures and videos. */
export function namesMedia(text: string): boolean {
  const parts = splitMedia(text.slice(0, LONGEST_MEDIA + 1)).map((part) => part.trim());
  return text.length <= LONGEST_MEDIA && parts.every((part) => MEDIA_FILE.test(part));
}

/** A longer text is more than a name, in UTF-16 units. */
const LONGEST_NAMES = 100;

/** Whether at least one name in a cell is the name of a network. */
export function namesANetwork(text: string): boolean {
  return namesIn(text).some(isNetwork);
}

/** A longer cell is a text, in UTF-16 units. */
const LONGEST_MENTION = 40;

/** Whether a short cell has the name of a network among other words, such as `LinkedIn only`. */
export function mentionsNetwork(text: string): boolean {
  if (text.length > LONGEST_MENTION || text.includes("://")) return false;
  const words = text.split(/[^\p{L}\p{M}\p{N}]+/u);
  // A small x is a mark, or a sign between two names.
  return words.some((word) => word !== "x" && networkNamed(word) !== undefined);
}

/** No part of a text that is too long for a list of names is a name. */
function namesIn(text: string): readonly string[] {
  return text.length > LONGEST_NAMES ? [""] : text.split(PLATFORM_SEPARATOR).map(foldPlatform);
}

function isNetwork(name: string): boolean {
  return name !== "" && networksIn(name, NO_ALIASES) !== undefined;
}

export const NO_ALIASES = new Aliases();

/** A longer text is more than a time, in UTF-16 units. */
const LONGEST_TIME = 20;

/** `9 am`, `noon`, `half past six` */
export function isTime(text: string): boolean {
  if (text.length > LONGEST_TIME || !/\p{Nd}/u.test(text)) return false;
  // A column of times may have dots: 9.30.
  const when = readWhen(text.trim().replace(/^(\d{1,2})\.(\d\d)$/, "$1:$2"), undefined);
  return !("code" in when) && when.time !== undefined && when.day === undefined;
}

/** A longer text is more than a rule in words, in UTF-16 units. */
const LONGEST_RULE = 60;

/** A rule for a row that repeats, or a word such as `once`. */
export function isRule(text: string): boolean {
  return text.length <= LONGEST_RULE && (!isRepeated(text.trim()) || repeats(text));
}

/** Whether a cell is a rule such as `weekly`. */
export function repeats(text: string): boolean {
  const word = text.trim();
  return isRepeated(word) && !("message" in readRepeat(word, dayMs));
}

function dayMs(text: string): number | undefined {
  const when = readWhen(text, undefined);
  return "code" in when || when.day === undefined
    ? undefined
    : Date.UTC(when.day.year, when.day.month - 1, when.day.day);
}

/** Abbreviations that are also codes of countries, states or languages. */
const OTHER_CODES: ReadonlySet<string> = new Set(["AT", "CT", "MT", "UK"]);

export function namesZone(text: string): boolean {
  const zone = text.trim();
  return (
    zone.length <= LONGEST_NAMES && !OTHER_CODES.has(zone.toUpperCase()) && zoneNamed(zone) !== undefined
  );
}

/** The weekday in a cell: 1 is Monday; undefined for any other text. */
export function weekdayIn(text: string): number | undefined {
  return text.length > LONGEST_TIME ? undefined : weekdayNamed(text.trim().replaceAll(/[.()]/g, ""));
}

/** Whether a cell is a date, with or without a time. */
export function namesDay(text: string): boolean {
  if (text.length > LONGEST_NAMES || !/\p{Nd}/u.test(text)) return false;
  const when = readWhen(text, undefined);
  return "code" in when ? when.code === "schedule/ambiguous-date" : when.day !== undefined;
}

/** The weekday of the date in a cell; undefined if the cell has no date, or its date has several meanings. */
export function weekdayOfDate(text: string, order: DateOrder | undefined): number | undefined {
  const when = readWhen(text, order);
  return "code" in when || when.day === undefined ? undefined : weekdayOf(when.day);
}
