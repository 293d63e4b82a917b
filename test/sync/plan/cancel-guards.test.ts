import { expect, test } from "vitest";
import { type GuardInput, guardsOf } from "../../../src/sync/plan/cancel-guards.ts";
import { config } from "../../support/rows.ts";

const { safety } = config({ safety: { max_cancels: 5, max_cancel_percent: 25 } });
const INPUT: GuardInput = { cancels: 5, owned: 20, rows: 1, safety, allowCancels: undefined };

const MANY = "guard/too-many-cancels";
const PERCENT = "guard/too-many-cancels-percent";
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
