import { describe, expect, test } from "vitest";
import { Failure } from "../../../src/model/failure.ts";
import { type GetPage, readList, readPages } from "../../../src/service/answers/read-list.ts";
import type { HttpAnswer } from "../../../src/service/http/request.ts";

const QUERY = { path: "/posts", query: { status: "scheduled" } };
const REFUSED = new Failure("service/refused", "limit is too large.", "");

function answer(body: unknown): HttpAnswer {
  return { kind: "answer", status: 200, headers: {}, text: JSON.stringify(body) };
}

function ids(count: number, first = 0): number[] {
  return Array.from({ length: count }, (_, index) => first + index);
}

/** A service that gives `count` posts, at most `cap` at once, and refuses pages larger than `largest`. */
function plain(count: number, { cap = Infinity, largest = Infinity, beside = {} } = {}) {
  const asked: number[] = [];
  const get: GetPage = async (path) => {
    const limit = Number(new URLSearchParams(path.split("?")[1]).get("limit"));
    asked.push(limit);
    return limit > largest ? REFUSED : answer({ data: ids(Math.min(count, limit, cap)), ...beside });
  };
  return { get, asked };
}

/** A service whose pages are at these paths. */
function paged(pages: Readonly<Record<string, unknown>>) {
  const asked: string[] = [];
  const get: GetPage = async (path) => {
    asked.push(path);
    const page = pages[path];
    return page instanceof Failure ? page : answer(page);
  };
  return { get, asked };
}

const FIRST = "/posts?status=scheduled&limit=1000";

async function failure(reading: Promise<unknown>): Promise<Failure> {
  const error: unknown = await reading.then(
    () => new Error("it was read"),
    (reason: unknown) => reason,
  );
  if (!(error instanceof Failure)) throw error;
  return error;
}

describe("a list without pages", () => {
  test.each<[string, ReturnType<typeof plain>, number | undefined, object, number[]]>([
    [
      "is complete if it is shorter than asked",
      plain(3),
      undefined,
      { wholeness: "end", isTold: false },
      [1_000],
    ],
    [
      "may be cut if services cut lists at its length",
      plain(50),
      undefined,
      { wholeness: "cap-like" },
      [1_000],
    ],
    [
      "may be cut if services cut lists at its length, the largest page of many",
      plain(100),
      undefined,
      { wholeness: "cap-like" },
      [1_000],
    ],
    [
      "is complete if it is shorter than the known largest page, whatever its length",
      plain(50),
      51,
      { wholeness: "end", isTold: true },
      [51],
    ],
    [
      "may be cut if it may say that there is more",
      plain(3, { beside: { paging: { after: "abc" } } }),
      undefined,
      { wholeness: "cap-like", doubt: { why: 'its answer may mention more (paging.after says "abc")' } },
      [1_000],
    ],
    [
      "is requested again with a larger page if it fills the first",
      plain(1_300),
      undefined,
      { wholeness: "end", isTold: false },
      [1_000, 10_000],
    ],
    [
      "may be cut if a larger page holds no more",
      plain(1_300, { cap: 1_000 }),
      undefined,
      { wholeness: "cap-like" },
      [1_000, 10_000],
    ],
    [
      "may be cut if a larger page holds more, and a number that services cut lists at",
      plain(2_000),
      undefined,
      { wholeness: "cap-like" },
      [1_000, 10_000],
    ],
    [
      "is asked for in smaller pages where larger ones are refused",
      plain(3, { largest: 250 }),
      undefined,
      { wholeness: "end" },
      [1_000, 500, 250],
    ],
  ])("%s", async (_what, { get, asked }, listLimit, expected, limits) => {
    expect(await readList(QUERY, { listLimit }, get)).toMatchObject(expected);
    expect(asked).toEqual(limits);
  });

  test.each<[string, ReturnType<typeof plain>, number | undefined, string, number[]]>([
    [
      "every page size is refused",
      plain(3, { largest: 9 }),
      undefined,
      "the service accepts none of the page sizes that plancast tried; limit is too large. ",
      [1_000, 500, 250, 100, 50, 20, 10],
    ],
    [
      "the known largest page is refused",
      plain(3, { largest: 9 }),
      40,
      "accepts none of the page sizes",
      [40],
    ],
    [
      "it fills the known largest page and a larger one holds no more",
      plain(50),
      50,
      "it has 50 entries, whatever limit plancast sends",
      [50, 10_000],
    ],
    [
      "a full page cannot be larger",
      plain(300, { largest: 250 }),
      undefined,
      "it has 250 entries, whatever limit plancast sends",
      [1_000, 500, 250, 10_000],
    ],
    [
      "it holds as many as the known largest page",
      plain(300, { cap: 100 }),
      100,
      "it has 100 entries, whatever limit plancast sends",
      [100, 10_000],
    ],
  ])("is refused if %s", async (_what, { get, asked }, listLimit, message, limits) => {
    const { code, message: said } = await failure(readList(QUERY, { listLimit }, get));
    expect(code).toBe("service/list-not-whole");
    expect(`${said} `).toContain(message);
    expect(asked).toEqual(limits);
  });
});

