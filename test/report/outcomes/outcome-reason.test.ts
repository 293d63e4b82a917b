import { expect, test } from "vitest";
import { inWords, reasonText } from "../../../src/report/outcomes/apply.ts";

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
