/** Lists and records in the common wrappings, and in others, which need `service.shape`. */

import { expect, test } from "vitest";
import { itemsIn, recordIn } from "../../../src/service/answers/record.ts";

test.each<[unknown, readonly unknown[] | undefined]>([
  [[1], [1]],
  [{ data: [1] }, [1]],
  [{ posts: [1], notices: [2], meta: { tags: [] } }, [1]],
  [{ data: { items: [1] } }, [1]],
  [{ response: { automations: [1] } }, [1]],
  [{ entries: [1] }, undefined],
  [{ data: { entries: [1] } }, undefined],
  [{ data: { data: { items: [1] } } }, undefined],
  [{ data: [1], posts: [2] }, undefined],
  [{ data: { items: [1], posts: [2] } }, undefined],
  [{}, undefined],
  ["posts", undefined],
])("the list in %j is %j", (body, items) => {
  expect(itemsIn(body)).toEqual(items);
});

test.each<[unknown, object | undefined]>([
  [
    { id: 7, data: { id: "b" } },
    { id: 7, data: { id: "b" } },
  ],
  [{ data: { id: "a" } }, { id: "a" }],
  [{ data: { post: { id: "a" } } }, { id: "a" }],
  [{ result: { id: "a" }, owner: { id: "b" } }, { id: "a" }],
  [{ post: { id: "a" }, media: { id: "b" } }, undefined],
  [{ entry: { id: "a" } }, undefined],
  [{ data: { post_id: "a" } }, undefined],
  [[{ id: "a" }], undefined],
])("the record in %j is %j", (body, record) => {
  expect(recordIn(body)).toEqual(record);
});
