import { expect, test } from "vitest";
import type { UnreviewedChange } from "../../../src/problems/plan-texts.ts";
import {
  type SavedPlan,
  checkUnchanged,
  parseSavedPlan,
  savedPlan,
  toSavedPlan,
  unreviewedChanges,
} from "../../../src/sync/apply/saved-plan.ts";
import type { DiffInput } from "../../../src/sync/plan/input.ts";
import { seriesName } from "../../../src/model/lockfile.ts";
import type { Plan } from "../../../src/model/plan.ts";
import type { ResolvedMedia } from "../../../src/model/post.ts";
import { planDocument } from "../../../src/report/plan/plan-json.ts";
import { planOf } from "../../support/plans.ts";
import { lockfile, owned, post, remote } from "../../support/rows.ts";

const HASH = `sha256:${"0".repeat(64)}`;
const create = { action: "create", key: "launch", post: { content: "We are open" } };
const cancel = { action: "cancel", key: "old", post: { content: "Old" }, post_id: "post_1" };
const upload = { path: "a.png", sha256: "aa" };

function saved(given: Partial<SavedPlan> = {}): SavedPlan {
  const document = { version: 1, hash: HASH, uploads: [upload], changes: [create, cancel] };
  return {
    ...parseSavedPlan(JSON.stringify(savedPlan(document, { calendars: [], only: [] }))),
    ...given,
  };
}

const fresh = (name: string): UnreviewedChange => ({ name, isOtherVersion: false });
const other = (name: string): UnreviewedChange => ({ name, isOtherVersion: true });

test.each<[string, Partial<SavedPlan>, UnreviewedChange[]]>([
  ["all of it", {}, []],
  ["less than was reviewed", { changes: [cancel], uploads: [] }, []],
  ["another text", { changes: [{ ...create, post: { content: "New" } }] }, [other("create launch")]],
  ["another post to cancel", { changes: [{ ...cancel, post_id: "post_2" }] }, [other("cancel old")]],
  ["another row", { changes: [{ ...create, key: "other" }] }, [fresh("create other")]],
  ["another action", { changes: [{ ...create, action: "replace" }] }, [fresh("replace launch")]],
  ["a file with other bytes", { uploads: [{ path: "a.png", sha256: "bb" }] }, [fresh("upload a.png")]],
  ["a file from elsewhere", { uploads: [{ path: "b.png", sha256: "aa" }] }, [fresh("upload b.png")]],
])("a plan is compared with the reviewed ones: %s", (_what, now, expected) => {
  expect(unreviewedChanges(saved(now), [saved({ changes: [create], uploads: [] }), saved()])).toEqual(
    expected,
  );
});

test("names each change in a plan that nobody reviewed", () => {
  expect(unreviewedChanges(saved(), [])).toEqual(["create launch", "cancel old", "upload a.png"].map(fresh));
});

test("the message names a reviewed slot that another row has now", () => {
  const changes = ["2030-01-02T08:30:00Z", "2030-01-07T08:30:00Z"].map((scheduled_at) => ({
    ...create,
    slot: "next",
    post: { scheduled_at },
  }));
  const reviewed = saved({ changes: changes.slice(0, 1), uploads: [] });
  expect(unreviewedChanges(reviewed, [reviewed])).toEqual([]);
  expect(unreviewedChanges(saved({ changes: changes.slice(1), uploads: [] }), [reviewed])).toEqual([
    other("create launch (its reviewed slot 2030-01-02T08:30:00Z is no longer free)"),
  ]);
});

test.each(["service", "project"] as const)("a saved plan for another %s is refused", (part) => {
  const plan = planOf({ desired: [post()] });
  const now = savedNow(plan, { service: "https://a.example", project: "clients/a" });
  expect(() => checkUnchanged({ ...now, [part]: "other" }, plan, now)).toThrow(`is for the ${part} "other"`);
  expect(() => checkUnchanged({ ...now, [part]: undefined }, plan, now)).toThrow(`is for the ${part} ""`);
});

const document = savedPlan({ version: 1, hash: HASH, changes: [create] }, { calendars: [], only: [] });
test.each<[string, string, string]>([
  ["is no JSON", "{", "The plan file is not JSON."],
  [
    "was edited",
    JSON.stringify({ ...document, changes: [] }),
    "The plan file was edited after plancast saved it",
  ],
  ["has no hash", JSON.stringify({ ...document, hash: "-" }), "The plan file has no valid hash"],
  [
    "is of another version",
    JSON.stringify({ ...document, version: 2 }),
    "The plan file is not as plancast wrote it",
  ],
  ["is no object", "[]", "The plan file is not as plancast wrote it"],
  [
    "is a trial at another time",
    JSON.stringify(
      savedPlan({ version: 1, hash: HASH, changes: [], now: "2030-01-01" }, { calendars: [], only: [] }),
    ),
    'The plan file was made with --now "2030-01-01", so it is only a trial',
  ],
])("a plan file that %s is refused", (_what, text, message) => {
  expect(() => parseSavedPlan(text)).toThrow(message);
});

