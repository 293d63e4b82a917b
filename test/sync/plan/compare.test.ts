import { expect, test } from "vitest";
import { desiredFingerprint, isSamePost, storedDifferences } from "../../../src/sync/plan/compare.ts";
import { lockfile, post, remote } from "../../support/rows.ts";

const sent = { ...post(), mediaIds: ["media_220"] };
const row = post({ media: [{ kind: "id", id: "media_220" }] });
const fingerprint = desiredFingerprint(row, {}) ?? "";

test.each([
  ["everything as sent", remote({ mediaIds: ["media_220"] }), undefined],
  ["no fields", { id: "post_1" }, undefined],
  ["another text", remote({ content: "We", mediaIds: ["media_220"] }), { content: "We" }],
  ["media by other names", remote({ mediaIds: ["220"] }), { media_ids: ["220"] }],
  [
    "another time, on a platform of another name",
    remote({ platforms: ["x"], scheduledAt: "2030-03-01T09:00:00Z", mediaIds: ["media_220"] }),
    { platforms: ["x"], scheduled_at: "2030-03-01T09:00:00Z" },
  ],
])("a post stays the same when the service answers with %s", (_what, answered, stored) => {
  expect(storedDifferences(sent, answered)).toEqual(stored);
  const { mediaIds = [] } = answered;
  expect(isSamePost(row, { remote: answered, fingerprint, stored }, lockfile())).toBe(true);
  const edited = { ...answered, mediaIds: [...mediaIds, "media_9"] };
  expect(isSamePost(row, { remote: edited, fingerprint, stored }, lockfile())).toBe(false);
});
