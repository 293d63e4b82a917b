/**
 * The pool of a row that repeats: texts that its posts take in turn, never the same one twice within `spacing`. The
 * lockfile stores which post has which text. Pure.
 */

import { hash } from "node:crypto";
import { canonicalContent } from "../../model/canonical.ts";
import { splitThread } from "../../model/extras.ts";
import { type Problem, problem } from "../../model/problem.ts";
import { formatNumber } from "../../model/text.ts";
import type { RowView } from "../row-view.ts";

export interface Pool {
  readonly texts: readonly PoolText[];
  /** Fewest days between two posts with the same text. 0 without a limit. */
  readonly spacing: number;
}

export interface PoolText {
  /** With its variables. */
  readonly text: string;
  /** Identifies the text in the lockfile. */
  readonly mark: string;
  /** Its place in a list, from 0. Undefined if all texts are in one cell. */
  readonly item: number | undefined;
}

/** More are a mistake. */
const MAX_TEXTS = 200;
const MAX_SPACING_DAYS = 366;

/** `30d`, `30 days`, `4 weeks`, or the number of days. */
const SPACING = /^(\d{1,3})\s?(d|days?|w|weeks?|)$/i;

/** The row's pool. Undefined without one, or if there are problems, which are added to `problems`. */
export function readPool(row: RowView, problems: Problem[]): Pool | undefined {
  const before = problems.length;
  const [cell, spaced] = [row.own("pool"), row.own("spacing")];
  const add = (message: string, at = cell?.at()): void => {
    problems.push(problem("row/pool", message, at));
  };
  const days = spaced === undefined ? 0 : spacingDays(spaced.text);
  if (days === undefined) add(SPACING_FORM, spaced?.at());
  if (cell === undefined) {
    if (spaced !== undefined) add(NO_POOL, spaced.at());
    return undefined;
  }
  const written = cell.isList ? cell.items : splitThread(cell.written);
  const texts = written.flatMap((text, item): PoolText[] => {
    const said = canonicalContent(text);
    return said.trim() === ""
      ? []
      : [{ text, mark: hash("sha256", said).slice(0, 16), item: cell.isList ? item : undefined }];
  });
  if (texts.length === 0) add(EMPTY);
  if (texts.length > MAX_TEXTS)
    add(`The pool has ${formatNumber(texts.length)} texts, but at most ${MAX_TEXTS} are allowed.`);
  const seen = new Map<string, number>();
  for (const [index, { mark, item }] of texts.entries()) {
    const first = seen.get(mark);
    if (first === undefined) seen.set(mark, index);
    else
      add(`Texts ${first + 1} and ${index + 1} of the pool are the same. Remove one of them.`, cell.at(item));
  }
  if (row.own("content") !== undefined) add(TWO_TEXTS, row.at("content"));
  for (const variant of row.row.variants)
    if (variant.cells.content !== undefined) add(OWN_TEXT, variant.at("content"));
  return problems.length > before || days === undefined ? undefined : { texts, spacing: days };
}

const SPACING_FORM = `The spacing must be a number of days from 1 to ${MAX_SPACING_DAYS}, such as 30d or 4 weeks. Correct it.`;
const NO_POOL = "The row has a spacing but no pool of texts. Write the texts into `pool`, or clear the cell.";
const EMPTY = "The pool has no text. Write its texts with a line --- between them, or clear the cell.";
const TWO_TEXTS = "The row has a text and a pool. Move the text into the pool, or clear one of the two.";
const OWN_TEXT =
  "A row with a pool has the same texts for all its networks. Clear this cell, or write a second row with its own pool.";

/** Problems of a row that has a pool, but does not repeat. */
export function poolWithoutRepeat(row: RowView): readonly Problem[] {
  const [field] = (["pool", "spacing"] as const).filter((each) => row.own(each) !== undefined);
  return field === undefined ? [] : [problem("row/pool", NO_REPEAT, row.at(field))];
}

const NO_REPEAT =
  "Only a row that repeats takes its texts from a pool. Write a rule into `repeat`, such as weekly, or clear the cell.";

function spacingDays(text: string): number | undefined {
  const [, digits, unit = ""] = SPACING.exec(text) ?? [];
  const days = Number(digits ?? 0) * (unit.toLowerCase().startsWith("w") ? 7 : 1);
  return days >= 1 && days <= MAX_SPACING_DAYS ? days : undefined;
}

/** A day of the series that takes a text. */
export interface Turn {
  /** By the rule: `2027-03-01`. */
  readonly day: string;
  /** From 1. */
  readonly number: number;
  /** The day on which its post is due. Undefined if an exception leaves it out; the number still takes its turn. */
  readonly due: string | undefined;
  /** Whether an exception moves it to another day. */
  readonly isMoved: boolean;
  /** Whether the run plans its post. If not, nothing depends on its text. */
  readonly isPlanned: boolean;
}

