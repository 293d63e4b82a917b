/** When a row expires: what its cell may say, and what is refused. */
import * as fc from "fast-check";
import { DateTime } from "luxon";
import { describe, expect, test } from "vitest";
import { validate } from "../../src/checks/validate.ts";
import type { Cell } from "../../src/model/row.ts";
import type { Field } from "../../src/model/fields.ts";
import { calendar, config, row } from "../support/rows.ts";

const REST = { scheduled_at: "2030-03-01 09:30", platforms: "linkedin", content: "Hello" };

function validated(cells: Partial<Record<Field, Cell>>, settings: Record<string, unknown> = {}) {
  const project = config(settings);
  const filled = Object.entries({ ...REST, ...cells }).filter(([, cell]) => cell !== "");
  return validate([calendar([row(Object.fromEntries(filled))], {}, project)], project);
}

function expiry(
  cells: Partial<Record<Field, Cell>>,
  settings: Record<string, unknown> = {},
): string | undefined {
  const { posts, problems } = validated(cells, settings);
  return posts.length > 0
    ? posts[0]?.expires
    : problems.map(({ code, column }) => `${code}@${column}`).join();
}

describe("what a cell says", () => {
  test.each<[string, string | undefined]>([
    ["2030-03-02 18:00", "2030-03-02T17:00:00Z"],
    ["2 March 2030, 6 pm", "2030-03-02T17:00:00Z"],
    ["2. März 2030 um 18:00", "2030-03-02T17:00:00Z"],
    ["2030-03-02T18:00:00Z", "2030-03-02T18:00:00Z"],
    ["2030-03-02T18:00-05:00", "2030-03-02T23:00:00Z"],
    // A date means the end of that day.
    ["2030-03-02", "2030-03-02T23:00:00Z"],
    ["2030-03-01", "2030-03-01T23:00:00Z"],
    ["2h", "2030-03-01T10:30:00Z"],
    ["90m", "2030-03-01T10:00:00Z"],
    ["3d", "2030-03-04T08:30:00Z"],
    ["+ 3 D", "2030-03-04T08:30:00Z"],
    ["+18h", "2030-03-02T02:30:00Z"],
    ["48h", "2030-03-03T08:30:00Z"],
    // Never.
    ["9999-12-31", "9999-12-31T23:00:00Z"],
    ["999999999d", "3030-03-09T08:30:00Z"],
    // It could be six in the evening.
    ["18h", "row/expires@40"],
    ["18:00", "row/expires@40"],
    ["next", "schedule/format@40"],
    ["soon", "schedule/format@40"],
    ["02/04/2030", "schedule/ambiguous-date@40"],
    ["2030-02-30", "schedule/format@40"],
    ["2030-03-31 02:30", "schedule/clock-change@40"],
    ["2030-10-27 02:30", "schedule/clock-change@40"],
    ["2030-03-01 09:30", "row/expires@40"],
    ["2030-02-28", "row/expires@40"],
    ["0h", "row/expires@40"],
    ["=1+1", "schedule/format@40"],
  ])("%s", (expires, expected) => {
    expect(expiry({ expires })).toBe(expected);
  });

  test("the order of dates also applies to `expires`", () => {
    expect(expiry({ expires: "02/04/2030" }, { date_order: "dmy" })).toBe("2030-04-02T22:00:00Z");
  });

  test("the zone of the row also applies to `expires`", () => {
    expect(expiry({ expires: "2030-03-02 18:00", timezone: "America/New_York" })).toBe(
      "2030-03-02T23:00:00Z",
    );
    expect(expiry({ expires: "2030-03-02", timezone: "America/New_York" })).toBe("2030-03-03T05:00:00Z");
    expect(expiry({ expires: "2030-03-02", timezone: "UTC-5" })).toBe("2030-03-03T05:00:00Z");
    expect(expiry({ expires: "2030-03-02", timezone: "ET" }, { timezone: "America/New_York" })).toBe(
      "2030-03-03T05:00:00Z",
    );
  });

  test("a row that takes a slot has the zone that its abbreviation means", () => {
    const settings = { timezone: "America/New_York", slots: { default: ["weekdays 10:00"] } };
    const { posts } = validated({ scheduled_at: "", timezone: "ET" }, settings);
    expect(posts[0]).toMatchObject({ scheduledAt: "", timezone: "America/New_York" });
  });

  test("a local time needs a zone, an exact one does not", () => {
    const exact = { scheduled_at: "2030-03-01T08:30:00Z" };
    expect(expiry({ ...exact, expires: "2030-03-02" }, { timezone: undefined })).toBe(
      "schedule/no-timezone@40",
    );
    expect(expiry({ ...exact, expires: "2030-03-02T18:00:00Z" }, { timezone: undefined })).toBe(
      "2030-03-02T18:00:00Z",
    );
  });

  test("a repeated time asks for an offset in this cell", () => {
    const { problems } = validated({ expires: "2030-10-27 02:30" });
    expect(problems[0]?.message).toContain("for the second, in expires.");
  });

  test("in a row that takes a slot, a duration counts from the slot, and must not look like a time", () => {
    const slots = { slots: { default: ["weekdays 10:00"] } };
    const { posts } = validated({ scheduled_at: "", expires: "3d" }, slots);
    expect(posts[0]).toMatchObject({ scheduledAt: "", slot: { lastsMs: 3 * 86_400_000 } });
    expect(posts[0]).not.toHaveProperty("expires");
    expect(expiry({ scheduled_at: "", expires: "2h" }, slots)).toBe("row/expires@30");
  });
});

