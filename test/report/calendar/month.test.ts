import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { ListedPost } from "../../../src/model/post.ts";
import { defaultMonth, monthText } from "../../../src/report/calendar/month.ts";
import { textWidth } from "../../../src/report/text/wrap.ts";
import { createStyle } from "../../../src/report/text/style.ts";
import { post } from "../../support/rows.ts";
import { hostileText } from "../hostile-text.ts";

const OPTIONS = {
  month: "2027-03",
  today: "2027-03-04",
  timezone: "Europe/Paris",
  titleOf: (platform: string) => platform,
};

function listed(given: Parameters<typeof post>[0] & Partial<Pick<ListedPost, "status">> = {}): ListedPost {
  return { status: "ready", ...post(given) };
}

function lines(posts: readonly ListedPost[], width = 100, options = OPTIONS): string[] {
  return monthText(posts, options, createStyle({ color: false, width, unicode: true })).split("\n");
}

test("a month has weeks from Monday on, in the project's zone", () => {
  // Midnight in Paris, but the day before in UTC.
  const given = listed({ scheduledAt: "2027-03-01T23:00:00Z", content: "花見の季節がはじまりました" });
  const [title, , names, numbers, ...post] = lines([given]);
  expect(title).toBe("March 2027  times in Europe/Paris");
  expect(names).toMatch(/^Mon +Tue +Wed +Thu +Fri +Sat +Sun$/);
  expect(numbers).toMatch(/^1 {13}2 {13}3 {13}\[4\] {11}5 {13}6 {13}7$/);
  expect(post.slice(0, 4).map((line) => line.slice(14))).toEqual([
    "00:00",
    "linkedin",
    "花見の季節が",
    "はじまりま …",
  ]);
});

test("counts posts that do not fit into a day, and posts of other months", () => {
  const many = Array.from({ length: 6 }, (_, index) =>
    listed({ key: `k${index}`, content: "Hi", scheduledAt: "2027-03-10T08:00:00Z" }),
  );
  const text = lines([...many, listed({ scheduledAt: "2027-05-01T08:00:00Z" })]).join("\n");
  expect(text.match(/09:00/g)).toHaveLength(3);
  expect(text.match(/^ +Hi$/gm)).toHaveLength(3);
  expect(text).toContain("+3 more");
  expect(text).toContain("6 posts in March 2027, 1 post in other months");
});

const titleOf = (platform: string): string => (platform === "twitter" ? "X" : platform);

test("in a wide month, each post shows the names of its networks and two lines of text", () => {
  const posts = [
    listed({
      content: "One two three four five six seven eight nine ten",
      platforms: ["linkedin", "twitter"],
      scheduledAt: "2027-03-01T08:00:00Z",
    }),
    listed({
      content: "Draft",
      status: "draft",
      platforms: ["instagram"],
      scheduledAt: "2027-03-02T08:00:00Z",
    }),
  ];
  expect(lines(posts, 140, { ...OPTIONS, titleOf }).slice(4, 7)).toEqual([
    "09:00 linkedin, X   09:00 instagram",
    "One two three four  (draft) Draft",
    "five six seven …",
  ]);
});

test("if a grid does not fit, days are a list; a draft is marked", () => {
  const text = lines([listed({ scheduledAt: "2027-03-10T08:00:00Z", status: "draft", content: "Hi" })], 50);
  expect(text.slice(2, 4)).toEqual([
    "Wed 10 March 2027",
    expect.stringMatching(/^09:00  linkedin +\(draft\) Hi$/),
  ]);
});

function withCommands(line: string): string {
  return line.replaceAll(String.raw`#\u{23}`, "##").replaceAll(String.raw`\u{3a}:`, "::");
}

test("no line is wider than the terminal, for any text", () => {
  fc.assert(
    fc.property(hostileText, fc.integer({ min: 40, max: 120 }), (content, width) => {
      for (const line of lines(
        [listed({ content, campaign: content, scheduledAt: "2027-03-10T08:00:00Z" })],
        width,
      ))
        // A text that a CI runner would treat as a command is escaped, whatever the width.
        expect(textWidth(withCommands(line))).toBeLessThanOrEqual(width);
    }),
  );
});

test("the month of the next post is shown or, without one, the month of the last post", () => {
  const posts = [
    listed({ scheduledAt: "2027-01-31T23:30:00Z" }),
    listed({ scheduledAt: "2027-04-01T00:00:00Z" }),
  ];
  const month = (now: string) => defaultMonth(posts, now, "Europe/Paris");
  expect([
    month("2027-01-01T00:00:00Z"),
    month("2027-02-01T00:00:00Z"),
    month("2029-01-01T00:00:00Z"),
  ]).toEqual(["2027-02", "2027-04", "2027-04"]);
  expect(defaultMonth([], "2027-05-05T00:00:00Z", "UTC")).toBe("2027-05");
});
