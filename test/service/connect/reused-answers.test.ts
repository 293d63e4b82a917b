/** Which lists projects with one service share, during a run with --all. */
import { expect, test } from "vitest";
import { SharedLists } from "../../../src/service/connect/reused-answers.ts";
import type { ReadService, RemoteList } from "../../../src/service/service.ts";
import { TestClock } from "../../support/test-clock.ts";

const WHOLE = { name: "GET /v1/posts", posts: [], wholeness: "end", isTold: true } as const;
const IN_DOUBT: RemoteList = {
  name: "GET /v1/posts",
  posts: [],
  wholeness: "cap-like",
  doubt: { why: "it has exactly 20 entries", hint: "" },
};

/** A service that counts its lists, and the lists of each project that plans on it. */
function counting({ list = WHOLE, byDate = false }: { list?: RemoteList; byDate?: boolean } = {}) {
  const clock = new TestClock();
  const lists = new SharedLists(clock);
  let asked = 0;
  const service: Pick<ReadService, "listScheduled" | "listsByDate"> = {
    listScheduled: async () => {
      asked += 1;
      return list;
    },
    ...(byDate ? { listsByDate: true } : {}),
  };
  const plan = async (key: string, count: number, base = "https://a.example/v1"): Promise<number> => {
    const before = asked;
    const shared = lists.share(service, base, key);
    for (let each = 0; each < count; each += 1) await shared.listScheduled();
    return asked - before;
  };
  return { clock, plan };
}

test("a project uses the list of an earlier project as its first list, and requests the other lists", async () => {
  const { plan } = counting();
  expect([await plan("key", 2), await plan("key", 1), await plan("key", 3)]).toEqual([2, 0, 2]);
});

test("another key or address shares nothing", async () => {
  const { plan } = counting();
  await plan("key", 1);
  expect(await plan("other", 1)).toBe(1);
  expect(await plan("key", 1, "https://a.example/team/v1")).toBe(1);
});

test("a list that is too old is asked for again", async () => {
  const { clock, plan } = counting();
  await plan("key", 1);
  clock.advance(19_000);
  expect(await plan("key", 1)).toBe(0);
  clock.advance(1_000);
  expect(await plan("key", 1)).toBe(1);
});

test("an uncertain list, or a list of only some dates, is not shared", async () => {
  const doubtful = counting({ list: IN_DOUBT });
  expect([await doubtful.plan("key", 1), await doubtful.plan("key", 1)]).toEqual([1, 1]);
  const dated = counting({ byDate: true });
  expect([await dated.plan("key", 1), await dated.plan("key", 1)]).toEqual([1, 1]);
});
