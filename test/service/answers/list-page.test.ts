import { expect, test } from "vitest";
import { type Page, decodePage } from "../../../src/service/answers/list-page.ts";

function page(body: unknown, headers: Record<string, string> = {}): Page {
  return decodePage({ kind: "answer", status: 200, headers, text: JSON.stringify(body) }, "GET /v1/posts");
}

test.each<[string, unknown, Page["next"]["kind"]]>([
  ["an array", [], "unsaid"],
  ["an empty cursor", { data: [], next_cursor: null }, "end"],
  ["a cursor", { data: [], next_cursor: "a" }, "cursor"],
  ["a cursor in camel case", { data: [], nextCursor: "a" }, "cursor"],
  ["a cursor with a hyphen", { data: [], "next-cursor": "a" }, "cursor"],
  ["a cursor in capitals, after one that is null", { data: [], next_cursor: null, NextCursor: "a" }, "end"],
  ["a cursor in what is about pages", { data: [], meta: { pagination: { next_cursor: "a" } } }, "cursor"],
  ["an address", { data: [], links: { next: "/v1/posts?page=2" } }, "url"],
  ["the number of the next page", { data: [], next_page: 2 }, "unfollowable"],
  ["an address that is none", { data: [], next: "\\\\host/x" }, "unfollowable"],
  ["a token of unknown use", { data: [], nextPageToken: "a" }, "unfollowable"],
  ["more, in a word", { data: [], has_more: true }, "unfollowable"],
  ["the first of three pages", { data: [], meta: { page: 1, total_pages: 3 } }, "unfollowable"],
  ["three pages", { data: [], total_pages: 3 }, "unfollowable"],
  ["the last of three pages", { data: [], meta: { page: 3, total_pages: 3 } }, "unsaid"],
  ["an end, and three pages", { data: [], next_cursor: null, total_pages: 3 }, "end"],
])("recognises the next page of a list with %s", (_what, body, kind) => {
  expect(page(body).next.kind).toBe(kind);
});

test.each<[string, unknown, Record<string, string>, number | undefined]>([
  ["nowhere", { data: [] }, {}, undefined],
  ["in the body", { data: [], total: 3 }, {}, 3],
  ["two levels down", { data: [], meta: { pagination: { total: 3 } } }, {}, 3],
  ["in a header", [], { "x-total-count": "3" }, 3],
  ["as nonsense in a header", [], { "x-total-count": "many" }, undefined],
])("reads the total %s", (_where, body, headers, total) => {
  expect(page(body, headers).total).toBe(total);
});

test.each<[string, string, string]>([
  ["two lists", '{"a":[],"b":[]}', "returned an object with the keys a, b, but plancast needs one list"],
  ["no keys", "{}", "returned an object with the keys (none),"],
  [
    "no JSON",
    "<html><title>Sign in</title> and so on</html>",
    'text that is not JSON, starting "<html><title>Sign in</title> and so on</",',
  ],
  ["another value", "7", "returned the JSON value 7,"],
])("an answer with %s is refused, and the message shows the answer", (_what, text, message) => {
  const answer = { kind: "answer", status: 200, headers: {}, text } as const;
  expect(() => decodePage(answer, "GET /v1/posts")).toThrow(message);
});
