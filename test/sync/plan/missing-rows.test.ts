import { expect, test } from "vitest";
import { HeldPosts } from "../../../src/checks/held-posts.ts";
import { type HoldLine, lineText, parseHolds } from "../../../src/model/holds.ts";
import type { Lockfile } from "../../../src/model/lockfile.ts";
import type { ResolvedPost } from "../../../src/model/post.ts";
import { diff } from "../../../src/sync/plan/diff.ts";
import { fingerprint } from "../../../src/sync/plan/compare.ts";
import type { Absence, DiffInput } from "../../../src/sync/plan/input.ts";
import { withRecreated } from "../../../src/sync/plan/make-plan.ts";
import { nextLockfile } from "../../../src/sync/plan/next-lockfile.ts";
import { planOf } from "../../support/plans.ts";
import { attempt, config, diffInput, lockfile, owned, post, remote, staying } from "../../support/rows.ts";

const LATER = "2030-04-01T08:00:00Z";
const OTHER = { source: { file: "calendars/b.csv", line: 2 }, scheduledAt: LATER };
const row = (text: string, given: Partial<ResolvedPost> = {}): ResolvedPost =>
  post({ key: `row:${text}`, content: text, ...given });
const sent = (of: ResolvedPost, given: Partial<Lockfile["posts"][string]> = {}): Lockfile["posts"][string] =>
  owned("post_1", {
    fingerprint: fingerprint({ ...of, mediaIds: [] }),
    scheduled_at: of.scheduledAt,
    file: of.source.file,
    ...given,
  });
const gone = (why: Absence = "missing"): DiffInput["absent"] => new Map([["post_1", why]]);

/** What happens to the rows: `create KEY`, or `KEY: why, the post that is gone, and what is beside it`. */
function decided(given: Partial<DiffInput>): string[] {
  const { changes, missing } = diff(diffInput(given));
  return [
    ...changes.map(({ action, key }) => `${action} ${key}`),
    ...missing.map(({ key, why, postId, isBehind, besides }) =>
      [`${key}: ${why}`, postId, isBehind && "behind", ...besides.map(({ id }) => `beside ${id}`)]
        .filter(Boolean)
        .join(", "),
    ),
  ];
}

const { post_id: _id, ...former } = owned("post_1");

const LAUNCH = { desired: [post()], lockfile: lockfile({ launch: owned("post_1") }) };

test.each<[string, Partial<DiffInput>, string[]]>([
  ["that the service does not have", { absent: gone() }, ["launch: gone, post_1"]],
  ["that somebody cancelled", { absent: gone("cancelled") }, ["launch: cancelled, post_1"]],
  ["that failed before it was due", { absent: gone("failed") }, ["launch: failed, post_1"]],
  ["that is published", { absent: gone("published") }, []],
  [
    "that is gone, of an edited row",
    { desired: [post({ content: "New", scheduledAt: LATER })], absent: gone() },
    ["launch: gone, post_1"],
  ],
  [
    "that is gone, beside a post of the same minute",
    { absent: gone(), remote: [remote({ id: "x", content: "v2", scheduledAt: "2030-03-01T08:00:30Z" })] },
    ["launch: gone, post_1, beside x"],
  ],
  [
    "that is gone, beside a post with the same text",
    { absent: gone(), remote: [remote({ id: "x", scheduledAt: LATER })] },
    ["launch: gone, post_1, beside x"],
  ],
  [
    "that is gone, beside a post on another account",
    { absent: gone(), remote: [remote({ id: "x", content: "v2", platforms: ["x"] })] },
    ["launch: gone, post_1"],
  ],
  [
    "that is gone, if the service has the same post under another id",
    { absent: gone(), remote: [remote({ id: "x" })] },
    ["adopt launch"],
  ],
  [
    "that plancast may have cancelled itself",
    { absent: gone("cancelled"), lockfile: lockfile({ launch: owned("post_1", { cancelling: true }) }) },
    ["create launch"],
  ],
  [
    "that plancast cancelled itself, as a merged lockfile says",
    {
      absent: gone("cancelled"),
      lockfile: lockfile(
        { launch: owned("post_1") },
        { cancelled: { post_1: { ...former, key: "before", at: "2029-12-31T00:00:00Z" } } },
      ),
    },
    ["create launch"],
  ],
  [
    "that is gone, after a create that a person decided, and whose result is unknown",
    {
      absent: gone(),
      lockfile: lockfile(
        { launch: owned("post_1") },
        { unknown: { launch: { ...attempt, attempted_at: "2029-01-01T00:00:00Z", forgets: "post_1" } } },
      ),
    },
    ["create launch"],
  ],
  [
    "that is gone, with a pending create that may still appear",
    { absent: gone(), lockfile: lockfile({ launch: owned("post_1") }, { unknown: { launch: attempt } }) },
    [],
  ],
  [
    "that is gone, if the upstream branch has another one",
    { absent: gone(), upstream: lockfile({ launch: owned("post_2") }) },
    ["launch: gone, post_1, behind"],
  ],
  [
    "that is gone, if the upstream branch has none",
    { absent: gone(), upstream: lockfile() },
    ["launch: gone, post_1, behind"],
  ],
  [
    "that is gone, if the upstream branch has the same one",
    { absent: gone(), upstream: LAUNCH.lockfile },
    ["launch: gone, post_1"],
  ],
  [
    "that plancast may have cancelled itself, although the upstream branch has another one",
    {
      absent: gone("cancelled"),
      lockfile: lockfile({ launch: owned("post_1", { cancelling: true }) }),
      upstream: lockfile({ launch: owned("post_2") }),
    },
    ["create launch"],
  ],
  ["in a calendar outside the run", { absent: gone(), inScope: () => false }, []],
])("a row with a post %s", (_what, given, expected) => {
  expect(decided({ ...LAUNCH, ...given })).toEqual(expected);
});