const DAY_MS = 86_400_000;

/** No spacing and no entry of the lockfile reaches further back. */
const REMEMBERED_DAYS = 2 * MAX_SPACING_DAYS;

/**
 * The text of each day. A post in the lockfile keeps its text, unless another post with this text is too near: then the
 * post that was moved, or else the later one, takes another. New posts take the text that was used least recently.
 * Without a lockfile, this is the order of the pool, counted from the first day of the series.
 * @param turns every day of the rule up to the last planned one, in order
 * @param pins marks of the texts that posts in the lockfile have, by their days
 * @param today local day
 * @returns the first day for which no text is left, or the texts by day
 */
export function chooseTexts(
  pool: Pool,
  turns: readonly Turn[],
  pins: ReadonlyMap<string, string>,
  today: string,
): { readonly texts: ReadonlyMap<string, PoolText> } | { readonly day: string } {
  const start = new Date(Date.parse(today) - REMEMBERED_DAYS * DAY_MS).toISOString().slice(0, 10);
  const firstRecent = turns.findIndex(({ day }) => day >= start);
  // Those before give the order in which the texts were used last.
  const recent = turns.slice(
    Math.max(0, (firstRecent === -1 ? turns.length : firstRecent) - pool.texts.length),
  );
  const uses = new TextUses(pool, pins);
  const known = new Set(recent.map(({ day }) => day));
  for (const [day, mark] of pins) if (!known.has(day) && day < today) uses.addForeign(day, mark);
  const isPast = ({ due, day }: Turn): boolean => (due ?? day) < today;
  const pinned = recent.filter(({ day, due }) => due !== undefined && pins.has(day));
  for (const turn of pinned.filter(isPast)) uses.keep(turn, true);
  for (const turn of pinned.filter((each) => !isPast(each) && !each.isMoved)) uses.keep(turn, false);
  for (const turn of pinned.filter((each) => !isPast(each) && each.isMoved)) uses.keep(turn, false);
  for (const turn of recent) {
    if (uses.texts.has(turn.day)) continue;
    const found = isPast(turn) ? pool.texts[(turn.number - 1) % pool.texts.length] : uses.next(turn);
    if (found !== undefined) uses.take(turn, found);
    else if (turn.isPlanned) return { day: turn.due ?? turn.day };
  }
  return { texts: uses.texts };
}

/** Which text was used when. */
class TextUses {
  readonly texts = new Map<string, PoolText>();
  readonly #pool: Pool;
  readonly #pins: ReadonlyMap<string, string>;
  readonly #byMark: ReadonlyMap<string, PoolText>;
  /** Numbers of the turns, by text. */
  readonly #numbers = new Map<PoolText, number[]>();
  /** Ms of the days on which posts are due, by text. */
  readonly #days = new Map<PoolText, number[]>();

  constructor(pool: Pool, pins: ReadonlyMap<string, string>) {
    this.#pool = pool;
    this.#pins = pins;
    this.#byMark = new Map(pool.texts.map((each) => [each.mark, each]));
  }

  /** A post of the lockfile on a day that the rule does not give any more. */
  addForeign(day: string, mark: string): void {
    const text = this.#byMark.get(mark);
    if (text !== undefined) push(this.#days, text, Date.parse(day));
  }

  /** A post of the lockfile keeps its text. @param isCertain whether it was published */
  keep(turn: Turn, isCertain: boolean): void {
    const text = this.#byMark.get(this.#pins.get(turn.day) ?? "");
    if (text !== undefined && (isCertain || this.#isFree(text, turn))) this.take(turn, text);
  }

  take(turn: Turn, text: PoolText): void {
    this.texts.set(turn.day, text);
    push(this.#numbers, text, turn.number);
    if (turn.due !== undefined) push(this.#days, text, Date.parse(turn.due));
  }

  /** The text whose nearest use is furthest away; undefined if all are too near. */
  next(turn: Turn): PoolText | undefined {
    const distance = (text: PoolText): number =>
      Math.min(Infinity, ...(this.#numbers.get(text) ?? []).map((each) => Math.abs(each - turn.number)));
    const free = this.#pool.texts.filter((text) => this.#isFree(text, turn));
    let found: { readonly text: PoolText; readonly far: number } | undefined;
    for (const text of free) {
      const far = distance(text);
      if (found === undefined || far > found.far) found = { text, far };
    }
    return found?.text;
  }

  #isFree(text: PoolText, { due }: Turn): boolean {
    if (due === undefined) return true;
    const ms = Date.parse(due);
    return !(this.#days.get(text) ?? []).some((each) => Math.abs(each - ms) < this.#pool.spacing * DAY_MS);
  }
}

function push(lists: Map<PoolText, number[]>, text: PoolText, value: number): void {
  const list = lists.get(text);
  if (list === undefined) lists.set(text, [value]);
  else list.push(value);
}