describe("a list in pages", () => {
  test.each<[string, unknown, string]>([
    ["a cursor", { data: [1], next_cursor: "b c" }, "/posts?status=scheduled&cursor=b+c&limit=1000"],
    ["a query", { data: [1], next: "?page=2" }, "/posts?page=2"],
    ["a path", { data: [1], next: "/api/v1/posts?page=2" }, "/posts?page=2"],
    [
      "an address",
      { data: [1], next: "https://api.example.com/v1/posts?page=2" },
      "https://api.example.com/v1/posts?page=2",
    ],
  ])("is read to its end by %s", async (_how, first, second) => {
    const { get, asked } = paged({ [FIRST]: first, [second]: { data: [2] } });
    expect(await readList(QUERY, {}, get)).toEqual({ items: [1, 2], wholeness: "end", isTold: true });
    expect(asked).toEqual([FIRST, second]);
  });

  test("is complete if its only page says that it is the last", async () => {
    const { get } = paged({ [FIRST]: { data: ids(50), next_cursor: null } });
    expect(await readList(QUERY, {}, get)).toMatchObject({ wholeness: "end", isTold: true });
  });

  test("is complete if it contains as many entries as it says", async () => {
    const { get } = paged({ [FIRST]: { data: ids(50), total: 50 } });
    expect(await readList(QUERY, {}, get)).toMatchObject({ wholeness: "end", isTold: true });
  });

  test("is read to its end from a larger page", async () => {
    const { get, asked } = paged({
      [FIRST]: { data: ids(1_000) },
      "/posts?status=scheduled&limit=10000": { data: ids(1_000), next: "?page=2" },
      "/posts?page=2": { data: [1_000] },
    });
    const { items, ...rest } = await readList(QUERY, {}, get);
    expect(items).toHaveLength(1_001);
    expect(rest).toEqual({ wholeness: "end", isTold: true });
    expect(asked).toHaveLength(3);
  });

  const SECOND = "/posts?page=2";
  test.each<[string, Record<string, unknown>, string, string]>([
    [
      "a page is refused",
      { [FIRST]: { data: [1], next: "?page=2" }, [SECOND]: REFUSED },
      "the service refuses its next page",
      "Run again in a moment.",
    ],
    [
      "its pages repeat in a circle",
      { [FIRST]: { data: [1], next: "?page=2" }, [SECOND]: { data: [2], next: "?page=2" } },
      "its pages repeat in a circle",
      "Run again in a moment.",
    ],
    [
      "the same page comes again",
      { [FIRST]: { data: [1], next: "?page=2" }, [SECOND]: { data: [1], next: "?page=3" } },
      "the next page is the same page again",
      "Run again in a moment.",
    ],
    [
      "the cursor makes no difference",
      {
        [FIRST]: { data: [1, 2], next_cursor: "b" },
        "/posts?status=scheduled&cursor=b&limit=1000": { data: [1, 2], next_cursor: "c" },
      },
      "the next page is the same page again",
      "may not know the query parameter cursor.",
    ],
    [
      "the cursor goes round in a circle",
      {
        [FIRST]: { data: [1], next_cursor: "b" },
        "/posts?status=scheduled&cursor=b&limit=1000": { data: [2], next_cursor: "b" },
      },
      "its pages repeat in a circle",
      "may not know the query parameter cursor.",
    ],
    [
      "its pages hold fewer than the first says there are",
      { [FIRST]: { data: [1], next: "?page=2", total: 3 }, [SECOND]: { data: [2] } },
      "it has 2 entries, but the service says that there are 3",
      "Run again in a moment. If it still fails, `plancast doctor`",
    ],
    [
      "its only page holds one fewer than it says there are",
      { [FIRST]: { data: [1], total: 2 } },
      "it has 1 entries, but the service says that there are 2",
      "Run again in a moment.",
    ],
    [
      "the next page is named in a way that cannot be followed",
      { [FIRST]: { data: [1], has_more: true } },
      "it says that there is more, but not how to get it",
      "`plancast doctor`",
    ],
  ])("is refused if %s", async (_what, pages, why, hint) => {
    const error = await failure(readList(QUERY, {}, paged(pages).get));
    expect(error.code).toBe("service/list-not-whole");
    expect(error.message).toContain(why);
    expect(error.hint).toContain(hint);
  });

  test("may end with an empty page", async () => {
    const { get } = paged({ [FIRST]: { data: [], next: "?page=2" }, [SECOND]: { data: [] } });
    expect(await readList(QUERY, {}, get)).toMatchObject({ items: [], wholeness: "end" });
  });
});

