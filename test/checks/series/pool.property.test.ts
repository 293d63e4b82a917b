/** The texts of a pool: in turn, never the same one within the spacing, and without a change of scheduled posts. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type Pool, type Turn, chooseTexts } from "../../../src/checks/series/pool.ts";
import { manyRuns } from "../../support/property-tests.ts";

const DAY_MS = 86_400_000;
const START = Date.parse("2030-01-01");

function dayAt(days: number): string {
  return new Date(START + days * DAY_MS).toISOString().slice(0, 10);
}

function poolOf(marks: readonly string[], spacing = 0): Pool {
  return { texts: marks.map((mark, item) => ({ text: mark, mark, item })), spacing };
}

interface Series {
  /** Days between two posts. */
  readonly step: number;
  /** Day of the run, and the days that it plans ahead. */
  readonly today: number;
  readonly ahead: number;
  /** Days that an exception leaves out (undefined) or moves. */
  readonly moves?: ReadonlyMap<number, number | undefined>;
}

function turnsOf({ step, today, ahead, moves = new Map() }: Series): Turn[] {
  const count = Math.floor((today + ahead) / step) + 1;
  return Array.from({ length: count }, (_, index): Turn => {
    const day = index * step;
    const to = moves.has(day) ? moves.get(day) : day;
    return {
      day: dayAt(day),
      number: index + 1,
      due: to === undefined ? undefined : dayAt(to),
      isMoved: moves.has(day),
      isPlanned: to !== undefined && to >= today,
    };
  });
}

/** The marks by day; undefined if no text is left. */
function choose(pool: Pool, series: Series, pins: ReadonlyMap<string, string> = new Map()) {
  const turns = turnsOf(series);
  const found = chooseTexts(pool, turns, pins, dayAt(series.today));
  if (!("texts" in found)) return undefined;
  const planned = turns.filter(({ isPlanned }) => isPlanned);
  return { planned, marks: new Map(planned.map(({ day }) => [day, found.texts.get(day)?.mark ?? ""])) };
}

test("posts take the texts in the order of the pool, whatever the time of the first run", () => {
  for (const today of [0, 7, 70, 3_500]) {
    const { marks } = choose(poolOf(["a", "b", "c"], 21), { step: 7, today, ahead: 28 }) ?? {};
    const first = today / 7;
    expect([...(marks?.values() ?? [])]).toEqual(
      [0, 1, 2, 3, 4].map((each) => ["a", "b", "c"][(first + each) % 3]),
    );
  }
});

test("too few texts for the spacing are an error for the first day without a text", () => {
  expect(choose(poolOf(["a", "b", "c"], 21), { step: 7, today: 0, ahead: 60 })).toBeDefined();
  const turns = turnsOf({ step: 7, today: 0, ahead: 60 });
  expect(chooseTexts(poolOf(["a", "b", "c"], 22), turns, new Map(), dayAt(0))).toEqual({ day: dayAt(21) });
});

test("a new text is used next, and scheduled posts keep their texts", () => {
  const series = { step: 7, today: 0, ahead: 28 };
  const before = choose(poolOf(["a", "b", "c"]), series)?.marks ?? new Map<string, string>();
  expect([...before.values()].join("")).toBe("abcab");
  const after = choose(poolOf(["new", "a", "b", "c"]), { ...series, ahead: 56 }, before);
  expect([...(after?.marks.values() ?? [])].join(" ")).toBe("a b c a b new c a b");
});

test("a text that changed is used on the days of its old version", () => {
  const series = { step: 7, today: 0, ahead: 49 };
  const before = choose(poolOf(["a", "b", "c"], 21), series)?.marks ?? new Map<string, string>();
  const after = choose(poolOf(["a", "B", "c"], 21), series, before);
  expect([...(after?.marks.values() ?? [])].join("")).toBe("aBcaBcaB");
});

test("a post that moves near a post with the same text takes another text, and no other post changes", () => {
  const series = { step: 7, today: 0, ahead: 28 };
  const before = choose(poolOf(["a", "b", "c"], 14), series)?.marks ?? new Map<string, string>();
  const after = choose(poolOf(["a", "b", "c"], 14), { ...series, moves: new Map([[0, 20]]) }, before);
  // The first one is now a day before the second a: only b of day 7 and day 28, and c of day 14, compete.
  expect(after).toBeUndefined();
  const more = choose(poolOf(["a", "b", "c", "d"], 14), { ...series, moves: new Map([[0, 20]]) }, before);
  expect([...(more?.marks.values() ?? [])].join("")).toBe("dbcab");
});

const edit = fc.record({
  days: fc.integer({ min: 0, max: 40 }),
  add: fc.constantFrom("", "", "first", "last"),
  remove: fc.option(fc.nat(20), { freq: 6 }),
  move: fc.option(fc.tuple(fc.nat(20), fc.option(fc.integer({ min: -6, max: 6 }), { freq: 4 })), { freq: 3 }),
  ahead: fc.integer({ min: 10, max: 60 }),
});

test("no text repeats within the spacing, and scheduled posts keep their texts after any edit", () => {
  let [runs, errors] = [0, 0];
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10 }),
      fc.integer({ min: 2, max: 8 }),
      fc.double({ min: 0, max: 0.8, noNaN: true }),
      fc.array(edit, { minLength: 1, maxLength: 8 }),
      (step, size, share, edits) => {
        const spacing = Math.floor(share * size * step);
        let marks = Array.from({ length: size }, (_, index) => `text ${index}`);
        const moves = new Map<number, number | undefined>();
        let pins: ReadonlyMap<string, string> = new Map();
        let today = 0;
        for (const [index, { days, add, remove, move, ahead }] of edits.entries()) {
          today += days;
          if (add === "first") marks = [`new ${index}`, ...marks];
          if (add === "last") marks = [...marks, `new ${index}`];
          if (remove !== null && marks.length > 1) marks = marks.toSpliced(remove % marks.length, 1);
          const movable = move === null ? -1 : (Math.ceil(today / step) + move[0]) * step;
          if (move !== null)
            moves.set(movable, move[1] === null ? undefined : Math.max(today, movable + move[1]));
          const pool = poolOf(marks, spacing);
          const series = { step, today, ahead, moves };
          const found = choose(pool, series, pins);
          // An error changes nothing.
          if (found === undefined) errors += 1;
          if (found === undefined) continue;
          runs += 1;
          expect([...found.marks.values()].every((each) => marks.includes(each))).toBe(true);
          const uses = found.planned.map(({ day, due = "" }) => ({ due, mark: found.marks.get(day) ?? "" }));
          for (const [at, one] of uses.entries())
            for (const other of uses.slice(at + 1)) {
              const apart = Math.abs(Date.parse(one.due) - Date.parse(other.due)) / DAY_MS;
              if (one.mark === other.mark) expect(apart).toBeGreaterThanOrEqual(spacing);
            }
          for (const [day, mark] of pins) {
            const now = found.marks.get(day);
            const isMoved = moves.has((Date.parse(day) - START) / DAY_MS);
            if (now !== undefined && marks.includes(mark) && !isMoved) expect(now).toBe(mark);
          }
          const next = new Map([...pins, ...found.marks]);
          for (const [day] of pins) if (day >= dayAt(today) && !found.marks.has(day)) next.delete(day);
          pins = next;
          expect(choose(pool, series, pins)?.marks).toEqual(found.marks);
        }
      },
    ),
    { numRuns: manyRuns(500) },
  );
  expect(runs).toBeGreaterThan(errors / 4);
});
