/** The two files of a schedule: apply writes the first one, and publish the second one. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  type ScheduleTexts,
  appliedTexts,
  joinLayers,
  joinedText,
  parseLayers,
  publishedTexts,
} from "../../src/repository/schedule-layers.ts";
import {
  type Schedule,
  type ScheduledPost,
  type ScheduledPublication,
  mergeScheduleTexts,
  parseSchedule,
  scheduleText,
  withDigest,
} from "../../src/repository/schedule.ts";

const NOW = Date.UTC(2027, 2, 1, 9);
const ID = "post_0123456789ab";
const NOTHING: ScheduleTexts = { schedule: "", published: "" };

function post(content: string, state?: ScheduledPublication["state"]): ScheduledPost {
  const made = withDigest({
    content,
    platforms: ["bluesky"],
    accounts: { bluesky: "account_b" },
    scheduled_at: "2027-03-01T08:00:00Z",
    media: [],
    created_at: "2027-03-01T07:00:00Z",
  });
  if (state === undefined) return made;
  const claim = state === "sending" ? { claim: { run: "first", until: "2027-03-01T08:15:00Z" } } : {};
  const about = { account_id: "account_b", attempts: 1, sent_at: "2027-03-01T08:01:00Z", parts: [] };
  return { ...made, publications: { bluesky: { ...about, state, ...claim } } };
}

function textOf(posts: Record<string, ScheduledPost>): string {
  return scheduleText({ version: 1, posts });
}

function joined(texts: ScheduleTexts): Schedule["posts"] {
  return joinLayers(parseLayers(texts, NOW)).posts;
}

/** What publish pushes after a change of the joined schedule. */
function published(before: ScheduleTexts, posts: Record<string, ScheduledPost>): ScheduleTexts {
  return publishedTexts(parseSchedule(textOf(posts)), parseLayers(before, NOW), NOW);
}

/** What apply writes. */
function applied(before: ScheduleTexts, posts: Record<string, ScheduledPost>): ScheduleTexts {
  return appliedTexts({ version: 1, posts }, parseLayers(before, NOW));
}

test.each([
  ["a result of the same post", post("A"), post("A", "published"), post("A", "published")],
  ["a later state of the same post", post("A", "sending"), post("A", "waiting"), post("A", "waiting")],
  ["a sent post that apply edited", post("B"), post("A", "sending"), post("A", "sending")],
  ["a sent post that apply cancelled", undefined, post("A", "sending"), post("A", "sending")],
  ["an edited post that was not sent", post("B"), post("A", "waiting"), post("B")],
  ["a cancelled post that was not sent", undefined, post("A", "waiting"), undefined],
])("the second file has %s", (_name, first, second, counts) => {
  const texts = {
    schedule: textOf(first === undefined ? {} : { [ID]: first }),
    published: textOf({ [ID]: second }),
  };
  const expected = counts === undefined ? {} : { [ID]: counts };
  expect(joined(texts)).toEqual(expected);
  expect(parseSchedule(joinedText(texts)).posts).toEqual(expected);
});

const STATES = ["waiting", "sending", "unknown", "failed", "expired", "published"] as const;
const ids = fc.integer({ min: 0, max: 299 }).map((nr) => `post_${String(nr).padStart(12, "0")}`);
const change = fc.record({
  who: fc.constantFrom("apply" as const, "publish" as const),
  ids: fc.uniqueArray(ids, { maxLength: 250 }),
  state: fc.constantFrom(...STATES),
  content: fc.constantFrom("A", "B"),
});

test("both files together say what one file would say, whoever writes", () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 8 }), (changes) => {
      let texts = NOTHING;
      let model: Record<string, ScheduledPost> = {};
      for (const each of changes) {
        const next = { ...model };
        for (const id of each.ids) {
          const before = next[id];
          if (each.who === "apply" && before?.publications === undefined) next[id] = post(each.content);
          if (each.who === "publish" && before !== undefined) next[id] = post(before.content, each.state);
        }
        texts = each.who === "apply" ? applied(texts, next) : published(texts, next);
        model = next;
        expect(joined(texts)).toEqual(model);
      }
    }),
  );
});