describe("pages that a person browses", () => {
  const pages = {
    [FIRST]: { data: [1], next: "?page=2" },
    "/posts?page=2": { data: [2], next: "?page=3" },
    "/posts?page=3": { data: [3], next_page: 4 },
  };

  test.each([
    ["the first is enough", 1, [1]],
    ["the second is enough", 2, [1, 2]],
    ["the next one cannot be asked for", 4, [1, 2, 3]],
  ])("are asked for until %s", async (_when, enough, expected) => {
    const seen: unknown[] = [];
    const { get, asked } = paged(pages);
    await readPages(QUERY, undefined, get, (items) => {
      seen.push(...items);
      return seen.length < enough;
    });
    expect(seen).toEqual(expected);
    expect(asked).toHaveLength(expected.length);
  });

  test("plancast stops reading after an answer without a list", async () => {
    const { get } = paged({ [FIRST]: { error: "no" } });
    const error = await failure(readPages(QUERY, undefined, get, () => true));
    expect(error.code).toBe("service/unreadable");
  });
});

/** Accepts limits up to `max`. For a larger limit, it returns its usual page. */
function ignoresLargeLimits(count: number, max: number, usual: number) {
  const asked: number[] = [];
  const get: GetPage = async (path) => {
    const limit = Number(new URLSearchParams(path.split("?")[1]).get("limit"));
    asked.push(limit);
    return answer({ data: ids(Math.min(count, limit > max ? usual : limit)) });
  };
  return { get, asked };
}

/** Names the next page only if there is one. */
function pagesIfMore(count: number, size: number) {
  const asked: string[] = [];
  const get: GetPage = async (path) => {
    asked.push(path);
    const query = new URLSearchParams(path.split("?")[1]);
    const from = Number(query.get("from") ?? 0);
    const to = from + Math.min(size, Number(query.get("limit")));
    const more = to < count ? { next: `?limit=${to - from}&from=${to}` } : {};
    return answer({ data: ids(Math.min(count, to) - from, from), ...more });
  };
  return { get, asked };
}

describe("a list that has a common page size, so that more requests are useful,", () => {
  test.each<[string, number, Record<string, number>, object, number[]]>([
    ["is whole if it was longer once", 50, { 1000: 51 }, { wholeness: "end", isTold: false }, [1_000]],
    ["may be cut if it never was longer", 50, { 1000: 50 }, { wholeness: "cap-like" }, [1_000, 100, 49]],
    [
      "may be cut if it was longer for another limit",
      50,
      { 100: 51 },
      { wholeness: "cap-like" },
      [1_000, 100, 49],
    ],
    ["may be cut if nothing is known", 20, {}, { wholeness: "cap-like" }, [1_000, 100, 19]],
    ["is shown by two other limits at most", 500, {}, { wholeness: "cap-like" }, [1_000, 499]],
  ])("%s", async (_what, count, longest, expected, limits) => {
    const { get, asked } = plain(count);
    expect(await readList(QUERY, { longest }, get)).toMatchObject(expected);
    expect(asked).toEqual(limits);
  });

  test("is never complete if its answer mentions more entries", async () => {
    const { get, asked } = plain(50, { beside: { paging: { after: "abc" } } });
    expect(await readList(QUERY, { longest: { 1000: 999 } }, get)).toMatchObject({ wholeness: "cap-like" });
    expect(asked).toEqual([1_000]);
  });

  test("is longer if the service ignored a limit that was too large", async () => {
    const { get } = ignoresLargeLimits(57, 100, 20);
    const { items, wholeness } = await readList(QUERY, { longest: {} }, get);
    expect([items.length, wholeness]).toEqual([57, "end"]);
  });

  test("is refused if another limit returns more entries, but not all", async () => {
    const { get } = ignoresLargeLimits(300, 100, 20);
    const { code, message } = await failure(readList(QUERY, { longest: {} }, get));
    expect([code, message]).toEqual([
      "service/list-not-whole",
      expect.stringContaining("it has 20 entries with a limit of 1000, and 100 with a limit of 100"),
    ]);
  });

  test("is complete if the service adds pages to longer lists but not to this one", async () => {
    const { get, asked } = pagesIfMore(20, 20);
    expect(await readList(QUERY, { longest: {} }, get)).toMatchObject({ wholeness: "end", isTold: true });
    expect(asked).toHaveLength(4);
  });
});

test.each([
  ["entries", (page: number) => ids(200_000, page * 200_000), "it has more than 1,000,000 entries"],
  ["pages", (page: number) => [page], "it has more than 10,000 pages"],
  ["empty pages", () => [], "more than 100 pages in a row are empty"],
])("stops at a list without end, of %s", async (_name, itemsOf, why) => {
  let page = 0;
  const get: GetPage = async () => {
    page += 1;
    return answer({ data: itemsOf(page), next: `?page=${page + 1}` });
  };
  await expect(readList(QUERY, {}, get)).rejects.toThrow(why);
});
