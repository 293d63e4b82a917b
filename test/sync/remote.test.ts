import { expect, test } from "vitest";
import type { Conclusion, ListVerdict } from "../../src/sync/plan/reconcile.ts";
import { afterLooks } from "../../src/sync/remote.ts";

const ADOPT: Conclusion = { what: "adopt", of: "post_1" };
const CREATE: Conclusion = { what: "create", of: "launch" };

const believe = (...unconfirmed: Conclusion[]): ListVerdict => ({ verdict: "believe", unconfirmed });
const wait = (...unconfirmed: Conclusion[]): ListVerdict => ({ verdict: "wait", unconfirmed });
const incomplete = (...unconfirmed: Conclusion[]): ListVerdict => ({ verdict: "incomplete", unconfirmed });
const five = (look: ListVerdict): ListVerdict[] => Array.from({ length: 5 }, () => look);

test.each<[string, ListVerdict[], ReturnType<typeof afterLooks>]>([
  ["nothing is concluded", [believe()], "proved"],
  ["one list leads to a conclusion", [believe(ADOPT)], { waitMs: 500 }],
  ["two lists agree", [believe(ADOPT), believe(ADOPT)], "proved"],
  ["two lists agree in another order", [believe(ADOPT, CREATE), believe(CREATE, ADOPT)], "proved"],
  ["the second list leads to less", [believe(ADOPT, CREATE), believe(ADOPT)], { waitMs: 1_000 }],
  ["the second list leads to nothing", [believe(ADOPT), believe()], { waitMs: 1_000 }],
  ["the second list leads to something else", [believe(ADOPT), believe(CREATE)], { waitMs: 1_000 }],
  ["the third list agrees with the second", [believe(ADOPT), believe(), believe()], "proved"],
  [
    "the third list agrees only with the first",
    [believe(ADOPT), believe(), believe(ADOPT)],
    { waitMs: 3_000 },
  ],
  ["the list is incomplete", [incomplete()], { waitMs: 500 }],
  ["the list is whole after all", [incomplete(), believe()], "proved"],
  ["an incomplete list agrees", [incomplete(ADOPT), believe(ADOPT)], { waitMs: 1_000 }],
  ["two lists agree after an incomplete one", [incomplete(), believe(ADOPT), believe(ADOPT)], "proved"],
  ["the list becomes incomplete", [believe(ADOPT), incomplete(ADOPT)], { waitMs: 1_000 }],
  ["a post has no status", [wait()], { waitMs: 500 }],
  ["a post has no status in four lists", five(wait()).slice(1), { waitMs: 6_000 }],
  ["a post has no status to the end", five(wait()), "proved"],
  ["a post has no status to the end, and the lists agree", five(wait(ADOPT)), "proved"],
  ["a post has a status after all", [wait(), believe()], "proved"],
  ["the list is incomplete to the end", five(incomplete()), "unproved"],
  ["the last list is the first whole one", [...five(incomplete()).slice(1), believe()], "proved"],
  ["no two lists agree", [believe(ADOPT), believe(), believe(ADOPT), believe(), believe(ADOPT)], "unproved"],
])("decides whether to read the list again when %s", (_what, looks, expected) => {
  expect(afterLooks(looks)).toEqual(expected);
});
