import { expect, test } from "vitest";
import * as fc from "fast-check";
import { type JournalEvent, OwnedState, replay } from "../../../src/sync/state/journal.ts";
import { takenSlots } from "../../../src/model/lockfile.ts";
import { withConfirmedCreates } from "../../../src/sync/plan/reconcile.ts";
import { lockfile, owned } from "../../support/rows.ts";

const attempt = {
  fingerprint: "sha256:new",
  attempted_at: "2029-12-31T23:59:30Z",
  scheduled_at: "2030-03-01T08:00:00Z",
  content: "We are open",
  platforms: ["linkedin"],
  media_ids: [],
  file: "calendars/a.csv",
};
const started = (hash: string): JournalEvent => ({
  event: "started",
  at: "2029-12-31T23:59:00Z",
  lockfile: hash,
  origin: "https://api.example.com",
});
const creating: JournalEvent = { event: "create-started", key: "launch", attempt };
const created: JournalEvent = { event: "created", key: "launch", post_id: "post_2" };
const cancelled: JournalEvent = {
  event: "cancelled",
  key: "launch",
  post_id: "post_1",
  at: "2030-01-01T00:00:00Z",
};
const mine = owned("post_2", { fingerprint: "sha256:new" });
const { post_id: _id, ...old } = owned("post_1");

test.each<[string, JournalEvent[], object]>([
  ["nothing happened", [started("h")], { posts: { launch: owned("post_1") } }],
  [
    "a create was begun",
    [started("h"), creating],
    { posts: { launch: owned("post_1") }, unknown: { launch: attempt } },
  ],
  [
    "a create was refused",
    [started("h"), creating, { event: "create-refused", key: "launch" }],
    { posts: { launch: owned("post_1") }, unknown: {} },
  ],
  [
    "the new half of a replacement is made",
    [started("h"), creating, created],
    { posts: { launch: mine }, retiring: { post_1: { ...old, key: "launch" } }, unknown: {} },
  ],
  [
    "both halves are done",
    [started("h"), creating, created, cancelled],
    { posts: { launch: mine }, retiring: {} },
  ],
  [
    "a cancel was begun",
    [started("h"), { event: "cancel-started", key: "launch", post_id: "post_1" }],
    { posts: { launch: { ...owned("post_1"), cancelling: true } } },
  ],
  [
    "a cancel was begun and confirmed",
    [started("h"), { event: "cancel-started", key: "launch", post_id: "post_1" }, cancelled],
    { posts: {}, cancelled: { post_1: { ...old, key: "launch", at: "2030-01-01T00:00:00Z" } } },
  ],
  [
    "a post is created again that is no longer scheduled",
    [started("h"), { ...creating, attempt: { ...attempt, forgets: "post_1" } }, created],
    { posts: { launch: mine }, retiring: {}, unknown: {} },
  ],
  [
    "a cancel for a hold was confirmed",
    [started("h"), { ...cancelled, hold: "recall" }],
    { posts: {}, cancelled: { post_1: { hold: "recall" } } },
  ],
  [
    "somebody else had cancelled the old half",
    [started("h"), creating, created, { event: "old-gone", key: "launch", post_id: "post_1" }],
    { posts: { launch: owned("post_1") }, retiring: { post_2: { key: "launch" } }, unknown: {} },
  ],
  [
    "somebody else had cancelled the old half, which was to go first",
    [
      started("h"),
      { event: "cancel-started", key: "launch", post_id: "post_1" },
      { event: "old-gone", key: "launch", post_id: "post_1" },
    ],
    { posts: { launch: owned("post_1") } },
  ],
  ["the old half went first", [started("h"), cancelled], { posts: {} }],
  [
    "the lockfile is from elsewhere, so its post is the row's",
    [started("other"), creating, created],
    { posts: { launch: owned("post_1") }, retiring: { post_2: { key: "launch" } } },
  ],
])("replayed: %s", (_what, events, expected) => {
  expect(replay(lockfile({ launch: owned("post_1") }), "h", events, "journal.jsonl")).toMatchObject(expected);
});

test("does not repeat events that the lockfile already has", () => {
  // The row has another key now. If the event counted again, the post would be owned twice, and cancelled for the old
  // key.
  const moved = lockfile({ renamed: mine });
  const events: JournalEvent[] = [started("before"), creating, created, { event: "written", lockfile: "h" }];
  expect(replay(moved, "h", events, "journal.jsonl")).toEqual(moved);
  expect(replay(lockfile(), "older", events, "journal.jsonl").posts).toEqual({ launch: mine });
});

test.each([[null], [{}], [{ event: "created" }], [{ event: "something new" }], ["created"]])(
  "an invalid entry stops the run: %j",
  (record) => {
    expect(() => replay(lockfile(), "h", [record], "journal.jsonl")).toThrow(/journal\.jsonl, line 1/);
  },
);

test("refuses a journal of another service", () => {
  const foreign = { ...started("h"), origin: "https://staging.example.com" };
  expect(() => replay(lockfile(), "h", [foreign, creating], "j.journal")).toThrow(/staging\.example\.com/);
});

test("a row keeps the slot that an interrupted run took, even while the result is unknown", () => {
  const slotted: JournalEvent = {
    event: "create-started",
    key: "launch",
    attempt: { ...attempt, slot: ["linkedin"] },
  };
  const slot = { at: attempt.scheduled_at, networks: ["linkedin"] };
  const unknown = replay(lockfile(), "h", [started("h"), slotted], "journal");
  expect([...takenSlots(unknown)]).toEqual([["launch", slot]]);
  const known = replay(lockfile(), "h", [started("h"), slotted, created], "journal");
  expect(known.posts["launch"]).toMatchObject({ post_id: "post_2", slot: ["linkedin"] });
  expect([...takenSlots(known)]).toEqual([["launch", slot]]);
  const confirmed = withConfirmedCreates(unknown, new Map([["launch", "post_3"]]));
  expect([...takenSlots(confirmed)]).toEqual([["launch", slot]]);
});

test("the row of a post is the one that a search through all posts finds", () => {
  const key = fc.constantFrom("a", "b", "c");
  const post_id = fc.constantFrom("p1", "p2", "p3", "p4");
  const event = fc.oneof(
    key.map((each): JournalEvent => ({ event: "create-started", key: each, attempt })),
    fc.record({ key, post_id }).map((each): JournalEvent => ({ event: "created", ...each })),
    fc
      .record({ key, post_id })
      .map((each): JournalEvent => ({ event: "cancelled", ...each, at: cancelled.at })),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(event, fc.boolean()), { maxLength: 20 }), (events) => {
      const state = new OwnedState(lockfile({ a: owned("p1"), b: owned("p2") }));
      for (const [each, isNewest] of events) {
        // A run records a created post only if no other row has it.
        if (each.event === "created" && (state.keyOf(each.post_id) ?? each.key) !== each.key) continue;
        state.apply(each, isNewest);
        const { posts } = state.lockfile;
        for (const id of ["p1", "p2", "p3", "p4"])
          expect(state.keyOf(id)).toBe(Object.keys(posts).find((row) => posts[row]?.post_id === id));
      }
    }),
  );
});
