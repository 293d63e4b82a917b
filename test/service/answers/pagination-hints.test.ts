/**
 * Words that may mean that there are more pages, and words that mean other things. A wrong guess must not stop plancast
 * at a complete list.
 */

import { expect, test } from "vitest";
import { decodePage, unresolvedHints } from "../../../src/service/answers/list-page.ts";
import { PAGING_NAMES } from "../../../src/service/answers/paging.ts";
import { readList } from "../../../src/service/answers/read-list.ts";
import type { HttpAnswer } from "../../../src/service/http/request.ts";

function signs(beside: unknown, headers: HttpAnswer["headers"] = {}) {
  const body = { data: [{ id: "a" }, { id: "b" }], ...(typeof beside === "object" ? beside : {}) };
  const answer: HttpAnswer = { kind: "answer", status: 200, headers, text: JSON.stringify(body) };
  return unresolvedHints(answer, decodePage(answer, "GET /v1/posts"));
}

test.each<[unknown, string, string]>([
  [{ meta: { position: { after: "abc" } } }, "next", "meta.position.after"],
  [{ cursor: 7 }, "next", "cursor"],
  [{ paging: { cursors: { before: "x", after: "y" } } }, "next", "paging.cursors.after"],
  [{ _links: { next: { href: "/v1/posts?offset=2" } } }, "next", "_links.next.href"],
  [{ out: { meta: { page: { nextToken: "abc" } } } }, "next", "out.meta.page.nextToken"],
  [{ next_offset: 2 }, "next", "next_offset"],
  [{ meta: { more: true } }, "more", "meta.more"],
  [{ page: { last: false } }, "more", "page.last"],
  [{ paging: { number: 1, of: 3 } }, "more", "paging.of"],
  [{ metadata: { remainingItemCount: 12 } }, "more", "metadata.remainingItemCount"],
  [{ meta: { matched: 3 } }, "total", "meta.matched"],
  [{ hits: { total: { value: 3 } } }, "total", "hits.total.value"],
  [{ itemsCount: 3 }, "total", "itemsCount"],
  [{ next_continuation: "abc" }, "next", "next_continuation"],
  [{ metadata: { continue: "abc" } }, "next", "metadata.continue"],
  [{ last_evaluated_key: "abc" }, "next", "last_evaluated_key"],
])("recognises that the list continues: %j", (beside, kind, path) => {
  expect(signs(beside)).toMatchObject([{ kind, path: path.split("."), says: expect.stringContaining(path) }]);
});

test.each<[Record<string, string>, string]>([
  [{ "x-next-cursor": "abc" }, "next"],
  [{ "x-has-more": "true" }, "next"],
  [{ "content-range": "posts 0-1/3" }, "total"],
])("recognises headers of a list that continues: %j", (headers, kind) => {
  expect(signs({}, headers)).toMatchObject([{ kind, path: undefined }]);
});

test.each<Record<string, string>>([
  { "x-next-cache-tags": "posts" },
  { "x-ratelimit-next": "12" },
  { "x-nextjs-cache": "HIT" },
])("ignores headers about other things: %j", (headers) => {
  expect(signs({}, headers)).toEqual([]);
});

test("recognises a next link in a list of links", () => {
  const answer: HttpAnswer = {
    kind: "answer",
    status: 200,
    headers: {},
    text: JSON.stringify({ out: { data: [{ id: "a" }] }, links: [{ rel: "next", href: "/v1/posts?p=2" }] }),
  };
  const page = { items: [{ id: "a" }], next: { kind: "unsaid" }, total: undefined } as const;
  expect(unresolvedHints(answer, page)).toMatchObject([{ kind: "next", path: undefined }]);
});

test.each([
  {},
  { count: 2, size: 2, limit: 1_000, offset: 0 },
  { meta: { nextToken: null, cursor: "", next: null } },
  { meta: { after: "", next_offset: 0, cursor: false } },
  { meta: { pages: 1 } },
  { meta: { prev_cursor: "abc", start_cursor: "abc" } },
  { previous: { cursor: "abc" }, self: { after: "x" } },
  { rate_limit: { remaining: 29, total: 30 }, quota: { total_posts: 500 } },
  { meta: { took: 12, request_id: "req_1", version: 3, max_count: 100 } },
  { next_publish_at: "2030-01-01T00:00:00Z", next_run: "soon" },
  { page: { last: true, number: 2, of: 2, current_page: 2 } },
  { account: { follower_count: 3_000 } },
  { total: 2, cursor: "abc" },
  { has_more: false, cursor: "abc" },
  { more: false, cursor: "abc" },
  { page: { cursor: "abc", is_last: true } },
  { published_count: 250, country_code: 33 },
  { account: { discount: 20, onboarding: { complete: false, remaining: 3 } } },
  { next_slot: "soon", nextScheduled: "2030-01-01T09:00:00Z", next_window: "2030-01-01" },
])("ignores fields about other things or the end: %j", (beside) => {
  expect(signs(beside)).toEqual([]);
});

test("looks for pages up to five levels deep", () => {
  const cursor = { cursor: "abc" };
  expect(signs({ a: { b: { c: { d: cursor } } } })).toHaveLength(1);
  expect(signs({ a: { b: { c: { d: { e: cursor } } } } })).toEqual([]);
});

test("reads deep, wide and hostile answers", () => {
  let deep: object = { cursor: "abc" };
  for (let level = 0; level < 3_000; level += 1) deep = { a: deep };
  expect(signs(deep)).toEqual([]);
  const wide = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`k${index}`, { a: index }]));
  expect(signs({ ...wide, cursor: "abc" }).length).toBeLessThan(2);
  const [hostile] = signs({ ["\u001b[2J".repeat(90)]: { cursor: "x".repeat(9_000) } });
  expect(hostile?.says.length).toBeLessThan(200);
});

/** For each meaning, a value that announces more than the two posts of the list. */
const ANNOUNCING = { next: "abc", cursor: "abc", more: true, end: false, total: 3, left: 1, pages: 2 };

test.each(
  Object.entries(ANNOUNCING).flatMap(([meaning, value]) =>
    Object.entries(PAGING_NAMES).flatMap(([each, { known, maybe }]) =>
      each === meaning ? [...known, ...maybe].map((name) => [name, value] as const) : [],
    ),
  ),
)("a list with %s: %j is never taken for a whole one", async (name, value) => {
  const text = JSON.stringify({ data: [{ id: "a" }, { id: "b" }], [name]: value });
  const get = (): Promise<HttpAnswer> => Promise.resolve({ kind: "answer", status: 200, headers: {}, text });
  const read = readList({ path: "/posts", query: {} }, {}, get);
  await expect(
    read.then(
      ({ wholeness }) => wholeness,
      () => "refused",
    ),
  ).resolves.not.toBe("end");
});
