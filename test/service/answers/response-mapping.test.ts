/** `service.shape` without a service: paths, pages, totals and words, even if they are missing. */

import { expect, test } from "vitest";
import { ProjectProblems } from "../../../src/model/failure.ts";
import { parseProject } from "../../../src/calendars/project.ts";
import { decodePage } from "../../../src/service/answers/list-page.ts";
import { decodePost } from "../../../src/service/answers/post.ts";
import { recordOf } from "../../../src/service/answers/record.ts";
import { applyMapping } from "../../../src/service/answers/response-mapping.ts";
import type { HttpAnswer } from "../../../src/service/http/request.ts";
import {
  type ResponseMapping,
  pathText,
  stepsOf,
  valueAtPath,
} from "../../../src/settings/response-mapping.ts";

function answer(body: unknown): HttpAnswer {
  return { kind: "answer", status: 200, headers: {}, text: JSON.stringify(body) };
}

function page(body: unknown, shape: ResponseMapping, path = "/posts") {
  return decodePage(applyMapping(answer(body), shape, path, "list"), `GET /v1${path}`);
}

test.each([
  ["a.b", ["a", "b"]],
  [String.raw`a\.b.c`, ["a.b", "c"]],
  [String.raw`a\\.b`, ["a\\", "b"]],
  ["größe. x", ["größe", " x"]],
])("splits the path %s into steps", (text, steps) => {
  expect(stepsOf(text)).toEqual(steps);
  expect(stepsOf(pathText(steps))).toEqual(steps);
});

test("follows a path through lists and numbered items, if it exists", () => {
  const value = { a: [{ b: [{ c: 1 }, { c: 2 }] }, { b: [{ c: 3 }, {}] }, 4, null] };
  expect(valueAtPath(value, ["a", "b", "c"])).toEqual([1, 2, 3]);
  expect(valueAtPath(value, ["a", "0", "b", "1", "c"])).toBe(2);
  expect(valueAtPath(value, ["a", "9", "b"])).toBeUndefined();
  for (const name of ["constructor", "__proto__", "toString"])
    expect(valueAtPath(value, [name])).toBeUndefined();
});

test("the list is complete if the answer marks its end beside the cursor that the shape names", () => {
  const shape: ResponseMapping = { next: "paging.after", next_as: "after" };
  const next = { kind: "cursor", cursor: "abc", as: "after" };
  const list = { items: [1], paging: { after: "abc" } };
  expect(page({ ...list, before: { has_more: false } }, shape).next).toEqual(next);
  expect(page({ ...list, paging: { after: "abc", has_more: false } }, shape).next).toEqual({ kind: "end" });
});

test("reads values only from the paths in the shape", () => {
  const shape = { list: "x.y.z", post: { id: "key", content: "copy.text" } };
  const body = { x: { y: { z: [{ key: "p1", text: "not this", copy: {} }] } } };
  const [item] = page(body, shape).items;
  expect(decodePost(item, "GET /v1/posts").post).toEqual({ id: "p1" });
});

test("fails if the list or record is not at the path in the shape", () => {
  expect(() => page({ data: [{ id: "p1" }] }, { list: "x.y" })).toThrow(/a list at x\.y/);
  expect(() => page({ x: { y: null } }, { list: "x.y" })).toThrow(/a list at x\.y/);
  const record = applyMapping(answer({ id: "p1" }), { record: "x" }, "/posts/p1", "record");
  expect(() => recordOf(record, "GET /v1/posts/p1")).toThrow(/a record at x/);
});

test("affects only the kind of record that the shape names", () => {
  const shape = { post: { list: "a.b.c" } };
  expect(page({ a: { b: { c: [1, 2] } } }, shape).items).toEqual([1, 2]);
  expect(page({ data: [3] }, shape, "/media").items).toEqual([3]);
  expect(() => page({ data: [3] }, { list: "a.b.c" }, "/media")).toThrow(/a list at a\.b\.c/);
});

test.each([
  ["an address", "/v1/posts?after=2", { kind: "url", url: "/v1/posts?after=2" }],
  ["a cursor", "abc", { kind: "cursor", cursor: "abc", as: "page_token" }],
  ["a number", 2, { kind: "cursor", cursor: "2", as: "page_token" }],
  ["null", null, { kind: "end" }],
  ["an empty text", "", { kind: "end" }],
])("reads the next page as %s", (_name, value, next) => {
  const body = { data: [1], next_cursor: "not this", m: { token: value } };
  expect(page(body, { next: "m.token", next_as: "page_token" }).next).toEqual(next);
});

test("a wrong path for the next page or total never makes a partial list complete", () => {
  expect(page({ data: [1] }, { next: "m.tokn" }).next).toEqual({ kind: "unsaid" });
  expect(page({ data: [1], has_more: true }, { next: "m.tokn" }).next).toMatchObject({
    kind: "unfollowable",
  });
  expect(page({ data: [1], total: 36 }, { total: "m.totl" }).total).toBe(36);
  expect(page({ data: [1], m: { n: 7 } }, { total: "m.n" }).total).toBe(7);
  expect(page({ data: [1], total: 9 }, { total: "m.n" }).total).toBe(9);
});

test.each([
  [{ status: "Waiting " }, "scheduled"],
  [{ status: 3 }, "cancelled"],
  [{ status: "other" }, "other"],
])("reads status words in upper and lower case: %j", (told, status) => {
  const shape = { status: { waiting: "scheduled", "3": "cancelled" } } as const;
  const [item] = page({ data: [{ id: "p1", ...told }] }, shape).items;
  expect(decodePost(item, "GET /v1/posts").status).toBe(status);
});

test("does not change answers without JSON or records", () => {
  const html: HttpAnswer = { kind: "answer", status: 200, headers: {}, text: "<html>" };
  expect(applyMapping(html, { list: "a" }, "/posts", "list")).toBe(html);
  const text = answer({ content: "x" });
  expect(applyMapping(text, { record: "a" }, "/ai/text", "record")).toBe(text);
});

test.each([
  ["service: {shape: {lst: a}}", "project/unknown-key", 18],
  ["service: {shape: {list: a..b}}", "project/invalid", 24],
  ["service: {shape: {post: {when: a}}}", "project/unknown-key", 25],
  ["service: {shape: {status: {gone: canceled}}}", "project/invalid", 33],
])("reports the place of an invalid shape: %s", (text, code, column) => {
  const problems = (() => {
    try {
      return parseProject("plancast.yaml", text);
    } catch (error) {
      if (error instanceof ProjectProblems) return error.problems;
      throw error;
    }
  })();
  expect(problems).toMatchObject([{ code, line: 1, column: column + 1 }]);
});
