import * as fc from "fast-check";
import ICAL from "ical.js";
import { describe, expect, test } from "vitest";
import type { ListedPost } from "../../src/calendar/listed-post.ts";
import { calendarIcs } from "../../src/report/calendar-ics.ts";
import { visibleText } from "../../src/report/visible-text.ts";
import { post } from "../support/rows.ts";
import { hostileText } from "./hostile-text.ts";

const OPTIONS = {
  name: "Spring; with, signs",
  project: "spring",
  timezone: "Europe/Paris",
  titleOf: (platform: string) => platform,
};

function listed(given: Parameters<typeof post>[0] & Partial<Pick<ListedPost, "status">> = {}): ListedPost {
  return { status: "ready", ...post(given) };
}

function uidOf(given: ListedPost, project = "spring"): string | undefined {
  return /UID:.*/.exec(calendarIcs([given], { ...OPTIONS, project }))?.[0];
}

/** The feed as a parser that is not ours reads it, with what RFC 5545 asks of its bytes. */
function parsed(posts: readonly ListedPost[]) {
  const text = calendarIcs(posts, OPTIONS);
  expect(text.endsWith("\r\n")).toBe(true);
  expect(text.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
  for (const line of text.split("\r\n")) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
  const component = new ICAL.Component(ICAL.parse(text));
  const events = component.getAllSubcomponents("vevent").map((each) => new ICAL.Event(each));
  return { text, component, events };
}

describe("a feed", () => {
  test("says when, where and what, in UTC, with a name", () => {
    const content = "Hello, world; a \\ and\na second line";
    const given = listed({ content, platforms: ["linkedin", "x"], scheduledAt: "2027-03-01T08:00:00Z" });
    const { text, events } = parsed([given]);
    expect(text).toContain(String.raw`X-WR-CALNAME:Spring\; with\, signs`);
    const [event] = events;
    expect(event?.startDate.toICALString()).toBe("20270301T080000Z");
    expect(event?.endDate.toICALString()).toBe("20270301T081500Z");
    expect(event?.summary).toBe("linkedin, x: Hello, world; a \\ and");
    expect(event?.description).toBe(`${content}\n\nRow: calendars/a.csv:2`);
    expect(event?.component.getFirstProperty("categories")?.getValues()).toEqual(["linkedin", "x"]);
  });

  test("keeps a row's id when its text or time changes, and tells projects apart", () => {
    expect(uidOf(listed({ content: "Other", scheduledAt: "2028-01-01T00:00:00Z" }))).toBe(uidOf(listed()));
    expect(uidOf(listed({ key: "other" }))).not.toBe(uidOf(listed()));
    expect(uidOf(listed(), "autumn")).not.toBe(uidOf(listed()));
  });

  test("holds drafts as tentative, and no rows to skip", () => {
    const { events } = parsed([listed({ key: "a", status: "draft" }), listed({ key: "b", status: "skip" })]);
    expect(events.map(({ component }) => component.getFirstPropertyValue("status"))).toEqual(["TENTATIVE"]);
  });

  test("holds any text, and nothing in a text becomes a property", () => {
    fc.assert(
      fc.property(hostileText, hostileText, (content, key) => {
        const { component, events } = parsed([listed({ content, key: `k${key}` })]);
        expect(events).toHaveLength(1);
        expect(component.getAllSubcomponents()).toHaveLength(1);
        const shown = visibleText(content);
        expect(events[0]?.description).toBe(`${shown === "" ? "" : `${shown}\n\n`}Row: calendars/a.csv:2`);
      }),
    );
  });

  test("without posts is one all the same", () => {
    expect(parsed([]).events).toEqual([]);
  });
});
