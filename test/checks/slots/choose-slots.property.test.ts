/** Slots over a year of clock changes, and the promise that no other row moves a row that has its slot. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Aliases } from "../../../src/checks/networks/network-names.ts";
import {
  type SlotState,
  chooseSlots,
  slotsByNetwork,
  slotsOfDay,
} from "../../../src/checks/slots/choose-slots.ts";
import { findZone, localText } from "../../../src/checks/when/local-time.ts";
import { validate } from "../../../src/checks/validate.ts";
import { utcMs } from "../../../src/model/canonical.ts";
import type { Post, TakenSlots } from "../../../src/model/post.ts";
import { weekSlots } from "../../../src/settings/time-settings.ts";
import { manyRuns } from "../../support/property-tests.ts";
import { calendar, config, post, row } from "../../support/rows.ts";

const ZONES = ["America/New_York", "Europe/Paris", "Australia/Lord_Howe", "Africa/Casablanca"];
const START = Date.parse("2030-01-01T00:00:00Z");
const DAY_MS = 86_400_000;
const SLOTS = {
  linkedin: ["mon,wed 09:30", "fri 16:00"],
  // Clocks change at night: some of these times do not exist on one day, and happen twice on another.
  default: ["daily 02:15", "daily 01:45", "weekends 10:00"],
};

function state(taken: TakenSlots = new Map(), now = START): SlotState {
  return { taken, now, leadTimeMs: 120_000, whyClosed: () => undefined };
}

/** The slots that a run of apply would write. */
function takenBy(posts: readonly Post[]): TakenSlots {
  return new Map(
    posts.flatMap(({ key, slot, scheduledAt, platforms }) =>
      slot === undefined ? [] : [[key, { at: scheduledAt, networks: platforms }] as const],
    ),
  );
}

test.each(ZONES)("a year of slots in %s has no collision and no drift", (timezone) => {
  const weekOf = slotsByNetwork(SLOTS, new Aliases());
  const rows = Array.from({ length: 3 * 365 }, (_, index) =>
    Object.assign(
      post({
        key: `row${index}`,
        platforms: [index % 3 === 0 ? "linkedin" : "bluesky"],
        scheduledAt: "",
        timezone,
      }),
      { slot: { isTaken: false, weekOf } },
    ),
  );
  const { posts, unplaced } = chooseSlots(rows, [], state());
  const zone = findZone(timezone);
  if (zone === undefined) throw new Error(timezone);
  expect(posts.length + unplaced.length).toBe(rows.length);
  const marks = posts.map(({ scheduledAt, platforms }) => `${scheduledAt} ${platforms.join()}`);
  expect(new Set(marks).size).toBe(posts.length);
  const clocks = new Map<string, Set<string>>();
  for (const { scheduledAt, platforms } of posts) {
    // A time that happens twice is the first one, written with its offset.
    const clock = /[ T](\d\d:\d\d)/.exec(localText(zone, utcMs(scheduledAt)))?.[1] ?? "";
    const network = platforms.join();
    clocks.set(network, (clocks.get(network) ?? new Set()).add(clock));
  }
  expect([...(clocks.get("linkedin") ?? [])].sort()).toEqual(["09:30", "16:00"]);
  expect([...(clocks.get("bluesky") ?? [])].sort()).toEqual(["01:45", "02:15", "10:00"]);
  // In order, and none left out between the first and the last.
  const times = posts
    .filter(({ platforms }) => platforms[0] === "linkedin")
    .map(({ scheduledAt }) => scheduledAt);
  expect(times).toEqual(times.toSorted());
});

test("thousands of networks whose slots are all closed do not keep plancast busy", () => {
  const minutes = Array.from({ length: 1_440 }, (_, minute) =>
    new Date(minute * 60_000).toISOString().slice(11, 16),
  );
  const weekOf = slotsByNetwork({ default: minutes.map((time) => `daily ${time}`) }, new Aliases());
  const rows = Array.from({ length: 2_000 }, (_, index) =>
    Object.assign(post({ key: `row${index}`, platforms: [`n${index}`], scheduledAt: "", timezone: "UTC" }), {
      slot: { isTaken: false, weekOf },
    }),
  );
  let asked = 0;
  const whyClosed = (): string => {
    asked += 1;
    return "a holiday";
  };
  const { unplaced, problems } = chooseSlots(rows, [], { ...state(), whyClosed });
  expect(unplaced).toHaveLength(rows.length);
  expect(problems.map(({ message }) => message)).toContainEqual(
    expect.stringContaining("plancast has tried 2,000,000 slots"),
  );
  expect(problems.length).toBeLessThan(10);
  expect(asked).toBeLessThan(2_000_001);
});

