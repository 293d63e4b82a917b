/**
 * The texts of a pool for the posts of a series: in turn, never the same one twice within the spacing. The lockfile
 * stores which post has which text. Pure.
 */

/** The pool of a row that repeats. */
export interface Pool {
  readonly texts: readonly PoolText[];
  /** Fewest days between two posts with the same text. 0 without a limit. */
  readonly spacing: number;
}

export interface PoolText {
  /** The text with its variables. */
  readonly text: string;
  /** Identifies the text in the lockfile. */
  readonly mark: string;
  /** Its place in a list, from 0. Undefined if all texts are in one cell. */
  readonly item: number | undefined;
}

/** A day of the series that takes a text. */
export interface Turn {
  /** The day that the rule gives, such as `2027-03-01`. */
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

export const MAX_SPACING_DAYS = 366;

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
  // Earlier days give the order in which the texts were last used.
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

  /** The text whose nearest use has the largest distance in days. Undefined if all uses are too near. */
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
