import { assert, constantFrom, dictionary, integer, property, tuple } from "fast-check";
import { expect, test } from "vitest";
import type { Lockfile } from "../../../src/model/lockfile.ts";
import { lockfileText } from "../../../src/sync/state/lockfile.ts";
import { mergeLockfiles, mergeVersions, undecidedIn } from "../../../src/sync/state/merge-lockfiles.ts";
import { manyRuns } from "../../support/property-tests.ts";
import { attempt, lockfile, owned } from "../../support/rows.ts";

const BASE = lockfile({ a: owned("post_1"), b: owned("post_2") });

function merged(ours: Lockfile["posts"], theirs: Lockfile["posts"]): [Record<string, string>, string[]] {
  const { posts, retiring } = mergeLockfiles(BASE, lockfile(ours), lockfile(theirs));
  const ids = Object.entries(posts).map(([key, { post_id }]) => [key, post_id]);
  return [Object.fromEntries(ids), Object.keys(retiring)];
}

test.each<[string, Lockfile["posts"], Lockfile["posts"], Record<string, string>, string[]]>([
  [
    "new posts of both sides",
    { ...BASE.posts, c: owned("post_3") },
    { ...BASE.posts, d: owned("post_4") },
    { a: "post_1", b: "post_2", c: "post_3", d: "post_4" },
    [],
  ],
  ["a cancel of one side", { a: owned("post_1") }, BASE.posts, { a: "post_1" }, []],
  [
    "a replacement on each side: theirs waits for its cancel",
    { ...BASE.posts, a: owned("post_3") },
    { ...BASE.posts, a: owned("post_4") },
    { a: "post_3", b: "post_2" },
    ["post_4"],
  ],
  [
    "their replacement of a post that ours cancelled",
    { b: owned("post_2") },
    { ...BASE.posts, a: owned("post_4") },
    { a: "post_4", b: "post_2" },
    [],
  ],
  [
    "their replacement of a post that ours recorded differently",
    { ...BASE.posts, a: owned("post_1", { cancelling: true }) },
    { ...BASE.posts, a: owned("post_4") },
    { a: "post_4", b: "post_2" },
    [],
  ],
  [
    "a cancel of a post that the other side recorded differently",
    { ...BASE.posts, a: owned("post_1", { cancelling: true }) },
    { b: owned("post_2") },
    { a: "post_1", b: "post_2" },
    [],
  ],
])("merging keeps %s", (_what, ours, theirs, posts, retiring) => {
  expect(merged(ours, theirs)).toEqual([posts, retiring]);
});

test.each([true, false])(
  "a row's post is not one that a side has cancelled, if the other side has another (ours is the older: %s)",
  (isOurs) => {
    // An older clone gave the row its former post, which the newer one has replaced since.
    const older = lockfile({ c: owned("post_8") });
    const { post_id: _id, ...former } = owned("post_8");
    const newer = {
      ...lockfile({ c: owned("post_9") }),
      cancelled: { post_8: { ...former, key: "c", at: "2036-03-01T00:00:00Z" } },
    };
    const merged = isOurs ? mergeLockfiles(BASE, older, newer) : mergeLockfiles(BASE, newer, older);
    expect(merged.posts["c"]?.post_id).toBe("post_9");
  },
);

const posts = dictionary(constantFrom("a", "b", "c", "__proto__"), integer({ min: 1, max: 9 }));

/** Two changes of one lockfile. What a side schedules is new on the service, so no id is on both sides. */
const sides = tuple(posts, posts, posts).map(([base, ours, theirs]) => ({
  base: lockfile(named(base, () => "common")),
  ours: lockfile(named(ours, (key, id) => (base[key] === id ? "common" : "ours"))),
  theirs: lockfile(named(theirs, (key, id) => (base[key] === id ? "common" : "theirs"))),
}));

function named(ids: Record<string, number>, side: (key: string, id: number) => string): Lockfile["posts"] {
  return Object.fromEntries(
    Object.entries(ids).map(([key, id]) => [key, owned(`${side(key, id)}_${key}_${id}`)]),
  );
}