test("a slot that the clocks skip is left out, and a slot that happens twice is used once", () => {
  const zone = findZone("America/New_York");
  if (zone === undefined) throw new Error("zone");
  const week = weekSlots(["sun 02:30", "sun 01:30"]);
  // 2030-03-10: clocks go from 02:00 to 03:00. 2030-11-03: from 02:00 back to 01:00.
  expect(slotsOfDay(week, zone, "2030-03-10").map((ms) => new Date(ms).toISOString())).toEqual([
    "2030-03-10T06:30:00.000Z",
  ]);
  expect(slotsOfDay(week, zone, "2030-11-03").map((ms) => new Date(ms).toISOString())).toEqual([
    "2030-11-03T05:30:00.000Z",
    "2030-11-03T07:30:00.000Z",
  ]);
});

const rowOf = fc.record({
  hasId: fc.boolean(),
  text: fc.integer({ min: 0, max: 1_000_000 }),
  platforms: fc.subarray(["linkedin", "bluesky", "mastodon"], { minLength: 1 }),
  date: fc.constantFrom("", "", "", "next", "2030-01-09", "2030-03-31", "2030-01-07 09:30"),
});

type GivenRow = typeof rowOf extends fc.Arbitrary<infer Row> ? Row : never;

/** The posts of rows at a time, with the slots that earlier runs took. */
function plan(rows: readonly GivenRow[], timezone: string, taken: TakenSlots, now: number) {
  const settings = config({ timezone, slots: SLOTS });
  const read = rows.map(({ hasId, text, platforms, date }, index) =>
    row(
      {
        ...(hasId ? { id: `id${text}` } : {}),
        ...(date === "" ? {} : date.includes(" ") ? { scheduled_at: date } : { date }),
        platforms: [...platforms],
        content: `Text ${text}`,
      },
      index + 2,
    ),
  );
  return validate([calendar(read, {}, settings)], settings, undefined, state(taken, now));
}

test("rows that are added, moved and removed elsewhere never change a slot that a row has", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...ZONES),
      fc.uniqueArray(rowOf, { maxLength: 12, selector: ({ text }) => text }),
      fc.uniqueArray(rowOf, { maxLength: 6, selector: ({ text }) => text }),
      fc.integer({ min: 0, max: 40 }),
      fc.func(fc.integer()),
      (timezone, before, added, days, order) => {
        const first = plan(before, timezone, new Map(), START);
        const taken = takenBy(first.posts);
        const again = plan(before, timezone, taken, START);
        // The second plan is the first one.
        expect(takenBy(again.posts)).toEqual(taken);
        const texts = new Set(before.map(({ text }) => text));
        const kept = before.filter((_, index) => order(index) % 3 !== 0);
        const edited = [...kept, ...added.filter(({ text }) => !texts.has(text))].toSorted(
          (one, other) => order(one.text) - order(other.text),
        );
        const later = plan(edited, timezone, taken, START + days * DAY_MS);
        for (const each of later.posts) {
          const had = taken.get(each.key);
          if (had !== undefined && each.slot !== undefined) expect(each.scheduledAt).toBe(had.at);
        }
        // Each post of a kept row is still there.
        const keys = new Set(later.posts.map(({ key }) => key));
        for (const { key, source } of first.posts) {
          const own = before[source.line - 2];
          if (taken.has(key) && own !== undefined && kept.includes(own)) expect(keys).toContain(key);
        }
        const slots = later.posts.flatMap((each) =>
          each.slot === undefined || utcMs(each.scheduledAt) <= START + days * DAY_MS
            ? []
            : each.platforms.map((network) => `${network} ${each.scheduledAt}`),
        );
        expect(new Set(slots).size).toBe(slots.length);
      },
    ),
    { numRuns: manyRuns(1000) },
  );
});
