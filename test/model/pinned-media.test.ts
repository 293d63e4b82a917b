import { expect, test } from "vitest";
import { cachedFile, emptyLockfile, lockfileSchema, pinEntry, pinnedFile } from "../../src/model/lockfile.ts";

const URL = "https://a.example/x.mp4?sig=s3cret";
const FILE = {
  kind: "file",
  path: "https://a.example/x.mp4?…",
  url: URL,
  sha256: "ab",
  bytes: 12,
  mime: "video/mp4",
} as const;

test.each([
  {},
  { width: 4, height: 5 },
  { lengthMs: 1_500, damage: "cut-short" as const },
  { width: 1, height: 1, damage: "unreadable" as const },
])("the lockfile keeps what a media address returned: %j", (facts) => {
  const [key, pin] = pinEntry({ ...FILE, facts });
  const media = { ab: cachedFile(FILE, "media_1") };
  const lockfile = lockfileSchema.parse({ ...emptyLockfile("o"), media, urls: { [key]: pin } });
  expect(pinnedFile(lockfile, URL)).toEqual({ ...FILE, facts });
  expect(JSON.stringify(lockfile)).not.toContain("s3cret");
  expect(pinnedFile(lockfile, `${URL}2`)).toBeUndefined();
  // plancast checks a file that is not uploaded again.
  expect(pinnedFile({ ...lockfile, media: {} }, URL)).toBeUndefined();
});

test("a lockfile without addresses has no urls", () => {
  expect(Object.keys(lockfileSchema.parse(emptyLockfile("o")))).not.toContain("urls");
});
