/** What a row's status means. */

import { type Status, type StatusReading, STATUSES } from "../model/fields.ts";
import { foldName } from "../model/text.ts";
import type { Calendar, CalendarSettings } from "../settings/calendar-settings.ts";
import { statusWord } from "../settings/languages/languages.ts";
import type { Value } from "./row-view.ts";

type StatusWords = CalendarSettings["status_values"];

/**
 * The effect of a row's status. The team's own words have priority, then plancast's words, then the words of the
 * languages. A blank cell means ready, unless the settings say otherwise.
 */
export function readStatus(value: Pick<Value, "text"> | undefined, words: StatusWords): StatusReading {
  if (value === undefined && Object.keys(words).length === 0) return "ready";
  const folded = foldName(value?.text ?? "");
  const own = Object.entries(words).find(([word]) => foldName(word) === folded);
  const known = own?.[1] ?? STATUSES.find((status) => status === folded);
  if (known !== undefined) return known;
  if (value === undefined || folded === "") return "ready";
  const word = statusWord(value.text);
  return word === undefined || word === "unclear" ? "unknown" : word;
}

/** A word with the number of rows that have it. */
type CountedWord = readonly [word: string, rows: number];

/**
 * The words with which a calendar writes a status, with their rows, most frequent first: its own, otherwise plancast's.
 * More than one means that somebody must choose. None: plancast's own word has another meaning here.
 */
export function wordsForStatus(
  calendar: Pick<Calendar, "rows" | "settings">,
  status: Exclude<Status, "skip">,
): readonly CountedWord[] {
  const own = ownWordsForStatus(calendar, status);
  if (own.length > 0) return own;
  return readStatus({ text: status }, calendar.settings.status_values) === status ? [[status, 0]] : [];
}

/** Like `wordsForStatus`, without plancast's own word: the words of its rows, otherwise those of `status_values`. */
export function ownWordsForStatus(
  { rows, settings: { status_values: words } }: Pick<Calendar, "rows" | "settings">,
  status: Exclude<Status, "skip">,
): readonly CountedWord[] {
  const texts = rows.map(({ cells }) => (typeof cells.status === "string" ? cells.status.trim() : ""));
  const used = countWords(texts.filter((text) => text !== "" && readStatus({ text }, words) === status));
  if (used.length > 0) return used;
  const known = Object.keys(words).filter((word) => word.trim() !== "" && words[word] === status);
  return known.map((word) => [word, 0] as const);
}

/** Each word once, in its most frequent spelling, most frequent first. */
export function countWords(texts: readonly string[]): readonly CountedWord[] {
  const used = new Map<string, Map<string, number>>();
  for (const text of texts) {
    const spellings = used.get(foldName(text)) ?? new Map<string, number>();
    used.set(foldName(text), spellings.set(text, (spellings.get(text) ?? 0) + 1));
  }
  const words = [...used.values()].map((spellings): CountedWord => {
    const [[word] = [""]] = [...spellings].sort(([, one], [, other]) => other - one);
    return [word, [...spellings.values()].reduce((sum, rows) => sum + rows, 0)];
  });
  return words.sort(([, one], [, other]) => other - one);
}