const HELD_LOCKFILE = lockfile(
  {},
  { cancelled: { post_1: { ...former, key: "launch", at: "2029-12-31T00:00:00Z", hold: "recall" } } },
);

function holdsOf(...lines: readonly HoldLine[]): HeldPosts {
  return new HeldPosts(parseHolds(lines.map(lineText).join("\n")), [], config());
}

/** A hold that cancelled the row's post, which the lockfile does not own any more. */
const HELD = {
  ...LAUNCH,
  lockfile: HELD_LOCKFILE,
  holds: holdsOf({ hold: "recall", reason: "Stop" }),
};

test.each<[string, Partial<DiffInput>, string[]]>([
  ["while the hold still counts", {}, ["launch: held, post_1"]],
  [
    "by a later hold, which still counts",
    { holds: holdsOf({ hold: "later", reason: "Stop", posts: ["post_1"] }) },
    ["launch: held, post_1"],
  ],
  ["after the hold", { holds: holdsOf() }, ["create launch"]],
  [
    "after the hold, if the upstream branch has the same",
    { holds: holdsOf(), upstream: HELD_LOCKFILE },
    ["create launch"],
  ],
  [
    "after the hold, if the upstream branch has gone on",
    { holds: holdsOf(), upstream: lockfile({ other: owned("post_2") }) },
    ["launch: newer, post_1, behind"],
  ],
  [
    "after a person decided, with an unknown result",
    {
      lockfile: {
        ...HELD_LOCKFILE,
        unknown: { launch: { ...attempt, attempted_at: "2029-01-01T00:00:00Z", forgets: "post_1" } },
      },
    },
    ["create launch"],
  ],
  ["of a row that is still held", { desired: [] }, []],
])("a row out of a hold that cancelled its post, %s", (_what, given, expected) => {
  expect(decided({ ...HELD, ...given })).toEqual(expected);
});

test("a post that a hold cancelled stays known until an apply after the hold", () => {
  const later = { ...HELD, now: Date.parse("2030-02-01T00:00:00Z") };
  const cancelled = (given: Partial<DiffInput>): unknown => {
    const input = diffInput({ ...later, ...given });
    return nextLockfile(input, diff(input)).cancelled;
  };
  const other = { desired: [post(), post({ key: "other", content: "Other", scheduledAt: LATER })] };
  expect(cancelled(other)).toEqual(HELD.lockfile.cancelled);
  expect(cancelled({ holds: holdsOf() })).toEqual({});
});

