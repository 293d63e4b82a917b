import { expect, test } from "vitest";
import type { UnreviewedChange } from "../../../src/problems/review-texts.ts";
import {
  type SavedPlan,
  checkUnchanged,
  parseSavedPlan,
  savedPlan,
  unreviewedChanges,
} from "../../../src/sync/apply/saved-plan.ts";
import type { DiffInput } from "../../../src/sync/plan/input.ts";
import { planOf } from "../../support/plans.ts";
import { post } from "../../support/rows.ts";

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

test("everything in a plan that nobody reviewed is named", () => {
  expect(unreviewedChanges(saved(), [])).toEqual(["create launch", "cancel old", "upload a.png"].map(fresh));
});

const document = savedPlan({ version: 1, hash: HASH, changes: [create] }, { calendars: [], only: [] });
test.each<[string, string, string]>([
  ["is no JSON", "{", "The plan file is not JSON."],
  ["was edited", JSON.stringify({ ...document, changes: [] }), "The plan file was edited after it was saved"],
  ["has no hash", JSON.stringify({ ...document, hash: "-" }), "The plan file has no valid hash"],
  [
    "is of another version",
    JSON.stringify({ ...document, version: 2 }),
    "The plan file is not as plancast wrote it",
  ],
  ["is no object", "[]", "The plan file is not as plancast wrote it"],
])("a plan file that %s is refused", (_what, text, message) => {
  expect(() => parseSavedPlan(text)).toThrow(message);
});

const image = { kind: "file", path: "a.png", sha256: "aa", bytes: 3, mime: "image/png" } as const;
const rows = [post({ key: "one", media: [image] }), post({ key: "two", content: "Two" })];

test("a saved plan is applied if the same plan would be made again", () => {
  expect(() => checkUnchanged(saved({ hash: planOf().hash() }), planOf())).not.toThrow();
});

test.each<[string, DiffInput["desired"], string]>([
  ["a change is gone", rows.slice(0, 1), "no longer to do: create two."],
  ["there is a change more", [...rows, post({ key: "three", content: "3" })], "to do now: create three."],
  [
    "a file has other bytes",
    [post({ key: "one", media: [{ ...image, sha256: "bb" }] }), ...rows.slice(1)],
    "another file than was reviewed: a.png.",
  ],
  [
    "only a text is another",
    [rows[0] ?? post(), post({ key: "two", content: "2" })],
    "the same changes, but a row, the lockfile or the service's posts are not as they were.",
  ],
  [
    "everything is another",
    ["3", "4", "5", "6", "7", "8"].map((key) => post({ key, content: key })),
    "no longer to do: create one, create two; to do now: create 3, create 4, create 5, create 6, create 7 and 1 more.",
  ],
])("a saved plan is refused if %s", (_what, desired, message) => {
  const { hash, uploads, changes } = planOf({ desired: rows });
  const before = saved({
    hash: hash(),
    uploads: uploads.map(({ path, sha256 }) => ({ path, sha256 })),
    changes: changes.map(({ action, key }) => ({ action, key, post: {} })),
  });
  expect(() => checkUnchanged(before, planOf({ desired }))).toThrow(message);
});
