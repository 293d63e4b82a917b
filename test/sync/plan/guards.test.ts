import { expect, test } from "vitest";
import { type GuardInput, guardsOf, riskyCancels } from "../../../src/sync/plan/guards.ts";
import type { RemotePost } from "../../../src/model/post.ts";
import type { Change } from "../../../src/model/plan.ts";
import { config, lockfile, owned, post, remote } from "../../support/rows.ts";

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
