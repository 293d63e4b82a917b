/** The page's data in parts: the page puts them together to exactly what the server has. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { DataTexts, changedData, firstPart, joinedData, restOf } from "../../src/preview/data-parts.ts";
import { LiveData } from "../../src/preview/live/server.ts";
import { previewHtml } from "../../src/preview/preview-html.ts";
import type { PreviewData, PreviewPost } from "../../src/preview/preview-data.ts";
import { hostileText } from "../report/hostile-text.ts";

const text = fc.oneof(hostileText, fc.constant("😀".repeat(200)), fc.constant("a".repeat(249) + "😀"));
const optional = fc.record(
  { id: hostileText, content: text, alt: fc.array(hostileText), reason: hostileText },
  { requiredKeys: [] },
);
const post: fc.Arbitrary<PreviewPost> = fc
  .record({
    given: optional,
    day: fc.constantFrom("2036-03-03", "2036-03-04"),
    problems: fc.constantFrom([], [0]),
  })
  .map(({ given, ...rest }) => ({
    status: "ready",
    clock: "09:00",
    offset: "+01:00",
    at: "2036-03-03T08:00:00Z",
    place: "a.csv:2",
    platforms: [0],
    media: [0],
    meters: [{ platform: 0, used: 3, limit: 300, unit: "characters" }],
    differences: [],
    ...rest,
    ...given,
  }));
const data: fc.Arbitrary<PreviewData> = fc
  .tuple(fc.array(post, { maxLength: 6 }), fc.nat(3), hostileText)
  .map(([posts, problems, title]) => ({
    title,
    timezone: "Europe/Paris",
    madeAt: "2036-03-01 09:00",
    today: "2036-03-01",
    notices: [],
    platforms: [{ name: "linkedin", title: "LinkedIn" }],
    media: [{ name: "a.jpg", kind: "picture", source: "data:image/png;base64,AA" }],
    problems: Array.from({ length: problems + 1 }, (_, place) => ({
      code: "a/b",
      severity: "warning",
      message: title,
      place: String(place),
    })),
    posts,
  }));

const sent = (value: unknown) => JSON.parse(JSON.stringify(value));

test("the first part and the rest are the whole data", () => {
  fc.assert(
    fc.property(data, (whole) => {
      expect(joinedData(sent(firstPart(whole)), sent(restOf(whole)))).toEqual(sent(whole));
    }),
  );
});

test("what changed, and what was there, are the new data", () => {
  fc.assert(
    fc.property(data, data, fc.nat(6), (before, other, kept) => {
      const now = { ...other, posts: [...other.posts, ...before.posts.slice(kept).toReversed()] };
      const changes = new DataTexts(now).since(new DataTexts(before), "v");
      expect(changedData(sent(before), JSON.parse(changes))).toEqual({ ...sent(now), since: "v" });
      expect(JSON.parse(new DataTexts(now).whole())).toEqual(sent(now));
    }),
  );
});

function posts(...contents: readonly string[]): PreviewData {
  const [sample] = fc.sample(data, { numRuns: 1, seed: 1 });
  const [one] = fc.sample(post, { numRuns: 1, seed: 1 });
  if (sample === undefined || one === undefined) throw new Error("There is no sample.");
  return { ...sample, posts: contents.map((content) => ({ ...one, content })) };
}

test("a page gets only posts that changed, everything if it is older, and nothing if it is up to date", () => {
  const live = new LiveData(posts("First", "Second"));
  const { version: first } = live.data;
  expect(live.json(first)).toBeUndefined();
  live.set(posts("First", "Changed", "Second"));
  const { version: second } = live.data;
  expect(JSON.parse(live.json(first) ?? "")).toMatchObject({
    since: first,
    version: second,
    posts: [0, { content: "Changed" }, 1],
    places: [{ media: [0] }, { media: [0] }, { media: [0] }],
    media: [0],
  });
  live.set(posts());
  for (const since of [first, undefined, "", "another"]) {
    const answer = JSON.parse(live.json(since) ?? "");
    expect(answer).toEqual({ ...live.data, posts: [] });
  }
  // Another server at the same address.
  expect(new LiveData(posts()).data.version).not.toBe(first);
});

function scripts(shown: PreviewData, kind: "file" | "client"): number {
  const html = previewHtml(shown, { script: "document;", style: "" }, kind);
  expect(html).not.toContain("<!--");
  return (html.match(/<\/?script/gi) ?? []).length / 2;
}

test("a large page has three blocks of inert JSON and code; a small page and a client's page have two", () => {
  const large = posts(...Array.from({ length: 300 }, () => "</script><!--<script>".repeat(200)));
  expect([scripts(large, "file"), scripts(large, "client"), scripts(posts("One"), "file")]).toEqual([
    3, 2, 2,
  ]);
});
