import * as fc from "fast-check";
import ICAL from "ical.js";
import { describe, expect, test } from "vitest";
import type { ListedPost } from "../../../src/model/post.ts";
import { calendarIcs } from "../../../src/report/calendar/calendar-data.ts";
import { visibleText } from "../../../src/report/text/escape.ts";
import { post } from "../../support/rows.ts";
import { hostileText } from "../hostile-text.ts";

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

/** The feed, read by an independent parser, and the rules of RFC 5545 for its bytes. */
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
  test("shows the time, platform and text in UTC, with a name", () => {
    const content = "Hello, world; a \\ and\na second line";
    const given = listed({ content, platforms: ["linkedin", "x"], scheduledAt: "2027-03-01T08:00:00Z" });
    const { text, events } = parsed([given]);
    expect(text).toContain(String.raw`X-WR-CALNAME:Spring\; with\, signs`);
    const [event] = events;
    expect(text).toContain("DTSTART:20270301T080000Z\r\nDTEND:20270301T081500Z\r\n");
    expect(event?.startDate.toUnixTime()).toBe(Date.UTC(2027, 2, 1, 8) / 1_000);
    expect(event?.summary).toBe("linkedin, x: Hello, world; a \\ and");
    expect(event?.description).toBe(`${content}\n\nRow: calendars/a.csv:2`);
    expect(event?.component.getFirstProperty("categories")?.getValues()).toEqual(["linkedin", "x"]);
  });

  test("keeps a row's id when its text or time changes, and gives projects different ids", () => {
    expect(uidOf(listed({ content: "Other", scheduledAt: "2028-01-01T00:00:00Z" }))).toBe(uidOf(listed()));
    expect(uidOf(listed({ key: "other" }))).not.toBe(uidOf(listed()));
    expect(uidOf(listed(), "autumn")).not.toBe(uidOf(listed()));
  });

  test("contains drafts as tentative events, and no skipped rows", () => {
    const { events } = parsed([listed({ key: "a", status: "draft" }), listed({ key: "b", status: "skip" })]);
    expect(events.map(({ component }) => component.getFirstPropertyValue("status"))).toEqual(["TENTATIVE"]);
  });

  test("contains any text, and no part of a text becomes a property", () => {
    fc.assert(
      fc.property(hostileText, hostileText, (content, key) => {
        const { component, events } = parsed([listed({ content, campaign: key, key: `k${key}` })]);
        expect(events).toHaveLength(1);
        expect(component.getAllSubcomponents().map(({ name }) => name)).toEqual(["vevent"]);
        const shown = visibleText(content);
        expect(events[0]?.description).toBe(
          `${shown === "" ? "" : `${shown}\n\n`}Campaign: ${visibleText(key)}\n\nRow: calendars/a.csv:2`,
        );
      }),
    );
  });

  test("without posts is valid too", () => {
    expect(parsed([]).events).toEqual([]);
  });
});
