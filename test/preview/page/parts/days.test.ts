/** Days, weeks, clocks and addresses of the page: its parts that need no browser. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type PagePlace, placeInAddress, writeAddress } from "../../../../src/preview/page/parts/model.ts";
import {
  shownClock,
  englishOf,
  firstWeekday,
  hasTwelveHours,
  inOtherMonth,
  isDay,
  weekOf,
  weeksOf,
} from "../../../../src/preview/page/parts/days.ts";

test("a week begins with the day of the reader's locale", () => {
  expect(["en-GB", "fr-FR", "en-US", "ar-EG", "no locale"].map(firstWeekday)).toEqual([1, 1, 7, 6, 1]);
  // 5 March 2036 is a Wednesday.
  expect(weekOf("2036-03-05", 1)).toEqual([3, 4, 5, 6, 7, 8, 9].map((day) => `2036-03-0${day}`));
  expect(weekOf("2036-03-05", 7)[0]).toBe("2036-03-02");
  expect(weekOf("2036-03-05", 6)[0]).toBe("2036-03-01");
  expect(weekOf("2036-03-01", 6)[0]).toBe("2036-03-01");
});

test("the weeks of a month hold each of its days once", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1_970, max: 2_400 }),
      fc.integer({ min: 1, max: 12 }),
      fc.constantFrom(1, 5, 6, 7),
      (year, month, start) => {
        const name = `${year}-${String(month).padStart(2, "0")}`;
        const days = weeksOf(name, start)
          .flat()
          .filter((day) => day.startsWith(name));
        expect(days.length).toBe(new Date(Date.UTC(year, month, 0)).getUTCDate());
        expect(new Set(days).size).toBe(days.length);
      },
    ),
  );
});

test("from the 31st, the next month shows its last day if it is shorter", () => {
  expect(inOtherMonth("2036-01-31", 1)).toBe("2036-02-29");
  expect(inOtherMonth("2036-03-31", -12)).toBe("2035-03-31");
});

test("clocks count to 12 or 24 as the reader's locale does", () => {
  expect(["en-US", "en-GB", "fr-FR", "no locale"].map(hasTwelveHours)).toEqual([true, false, false, false]);
  const clocks = ["00:05", "09:00", "12:00", "23:59", "17:30:15", ""];
  expect(clocks.map((clock) => shownClock(clock, true))).toEqual([
    "12:05 am",
    "9:00 am",
    "12:00 pm",
    "11:59 pm",
    "5:30:15 pm",
    "",
  ]);
  expect(clocks.map((clock) => shownClock(clock, false))).toEqual(clocks);
  expect([englishOf(["fr-FR", "en-US"]), englishOf(["fr-FR", "en"])]).toEqual(["en-US", "en-GB"]);
});

describe("the page's address", () => {
  const place: PagePlace = {
    view: "week",
    day: "2036-03-05",
    filters: {
      text: "a & b=c #é",
      platforms: new Set(["twitter", "our forum"]),
      statuses: new Set(["create", "draft"]),
      campaigns: new Set(["Spring & Easter"]),
      problems: true,
    },
    post: "calendars/a b.csv:4",
  };

  test("keeps view, day, filters and post", () => {
    expect(placeInAddress(writeAddress(place))).toEqual({ ...place, month: undefined });
  });

  test("ignores what makes no sense", () => {
    expect(placeInAddress("#view=year&day=2036-02-30&month=2036-13&status=constructor&status=keep")).toEqual({
      view: undefined,
      day: undefined,
      month: undefined,
      filters: {
        text: "",
        platforms: new Set(),
        statuses: new Set(["keep"]),
        campaigns: new Set(),
        problems: false,
      },
      post: undefined,
    });
    expect(placeInAddress("#view=list&month=2036-03")).toMatchObject({ view: "list", month: "2036-03" });
    expect([isDay("2036-02-29"), isDay("2035-02-29"), isDay("2036-2-9")]).toEqual([true, false, false]);
  });
});
