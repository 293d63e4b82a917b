/** What cells show by their content, whatever their column is called. */

import {
  Aliases,
  foldPlatform,
  isOtherChannel,
  networkNamed,
  networksIn,
} from "../../checks/networks/network-names.ts";
import { PLATFORM_SEPARATOR } from "../../checks/platforms.ts";
import {
  ENGLISH_MONTHS,
  ENGLISH_WEEKDAYS,
  weekdayNamed,
  weekdayOf,
} from "../../checks/when/written-forms.ts";
import { isRepeated, readRepeat } from "../../checks/series/repeat-words.ts";
import { readWhen } from "../../checks/when/read-when.ts";
import type { DateOrder } from "../../model/fields.ts";
import { splitMedia } from "../../model/address.ts";
import { zoneNamed } from "../../checks/when/zone-names.ts";

/** A field that a cell may belong to; `half`: am or pm beside a time. */
export type CellKind = "platforms" | "media" | "time" | "timezone" | "half" | "repeat";

const SHOWS: Readonly<Record<CellKind, (text: string) => boolean>> = {
  platforms: namesNetworks,
  media: namesMedia,
  time: isTime,
  timezone: namesZone,
  repeat: isRule,
  half: (text) => /^\s*[ap]\.?\s?m\.?\s*$/i.test(text),
};

/** Whether a cell that is not blank looks like this. */
export function showsKind(text: string, kind: CellKind): boolean {
  return SHOWS[kind](text);
}

const MEDIA_FILE = /\.(?:jpe?g|png|gif|webp|heic|mp4|mov|m4v|webm)(?:[?#]\S{0,2000})?$/i;

/** A longer cell holds more than the names of a carousel's pictures, in UTF-16 units. */
const LONGEST_MEDIA = 2_000;

function namesMedia(text: string): boolean {
  const parts = splitMedia(text.slice(0, LONGEST_MEDIA + 1)).map((part) => part.trim());
  return text.length <= LONGEST_MEDIA && parts.every((part) => MEDIA_FILE.test(part));
}

/** A longer text is more than a name, in UTF-16 units. */
const LONGEST_NAMES = 100;

/** Channels such as a newsletter are in the same column as networks. */
function namesNetworks(text: string): boolean {
  return namesIn(text).every((name) => isNetwork(name) || isOtherChannel(name));
}

/** Whether at least one name in a cell is the name of a network. */
export function namesANetwork(text: string): boolean {
  return namesIn(text).some(isNetwork);
}

/** A longer cell is a text, in UTF-16 units. */
const LONGEST_MENTION = 40;

/** Whether a short cell has the name of a network among other words, such as `LinkedIn only`. */
export function mentionsNetwork(text: string): boolean {
  if (text.length > LONGEST_MENTION) return false;
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

function isTime(text: string): boolean {
  if (text.length > LONGEST_TIME || !/\d/.test(text)) return false;
  // A column of times may have dots: 9.30.
  const when = readWhen(text.trim().replace(/^(\d{1,2})\.(\d\d)$/, "$1:$2"), undefined);
  return !("code" in when) && when.time !== undefined && when.day === undefined;
}

/** A longer text is more than a rule in words, in UTF-16 units. */
const LONGEST_RULE = 60;

/** A rule for a row that repeats, or a word such as `once`. */
function isRule(text: string): boolean {
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

function namesZone(text: string): boolean {
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
  if (text.length > LONGEST_NAMES || !/\d/.test(text)) return false;
  const when = readWhen(text, undefined);
  return "code" in when ? when.code === "schedule/ambiguous-date" : when.day !== undefined;
}

/** The date of a cell, with its weekday; undefined if the cell has no date, or its date has several meanings. */
export function dayIn(
  text: string,
  order: DateOrder | undefined,
): { readonly weekday: number; readonly shown: string } | undefined {
  const when = readWhen(text, order);
  if ("code" in when || when.day === undefined) return undefined;
  const { year, month, day } = when.day;
  const weekday = weekdayOf(when.day);
  return {
    weekday,
    shown: `${day} ${ENGLISH_MONTHS[month - 1]} ${year} is a ${ENGLISH_WEEKDAYS[weekday - 1]}`,
  };
}