const OLD = row("Old");
const KNOWN = { lockfile: lockfile({ [OLD.key]: sent(OLD) }), absent: gone() };

test.each<[string, Partial<DiffInput>, string[]]>([
  ["with another text", { desired: [row("New")] }, ["row:New: gone, post_1"]],
  [
    "at another time",
    { desired: [row("Old", { key: "row:later", scheduledAt: LATER })] },
    ["row:later: gone, post_1"],
  ],
  ["with both", { desired: [row("New", { scheduledAt: LATER })] }, ["row:New: perhaps, post_1"]],
  [
    "with both, beside a new row: nobody knows which is which",
    { desired: [row("New", { scheduledAt: LATER }), row("Third", { scheduledAt: LATER })] },
    ["row:New: perhaps, post_1", "row:Third: perhaps, post_1"],
  ],
  [
    "with both, beside an edited row whose post is still there",
    {
      desired: [row("New", { scheduledAt: LATER }), row("b2", { scheduledAt: "2030-05-01T08:00:00Z" })],
      lockfile: lockfile({ [OLD.key]: sent(OLD), "row:b": sent(row("b"), { post_id: "post_2" }) }),
      remote: [remote({ id: "post_2", content: "b" })],
    },
    ["cancel row:b", "row:New: perhaps, post_1", "row:b2: perhaps, post_1"],
  ],
  [
    "at its time, beside another row of that time",
    { desired: [row("New"), row("Third", { platforms: ["x"] })] },
    ["row:New: gone, post_1", "row:Third: gone, post_1"],
  ],
  ["that now has an id", { desired: [post({ content: "Old" })] }, ["launch: gone, post_1"]],
  ["that now has an id and another text", { desired: [post({ content: "New" })] }, ["launch: gone, post_1"]],
  [
    "beside a new row",
    { desired: [row("New", { scheduledAt: LATER }), row("Edited")] },
    ["create row:New", "row:Edited: gone, post_1"],
  ],
  ["in another calendar", { desired: [row("New", OTHER)] }, ["create row:New"]],
  [
    "beside rows that a filter leaves out, one of which may be the older version",
    {
      desired: [row("New", { scheduledAt: LATER })],
      staying: staying([
        { why: "filter", file: "calendars/a.csv", keys: ["row:x"], content: "x", places: [] },
      ]),
    },
    ["row:New: perhaps, post_1"],
  ],
])("a row without an id whose post is gone, %s", (_what, given, expected) => {
  expect(decided({ ...KNOWN, ...given })).toEqual(expected);
});

const SCHEDULED = { absent: new Map(), remote: [remote({ content: "Old" })] };
const NARROWED = { ...KNOWN, ...SCHEDULED, staying: staying([], { isFiltered: true }) };
const MOVED = [row("New", { scheduledAt: LATER })];

test.each<[string, Partial<DiffInput>, string[]]>([
  ["with another text and time, while --only narrows the run", {}, ["row:New: withheld, post_1"]],
  ["with both, in another calendar", { desired: [row("New", OTHER)] }, ["create row:New"]],
  ["with only another text", { desired: [row("New")] }, ["replace row:New"]],
  [
    "with another text and other networks",
    { desired: [row("New", { platforms: ["x"] })] },
    ["row:New: withheld, post_1"],
  ],
  [
    "with another text, and an id since then",
    { desired: [post({ content: "New" })] },
    ["launch: withheld, post_1"],
  ],
  ["with both, and an id", { desired: [post({ content: "New", scheduledAt: LATER })] }, ["create launch"]],
  [
    "with both, beside a new row: nobody knows which is which",
    { desired: [...MOVED, row("Third", { scheduledAt: LATER })] },
    ["row:New: withheld, post_1", "row:Third: withheld, post_1"],
  ],
  [
    "with both, while another calendar cannot be read",
    { staying: staying([], { brokenOthers: ["calendars/b.csv"] }) },
    ["row:New: withheld, post_1"],
  ],
  [
    "with both, beside a row with errors that has no id",
    { staying: staying([], { rowsWithoutId: ["calendars/a.csv"] }) },
    ["row:New: withheld, post_1"],
  ],
  [
    "with both, if the post belongs to a row that the filter leaves out",
    {
      staying: staying(
        [{ why: "filter", file: "calendars/a.csv", keys: ["row:x"], content: "Old", places: [] }],
        { isFiltered: true },
      ),
    },
    ["create row:New"],
  ],
  ["with both, if the run covers all rows", { staying: staying() }, ["cancel row:Old", "create row:New"]],
  [
    "with both, and the post is gone from the service",
    { absent: gone(), remote: [] },
    ["row:New: perhaps, post_1"],
  ],
])("a row without an id whose post the run must not cancel, %s", (_what, given, expected) => {
  expect(decided({ ...NARROWED, desired: MOVED, ...given }).toSorted()).toEqual(expected);
});

