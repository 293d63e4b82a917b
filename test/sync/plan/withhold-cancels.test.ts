import { expect, test } from "vitest";
import { withholdCancels } from "../../../src/sync/plan/guards.ts";
import { diff } from "../../../src/sync/plan/diff.ts";
import { diffInput, lockfile, owned, post, remote } from "../../support/rows.ts";

const { post_id: _id, ...former } = owned("");
const made = diff(
  diffInput({
    desired: [post(), post({ key: "new", content: "New" })],
    lockfile: lockfile(
      { launch: owned("post_1"), gone: owned("post_2") },
      { retiring: { post_0: { ...former, key: "launch" } } },
    ),
    remote: [remote(), remote({ id: "post_2", content: "Gone" }), remote({ id: "post_0", content: "Old" })],
  }),
);
const SURE = { brokenOthers: [], rowsWithoutId: [], isFiltered: false };

test.each<[string, typeof made, Parameters<typeof withholdCancels>[1], string[], string | undefined]>([
  ["are cancelled", made, SURE, ["cancel post_0", "cancel post_2", "create"], undefined],
  [
    "are kept while another calendar cannot be understood",
    made,
    { ...SURE, brokenOthers: ["calendars/b.csv"] },
    ["cancel post_0", "create"],
    "This run cancels nothing: plancast cannot read calendars/b.csv",
  ],
  [
    "are kept for that reason also while --only narrows the run",
    made,
    { brokenOthers: ["calendars/b.csv"], rowsWithoutId: [], isFiltered: true },
    ["cancel post_0", "create"],
    "This run cancels nothing: plancast cannot read calendars/b.csv",
  ],
  [
    "are kept while --only narrows the run",
    made,
    { ...SURE, isFiltered: true },
    ["cancel post_0", "create"],
    "The row of 1 scheduled post seems to be gone.",
  ],
  [
    "are counted with those that may be rows which the filter leaves out",
    { ...made, leftAlone: 2 },
    { ...SURE, isFiltered: true },
    ["cancel post_0", "create"],
    "The rows of 3 scheduled posts seem to be gone.",
  ],
  [
    "are cancelled, although `only:` may hide the rows of others",
    { ...made, leftAlone: 2 },
    SURE,
    ["cancel post_0", "cancel post_2", "create"],
    "The rows of 2 scheduled posts seem to be gone. plancast does not cancel these posts, because their rows may be among those that `only:` leaves out.",
  ],
])("posts of rows that are gone %s", (_what, given, blindSpots, changes, message) => {
  const { diff: left, problems } = withholdCancels(given, blindSpots);
  const said = left.changes.map((change) =>
    change.action === "create" ? "create" : `${change.action} ${change.remote.id}`,
  );
  expect(said.toSorted()).toEqual(changes);
  expect(problems.map(({ code }) => code)).toEqual(message === undefined ? [] : ["plan/cancels-withheld"]);
  expect(problems[0]?.message ?? "").toContain(message ?? "");
});
