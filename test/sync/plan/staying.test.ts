import { expect, test } from "vitest";
import type { LeftOut } from "../../../src/model/row-filter.ts";
import { diff } from "../../../src/sync/plan/diff.ts";
import { withheldCancelsText } from "../../../src/problems/plan-texts.ts";
import { diffInput, lockfile, owned, post, remote, staying } from "../../support/rows.ts";

const { post_id: _id, ...former } = owned("");
const derived = "row:0123456789abcdef";
const given = diffInput({
  desired: [post(), post({ key: "new", content: "New", scheduledAt: "2030-04-01T08:00:00Z" })],
  lockfile: lockfile(
    { launch: owned("post_1"), gone: owned("post_2"), [derived]: owned("post_3") },
    { retiring: { post_0: { ...former, key: "launch" } } },
  ),
  remote: [
    remote(),
    remote({ id: "post_2", content: "Gone" }),
    remote({ id: "post_3", content: "Left out", scheduledAt: "2030-05-01T08:00:00Z" }),
    remote({ id: "post_0", content: "Old" }),
  ],
});
const HIDDEN = [
  { why: "filter" as const, file: "calendars/a.csv", keys: [], content: "Left out", places: [] },
];
const ALL = ["cancel post_0", "cancel post_2", "cancel post_3", "create"];
const NONE = ["cancel post_0", "create"];

test.each<[string, Partial<LeftOut>, string[], string | undefined]>([
  ["are cancelled", {}, ALL, undefined],
  [
    "are kept while another calendar cannot be understood",
    { brokenOthers: ["calendars/b.csv"] },
    NONE,
    "This run cancels nothing: plancast cannot read calendars/b.csv",
  ],
  [
    "are kept for that reason also while --only narrows the run",
    { brokenOthers: ["calendars/b.csv"], isFiltered: true },
    NONE,
    "This run cancels nothing: plancast cannot read calendars/b.csv",
  ],
  [
    "are kept while --only narrows the run",
    { isFiltered: true },
    NONE,
    "The rows of 2 scheduled posts seem to be gone.",
  ],
  [
    "are counted with those that may be rows which the filter leaves out",
    { isFiltered: true, rows: HIDDEN },
    NONE,
    "The rows of 2 scheduled posts seem to be gone.",
  ],
  [
    "are cancelled, although `only:` may hide the rows of others",
    { rows: HIDDEN },
    ["cancel post_0", "cancel post_2", "create"],
    "The row of 1 scheduled post seems to be gone. plancast does not cancel these posts, because their rows may be among those that `only:` leaves out.",
  ],
  [
    "are kept while rows with errors have no id, and no post of their file is replaced",
    { rowsWithoutId: ["calendars/a.csv"] },
    ["create"],
    "This run cancels nothing, and replaces no post of calendars/a.csv",
  ],
])("posts of rows that are gone %s", (_what, leftOut, changes, message) => {
  const found = diff({ ...given, staying: staying(leftOut.rows, leftOut) });
  const said = found.changes.map((change) =>
    change.action === "create" ? "create" : `${change.action} ${change.remote.id}`,
  );
  expect(said.toSorted()).toEqual(changes);
  const text = found.withheld === undefined ? undefined : withheldCancelsText(found.withheld);
  expect(text?.slice(0, message?.length)).toBe(message);
});

test("while rows of a file have no id, its posts are neither replaced nor given away, but a new row adopts a post", () => {
  const leftOut: Partial<LeftOut> = { rowsWithoutId: ["calendars/a.csv"] };
  const { changes } = diff({
    ...given,
    desired: [post({ content: "Edited" }), ...given.desired.slice(1)],
    remote: [...given.remote, remote({ id: "x", content: "New", scheduledAt: "2030-04-01T08:00:00Z" })],
    staying: staying(undefined, leftOut),
  });
  expect(changes.map(({ action, key }) => `${action} ${key}`)).toEqual(["adopt new"]);
});

test("rows without an id in another file keep no post that an edit of this one replaces", () => {
  const { changes } = diff({
    ...given,
    lockfile: lockfile({ launch: owned("post_1"), gone: owned("post_2", { file: "calendars/b.csv" }) }),
    desired: [post({ content: "Edited" })],
    staying: staying(undefined, { rowsWithoutId: ["calendars/b.csv"] }),
  });
  expect(changes.map(({ action, key }) => `${action} ${key}`)).toEqual(["replace launch"]);
});
