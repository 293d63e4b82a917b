import { expect, test } from "vitest";
import { emptyLockfile, lockfileSchema } from "../../src/model/lockfile.ts";

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
