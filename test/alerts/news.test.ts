import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Alert } from "../../src/alerts/core/alert.ts";
import { type Look, type Sent, afterSending, newsFor, withPatience } from "../../src/alerts/core/news.ts";
import { newsText } from "../../src/alerts/core/message.ts";
import { manyRuns } from "../support/property-tests.ts";

const NOW = Date.parse("2036-03-01T08:00:00Z");

function alert(name: string, more: Partial<Alert> = {}): Alert {
  return { kind: "failed", key: name, text: name, ...more };
}

function look(open: readonly Alert[], more: Partial<Look> = {}): Look {
  return { open, isWhole: true, now: NOW, ...more };
}

/** Sends a channel the news of each look in turn. */
function story(looks: readonly Look[]): readonly string[] {
  let sent: Sent = {};
  return looks.map((each) => {
    const now = withPatience(each, sent);
    const { fresh, solved } = newsFor("slack", now, sent);
    sent = afterSending("slack", now, sent);
    return [...fresh.map(({ text }) => `+${text}`), ...solved.map((text) => `-${text}`)].join(" ");
  });
}

test.each<[string, readonly Look[], readonly string[]]>([
  [
    "an alert, and its end, once",
    [look([alert("a")]), look([alert("a")]), look([]), look([])],
    ["+a", "", "-a", ""],
  ],
  ["an alert that comes back", [look([alert("a")]), look([]), look([alert("a")])], ["+a", "-a", "+a"]],
  [
    "nothing about the end while it cannot look",
    [look([alert("a")]), look([alert("b")], { isWhole: false }), look([])],
    ["+a", "+b", "-a -b"],
  ],
  [
    "nothing about the end of an old post",
    [look([alert("a", { until: NOW })]), look([], { now: NOW + 1 })],
    ["+a", ""],
  ],
  [
    "a service that does not answer twice",
    [
      look([alert("u", { kind: "unreachable" })]),
      look([alert("u", { kind: "unreachable" })]),
      look([alert("u", { kind: "unreachable" })]),
      look([]),
    ],
    ["", "+u", "", "-u"],
  ],
  ["no moment without an answer", [look([alert("u", { kind: "unreachable" })]), look([])], ["", ""]],
])("sends %s", (_name, looks, expected) => {
  expect(story(looks)).toEqual(expected);
});

test("a channel that failed gets its news later, and the other one nothing twice", () => {
  const open = look([alert("a")]);
  const sent = afterSending("slack", open, {});
  expect(newsFor("slack", open, sent).fresh).toEqual([]);
  expect(newsFor("email", open, sent).fresh).toHaveLength(1);
  const ended = look([]);
  const after = afterSending("slack", ended, afterSending("email", open, sent));
  expect(newsFor("slack", ended, after).solved).toEqual([]);
  expect(newsFor("email", ended, after).solved).toEqual(["a"]);
  expect(afterSending("email", ended, after)).toEqual({});
});

test("whatever opens and ends, and whichever channel fails, each hears of it exactly once", () => {
  const step = fc.record({ open: fc.uniqueArray(fc.constantFrom("a", "b", "c")), fails: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      let sent: Sent = {};
      const known = new Set<string>();
      for (const { open, fails } of steps) {
        const now = look(open.map((name) => alert(name)));
        const { fresh, solved } = newsFor("slack", now, sent);
        expect(new Set(fresh.map(({ key }) => key))).toEqual(
          new Set(open.filter((name) => !known.has(name))),
        );
        expect(new Set(solved)).toEqual(
          new Set([...known].filter((name) => !open.some((each) => each === name))),
        );
        if (fails) continue;
        sent = afterSending("slack", now, sent);
        known.clear();
        for (const name of open) known.add(name);
      }
    }),
    { numRuns: manyRuns(2000) },
  );
});

test("a message keeps to its length, and counts what it leaves out", () => {
  const fresh = Array.from({ length: 300 }, (_, index) => alert(`row ${index} ${"x".repeat(80)}`));
  const text = newsText("acme", { fresh, solved: [], open: fresh }, 2_000);
  expect(text.length).toBeLessThanOrEqual(2_000);
  expect(text).toContain("300 new alerts");
  expect(text).toMatch(/And 2\d\d more/);
  expect(newsText("acme", { fresh: [alert("y".repeat(5_000))], solved: [], open: [] }, 2_000)).toHaveLength(
    "plancast, acme: 1 new alert\n\n`plancast status` shows all of them.".length,
  );
});
