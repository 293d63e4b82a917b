import { describe, expect, test } from "vitest";
import { fullTime, localTime } from "../../../src/report/text/local-time.ts";
import { counted, formatBytes, formatDuration, plural } from "../../../src/report/text/numbers.ts";
import { clipText } from "../../../src/report/text/wrap.ts";

test.each([
  [0, "0 B"],
  [999, "999 B"],
  [1000, "1 kB"],
  [1540, "1.5 kB"],
  [9_960, "10 kB"],
  [48_213, "48 kB"],
  [999_499, "999 kB"],
  [999_500, "1 MB"],
  [1_204_000, "1.2 MB"],
  [3_000_000_000, "3 GB"],
  [5e16, "50000 TB"],
])("%d bytes are %s", (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

test.each([
  [0, "0 seconds"],
  [1, "1 second"],
  [34_000, "34 seconds"],
  [59_001, "1 minute"],
  [65_000, "1 minute 5 seconds"],
  [120_000, "2 minutes"],
  [3_600_000, "1 hour"],
  [3_900_000, "1 hour 5 minutes"],
])("%d ms are %s", (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

test("counts have the right noun", () => {
  expect([0, 1, 2, 1200].map((count) => plural(count, "post"))).toEqual([
    "0 posts",
    "1 post",
    "2 posts",
    "1,200 posts",
  ]);
  expect(
    counted([
      [2, "created"],
      [0, "failed"],
      [1, "unknown"],
    ]),
  ).toBe("2 created, 1 unknown");
});

describe("localTime", () => {
  test("is the time that the zone's clock shows", () => {
    expect(localTime("2027-03-01T08:00:00Z", "Europe/Paris")).toEqual({
      day: "Mon 1 March 2027",
      date: "Mon 1",
      month: "March 2027",
      isoDay: "2027-03-01",
      clock: "09:00",
      timezone: "Europe/Paris",
      offset: "+01:00",
    });
  });

  test("falls on the zone's day, and has seconds if there are any", () => {
    expect(fullTime(localTime("2027-03-01T15:00:30Z", "Asia/Tokyo"))).toBe("Tue 2 March 2027 00:00:30");
  });

  test("returns unreadable times unchanged", () => {
    expect(fullTime(localTime("soon", "Europe/Paris"))).toBe("soon");
    expect(fullTime(localTime("2027-03-01T08:00:00Z", "Mars/Base"))).toBe("2027-03-01T08:00:00Z");
  });
});

describe("clipText", () => {
  test("never cuts an emoji", () => {
    expect(clipText("ab👩‍🚀cd", 3)).toBe("ab👩‍🚀 …");
    expect(clipText("ab👩‍🚀cd", 5)).toBe("ab👩‍🚀cd");
  });

  test("handles one endless character", () => {
    expect(clipText(`a${"\u{301}".repeat(100_000)}`, 10)).toBe(" …");
  });
});
