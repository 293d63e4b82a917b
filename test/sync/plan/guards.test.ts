import * as fc from "fast-check";
import { expect, test } from "vitest";
import { diff } from "../../../src/sync/plan/diff.ts";
import {
  type GuardInput,
  type MissingGuardInput,
  guardsOf,
  missingGuard,
  missingPosts,
  riskyCancels,
} from "../../../src/sync/plan/guards.ts";
import type { RemotePost } from "../../../src/model/post.ts";
import type { Change } from "../../../src/model/plan.ts";
import type { Absence, DiffInput } from "../../../src/sync/plan/input.ts";
import { config, diffInput, lockfile, owned, post, remote } from "../../support/rows.ts";

const { safety } = config({ safety: { max_cancels: 5, max_cancel_percent: 25 } });
const INPUT: GuardInput = {
  cancels: 5,
  notAsRecorded: 0,
  owned: 20,
  rows: 1,
  safety,
  allowCancels: undefined,
};

const MANY = "guard/too-many-cancels";
const PERCENT = "guard/too-many-cancels-percent";
const OTHERS = "guard/not-as-recorded";
const NO_ROWS = "guard/no-rows";

test.each<[string, Partial<GuardInput>, string[]]>([
  ["as many cancels as the limits allow", {}, []],
  ["one more than the limit", { cancels: 6, owned: 100 }, [MANY]],
  ["a larger share than the limit", { owned: 19 }, [PERCENT]],
  ["more and a larger share than the limits", { cancels: 6, owned: 6 }, [MANY, PERCENT]],
  ["one cancel, however large its share", { cancels: 1, owned: 1 }, []],
  ["two cancels that are a larger share than the limit", { cancels: 2, owned: 3 }, [PERCENT]],
  ["cancels of posts that the lockfile does not own", { cancels: 2, owned: 0 }, []],
  ["no cancels and no rows", { cancels: 0, rows: 0 }, []],
  ["one cancel and no rows", { cancels: 1, rows: 0 }, [NO_ROWS]],
  ["one cancel of a post that is not as recorded", { cancels: 1, notAsRecorded: 1 }, [OTHERS]],
  ["such a cancel, and a person allowed it", { cancels: 1, notAsRecorded: 1, allowCancels: 1 }, []],
  [
    "such a cancel, and a person allowed more",
    { cancels: 1, notAsRecorded: 1, allowCancels: 2 },
    [OTHERS, MANY],
  ],
  ["the number that a person allowed", { cancels: 20, rows: 0, allowCancels: 20 }, []],
  ["fewer than a person allowed", { cancels: 4, allowCancels: 5 }, [MANY]],
  ["more than a person allowed", { cancels: 5, allowCancels: 4 }, [MANY]],
  ["a person allowed none", { cancels: 1, allowCancels: 0 }, [MANY]],
  ["a person allowed some and there are none", { cancels: 0, rows: 0, allowCancels: 3 }, []],
])("%s: the guards that stop it", (_what, given, codes) => {
  expect(guardsOf({ ...INPUT, ...given }).map(({ code }) => code)).toEqual(codes);
});

test("a guard carries the numbers that it compared", () => {
  expect(guardsOf({ ...INPUT, cancels: 6, owned: 100 })).toEqual([
    { code: MANY, cancels: 6, limit: 5, limitFrom: "settings" },
  ]);
  expect(guardsOf({ ...INPUT, cancels: 2, owned: 4 })).toEqual([
    { code: PERCENT, cancels: 2, total: 4, percent: 50, limit: 25 },
  ]);
  expect(guardsOf({ ...INPUT, cancels: 1, allowCancels: 2 })).toEqual([
    { code: MANY, cancels: 1, limit: 2, limitFrom: "person" },
  ]);
});

function cancel(key: string, id: string, given: Partial<RemotePost> = {}, retiring = true): Change {
  const { scheduledAt: dueAt } = post();
  const file = "calendars/a.csv";
  const found = remote({ id, ...given });
  return { action: "cancel", key, remote: found, dueAt, file, retiring, reason: "replacement-scheduled" };
}

const no = (): boolean => false;

test.each<[string, Change[], number]>([
  ["the old half of a replacement does not", [cancel("a", "old_1")], 0],
  ["old halves of two rows do not", [cancel("a", "old_1"), cancel("b", "old_2")], 0],
  ["only one old half of each row is free", [cancel("a", "old_1"), cancel("a", "old_2")], 1],
  ["the post of a row that is gone does", [cancel("a", "old_1", {}, false)], 1],
])("which cancels count for the guards: %s", (_what, changes, count) => {
  expect(riskyCancels(changes, lockfile(), no, new Map())).toEqual({ count, doubtful: [] });
});

test.each<[string, Partial<RemotePost>, boolean]>([
  ["as it was sent", {}, false],
  ["edited since then", { content: "Edited on the service" }, true],
])(
  "the old half of a replacement is doubtful only if it is not as recorded: %s",
  (_what, given, isDoubtful) => {
    const { post_id: _id, ...sent } = owned("old_1");
    const known = lockfile({}, { retiring: { old_1: { ...sent, key: "a" } } });
    const { count, doubtful } = riskyCancels([cancel("a", "old_1", given)], known, no, new Map());
    expect({ count, why: doubtful.map(({ why }) => why) }).toEqual(
      isDoubtful ? { count: 1, why: ["edited"] } : { count: 0, why: [] },
    );
  },
);

