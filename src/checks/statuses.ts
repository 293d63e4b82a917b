/** What a row's status means, and one problem for all the words of a calendar that need an answer. */

import { yamlKey } from "../model/columns.ts";
import { type Status, type StatusReading, STATUSES } from "../model/fields.ts";
import { type Problem, type Question, problem } from "../model/problem.ts";
import { foldName, nearest, rowsText } from "../model/text.ts";
import type { Calendar, CalendarSettings } from "../settings/calendar-settings.ts";
import { statusWord } from "../settings/languages/languages.ts";
import type { Value } from "./row-view.ts";

type StatusWords = CalendarSettings["status_values"];
type StatusCell = Pick<Value, "text" | "at">;

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
  return value === undefined || folded === "" ? "ready" : (statusWord(value.text) ?? "unknown");
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

/** A word that needs an answer, with its first cell and its number of rows. */
interface UnclearWord {
  readonly text: string;
  readonly first: StatusCell;
  rows: number;
}

/** Words of one calendar that plancast does not know, or that may mean a post in another tool. */
export class UnclearStatuses {
  readonly #words: Record<"unknown" | "scheduled", Map<string, UnclearWord>> = {
    unknown: new Map(),
    scheduled: new Map(),
  };

  note(value: StatusCell | undefined, reading: StatusReading): void {
    if (value === undefined || (reading !== "unknown" && reading !== "scheduled")) return;
    const { text } = value;
    const key = foldName(text);
    const known = this.#words[reading].get(key) ?? { text, first: value, rows: 0 };
    known.rows += 1;
    this.#words[reading].set(key, known);
  }

  /** @param words the calendar's `status_values` */
  problems(words: StatusWords): Problem[] {
    const { unknown, scheduled } = this.#words;
    return [...unknownStatuses([...unknown.values()], words), ...scheduledStatuses([...scheduled.values()])];
  }
}

/** Maximum number of words in one message. */
const MAX_WORDS = 20;

function unknownStatuses(unknown: readonly UnclearWord[], words: StatusWords): Problem[] {
  const [first] = unknown;
  if (first === undefined) return [];
  const own = Object.keys(words);
  const entries = unknown.slice(0, MAX_WORDS).map(({ text, rows }) => {
    const near = nearest(text, [...STATUSES, ...own]);
    // Only the team knows, and a pasted guess would publish a post or keep it back for ever.
    const meaning = near === undefined ? "draft" : readStatus({ text: near }, words);
    const hint = near === undefined ? "" : `, did you mean "${near}"?`;
    return { shown: `"${text}" (${rowsText(rows)}${hint})`, line: `${yamlKey(text)}: ${meaning}` };
  });
  const more = unknown.length > MAX_WORDS ? ` and ${unknown.length - MAX_WORDS} more` : "";
  const list = entries.map(({ shown }) => shown).join(", ");
  const message =
    `plancast does not know ${unknown.length === 1 ? "this status" : "these statuses"}: ${list}${more}. ` +
    `Say in plancast.yaml what each means: \`status_values: { ${entries.map(({ line }) => line).join(", ")} }\`. ` +
    "A draft is not published. Write `ready` for posts to publish, and `skip` for posts that must never be published.";
  return [{ ...problem("row/status", message, first.first.at()), questions: unknown.map(questionOf) }];
}

function scheduledStatuses(scheduled: readonly UnclearWord[]): Problem[] {
  const [first] = scheduled;
  if (first === undefined) return [];
  const list = scheduled.map(({ text, rows }) => `"${text}" (${rowsText(rows)})`).join(", ");
  const block = (meaning: Status): string =>
    `\`status_values: { ${scheduled.map(({ text }) => `${yamlKey(text)}: ${meaning}`).join(", ")} }\``;
  const message =
    `plancast plans rows with the status ${list}. If they are already scheduled in another tool, they would be published twice: ` +
    `set ${block("skip")} in plancast.yaml. If not, set ${block("ready")}.`;
  return [{ ...problem("row/scheduled", message, first.first.at()), questions: scheduled.map(questionOf) }];
}

function questionOf({ text: word, rows }: UnclearWord): Question {
  return { topic: "status", word, rows };
}
