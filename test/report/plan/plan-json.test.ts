import { describe, expect, test } from "vitest";
import { problem } from "../../../src/model/problem.ts";
import { planDocument } from "../../../src/report/plan/plan-json.ts";
import { cancel, create, media, plan, post, replace, weekOfPosts } from "../sample-plan.ts";

const QUIET = { verbose: false };

test("has the documented form", () => {
  const summary = {
    create: 2,
    replace: 1,
    cancel: 0,
    adopt: 0,
    missing: 0,
    held: 0,
    keep: 40,
    past: 3,
    expired: 1,
    draft: 1,
    skipped: 2,
    unmanaged: 5,
  };
  const desired = post({ content: "New", media: [media("media/launch.png", 48_213)] });
  const warning = {
    ...problem("schedule/past", "Too long.", {
      file: "calendars/march.csv",
      line: 4,
      column: 12,
      length: 3,
    }),
  };
  const of = plan([replace(desired, { content: "Old" })], {
    summary,
    guards: [{ code: "guard/no-rows", cancels: 1 }],
  });
  expect(planDocument(of, [warning], QUIET)).toEqual({
    version: 1,
    hash: `sha256:${"cd".repeat(32)}`,
    summary,
    guards: [
      {
        code: "guard/no-rows",
        message:
          "No row is planned, so every post would be cancelled. Check that the calendars are in place. " +
          "If you want to cancel these posts, run `plancast apply --allow-cancels 1`, or review a saved plan: `plancast plan --out FILE`, then `plancast apply --plan FILE`.",
      },
    ],
    uploads: [{ path: "media/launch.png", sha256: "ab".repeat(32), bytes: 48_213 }],
    changes: [
      {
        action: "replace",
        key: "launch",
        source: { file: "calendars/march.csv", line: 4 },
        post: {
          content: "New",
          platforms: ["linkedin", "twitter"],
          scheduled_at: "2027-03-01T08:00:00Z",
          media: ["media/launch.png"],
        },
        media_digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
        post_id: "post_81f",
        fields: ["content"],
        reason: "The row has changed.",
      },
    ],
    missing: [],
    problems: [
      {
        code: "schedule/past",
        severity: "warning",
        message: "Too long.",
        file: "calendars/march.csv",
        line: 4,
        column: 12,
      },
    ],
  });
});

test("a create has no post id; media are paths or ids", () => {
  const desired = post({ media: [{ kind: "id", id: "media_7" }, media("a/b.png", 1)] });
  const [change] = planDocument(plan([create(desired)]), [], QUIET).changes;
  expect(change).toEqual({
    action: "create",
    key: "launch",
    source: { file: "calendars/march.csv", line: 4 },
    post: {
      content: "We are live.",
      platforms: ["linkedin", "twitter"],
      scheduled_at: "2027-03-01T08:00:00Z",
      media: ["media_7", "a/b.png"],
    },
    media_digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    reason: "The row is new.",
  });
});

const cancelled = (remote: Parameters<typeof cancel>[2]): unknown =>
  planDocument(plan([cancel("old", "2027-03-01T08:00:00Z", remote)]), [], QUIET).changes;

test("a cancel has no line, and has only the fields that the service returns", () => {
  const common = {
    action: "cancel",
    key: "old",
    source: { file: "calendars/march.csv" },
    post_id: "post_old",
  };
  expect(cancelled({})).toEqual([
    { ...common, post: { scheduled_at: "2027-03-01T08:00:00Z" }, reason: "The row is gone." },
  ]);
  expect(
    cancelled({ content: "x", platforms: ["a"], scheduledAt: "2027-03-02T08:00:00Z", mediaIds: ["media_1"] }),
  ).toEqual([
    {
      ...common,
      post: { content: "x", platforms: ["a"], scheduled_at: "2027-03-02T08:00:00Z", media: ["media_1"] },
      reason: "The row is gone.",
    },
  ]);
});

test("keeps the order of apply, and lists kept posts after it only when verbose", () => {
  const week = weekOfPosts();
  const keys = week.changes.map(({ key }) => key);
  expect(planDocument(week, [], QUIET).changes.map(({ key }) => key)).toEqual(keys);
  const verbose = planDocument(week, [], { verbose: true }).changes;
  expect(verbose.map(({ key }) => key)).toEqual([...keys, "monday-quiz"]);
  expect(verbose.at(-1)).toMatchObject({ action: "keep", post_id: "post_7" });
});

describe("without a plan", () => {
  test("is the same document, empty, with an empty hash", () => {
    expect(
      planDocument(undefined, [problem("calendar/none-found", "None.")], {
        verbose: true,
        counts: { draft: 2, skipped: 1 },
      }),
    ).toEqual({
      version: 1,
      hash: "",
      summary: {
        create: 0,
        replace: 0,
        cancel: 0,
        adopt: 0,
        missing: 0,
        held: 0,
        keep: 0,
        past: 0,
        expired: 0,
        draft: 2,
        skipped: 1,
        unmanaged: 0,
      },
      guards: [],
      uploads: [],
      changes: [],
      missing: [],
      problems: [{ code: "calendar/none-found", severity: "warning", message: "None." }],
    });
  });
});
