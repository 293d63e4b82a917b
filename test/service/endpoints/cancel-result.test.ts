import { expect, test } from "vitest";
import { cancelResult } from "../../../src/service/endpoints/http-service.ts";
import type { PostState } from "../../../src/service/service.ts";

const SCHEDULED: PostState = { state: "scheduled" };
const GONE: PostState = { state: "cancelled" };
const NOT_ASKED = "not asked";

/** The answer, the record of the post after it, and what both mean. */
test.each<[string, number, string, PostState | undefined | typeof NOT_ASKED, string]>([
  ["nothing", 204, "", NOT_ASKED, "cancelled"],
  ["a success", 200, '{"success":true}', NOT_ASKED, "cancelled"],
  ["no error", 200, '{"error":null}', NOT_ASKED, "cancelled"],
  ["the cancelled record", 200, '{"id":"post_1","status":"cancelled"}', NOT_ASKED, "cancelled"],
  ["a record without a status", 200, '{"id":"post_1"}', NOT_ASKED, "cancelled"],
  ["the published record", 200, '{"id":"post_1","status":"published"}', NOT_ASKED, "published"],
  ["a promise, kept", 202, "", GONE, "cancelled"],
  ["a promise, not kept", 202, "{}", SCHEDULED, "unknown"],
  ["no success", 200, '{"success":false}', SCHEDULED, "unknown"],
  ["no success, and the post is gone", 200, '{"success":false}', GONE, "cancelled"],
  ["an error of its own", 200, '{"error":{"code":"later"}}', SCHEDULED, "unknown"],
  ["the record as it stands", 200, '{"id":"post_1","status":"scheduled"}', SCHEDULED, "unknown"],
  ["the record as it stood", 200, '{"id":"post_1","status":"scheduled"}', GONE, "cancelled"],
  ["a page for people", 200, "<html>", { state: "published" }, "published"],
  ["a page for people, and nothing after", 200, "<html>", undefined, "unknown"],
])(
  "a cancel answered with %s has the result that the post confirms",
  async (_what, status, text, state, expected) => {
    const asked: string[] = [];
    const answer = { kind: "answer", status, headers: {}, text } as const;
    const found = await cancelResult({ kind: "answer", answer }, async () => {
      asked.push("post_1");
      return state === NOT_ASKED ? undefined : state;
    });
    expect(found.result === "done" ? found.value : found.result).toBe(expected);
    expect(asked.length).toBe(state === NOT_ASKED ? 0 : 1);
  },
);
