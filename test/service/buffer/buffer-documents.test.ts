/** The documents that plancast sends to Buffer, checked against its public schema and its limits. */
import { parse, validate } from "graphql";
import { expect, test } from "vitest";
import { MOST_CHANGES, QUERIES, mutationDocument } from "../../../src/service/buffer/buffer-documents.ts";
import { BUFFER_SCHEMA, sizeOf } from "../../support/contract/buffer-limits.ts";

const full = (names: readonly ("createPost" | "editPost" | "deletePost")[]) =>
  mutationDocument(
    Array.from({ length: MOST_CHANGES }, (_, index) => names[index % names.length] ?? "createPost"),
  );

const DOCUMENTS: readonly (readonly [string, string])[] = [
  ...Object.entries(QUERIES),
  ["one create", mutationDocument(["createPost"])],
  ["creates", full(["createPost"])],
  ["edits and deletes", full(["editPost", "deletePost"])],
  ["deletes", full(["deletePost"])],
];

test.each(DOCUMENTS)("%s: the document is valid in Buffer's schema", (_name, text) => {
  expect(validate(BUFFER_SCHEMA, parse(text)).map(({ message }) => message)).toEqual([]);
});

test.each(DOCUMENTS)("%s: the document is within Buffer's limits", (_name, text) => {
  const { aliases, depth, cost } = sizeOf(parse(text, { maxTokens: 15_000 }));
  expect(aliases).toBeLessThanOrEqual(30);
  expect(depth).toBeLessThanOrEqual(25);
  expect(cost).toBeLessThanOrEqual(175_000);
});

test("a document that Buffer would refuse is not valid in the schema", () => {
  const text = QUERIES.posts.replace("channelService", "channelNetwork");
  expect(validate(BUFFER_SCHEMA, parse(text))).toHaveLength(1);
});
