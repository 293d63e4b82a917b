import { describe, expect, test } from "vitest";
import type { ApplyResult, Outcome } from "../../../src/model/plan.ts";
import { applyDocument, applyText, inWords, reasonText } from "../../../src/report/outcomes/apply.ts";
import { createStyle } from "../../../src/report/text/style.ts";
import { cancel, create, post, replace } from "../sample-plan.ts";

const CHANGES = [
  create(post()),
  replace(post({ key: "recipe", source: { file: "calendars/april.csv", line: 9 } }), { content: "Old" }),
  cancel("old-offer", "2027-03-05T15:00:00Z"),
  ...Array.from({ length: 12 }, (_, index) =>
    create(post({ key: `row:${index}`, source: { file: "a.csv", line: index + 2 } })),
  ),
];

function result(outcomes: readonly Outcome[], over: Partial<ApplyResult> = {}): ApplyResult {
  return {
    outcomes,
    uploaded: 0,
    missing: 0,
    requests: outcomes.length,
    waitedMs: 0,
    interrupted: false,
    ...over,
  };
}

function text(of: ApplyResult, verbose = false): string {
  const style = createStyle({ color: false, width: 80, unicode: true });
  const { interrupted } = of;
  const rows = { changes: CHANGES, timezone: "Europe/Paris", interrupted };
  return applyText(applyDocument(of), style, { ...rows, settleMs: 120_000, verbose });
}

const DONE: Outcome = { key: "launch", action: "create", status: "done", postId: "post_90c" };
const FAILED: Outcome = {
  key: "launch",
  action: "create",
  status: "failed",
  code: "validation_error",
  reason: { kind: "message", message: "The text is too long for twitter." },
};
const UNKNOWN: Outcome = {
  key: "recipe",
  action: "replace",
  status: "unknown",
  reason: { kind: "message", message: "The connection was reset after the request was sent." },
};
const NOT_STARTED: Outcome = { key: "old-offer", action: "cancel", status: "not_started" };

describe("applyText", () => {
  test("shows what is not done, where, why, and the next step; then the numbers", () => {
    expect(
      text(
        result([UNKNOWN, FAILED, NOT_STARTED], {
          uploaded: 1,
          requests: 4,
          waitedMs: 34_000,
          interrupted: true,
        }),
      ),
    ).toBe(`1 change failed
  + Mon 1 March 2027 09:00 · LinkedIn, X · launch · calendars/march.csv:4
    validation_error: The text is too long for twitter.
  → Fix the row in the calendar as the message says, then run plancast apply
    again.

1 change with an unknown outcome
  ± Mon 1 March 2027 09:00 · LinkedIn, X · recipe · calendars/april.csv:9
    The new version may or may not have been scheduled: The connection was reset
    after the request was sent.
  → Run plancast apply again after 2 minutes. It checks for the post before it
    tries again, so nothing is scheduled twice.

1 change not started
  - Fri 5 March 2027 16:00 · old-offer · calendars/march.csv
  → Run plancast apply again to do the rest.

Interrupted: plancast started nothing new after the signal.

Applied: 1 file uploaded; 1 failed, 1 unknown, 1 not started
4 requests sent, 34 seconds waiting for the rate limit.
`);
  });

  test("is short when all is done, and lists it when verbose", () => {
    expect(text(result([DONE]))).toBe("Applied: 1 created\n1 request sent.\n");
    expect(text(result([DONE]), true)).toBe(
      "  + Mon 1 March 2027 09:00 · LinkedIn, X · launch · calendars/march.csv:4\n" +
        "    post_90c\n\nApplied: 1 created\n1 request sent.\n",
    );
    expect(text(result([]))).toBe("Nothing to do.\n");
  });

  test("lists a thousand posts that were not started only when verbose", () => {
    const waiting = CHANGES.slice(3).map(({ key, action }): Outcome => ({
      key,
      action,
      status: "not_started",
    }));
    expect(text(result(waiting))).toContain("    and 2 more; --verbose lists them\n");
    expect(text(result(waiting))).not.toContain("a.csv:12");
    expect(text(result(waiting), true)).toContain("a.csv:13");
  });

  test("shows the same advice once", () => {
    const shown = text(
      result([FAILED, { ...FAILED, key: "row:3" }, { ...FAILED, key: "row:4", code: "forbidden" }]),
    );
    expect(shown.match(/→ .*/g)).toEqual([
      "→ Fix the row in the calendar as the message says, then run plancast apply",
      "→ Use a key with write permission, then run plancast apply again.",
    ]);
    expect(shown).toContain("2 changes failed");
  });

  test("shows the key of an outcome without a change", () => {
    expect(text(result([{ ...FAILED, key: "row:zz" }]))).toContain("  + row:zz\n    validation_error");
  });

  test("the report gives different advice for an unknown cancel and an unknown create", () => {
    expect(text(result([{ ...UNKNOWN, action: "cancel", key: "old-offer" }]))).toMatch(
      /may or may not have been cancelled[\s\S]*already\s+cancelled,\s+that\s+counts\s+as\s+done/,
    );
    expect(text(result([{ ...UNKNOWN, action: "create", key: "launch" }]))).toMatch(
      /It may or may not have been scheduled[\s\S]*after 2 minutes/,
    );
  });
});

