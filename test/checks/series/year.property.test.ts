/** A year of series in three zones: local times across clock changes, and edits of other rows. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type SeriesState, loadDaysOfRule } from "../../../src/checks/series/occurrences.ts";
import { localInstant, findZone } from "../../../src/checks/when/local-time.ts";
import { validate } from "../../../src/checks/validate.ts";
import { type Post, occurrencesIn, withoutMedia } from "../../../src/model/post.ts";
import type { RawRow } from "../../../src/model/row.ts";
import { diff } from "../../../src/sync/plan/diff.ts";
import { manyRuns } from "../../support/property-tests.ts";
import { calendar, config, diffInput, lockfile, owned, remote, row } from "../../support/rows.ts";
import { fingerprint } from "../../../src/sync/plan/compare.ts";

const ZONES = ["Europe/Berlin", "Australia/Lord_Howe", "Asia/Kolkata"];
const START = Date.parse("2030-01-01T00:00:00Z");
const DAY_MS = 86_400_000;
const AHEAD_MS = 60 * DAY_MS;
const daysOfRule = await loadDaysOfRule();

/** What the project owns: the posts of earlier runs, by key. */
type Owned = ReadonlyMap<string, Post>;

function state(now: number, before: Owned = new Map()): SeriesState {
  const known = new Map<string, Map<string, string | undefined>>();
  for (const [key, { series }] of before)
    for (const { row: id, day } of occurrencesIn(key))
      known.set(id, (known.get(id) ?? new Map<string, string | undefined>()).set(day, series?.text));
  return { now, aheadMs: AHEAD_MS, owned: known, daysOfRule, languageTag: "en-GB", total: { posts: 0 } };
}

function check(
  rows: readonly RawRow[],
  timezone: string,
  now: number,
  before: Owned = new Map(),
): readonly Post[] {
  const project = config({ timezone });
  const { posts, problems } = validate(
    [calendar(rows, {}, project)],
    project,
    undefined,
    undefined,
    state(now, before),
  );
  expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
  return posts;
}

/** The changes of a plan, and what the project owns after them. */
function plan(rows: readonly RawRow[], timezone: string, now: number, before: Owned) {
  const desired = check(rows, timezone, now, before).map(withoutMedia);
  const isScheduled = ({ scheduledAt }: Post): boolean => Date.parse(scheduledAt) > now;
  const { changes, past } = diff(
    diffInput({
      desired,
      now,
      lockfile: lockfile(
        Object.fromEntries(
          [...before].map(([key, post]) => [
            key,
            owned(`id ${key}`, {
              scheduled_at: post.scheduledAt,
              fingerprint: fingerprint({ ...post, mediaIds: [] }),
            }),
          ]),
        ),
      ),
      remote: [...before].flatMap(([key, { content, platforms, scheduledAt, ...rest }]) =>
        isScheduled({ content, platforms, scheduledAt, ...rest })
          ? remote({ id: `id ${key}`, content, platforms, scheduledAt })
          : [],
      ),
    }),
  );
  const after = new Map([...before].filter(([, post]) => !isScheduled(post)));
  // A published post remains the row's post until the row has another one.
  const created = new Set(changes.filter(({ action }) => action === "create").map(({ key }) => key));
  for (const post of desired.filter(isScheduled))
    if (!after.has(post.key) || created.has(post.key)) after.set(post.key, post);
  return { changes: changes.map(({ action, key }) => `${action} ${key}`), after, past };
}

