import { expect, test } from "vitest";
import type { Lockfile } from "../../../src/model/lockfile.ts";
import {
  desiredFingerprint,
  fingerprint as fingerprintOf,
  isOtherThanRecorded,
  isSamePost,
  storedDifferences,
} from "../../../src/sync/plan/compare.ts";
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

test("a post counts as unchanged if the service shows an earlier id of its file", () => {
  const entry = { id: "media_1", type: "image", bytes: 1, path: "a.png" } as const;
  const recorded = {
    fingerprint: fingerprintOf({ ...post(), mediaIds: ["media_1"] }),
    scheduled_at: post().scheduledAt,
  };
  const shown = remote({ mediaIds: ["media_0"] });
  expect(isOtherThanRecorded(shown, recorded, { aa: { ...entry, also: ["media_0"] } })).toBe(false);
  const renamed = { ...entry, id: "media_9", also: [entry.id, "media_0"] };
  expect(isOtherThanRecorded(shown, recorded, { aa: renamed })).toBe(false);
  expect(isOtherThanRecorded(shown, recorded, { aa: entry })).toBe(true);
  const file = { kind: "file", path: "a.png", sha256: "aa", bytes: 1, mime: "image/png" } as const;
  const desired = post({ media: [file] });
  const found = { ...recorded, remote: shown, stored: undefined };
  const same = (media: Lockfile["media"]): boolean => isSamePost(desired, found, lockfile({}, { media }));
  expect(same({ aa: { ...entry, also: ["media_0"] } })).toBe(true);
  expect(same({ aa: entry })).toBe(false);
});

test("a post that the service shows only in part does not count as another post", () => {
  const recorded = {
    fingerprint: fingerprintOf({ ...post(), mediaIds: [] }),
    scheduled_at: post().scheduledAt,
  };
  const shown = remote({ content: "Other" });
  expect(isOtherThanRecorded(shown, recorded, {})).toBe(true);
  const { mediaIds: _mediaIds, ...rest } = shown;
  expect(isOtherThanRecorded(rest, recorded, {})).toBe(false);
});

test.each([
  ["thread", { thread: ["a reply"] }, { thread: [] }],
  ["alt", { alt: ["A rose"] }, { alt: [] }],
  ["first_comment", { first_comment: "a link" }, { first_comment: "" }],
])("a row that gets the part %s is not the same as its post", (_part, own, shown) => {
  const before = { ...post(), mediaIds: ["media_220"] };
  const stored = undefined;
  const answered = remote({ mediaIds: ["media_220"], ...shown });
  const owned = { remote: answered, fingerprint: fingerprintOf(before), stored };
  expect(isSamePost({ ...row, ...own }, owned, lockfile())).toBe(false);
  expect(isSamePost(row, owned, lockfile())).toBe(true);
});
