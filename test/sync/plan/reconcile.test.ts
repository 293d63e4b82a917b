import { expect, test } from "vitest";
import {
  type Conclusion,
  type ListVerdict,
  type MissingPost,
  judgeList,
  missingOwnedPosts,
  reconcilePendingCreates,
} from "../../../src/sync/plan/reconcile.ts";
import { lockfile, owned, post, remote } from "../../support/rows.ts";

const NOW = Date.parse("2030-01-01T00:00:00Z");
const { content, platforms, scheduledAt } = post();
const attempt = {
  fingerprint: "sha256:-",
  attempted_at: "2029-12-31T23:59:30Z",
  scheduled_at: scheduledAt,
  content,
  platforms: [...platforms],
  media_ids: [],
  file: "calendars/a.csv",
};

test("if an owned post is due later and missing in the list, plancast asks for it by its id", () => {
  const { post_id: _id, ...old } = owned("post_4");
  const posts = {
    listed: owned("post_1"),
    missing: owned("post_2"),
    due: owned("post_3", { scheduled_at: "2029-12-31T00:00:00Z" }),
  };
  const given = lockfile(posts, { retiring: { post_4: { ...old, key: "missing" } } });
  expect(missingOwnedPosts(given, [remote()], NOW)).toEqual(["post_2", "post_4"]);
});

test("a pending create that the list shows is owned with all that was noted about its row", () => {
  const noted = { slot: ["linkedin"], series: "digest", pool_text: "mark" };
  const { posts, unknown } = reconcilePendingCreates(
    lockfile({}, { unknown: { launch: { ...attempt, ...noted } } }),
    [remote()],
  );
  expect([posts, unknown]).toEqual([{ launch: owned("post_1", { fingerprint: "sha256:-", ...noted }) }, {}]);
});

test.each([
  ["another text", remote({ content: "By hand" })],
  ["another time", remote({ scheduledAt: "2030-03-01T08:01:00Z" })],
  ["a text that the service does not show", { id: "post_1", scheduledAt }],
])("a post with %s is not the result of a pending create", (_what, listed) => {
  const before = lockfile({}, { unknown: { launch: attempt } });
  expect(reconcilePendingCreates(before, [listed])).toEqual(before);
});

const says = (...all: ("scheduled" | "published" | "missing" | "no status")[]): MissingPost[] =>
  all.map((state, index) => ({
    id: `post_${index}`,
    state: state === "no status" ? { state: "unknown", status: undefined } : { state },
  }));
const doubt = lockfile({}, { unknown: { launch: attempt } });

const believe = (...unconfirmed: Conclusion[]): ListVerdict => ({ verdict: "believe", unconfirmed });

test.each<[string, Parameters<typeof judgeList>, ListVerdict]>([
  ["nothing is missing", [lockfile(), [], []], believe()],
  ["a missing post is published", [lockfile(), [], says("published")], believe()],
  [
    "a scheduled post is missing",
    [lockfile(), [], says("published", "scheduled")],
    { verdict: "incomplete", unconfirmed: [] },
  ],
  [
    "a scheduled post is missing, and another is unknown to the service",
    [lockfile(), [], says("scheduled", "missing")],
    { verdict: "incomplete", unconfirmed: [{ what: "missing", of: "post_1" }] },
  ],
  [
    "a missing post is unknown to the service",
    [lockfile(), [], says("missing")],
    believe({ what: "missing", of: "post_0" }),
  ],
  ["a missing post has no status", [lockfile(), [], says("no status")], { verdict: "wait", unconfirmed: [] }],
  ["a pending create is not in it", [doubt, [], []], believe({ what: "pending-create", of: "launch" })],
  ["a pending create is in it", [doubt, [remote()], []], believe()],
])("decides whether a list proves something when %s", (_what, given, expected) => {
  expect(judgeList(...given)).toEqual(expected);
});