function idsOf({ posts: owns, retiring }: Lockfile): string[] {
  return [...Object.values(owns).map(({ post_id }) => post_id), ...Object.keys(retiring)];
}

test("a merge keeps each post that a side scheduled, and owns no post twice", () => {
  assert(
    property(sides, ({ base, ours, theirs }) => {
      const ids = idsOf(mergeLockfiles(base, ours, theirs));
      const before = new Set(idsOf(base));
      const scheduled = [...idsOf(ours), ...idsOf(theirs)].filter((id) => !before.has(id));
      expect(ids).toEqual(expect.arrayContaining(scheduled));
      expect(ids).toHaveLength(new Set(ids).size);
      // What a side cancelled does not come back.
      const gone = [...before].filter((id) => !idsOf(ours).includes(id) || !idsOf(theirs).includes(id));
      expect(ids.filter((id) => gone.includes(id))).toEqual([]);
    }),
    { numRuns: manyRuns(3000) },
  );
});

test("if one side is unchanged, the merge is the other side", () => {
  assert(
    property(sides, ({ base, ours }) => {
      expect(mergeLockfiles(base, ours, base)).toEqual(ours);
      expect(mergeLockfiles(base, base, ours)).toEqual(ours);
    }),
    { numRuns: manyRuns(1000) },
  );
});

test("a merge cannot decide between two creates of unknown outcome, or between two changes of the accounts", () => {
  const base = lockfile({}, { accounts: ["1"] });
  const ours = lockfile({}, { accounts: ["1"], unknown: { a: { ...attempt, content: "one" } } });
  const theirs = lockfile({}, { accounts: ["2"], unknown: { a: { ...attempt, content: "two" } } });
  expect(undecidedIn(base, ours, theirs)).toEqual({ accounts: false, creates: ["a"] });
  expect(undecidedIn(base, lockfile({}, { accounts: ["3"] }), theirs)).toEqual({
    accounts: true,
    creates: [],
  });
  expect(undecidedIn(base, base, theirs)).toEqual({ accounts: false, creates: [] });
});

const { post_id: _id, ...old } = owned("post_9");
const picture = { id: "media_1", type: "image", bytes: 1, path: "a.png" };

test.each<[string, Partial<Lockfile>]>([
  ["accounts", { accounts: ["7"] }],
  ["media", { media: { aa: picture } }],
  ["retiring", { retiring: { post_9: { ...old, key: "a" } } }],
  ["unknown", { unknown: { c: attempt } }],
  ["cancelled", { cancelled: { post_9: { ...old, key: "a", at: "2030-01-01T00:00:00Z" } } }],
])("a merge keeps what only one side recorded: %s", (_part, given) => {
  const changed = { ...BASE, ...given };
  expect(mergeLockfiles(BASE, BASE, changed)).toEqual(changed);
  expect(mergeLockfiles(BASE, changed, BASE)).toEqual(changed);
});

const textOf = (given: Partial<Lockfile>): string => lockfileText({ ...BASE, ...given });

test.each<[string, string, string, string]>([
  ["other accounts on each side", textOf({ accounts: ["1"] }), textOf({ accounts: ["2"] }), "the accounts"],
  [
    "an unknown create of one row on each side",
    textOf({ unknown: { c: attempt } }),
    textOf({ unknown: { c: { ...attempt, content: "Other" } } }),
    "outcome is unknown, for c",
  ],
  ["another service on each side", textOf({}), textOf({ origin: "https://b.example" }), "belongs to"],
  ["no lockfile on one side", textOf({}), "", "One side has no lockfile"],
])("a merge is refused if there is %s", (_what, ours, theirs, message) => {
  expect(() => mergeVersions({ base: textOf({}), ours, theirs })).toThrow(
    expect.objectContaining({ code: "lockfile/cannot-merge", message: expect.stringContaining(message) }),
  );
});
