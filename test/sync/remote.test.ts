import { expect, test } from "vitest";
import { diff } from "../../src/sync/plan/diff.ts";
import type { Conclusion, ListVerdict } from "../../src/sync/plan/reconcile.ts";
import { afterLooks, conclusionsOf, latestOf } from "../../src/sync/remote.ts";
import { diffInput, lockfile, owned, post, remote } from "../support/rows.ts";

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

test("only an adopted post, and a create of a row that the lockfile does not know, depend on the list", () => {
  const LATER = "2036-05-01T08:00:00Z";
  const input = diffInput({
    desired: [post(), post({ key: "moved", scheduledAt: LATER }), post({ key: "new", content: "New" })],
    lockfile: lockfile({ moved: owned("post_2") }),
    remote: [remote(), remote({ id: "post_2", content: "Old" })],
  });
  const compared = diff(input);
  expect(compared.changes.map(({ action, key }) => `${action} ${key}`).sort()).toEqual([
    "adopt launch",
    "create new",
    "replace moved",
  ]);
  expect(conclusionsOf(compared, input.lockfile)).toEqual([
    { what: "adopt", of: remote().id },
    { what: "create", of: "new" },
  ]);
  const known = lockfile({ new: owned("post_3") });
  expect(conclusionsOf(compared, known)).toEqual([{ what: "adopt", of: remote().id }]);
});

const at = (scheduledAt: string) => post({ scheduledAt });

test("the list matters up to the latest row, and to all slots that a row may have", () => {
  const now = Date.parse("2036-01-01T00:00:00Z");
  const [early, late] = ["2036-02-01T08:00:00Z", "2036-05-01T08:00:00Z"];
  expect(latestOf({ posts: [] }, now)).toBe("");
  expect(latestOf({ posts: [at(early), at(late), at(early)] }, now)).toBe(late);
  const slot = { isTaken: false, weekOf: () => undefined };
  expect(latestOf({ posts: [at(late), post({ slot })] }, now) > "2037-12-01").toBe(true);
});