test.each(ZONES)("a year of series in %s has no collision and no drift", (timezone) => {
  const zone = findZone(timezone);
  if (zone === undefined) throw new Error(timezone);
  const times = ["01:45", "02:15", "09:30"];
  const rules = [
    "daily",
    "every 2 weeks on sun, wed",
    "monthly on last sunday",
    "FREQ=MONTHLY;BYMONTHDAY=-1",
  ];
  const rows = rules.flatMap((repeat, rule) =>
    times.map((time, at) =>
      row(
        {
          id: `r${rule}-${at}`,
          date: "2030-01-01",
          time,
          repeat,
          platforms: "linkedin",
          content: `${repeat} ${time} {n}`,
        },
        rule * 10 + at + 2,
      ),
    ),
  );
  let before: Owned = new Map();
  const all = new Map<string, string>();
  // As with an apply every month, each at another time of the day.
  for (let day = 0; day < 365; day += 30) {
    const now = START + day * DAY_MS + (((day / 30) * 7) % 24) * 3_600_000;
    const { changes, after } = plan(rows, timezone, now, before);
    expect(changes.every((each) => each.startsWith("create "))).toBe(true);
    expect(plan(rows, timezone, now, after).changes).toEqual([]);
    for (const [key, { scheduledAt }] of after) {
      expect(all.get(key) ?? scheduledAt).toBe(scheduledAt);
      all.set(key, scheduledAt);
    }
    before = after;
  }
  expect(all.size).toBeGreaterThan(3 * 365);
  for (const [key, scheduledAt] of all) {
    const [{ row: id, day } = { row: "", day: "" }] = occurrencesIn(key);
    const wall = Date.parse(`${day}T${times[Number(id.at(-1))]}:00Z`);
    const found = localInstant(zone, wall);
    const shifted = found.kind === "gap" ? localInstant(zone, wall + found.shiftMinutes * 60_000) : found;
    expect(shifted.kind === "gap" ? "" : new Date(shifted.ms).toISOString().slice(0, 19)).toBe(
      scheduledAt.slice(0, 19),
    );
  }
});

const rule = fc.constantFrom(
  "daily",
  "weekdays",
  "weekly",
  "every 3 days",
  "monthly",
  "every mon, thu until 2031-09-30",
  "weekly x 9",
  "no",
);
const anyRow = fc
  .record({
    day: fc.integer({ min: 1, max: 28 }),
    month: fc.integer({ min: 1, max: 12 }),
    hour: fc.integer({ min: 0, max: 23 }),
    repeat: rule,
  })
  // A single time that happens twice, or never, on the day of a clock change is an error.
  .filter(({ hour, repeat }) => repeat !== "no" || hour > 3);

const two = (value: number): string => String(value).padStart(2, "0");

function rowOf(
  id: string,
  { day, month, hour, repeat }: { day: number; month: number; hour: number; repeat: string },
  line: number,
): RawRow {
  return row(
    {
      id,
      date: `2030-${two(month)}-${two(day)}`,
      time: `${two(hour)}:${two(hour)}`,
      repeat,
      platforms: "linkedin",
      content: `${id} {n}`,
    },
    line,
  );
}

test("whatever happens to other rows, a series keeps its posts, and a second plan is empty", () => {
  const change = fc.record({
    rows: fc.dictionary(fc.constantFrom("a", "b", "c"), anyRow),
    days: fc.integer({ min: 0, max: 90 }),
  });
  fc.assert(
    fc.property(
      fc.constantFrom(...ZONES),
      anyRow,
      fc.array(change, { minLength: 1, maxLength: 5 }),
      (timezone, own, changes) => {
        const mine = new Map<string, string>();
        let before: Owned = new Map();
        let now = START;
        for (const { rows, days } of changes) {
          now += days * DAY_MS;
          const others = Object.entries(rows).map(([id, each], index) => rowOf(id, each, index + 2));
          const all = [...others, rowOf("own", own, others.length + 2)].toSorted(
            (one, other) => (one.line % 3) - (other.line % 3),
          );
          const { after, changes: made } = plan(all, timezone, now, before);
          expect(made.filter((each) => !each.startsWith("create ") && / own(?:\/|$)/.test(each))).toEqual([]);
          expect(plan(all, timezone, now, after).changes).toEqual([]);
          for (const [key, { scheduledAt, content }] of after) {
            if (!/^own(?:\/|$)/.test(key)) continue;
            expect(mine.get(key) ?? `${scheduledAt} ${content}`).toBe(`${scheduledAt} ${content}`);
            mine.set(key, `${scheduledAt} ${content}`);
          }
          before = after;
        }
      },
    ),
    { numRuns: manyRuns(60) },
  );
});
