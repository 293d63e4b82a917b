import * as fc from "fast-check";
import { expect, test } from "vitest";
import { checkLockfile, emptyLockfile, lockfileSchema } from "../../src/model/lockfile.ts";

const ODD = fc.constantFrom<unknown>(undefined, null, "", 1, [], {}, "2030-01-01T08:00:00+01:00");

/** A part of a post as it should be, or something else in its place. */
function part(right: unknown): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 8, arbitrary: fc.constant(right) }, { weight: 1, arbitrary: ODD });
}

const POST = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record(
      {
        post_id: part("post_1"),
        fingerprint: part("sha256:0"),
        scheduled_at: part("2030-01-01T08:00:00Z"),
        file: part("calendars/march.csv"),
        stored: fc.oneof(fc.constant({ content: "Hello" }), fc.constant({ content: 1 }), ODD),
        surplus: fc.constant(1),
      },
      { requiredKeys: ["post_id", "fingerprint", "scheduled_at"] },
    ),
  },
  { weight: 1, arbitrary: ODD },
);
const KEY = fc.constantFrom("a", "b", "constructor", "__proto__", "row:0123456789abcdef");
const POSTS = fc.oneof(
  { weight: 8, arbitrary: fc.array(fc.tuple(KEY, POST)).map((each) => Object.fromEntries(each)) },
  { weight: 1, arbitrary: ODD },
);

test("the fast check of a lockfile accepts exactly what the schema accepts", () => {
  fc.assert(
    fc.property(POSTS, (posts) => {
      // As it is read from a file.
      const value: unknown = JSON.parse(JSON.stringify({ ...emptyLockfile("o"), posts }));
      const [own, schema] = [checkLockfile(value), lockfileSchema.safeParse(value)];
      expect(own.success).toBe(schema.success);
      expect(own.data).toEqual(schema.data);
      expect(own.error?.issues).toEqual(schema.error?.issues);
    }),
    { numRuns: 500 },
  );
});

test("the fast check reports faults outside the posts", () => {
  const posts = {
    a: { post_id: "post_1", fingerprint: "", scheduled_at: "2030-01-01T08:00:00Z", file: "a.csv" },
  };
  expect(checkLockfile({ ...emptyLockfile("o"), posts }).data?.posts).toEqual(posts);
  expect(checkLockfile({ ...emptyLockfile("o"), posts, surplus: 1 }).success).toBe(false);
  expect(checkLockfile({ ...emptyLockfile("o"), posts, version: 0 }).success).toBe(false);
});
