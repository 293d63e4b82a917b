/** What only a pull request's lockfile says. */
import { expect, test } from "vitest";
import { type Lockfile, emptyLockfile } from "../../../src/model/lockfile.ts";
import { addedProblems } from "../../../src/sync/plan/next-lockfile.ts";

const EMPTY = emptyLockfile("https://service.example");
const POST = { scheduled_at: "2027-03-01T08:00:00Z", file: "a.csv" };

function pending(fingerprint: string): Lockfile {
  const known = { content: "Hello", platforms: ["x"], media_ids: [], attempted_at: "2027-02-01T08:00:00Z" };
  return { ...EMPTY, unknown: { mine: { ...POST, ...known, fingerprint } } };
}

function owned(post_id: string, fingerprint = "one"): Lockfile {
  return { ...EMPTY, posts: { mine: { ...POST, post_id, fingerprint } } };
}

function isMarked(lockfile: Lockfile, base: Lockfile): boolean {
  const found = addedProblems(lockfile, base, {
    changes: [],
    doubtful: new Set(),
    file: "plancast.lock.json",
  });
  return found.some(({ message }) => message.includes('"mine"'));
}

test.each([
  ["a pending create", pending("one"), EMPTY],
  ["a pending create with another content", pending("one"), pending("other")],
  ["a post", owned("p1"), EMPTY],
  ["another post for the row", owned("p1"), owned("p2")],
  ["a post whose create was pending with another content", owned("p1"), pending("other")],
])("%s that only the pull request has is marked", (_name, lockfile, base) => {
  expect(isMarked(lockfile, base)).toBe(true);
});

test.each([
  ["the same pending create", pending("one"), pending("one")],
  ["the same post, with a new content", owned("p1", "two"), owned("p1")],
  ["the post of a pending create", owned("p1"), pending("one")],
])("%s is not marked", (_name, lockfile, base) => {
  expect(isMarked(lockfile, base)).toBe(false);
});
