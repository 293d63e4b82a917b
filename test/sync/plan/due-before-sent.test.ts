import { expect, test } from "vitest";
import type { Pace } from "../../../src/model/clock.ts";
import type { Change } from "../../../src/model/plan.ts";
import type { ResolvedPost } from "../../../src/model/post.ts";
import { warnDueBeforeSent } from "../../../src/sync/plan/make-plan.ts";
import { post, remote } from "../../support/rows.ts";

const NOW = Date.parse("2030-01-01T00:00:00Z");
const PACE: Pace = [{ free: 2, opensInMs: 10_000, perWindow: 3, windowMs: 60_000 }];
const LIMIT = {
  pace: PACE,
  costs: { changesPerRequest: undefined, hasUploads: true },
  timezone: "UTC",
};

const file = { kind: "file", path: "a.png", sha256: "aa", bytes: 3, mime: "image/png" } as const;
const soon = post({ scheduledAt: "2030-01-01T00:00:09Z" });
const desired = (key: string, given = soon): ResolvedPost => ({
  ...given,
  key,
  at: () => ({ file: key }),
});
const create = (key: string, given = soon): Change => ({
  action: "create",
  key,
  desired: desired(key, given),
  conflictingIds: [],
  reason: "new-row",
});
const replace = (key: string): Change => ({
  action: "replace",
  reason: "row-changed",
  key,
  desired: desired(key),
  remote: remote(),
  fields: [],
  conflictingIds: [],
});

test.each<[string, Change[], string[]]>([
  ["those within the window are in time", [create("a"), create("b")], []],
  ["the third waits past its time", [create("a"), create("b"), create("c")], ["c"]],
  ["an upload takes a turn of its own", [create("a"), create("b", { ...soon, media: [file] })], ["b"]],
  [
    "a file is uploaded once",
    [create("a", { ...soon, media: [file] }), create("b", { ...soon, media: [file] })],
    ["b"],
  ],
  ["of a replacement the create is what must be in time", [create("a"), replace("b"), create("c")], ["c"]],
  [
    "a post that is due just at its turn is late",
    [create("a"), create("b"), create("c", { ...soon, scheduledAt: "2030-01-01T00:00:10Z" })],
    ["c"],
  ],
  [
    "a later post has time",
    [create("a"), create("b"), create("c", { ...soon, scheduledAt: "2030-01-01T00:00:11Z" })],
    [],
  ],
])("finds posts that become due before their turn: %s", (_what, changes, late) => {
  expect(warnDueBeforeSent(changes, {}, LIMIT, NOW).map((each) => each.file)).toEqual(late);
});

test("the warning shows the possible delay in minutes", () => {
  const changes = ["a", "b", "c", "d", "e", "f"].map((key) => create(key));
  const [, , , last] = warnDueBeforeSent(changes, {}, LIMIT, NOW);
  expect(last?.message).toContain("may delay it for 2 min.");
});