const SAFETY = { max_missing: 2, max_missing_percent: 30 };

test.each<[string, Partial<MissingGuardInput>, string | undefined]>([
  ["none", { missing: 0, total: 10 }, undefined],
  ["one of one", { missing: 1, total: 1 }, undefined],
  ["two of ten", { missing: 2, total: 10 }, undefined],
  ["two of six", { missing: 2, total: 6 }, "percent 30"],
  ["two of seven", { missing: 2, total: 7 }, undefined],
  ["three of a hundred", { missing: 3, total: 100 }, "settings 2"],
  ["three that nothing would be done about", { missing: 3, total: 3, isActedOn: false }, undefined],
  ["exactly as many as a person allowed", { missing: 3, total: 3, allowRecreates: 3 }, undefined],
  ["more than a person allowed", { missing: 4, total: 4, allowRecreates: 3 }, "person 3"],
  ["fewer than a person allowed", { missing: 1, total: 4, allowRecreates: 3 }, "person 3"],
  ["one where none may be", { missing: 1, total: 9, safety: { ...SAFETY, max_missing: 0 } }, "settings 0"],
])("the guard stops an apply by the number of missing posts: %s", (_what, given, expected) => {
  const guard = missingGuard({
    missing: 0,
    total: 0,
    isActedOn: true,
    origin: "https://a.example",
    safety: SAFETY,
    allowRecreates: undefined,
    ...given,
  });
  const found = guard?.code === "guard/too-many-missing" ? `${guard.limitFrom} ${guard.limit}` : undefined;
  expect(found).toBe(expected);
});

test("one missing post never triggers the percentage, and it is always enough to allow the exact number", () => {
  fc.assert(
    fc.property(fc.nat(50), fc.nat(50), fc.nat(100), (missing, others, max_missing_percent) => {
      const input = { missing, total: missing + others, isActedOn: true, origin: "https://a.example" };
      const safety = { max_missing: 1, max_missing_percent };
      expect(missingGuard({ ...input, safety, allowRecreates: missing })).toBeUndefined();
      if (missing <= 1) expect(missingGuard({ ...input, safety, allowRecreates: undefined })).toBeUndefined();
    }),
  );
});

const KEYS = ["a", "b", "c"];
const rows = KEYS.map((key) => post({ key, content: key }));
const posts = Object.fromEntries(KEYS.map((key) => [key, owned(`post_${key}`)]));
const gone = (absence: Absence): DiffInput["absent"] => new Map(KEYS.map((key) => [`post_${key}`, absence]));

function counted(given: Partial<DiffInput>): [number, number, boolean] {
  const input = diffInput({ desired: rows, lockfile: lockfile(posts), ...given });
  const { missing, total, isActedOn } = missingPosts(input, diff(input));
  return [missing, total, isActedOn];
}

test.each<[string, Partial<DiffInput>, [number, number, boolean]]>([
  ["posts that the service does not have", { absent: gone("missing") }, [3, 3, true]],
  ["posts that somebody else cancelled", { absent: gone("cancelled") }, [3, 3, true]],
  ["posts that failed before they were due", { absent: gone("failed") }, [3, 3, true]],
  ["no published posts", { absent: gone("published") }, [0, 0, false]],
  [
    "no posts that plancast may have cancelled",
    {
      absent: gone("cancelled"),
      lockfile: lockfile(
        Object.fromEntries(KEYS.map((key) => [key, owned(`post_${key}`, { cancelling: true })])),
      ),
    },
    [0, 0, false],
  ],
  [
    "no posts that the service has under other ids",
    { absent: gone("missing"), remote: KEYS.map((key) => remote({ id: `new_${key}`, content: key })) },
    [0, 0, false],
  ],
  [
    "posts beside those that are scheduled",
    { absent: new Map([["post_a", "missing"]]), remote: [remote({ id: "post_b", content: "b" })] },
    [1, 2, true],
  ],
  ["posts whose rows are all gone", { desired: [], absent: gone("missing") }, [3, 3, true]],
  [
    "no posts whose rows are gone, if the account has other posts of the project",
    {
      desired: rows.slice(1),
      absent: new Map([["post_a", "missing"]]),
      remote: [remote({ id: "post_b", content: "b" })],
    },
    [0, 1, false],
  ],
  [
    "the posts of other calendars too, where the run is narrowed",
    { absent: gone("missing"), inScope: (file) => file === "calendars/other.csv" },
    [3, 3, false],
  ],
])("counts %s", (_what, given, expected) => {
  expect(counted(given)).toEqual(expected);
});

test.each([
  ["embedded", 3, true],
  ["embedded", 4, false],
  ["https://a.example", 3, false],
])(
  "3 missing posts of %s belong to another account if it had no more posts: total %i, %s",
  (origin, total, isElsewhere) => {
    const found = { missing: 3, total, isActedOn: true, safety: SAFETY, allowRecreates: undefined };
    expect(missingGuard({ ...found, origin })).toMatchObject({ isElsewhere });
  },
);