test("a post that never expires says nothing about it", () => {
  expect(validated({}).posts[0]).not.toHaveProperty("expires");
});

test("each network's own time must be before the post expires", () => {
  const project = config();
  const base = row({ ...REST, platforms: "linkedin, bluesky", expires: "2030-03-02" });
  const later = { platform: "bluesky", cells: { scheduled_at: "2030-03-04 09:00" }, at: () => base.at() };
  const { posts, problems } = validate([calendar([{ ...base, variants: [later] }], {}, project)], project);
  expect([posts, problems.map(({ code }) => code)]).toEqual([[], ["row/expires"]]);
});

const ZONES = [
  "Europe/Paris",
  "America/New_York",
  "Australia/Lord_Howe",
  "America/Santiago",
  "Africa/Cairo",
  "America/Havana",
  "Asia/Beirut",
  "Asia/Kathmandu",
  "UTC",
] as const;

/** Any day, and the days around clock changes, some of which are at midnight. */
const day = fc.oneof(
  fc
    .date({ min: new Date("2027-01-02"), max: new Date("2029-12-31"), noInvalidDate: true })
    .map((each) => each.toISOString().slice(0, 10)),
  fc.constantFrom(
    "2027-03-13",
    "2027-03-14",
    "2027-03-27",
    "2027-03-28",
    "2027-04-03",
    "2027-04-30",
    "2027-09-04",
    "2027-10-28",
    "2027-10-30",
    "2027-10-31",
    "2027-11-06",
  ),
);

test("a day ends where the next one begins, in all zones and across their clock changes", () => {
  fc.assert(
    fc.property(day, fc.constantFrom(...ZONES), (date, zone) => {
      const cells = { scheduled_at: "2027-01-01T00:00:00Z", timezone: zone, expires: date };
      const ms = Date.parse(expiry(cells) ?? "");
      const clock = (at: number) => DateTime.fromMillis(at, { zone }).toISODate();
      const next = DateTime.fromISO(date, { zone: "UTC" }).plus({ days: 1 }).toISODate();
      expect([clock(ms - 1), clock(ms)]).toEqual([date, next]);
    }),
    { numRuns: 400 },
  );
});

test("a duration is elapsed time, even across a clock change", () => {
  fc.assert(
    fc.property(day, fc.integer({ min: 1, max: 96 }), fc.constantFrom(...ZONES), (date, hours, zone) => {
      const cells = { scheduled_at: `${date}T12:00:00Z`, timezone: zone, expires: `+${hours}h` };
      expect(Date.parse(expiry(cells) ?? "")).toBe(Date.parse(`${date}T12:00:00Z`) + hours * 3_600_000);
    }),
  );
});

test("any text is either a later time or a problem", () => {
  const text = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.tuple(fc.nat(), fc.constantFrom("ms", "s", "m", "h", "d", "w", "")).map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(text, (expires) => {
      const { posts, problems } = validated({ expires });
      const [post] = posts;
      if (post === undefined) expect(problems).not.toEqual([]);
      else if (post.expires !== undefined) expect(post.expires > post.scheduledAt).toBe(true);
      if (post?.expires !== undefined) expect(post.expires).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    }),
    { numRuns: 300 },
  );
});