test("a row that becomes a post for each network waits while the run must not cancel its post", () => {
  const given = {
    ...LAUNCH,
    desired: [PART, OTHER_PART],
    remote: [remote({ platforms: ["linkedin", "x"] })],
  };
  expect(decided({ ...given, staying: staying([], { isFiltered: true }) })).toEqual([
    "launch@x: withheld, post_1",
    "launch@linkedin: withheld, post_1",
  ]);
});

test("the lockfile keeps the post that a limited run must not cancel, under its own key", () => {
  const input = diffInput({ ...NARROWED, desired: MOVED });
  expect(nextLockfile(input, diff(input)).posts).toEqual(KNOWN.lockfile.posts);
});

test("a row with another id is still the row whose post is gone", () => {
  const known = lockfile({ before: owned("post_1") });
  expect(decided({ desired: [post()], lockfile: known, absent: gone() })).toEqual(["launch: gone, post_1"]);
  expect(decided({ desired: [post({ content: "New" })], lockfile: known, absent: gone() })).toEqual([
    "create launch",
  ]);
});

const PART = post({ key: "launch@x", platforms: ["x"] });
const OTHER_PART = post({ key: "launch@linkedin", platforms: ["linkedin"] });

test.each<[string, Partial<DiffInput>, string[]]>([
  [
    "that becomes a post for each network",
    { ...LAUNCH, desired: [PART, OTHER_PART] },
    ["launch@x: gone, post_1", "launch@linkedin: gone, post_1"],
  ],
  [
    "for one network, if the row becomes one post: the post for the other network stays until then",
    {
      desired: [post({ platforms: ["linkedin", "x"] })],
      lockfile: lockfile({ "launch@x": owned("post_1"), "launch@linkedin": owned("post_2") }),
      remote: [remote({ id: "post_2" })],
    },
    ["launch: gone, post_1"],
  ],
  [
    "for one network, if only the other network's post changes",
    {
      desired: [post({ ...OTHER_PART, content: "New" })],
      lockfile: lockfile({ "launch@x": owned("post_1"), "launch@linkedin": owned("post_2") }),
      remote: [remote({ id: "post_2", platforms: ["linkedin"] })],
    },
    ["replace launch@linkedin"],
  ],
  [
    "of a series, if the row repeats on other days: those are other posts",
    {
      desired: [post({ key: "news/2030-03-02", scheduledAt: LATER })],
      lockfile: lockfile({ "news/2030-03-01": owned("post_1") }),
    },
    ["create news/2030-03-02"],
  ],
  [
    "of a series, if the post of that day is gone",
    {
      desired: [post({ key: "news/2030-03-01", content: "New", scheduledAt: LATER })],
      lockfile: lockfile({ "news/2030-03-01": owned("post_1") }),
    },
    ["news/2030-03-01: gone, post_1"],
  ],
])("a missing post %s", (_what, given, expected) => {
  expect(decided({ absent: gone(), ...given })).toEqual(expected);
});

test.each<[string, Partial<DiffInput>, string[]]>([
  [
    "beside a post of its minute and account",
    { remote: [remote({ content: "v2" })] },
    ["launch: lost, beside post_1"],
  ],
  [
    "beside a post on another account",
    { remote: [remote({ content: "v2", platforms: ["x"] })] },
    ["create launch"],
  ],
  ["beside a post at another time", { remote: [remote({ scheduledAt: LATER })] }, ["create launch"]],
  [
    "that another row adopts",
    { desired: [post(), post({ key: "b", content: "v2" })], remote: [remote({ content: "v2" })] },
    ["adopt b", "create launch"],
  ],
  [
    "beside a post of its minute, but the lockfile is there",
    { isLost: false, remote: [remote({ content: "v2" })] },
    ["create launch"],
  ],
])("without a lockfile, a row %s", (_what, given, expected) => {
  expect(decided({ desired: [post()], isLost: true, ...given }).sort()).toEqual(expected);
});