describe("applyDocument", () => {
  test("has the documented form", () => {
    const outcomes: Outcome[] = [
      DONE,
      { ...DONE, action: "replace", postId: "post_2" },
      { ...DONE, action: "cancel", postId: "post_3" },
      { ...DONE, action: "adopt", postId: "post_4" },
      FAILED,
      UNKNOWN,
      NOT_STARTED,
    ];
    expect(applyDocument(result(outcomes, { uploaded: 2, requests: 9, waitedMs: 1500 }))).toEqual({
      version: 1,
      summary: {
        created: 1,
        replaced: 1,
        cancelled: 1,
        adopted: 1,
        uploaded: 2,
        failed: 1,
        unknown: 1,
        not_started: 1,
        missing: 0,
      },
      outcomes: [
        { key: "launch", action: "create", status: "done", post_id: "post_90c" },
        { key: "launch", action: "replace", status: "done", post_id: "post_2" },
        { key: "launch", action: "cancel", status: "done", post_id: "post_3" },
        { key: "launch", action: "adopt", status: "done", post_id: "post_4" },
        {
          key: "launch",
          action: "create",
          status: "failed",
          code: "validation_error",
          message: "The text is too long for twitter.",
        },
        {
          key: "recipe",
          action: "replace",
          status: "unknown",
          message: "The connection was reset after the request was sent.",
        },
        { key: "old-offer", action: "cancel", status: "not_started" },
      ],
      requests: 9,
      waited_ms: 1500,
    });
  });

  test("of an apply that was refused is empty", () => {
    expect(applyDocument(undefined)).toMatchObject({ version: 1, outcomes: [], requests: 0, waited_ms: 0 });
  });
});

const ids = { oldId: "post_1", newId: "post_2" };
const why = { kind: "message", message: "the service is down" } as const;

test("the text of an incomplete replacement starts with the reason", () => {
  expect(reasonText({ kind: "old-not-cancelled", ...ids, why })).toBe(
    "the service is down; the new post is scheduled as post_2; the next apply cancels the old one, post_1",
  );
  expect(reasonText({ kind: "old-not-cancelled", ...ids, why: undefined })).toBe(
    "the new post is scheduled as post_2; the next apply cancels the old one, post_1",
  );
});

test("a failed replacement shows the reason and the cancelled post", () => {
  const gone = "the old post (post_1) is cancelled, but the new one is not scheduled";
  expect(reasonText({ kind: "new-not-scheduled", oldId: "post_1", why })).toBe(
    `${gone}: the service is down`,
  );
  expect(reasonText({ kind: "new-not-scheduled", oldId: "post_1", why: undefined })).toBe(
    `${gone}: the run stopped in between`,
  );
});

test("an update that the service did not make shows the parts", () => {
  expect(reasonText({ kind: "not-updated", postId: "post_1", parts: ["mediaIds", "thread"] })).toBe(
    "the service changed post_1 only in part: it kept the old media, thread",
  );
});

test("a step that was refused keeps the service's code", () => {
  expect(inWords({ result: "refused", code: "forbidden", reason: why, fatal: true })).toMatchObject({
    result: "refused",
    code: "forbidden",
    message: "the service is down",
    fatal: true,
  });
  expect(inWords({ result: "done", value: "m_1" })).toEqual({ result: "done", value: "m_1" });
});
