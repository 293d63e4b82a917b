import { expect, test } from "vitest";
import { cachedFile, emptyLockfile, lockfileSchema, pinEntry, pinnedFile } from "../../src/model/lockfile.ts";

const POST = {
  post_id: "post_1",
  fingerprint: "",
  scheduled_at: "2030-01-01T08:00:00Z",
  file: "a.csv",
};

/** The lockfile that the schema reads from a file; undefined if it refuses it. */
function read(given: Record<string, unknown>): unknown {
  return lockfileSchema.safeParse(JSON.parse(JSON.stringify({ ...emptyLockfile("o"), ...given }))).data;
}

test.each([
  ["a post", { posts: { a: POST } }],
  ["a post under a name that objects inherit", { posts: { constructor: POST } }],
  ["what the service keeps of a post", { posts: { a: { ...POST, stored: { content: "Hello" } } } }],
])("a lockfile holds %s", (_what, given) => {
  expect(read(given)).toEqual({ ...emptyLockfile("o"), ...given });
});

test.each([
  ["another version", { version: 0 }],
  ["a surplus key", { surplus: 1 }],
  ["a post without an id", { posts: { a: { ...POST, post_id: "" } } }],
  ["a post with a local time", { posts: { a: { ...POST, scheduled_at: "2030-01-01T08:00:00+01:00" } } }],
  ["a post without its calendar", { posts: { a: { ...POST, file: undefined } } }],
  ["a post with a surplus key", { posts: { a: { ...POST, surplus: 1 } } }],
  ["a post that keeps something other than text", { posts: { a: { ...POST, stored: { content: 1 } } } }],
  ["a list of posts", { posts: [] }],
])("a lockfile with %s is refused", (_what, given) => {
  expect(read(given)).toBeUndefined();
});

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