function many(count: number, state?: "published"): Record<string, ScheduledPost> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, nr) => [`post_${String(nr).padStart(12, "0")}`, post(`${nr}`, state)]),
  );
}

test("publish writes only what it changed, and puts many changes back into the schedule", () => {
  const before = { schedule: textOf(many(3_000)), published: "" };
  const few = published(before, { ...many(3_000), ...many(50, "published") });
  expect(few.schedule).toBe(before.schedule);
  const small = published(
    { schedule: textOf(many(60)), published: "" },
    { ...many(60), ...many(50, "published") },
  );
  expect(few.published).toBe(small.published);
  const full = published(few, { ...many(3_000), ...many(301, "published") });
  expect(full).toEqual({
    schedule: textOf({ ...many(3_000), ...many(301, "published") }),
    published: textOf({}),
  });
});

test("posts that are over and old leave the schedule when changes are put back", () => {
  const ninetyOneDays = 91 * 86_400_000;
  const posts = Object.fromEntries(
    Array.from({ length: 201 }, (_, nr) => [`post_${String(nr).padStart(12, "0")}`, post("A", "published")]),
  );
  const texts = publishedTexts({ version: 1, posts }, parseLayers(NOTHING), NOW + ninetyOneDays);
  expect(joined(texts)).toEqual({});
});

/** Both files after a merge by git. */
function merged(base: ScheduleTexts, ours: ScheduleTexts, theirs: ScheduleTexts): ScheduleTexts {
  return {
    schedule: mergeScheduleTexts(base.schedule, ours.schedule, theirs.schedule),
    published: mergeScheduleTexts(base.published, ours.published, theirs.published),
  };
}

test.each([
  ["nothing of it was published before", NOTHING.published, undefined],
  ["a waiting attempt is in the second file", textOf({ [ID]: post("A", "waiting") }), "waiting" as const],
])(
  "apply edits or cancels a post while publish claims it: it stays as it was sent, if %s",
  (_name, second, state) => {
    const base = { schedule: textOf({ [ID]: post("A") }), published: second };
    expect(joined(base)).toEqual({ [ID]: post("A", state) });
    const claimed = published(base, { [ID]: post("A", "sending") });
    const sent = published(claimed, { [ID]: post("A", "published") });
    for (const theirs of [claimed, sent]) {
      for (const ours of [applied(base, { [ID]: post("B") }), applied(base, {})])
        for (const result of [merged(base, ours, theirs), merged(base, theirs, ours)])
          expect(joined(result)).toEqual(joined(theirs));
    }
  },
);

test("apply puts a claim into the first file while publish records its result: the result counts", () => {
  const base = published(
    { schedule: textOf({ [ID]: post("A") }), published: "" },
    { [ID]: post("A", "sending") },
  );
  const ours = applied(base, joined(base));
  for (const state of ["waiting", "failed", "unknown", "published"] as const) {
    const theirs = published(base, { [ID]: post("A", state) });
    for (const result of [merged(base, ours, theirs), merged(base, theirs, ours)]) {
      const counts = joined(result)[ID]?.publications?.["bluesky"]?.state;
      expect(counts).toBe(state);
    }
  }
});

test("an apply that is killed between its two files loses nothing", () => {
  const other = "post_0123456789ac";
  const first = { schedule: textOf({ [ID]: post("A"), [other]: post("C") }), published: "" };
  const before = published(first, { [ID]: post("A", "published"), [other]: post("C", "waiting") });
  for (const next of [
    { [ID]: post("A", "published") },
    { [ID]: post("A", "published"), [other]: post("D") },
  ]) {
    const written = applied(before, next);
    expect(joined({ ...written, published: before.published })).toEqual(joined(written));
  }
});