test("a row that only the upstream branch's lockfile knows waits", () => {
  const upstream = lockfile({ launch: owned("post_9") });
  expect(decided({ desired: [post()], upstream })).toEqual(["launch: newer, behind"]);
});

test("the lockfile keeps a missing post, under the key of its row, until a create takes its place", () => {
  const input = diffInput({ ...KNOWN, desired: [row("New")] });
  const { posts } = nextLockfile(input, diff(input));
  expect(posts).toEqual({ "row:New": sent(OLD) });
  expect(decided({ desired: [row("New")], lockfile: lockfile(posts), absent: gone() })).toEqual([
    "row:New: gone, post_1",
  ]);
});

test.each<[string, Partial<DiffInput>]>([
  ["one row", { desired: [row("New", { scheduledAt: LATER })] }],
  ["one of two rows at its time", { desired: [row("New"), row("Third", { platforms: ["x"] })] }],
  [
    "a row that a filter leaves out",
    {
      desired: [],
      staying: staying([
        { why: "filter", file: "calendars/a.csv", keys: ["row:x"], content: "x", places: [] },
      ]),
    },
  ],
  [
    "a row with an error that --only-valid leaves out",
    {
      desired: [],
      staying: staying([{ why: "errors", file: "calendars/a.csv", keys: [], content: "", places: [] }]),
    },
  ],
])("the lockfile keeps a missing post that is perhaps the older version of %s", (_what, given) => {
  const input = diffInput({ ...KNOWN, absent: gone("cancelled"), ...given });
  expect(nextLockfile(input, diff(input)).posts).toEqual(KNOWN.lockfile.posts);
});

test.each<[string, Partial<DiffInput>, string[]]>([
  [
    "without a row is forgotten, if the account has another post of the project",
    { lockfile: lockfile({ a: owned("post_1"), b: owned("post_2") }), remote: [remote({ id: "post_2" })] },
    ["b"],
  ],
  ["without a row is kept, if it may be in another account", {}, ["a"]],
  ["without a row is forgotten, if the service says that it is cancelled", { absent: gone("cancelled") }, []],
])("a missing post %s", (_what, given, expected) => {
  const input = diffInput({ lockfile: lockfile({ a: owned("post_1") }), absent: gone(), ...given });
  expect(Object.keys(nextLockfile(input, diff(input)).posts)).toEqual(expected);
});

test("a plan counts missing rows beside its changes, and creates them only after a person's decision", () => {
  const plan = planOf({
    desired: [post(), row("New", { scheduledAt: LATER })],
    lockfile: lockfile({ launch: owned("post_1") }),
    absent: gone("cancelled"),
  });
  expect(plan.summary).toMatchObject({ create: 1, missing: 1 });
  expect(plan.problems).toMatchObject([{ code: "apply/missing", severity: "warning", line: 2 }]);
  const decision = withRecreated(plan, plan.missing, lockfile());
  expect(decision.summary).toMatchObject({ create: 2, missing: 0 });
  expect(decision.changes.map(({ key }) => key)).toEqual(["launch", "row:New"]);
  expect([decision.requests, decision.hash()]).toEqual([2, plan.hash()]);
  expect(decision.missing).toEqual([]);
});

test.each([
  ["https://a.example", [], "other-account"],
  ["embedded", [], "other-machine"],
  ["embedded", [remote({ id: "post_2", content: "b" })], "here"],
] as const)("all posts of %s are gone: %j, they are %s", (origin, posts, where) => {
  const known = lockfile({ launch: owned("post_1"), b: owned("post_2") }, { origin });
  const desired = [post(), post({ key: "b", content: "b" })];
  expect(planOf({ desired, lockfile: known, absent: gone(), remote: posts }).whereMissing).toBe(where);
});
