/** What a post's record shows about its publication, if only the results of its networks say it. */
import { expect, test } from "vitest";
import { publicationOf } from "../../../src/service/answers/post.ts";

const GOOD = { platform: "linkedin", status: "published" };
const BAD = { platform: "twitter", status: "failed", error: "No." };

test.each<[string, string | undefined, readonly object[], string]>([
  ["both are published", undefined, [GOOD, { ...GOOD, platform: "twitter" }], "published"],
  ["one failed", undefined, [GOOD, BAD], "failed"],
  ["one failed, although the post counts as published", "published", [GOOD, BAD], "failed"],
  ["one shows no result", undefined, [GOOD], "unknown"],
  ["none shows a result", undefined, [], "unknown"],
  ["one is published while the other is under way", "publishing", [GOOD], "scheduled"],
])("the state of a post on two networks: %s", (_what, status, results, state) => {
  const platforms = ["linkedin", "twitter"];
  const post = { id: "p", platforms, record: { results }, ...(status === undefined ? {} : { status }) };
  expect(publicationOf(post)).toMatchObject({ state });
});
