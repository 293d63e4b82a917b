/** Which slot a row gets. 2030-01-01 is a Tuesday; each network has one slot a day, at 10:00 UTC. */
import { IANAZone } from "luxon";
import { expect, test } from "vitest";
import { Aliases } from "../../../src/checks/networks/network-names.ts";
import {
  type Occupant,
  chooseSlots,
  slotsByNetwork,
  slotsOfDay,
} from "../../../src/checks/slots/choose-slots.ts";
import { post } from "../../support/rows.ts";

const NOW = Date.parse("2030-01-01T08:00:00Z");
const weekOf = slotsByNetwork({ default: ["daily 10:00"] }, new Aliases());

interface Given {
  /** The day that the row asks for. */
  readonly day?: string;
  readonly platforms?: readonly string[];
  /** The slots of its networks, if they are others. */
  readonly slots?: readonly string[];
  /** The slot in the lockfile, for the networks of the row. */
  readonly had?: string;
  /** The networks of that slot, if they are others. */
  readonly hadOn?: readonly string[];
}

/** The time of each row, by its key; without a time, the code of its problem. */
function choose(rows: Readonly<Record<string, Given>>, others: readonly Occupant[] = []) {
  const posts = Object.entries(rows).map(([key, { day, platforms = ["x"], slots }]) => ({
    ...post({ key, platforms, scheduledAt: "", timezone: "UTC" }),
    slot: {
      isTaken: false,
      weekOf: slots === undefined ? weekOf : slotsByNetwork({ default: [...slots] }, new Aliases()),
      ...(day === undefined ? {} : { day }),
    },
  }));
  const taken = new Map(
    Object.entries(rows).flatMap(([key, { had, platforms = ["x"], hadOn = platforms }]) =>
      had === undefined ? [] : [[key, { at: had, networks: hadOn }] as const],
    ),
  );
  const state = { taken, now: NOW, leadTimeMs: 120_000, whyClosed: () => undefined };
  const chosen = chooseSlots(posts, others, state);
  return {
    ...Object.fromEntries(chosen.posts.map(({ key, scheduledAt }) => [key, scheduledAt])),
    ...Object.fromEntries(chosen.unplaced.map(({ key }, index) => [key, chosen.problems[index]?.code])),
  };
}

/** The first is a minute from now. */
const NEAR = ["daily 08:01", "daily 10:00"];
const FIRST = "2030-01-01T10:00:00Z";
const SECOND = "2030-01-02T10:00:00Z";
const THIRD = "2030-01-03T10:00:00Z";

test.each<[string, Readonly<Record<string, Given>>, Readonly<Record<string, string>>]>([
  [
    "nobody gets a slot within the lead time",
    { a: { slots: NEAR }, b: { slots: NEAR, day: "2030-01-01", platforms: ["linkedin"] } },
    { a: FIRST, b: FIRST },
  ],
  ["rows get free slots in their order", { a: {}, b: {} }, { a: FIRST, b: SECOND }],
  ["each network has its own slots", { a: {}, b: { platforms: ["linkedin"] } }, { a: FIRST, b: FIRST }],
  [
    "a post for two networks gets a slot that is free on both",
    { a: {}, b: { platforms: ["linkedin", "x"] } },
    { a: FIRST, b: SECOND },
  ],
  [
    "a row with a day gets its slot before rows that may have any",
    { a: {}, b: { day: "2030-01-01" } },
    { a: SECOND, b: FIRST },
  ],
  [
    "two rows cannot have the only slot of a day",
    { a: { day: "2030-01-02" }, b: { day: "2030-01-02" } },
    { a: SECOND, b: "schedule/no-free-slot" },
  ],
  ["a row keeps the slot in the lockfile", { a: {}, b: { had: FIRST } }, { a: SECOND, b: FIRST }],
  [
    "a row keeps a slot on the day that it asks for",
    { a: { day: "2030-01-02", had: SECOND } },
    { a: SECOND },
  ],
  ["a row that asks for another day moves", { a: { day: "2030-01-03", had: SECOND } }, { a: THIRD }],
  [
    "a row that gets another network moves if its slot was not for that network",
    { a: { platforms: ["linkedin", "x"], had: SECOND, hadOn: ["x"] } },
    { a: FIRST },
  ],
  [
    "a row that loses a network keeps its slot",
    { a: { platforms: ["x"], had: SECOND, hadOn: ["linkedin", "x"] } },
    { a: SECOND },
  ],
])("%s", (_what, rows, times) => {
  expect(choose(rows)).toEqual(times);
});

test("a post with a time occupies its minute only on its networks", () => {
  const others = [{ platforms: ["x"], scheduledAt: "2030-01-01T10:00:30Z" }];
  expect(choose({ a: {}, b: { platforms: ["linkedin"] } }, others)).toEqual({ a: SECOND, b: FIRST });
});

test.each([
  ["x", "10:00"],
  ["linkedin", "12:00"],
  ["linkedin/founder", "12:00"],
  ["linkedin/brand", "14:00"],
])("the slots of %s are at %s: its own, or those of its network, or the default", (network, time) => {
  const settings = { default: ["daily 10:00"], linkedin: ["daily 12:00"], "linkedin/brand": ["daily 14:00"] };
  const week = slotsByNetwork(settings, new Aliases())(network) ?? new Map();
  expect(slotsOfDay(week, IANAZone.create("UTC"), "2030-01-01")).toEqual([Date.parse(`2030-01-01T${time}Z`)]);
});