const image = { kind: "file", path: "a.png", sha256: "aa", bytes: 3, mime: "image/png" } as const;
const rows = [post({ key: "one", media: [image] }), post({ key: "two", content: "Two" })];

/** A plan as `plan --out` saves it. */
function savedNow(
  plan: Plan,
  more: { accounts?: string[]; service?: string; project?: string } = {},
): SavedPlan {
  const made = planDocument(plan, [], { verbose: false });
  return toSavedPlan(savedPlan(made, { calendars: [], only: [], ...more }));
}

function check(before: SavedPlan, plan: Plan, more: { accounts?: string[] } = {}): void {
  checkUnchanged(before, plan, savedNow(plan, more));
}

test("a saved plan is applied if the same plan would be made again", () => {
  const plan = planOf({ desired: rows });
  expect(() => check(savedNow(plan), plan)).not.toThrow();
});

test("a saved plan is applied although rows moved within their file, and a kept row became past", () => {
  const plan = planOf({ desired: rows });
  const before = savedNow(plan);
  const changes = before.changes.map((change) => ({ ...change, source: { ...change.source, line: 99 } }));
  const summary = { ...before.summary, keep: 1, past: -1, draft: 7, skipped: 2 };
  expect(() => check(toSavedPlan({ ...before, changes, summary }), plan)).not.toThrow();
});

test.each<[string, (plan: SavedPlan) => Partial<SavedPlan>]>([
  ["changes", ({ changes }) => ({ changes: changes.slice(1) })],
  [
    "changes",
    ({ changes }) => ({ changes: changes.map((each) => ({ ...each, post: { content: "Nice" } })) }),
  ],
  [
    "changes",
    ({ changes }) => ({ changes: changes.map((each) => ({ ...each, reason: "The row is new!" })) }),
  ],
  [
    "changes",
    ({ changes }) => ({ changes: changes.map(({ media_digest: _digest, ...each }) => ({ ...each })) }),
  ],
  ["uploads", () => ({ uploads: [] })],
  ["summary", ({ summary }) => ({ summary: { ...summary, create: 1 } })],
])("a plan file with the right hash but different %s is refused", (part, edit) => {
  const plan = planOf({ desired: rows });
  const before = savedNow(plan);
  expect(() => check(toSavedPlan({ ...before, ...edit(before) }), plan)).toThrow(
    `its hash does not match its ${part}`,
  );
});

test("a saved plan is refused if a guard stops it, but the plan does not show this guard", () => {
  const plan = planOf({ lockfile: lockfile({ launch: owned("post_1") }), remote: [remote()] });
  const before = savedNow(plan);
  expect(before.guards).toMatchObject([{ code: "guard/no-rows" }]);
  expect(() => check(before, plan)).not.toThrow();
  expect(() => check({ ...before, guards: [] }, plan)).toThrow("a guard would now stop it");
});

test("a saved plan is refused if it does not show a missing row", () => {
  const lost = lockfile({ launch: owned("post_1") });
  const missing = { desired: [post()], lockfile: lost, absent: new Map([["post_1", "cancelled"]] as const) };
  const plan = planOf(missing);
  const before = savedNow(plan);
  expect(before.missing).toMatchObject([{ key: "launch", post_id: "post_1" }]);
  expect(() => check(before, plan)).not.toThrow();
  expect(() => check({ ...before, missing: [] }, plan)).toThrow("its hash does not match its changes");
  const kept = savedNow(planOf({ ...missing, absent: new Map(), remote: [remote()] }));
  expect(() => check(kept, plan)).toThrow("newly planned: missing launch.");
});

test("a saved plan is refused if the accounts differ", () => {
  const plan = planOf({ desired: rows });
  const before = savedNow(plan, { accounts: ["acc_1", "acc_2"] });
  expect(() => check(before, plan, { accounts: ["acc_2", "acc_3"] })).not.toThrow();
  expect(() => check(before, plan)).toThrow("connected now: not shown by the service");
  expect(() => check(before, plan, { accounts: ["acc_9"] })).toThrow(
    "This key gives access to other accounts: the plan was made for acc_1, acc_2; connected now: acc_9.",
  );
});

test.each<[string, DiffInput["desired"], string]>([
  ["a change is gone", rows.slice(0, 1), "no longer planned: create two."],
  ["there is a change more", [...rows, post({ key: "three", content: "3" })], "newly planned: create three."],
  [
    "a file has other bytes",
    [post({ key: "one", media: [{ ...image, sha256: "bb" }] }), ...rows.slice(1)],
    "files that differ from the review: a.png.",
  ],
  [
    "only a text is another",
    [rows[0] ?? post(), post({ key: "two", content: "2" })],
    "apply would do: changed since the plan was saved: create two. Nothing",
  ],
  [
    "everything is another",
    ["3", "4", "5", "6", "7", "8"].map((key) => post({ key, content: key })),
    "no longer planned: create one, create two; newly planned: create 3, create 4, create 5, create 6, create 7 and 1 more.",
  ],
])("a saved plan is refused if %s", (_what, desired, message) => {
  expect(() => check(savedNow(planOf({ desired: rows })), planOf({ desired }))).toThrow(message);
});

test("a refusal names a row without an id by its place", () => {
  const [one, other] = ["row:a8cad3b42f18f78c", "row:b8cad3b42f18f78c"].map((key, at) =>
    planOf({ desired: [post({ key, line: 7, content: `Text ${at}` })] }),
  );
  if (one === undefined || other === undefined) throw new Error("two plans");
  expect(() => check(savedNow(one), other)).toThrow(
    "apply would do: changed since the plan was saved: create calendars/a.csv:7. Nothing",
  );
  expect(() => check(savedNow(one), planOf({ desired: [] }))).toThrow(
    "no longer planned: create calendars/a.csv:7.",
  );
});

test("a refusal names a post without its row by the post's id and the calendar", () => {
  const before = savedNow(planOf({ desired: [] }));
  const gone = { ...cancel, key: "row:a8cad3b42f18f78c", source: { file: "calendars/a.csv" } };
  expect(() =>
    check(toSavedPlan({ ...before, changes: [gone], hash: HASH }), planOf({ desired: [] })),
  ).toThrow("no longer planned: cancel post_1 (calendars/a.csv).");
});

test.each<[string, ResolvedMedia, ResolvedMedia]>([
  ["the bytes of a file", image, { ...image, sha256: "bb" }],
  [
    "the query of an address",
    { ...image, path: "https://a.example/a.png", url: "https://a.example/a.png?sig=1" },
    { ...image, path: "https://a.example/a.png", url: "https://a.example/a.png?sig=2" },
  ],
  [
    "the query of an address that was not looked at",
    { kind: "url", url: "https://a.example/a.png?sig=1" },
    { kind: "url", url: "https://a.example/a.png?sig=2" },
  ],
])(
  "a plan that differs from the reviewed one is noticed by %s, even in media that the service has",
  (_what, one, other) => {
    const known = { type: "image", bytes: 3, path: "a.png" };
    const media = { aa: { ...known, id: "media_1" }, bb: { ...known, id: "media_2" } };
    const [before, now] = [one, other].map((each) =>
      planOf({ desired: [post({ key: "one", media: [each] })], lockfile: lockfile({}, { media }) }),
    );
    if (before === undefined || now === undefined) throw new Error("two plans");
    expect(before.uploads).toEqual([]);
    expect(now.hash()).not.toBe(before.hash());
    expect(unreviewedChanges(savedNow(now), [savedNow(before)])).toEqual([
      { name: "create one", isOtherVersion: true },
    ]);
    expect(JSON.stringify(savedNow(now))).not.toContain("sig=");
  },
);

const occurrence = (day: string, digest: string | undefined, action = "create") => ({
  action,
  key: `news/${day}`,
  post: { content: day },
  series: { row: "news", day, number: 1, rule: "weekly", ...(digest === undefined ? {} : { digest }) },
});

test("a reviewed post of a series covers its later posts, but not other texts", () => {
  const reviewed = saved({ changes: [occurrence("2030-01-07", "one")], uploads: [] });
  const now = (change: SavedPlan["changes"][number]) => saved({ changes: [change], uploads: [] });
  expect(unreviewedChanges(now(occurrence("2030-01-14", "one")), [reviewed])).toEqual([]);
  expect(
    unreviewedChanges(now(occurrence("2030-01-14", "one")), [], new Set([seriesName("news", "one")])),
  ).toEqual([]);
  const others = [
    { ...occurrence("2030-01-14", "one"), series: { row: "other", digest: "one" } },
    occurrence("2030-01-14", "two"),
    occurrence("2030-01-14", undefined),
    occurrence("2030-01-14", "one", "replace"),
    { ...occurrence("2030-01-14", "one"), action: "cancel" },
  ];
  for (const change of others)
    expect(unreviewedChanges(now(change), [reviewed], new Set())).toEqual([
      fresh(`${change.action} ${change.key}`),
    ]);
});
