import { describe, expect, test } from "vitest";
import type { CreateReason } from "../../../src/model/plan.ts";
import { type StayingRow, belongsTo } from "../../../src/model/row-filter.ts";
import { desiredFingerprint } from "../../../src/sync/plan/compare.ts";
import { diff } from "../../../src/sync/plan/diff.ts";
import type { DiffInput } from "../../../src/sync/plan/input.ts";
import { nextLockfile } from "../../../src/sync/plan/next-lockfile.ts";
import { attempt, diffInput, lockfile, owned, post, remote, staying } from "../../support/rows.ts";

const NOW = diffInput().now;

/** The decisions, as short text. */
function decided(given: Partial<DiffInput>) {
  const { changes, kept, pending, missing, past, unmanaged } = diff(diffInput(given));
  return [
    ...changes.map((change) =>
      change.action === "create"
        ? `create ${change.key}`
        : `${change.action} ${change.key} ${change.remote.id}`,
    ),
    ...missing.map(({ key, postId }) => `missing ${key} ${postId}`),
    ...kept.map((keep) => `keep ${keep.key} ${keep.remote.id}`),
    ...pending.map(({ key }) => `pending ${key}`),
    ...past.map((each) => `past ${each.key}`),
    ...unmanaged.map((each) => `unmanaged ${each.id}`),
  ];
}

const file = { kind: "file", path: "a.png", sha256: "aa", bytes: 3, mime: "image/png" } as const;
const cached = { aa: { id: "media_1", type: "image", bytes: 3, path: "a.png" } };

const PAST = "2029-12-01T08:00:00Z";
const LONG_AGO = { ...attempt, attempted_at: "2029-12-31T00:00:00Z" };

describe("diff", () => {
  test.each<[string, Partial<DiffInput>, string[]]>([
    ["a new row", { desired: [post()] }, ["create launch"]],
    ["a past row", { desired: [post({ scheduledAt: "2029-12-31T00:00:00Z" })] }, ["past launch"]],
    [
      "a row within the lead time",
      { desired: [post({ scheduledAt: "2030-01-01T00:01:59Z" })] },
      ["past launch"],
    ],
    [
      "a past row that is owned",
      {
        desired: [post({ scheduledAt: "2029-12-31T00:00:00Z" })],
        lockfile: lockfile({ launch: owned("post_1") }),
        remote: [remote()],
      },
      ["past launch"],
    ],
    [
      "an owned post that is the same",
      { desired: [post()], lockfile: lockfile({ launch: owned("post_1") }), remote: [remote()] },
      ["keep launch post_1"],
    ],
    [
      "an owned post that differs",
      {
        desired: [post({ content: "New" })],
        lockfile: lockfile({ launch: owned("post_1") }),
        remote: [remote()],
      },
      ["replace launch post_1"],
    ],
    ["an unowned post that is the same", { desired: [post()], remote: [remote()] }, ["adopt launch post_1"]],
    [
      "an unowned post that is the same, with media that the lockfile does not know",
      { desired: [post({ media: [file] })], remote: [remote({ mediaIds: ["media_9"] })] },
      ["adopt launch post_1"],
    ],
    [
      "an unowned post with media that the lockfile knows to be others",
      {
        desired: [post({ media: [file] })],
        lockfile: lockfile({}, { media: { bb: { id: "media_9", type: "image", bytes: 1, path: "b.png" } } }),
        remote: [remote({ mediaIds: ["media_9"] })],
      },
      ["create launch", "unmanaged post_1"],
    ],
    [
      "a replacement whose old half is still scheduled, without a journal",
      {
        desired: [post({ content: "New" })],
        lockfile: lockfile({ launch: owned("post_1") }),
        remote: [remote(), remote({ id: "post_2", content: "New" })],
      },
      ["adopt launch post_2", "cancel launch post_1"],
    ],
    [
      "a replacement whose old half is still scheduled, with a journal",
      {
        desired: [post()],
        lockfile: lockfile(
          { launch: owned("post_1") },
          { retiring: { post_0: { ...owned(""), key: "launch" } } },
        ),
        remote: [remote(), remote({ id: "post_0", content: "Old" })],
      },
      ["cancel launch post_0", "keep launch post_1"],
    ],
    [
      "an owned post that the service no longer has: a person decides",
      {
        desired: [post()],
        lockfile: lockfile({ launch: owned("post_1") }),
        absent: new Map([["post_1", "missing"]]),
      },
      ["missing launch post_1"],
    ],
    [
      "an owned post that was published early",
      {
        desired: [post()],
        lockfile: lockfile({ launch: owned("post_1") }),
        absent: new Map([["post_1", "published"]]),
      },
      ["past launch"],
    ],
    [
      "a deleted row",
      { lockfile: lockfile({ launch: owned("post_1") }), remote: [remote()] },
      ["cancel launch post_1"],
    ],
    [
      "a cancelled post of a deleted row that is scheduled again",
      {
        lockfile: lockfile({}, { retiring: { post_1: { ...owned(""), key: "launch" } } }),
        remote: [remote()],
      },
      ["cancel launch post_1"],
    ],
    [
      "a cancelled post that an old list still shows",
      {
        lockfile: lockfile(
          {},
          { cancelled: { post_1: { ...owned(""), key: "launch", at: "2029-12-31T23:59:30Z" } } },
        ),
        remote: [remote()],
      },
      [],
    ],
    [
      "two rows that own one post, which says what the second says",
      {
        desired: [post({ key: "other", content: "Other" }), post()],
        lockfile: lockfile({ other: owned("post_1"), launch: owned("post_1") }),
        remote: [remote()],
      },
      ["create other", "keep launch post_1"],
    ],
    [
      "two rows that own one post, beside a new row",
      {
        desired: [post({ key: "new", content: "New" }), post({ key: "other", content: "Other" }), post()],
        lockfile: lockfile({ other: owned("post_1"), launch: owned("post_1") }),
        remote: [remote()],
      },
      ["create new", "create other", "keep launch post_1"],
    ],
    [
      "two rows that own one post, which says what neither says",
      {
        desired: [post({ content: "New" }), post({ key: "other", content: "Other" })],
        lockfile: lockfile({ other: owned("post_1"), launch: owned("post_1") }),
        remote: [remote()],
      },
      ["replace launch post_1", "create other"],
    ],
    [
      "an old pending create",
      { desired: [post()], lockfile: lockfile({}, { unknown: { launch: LONG_AGO } }) },
      ["create launch"],
    ],
    [
      "a pending create and a list that may be truncated",
      {
        desired: [post()],
        lockfile: lockfile({}, { unknown: { launch: LONG_AGO } }),
        mayListBeIncomplete: true,
      },
      ["pending launch"],
    ],
    [
      "a pending create and its text on a platform of another name",
      {
        desired: [post()],
        lockfile: lockfile({}, { unknown: { launch: LONG_AGO } }),
        remote: [remote({ platforms: ["linked-in"] })],
      },
      ["pending launch", "unmanaged post_1"],
    ],
    [
      "a pending create and a similar post that was there before it",
      {
        desired: [post()],
        lockfile: lockfile({}, { unknown: { launch: { ...LONG_AGO, besides: ["post_1"] } } }),
        remote: [remote({ platforms: ["linked-in"] })],
      },
      ["create launch", "unmanaged post_1"],
    ],
    ["a row deleted with its post", { lockfile: lockfile({ launch: owned("post_1") }) }, []],
    [
      "two rows without id and one text, one of them past, the other moved",
      {
        desired: [
          post({ key: "row:past", scheduledAt: "2029-12-01T08:00:00Z" }),
          post({ key: "row:new", scheduledAt: "2030-03-02T08:00:00Z" }),
        ],
        lockfile: lockfile({ "row:old": owned("post_1") }),
        remote: [remote()],
      },
      ["replace row:new post_1", "past row:past"],
    ],
    [
      "a past row without id beside a deleted one of the same text",
      {
        desired: [post({ key: "row:past", scheduledAt: "2029-12-01T08:00:00Z" })],
        lockfile: lockfile({ "row:old": owned("post_1") }),
        remote: [remote()],
      },
      ["cancel row:old post_1", "past row:past"],
    ],
    [
      "one post under two keys of a merged lockfile",
      {
        desired: [post()],
        lockfile: lockfile({ launch: owned("post_1"), "row:a": owned("post_1") }),
        remote: [remote()],
      },
      ["keep launch post_1"],
    ],
    [
      "one post under two keys of rows that are gone",
      { lockfile: lockfile({ a: owned("post_1"), b: owned("post_1") }), remote: [remote()] },
      ["cancel a post_1"],
    ],
    [
      "one post under two keys of rows that are gone, which a row with a new id asks for",
      {
        desired: [post()],
        lockfile: lockfile({ a: owned("post_1"), b: owned("post_1") }),
        remote: [remote()],
      },
      ["keep launch post_1"],
    ],
    [
      "one post under two keys of rows that are gone, which is a row's older version",
      {
        desired: [post({ key: "row:new", content: "New" })],
        lockfile: lockfile({ "row:a": owned("post_1"), "row:b": owned("post_1") }),
        remote: [remote()],
      },
      ["replace row:new post_1"],
    ],
    [
      "a post that a merged lockfile gives to its row and lists as the old half of a replacement",
      {
        desired: [post()],
        lockfile: lockfile(
          { launch: owned("post_1") },
          { retiring: { post_1: { ...owned(""), key: "launch" } } },
        ),
        remote: [remote()],
      },
      ["keep launch post_1"],
    ],
    [
      "a replacement whose new half is gone and whose old half is still scheduled",
      {
        desired: [post({ content: "New" })],
        lockfile: lockfile(
          { launch: owned("post_2") },
          { retiring: { post_1: { ...owned(""), key: "launch" } } },
        ),
        remote: [remote()],
        absent: new Map([["post_2", "missing"]]),
      },
      ["cancel launch post_1", "missing launch post_2"],
    ],
    ["an unmanaged post", { remote: [remote()] }, ["unmanaged post_1"]],
    [
      "a renamed id",
      { desired: [post({ key: "new" })], lockfile: lockfile({ old: owned("post_1") }), remote: [remote()] },
      ["keep new post_1"],
    ],
    [
      "a row without id whose text was edited",
      {
        desired: [post({ key: "row:b", content: "New" })],
        lockfile: lockfile({ "row:a": owned("post_1") }),
        remote: [remote()],
      },
      ["replace row:b post_1"],
    ],
    [
      "a row without id that moved in time",
      {
        desired: [post({ key: "row:b", scheduledAt: "2030-05-01T08:00:00Z" })],
        lockfile: lockfile({ "row:a": owned("post_1") }),
        remote: [remote()],
      },
      ["replace row:b post_1"],
    ],
    [
      "a row with another id, which is never a newer version",
      {
        desired: [post({ key: "new", content: "New" })],
        lockfile: lockfile({ old: owned("post_1") }),
        remote: [remote()],
      },
      ["create new", "cancel old post_1"],
    ],
    [
      "a pending create within the settle time",
      { desired: [post()], lockfile: lockfile({}, { unknown: { launch: attempt } }) },
      ["pending launch"],
    ],
    [
      "a pending create after the settle time, not in the list",
      { desired: [post()], lockfile: lockfile({}, { unknown: { launch: attempt } }), now: NOW + 120_000 },
      ["create launch"],
    ],
    [
      "a pending create among posts that cannot be compared",
      {
        desired: [post()],
        lockfile: lockfile({}, { unknown: { launch: attempt } }),
        remote: [{ id: "post_9" }],
        now: NOW + 900_000,
      },
      ["pending launch", "unmanaged post_9"],
    ],
    [
      "a pending create of a deleted row",
      { lockfile: lockfile({}, { unknown: { launch: attempt } }) },
      ["pending launch"],
    ],
    [
      "a pending replacement within the settle time",
      {
        desired: [post({ content: "New" })],
        lockfile: lockfile(
          { launch: owned("post_1") },
          { unknown: { launch: { ...attempt, content: "New" } } },
        ),
        remote: [remote()],
      },
      ["pending launch"],
    ],
    [
      "a pending replacement after the settle time, not in the list",
      {
        desired: [post({ content: "New" })],
        lockfile: lockfile(
          { launch: owned("post_1") },
          { unknown: { launch: { ...attempt, content: "New" } } },
        ),
        remote: [remote()],
        now: NOW + 120_000,
      },
      ["replace launch post_1"],
    ],
    [
      "a pending replacement of an edit that was undone",
      {
        desired: [post()],
        lockfile: lockfile(
          { launch: owned("post_1") },
          { unknown: { launch: { ...attempt, content: "New" } } },
        ),
        remote: [remote()],
      },
      ["keep launch post_1", "pending launch"],
    ],
    [
      "a pending create of a row that has an id now",
      { desired: [post()], lockfile: lockfile({}, { unknown: { "row:1": attempt } }) },
      ["pending launch"],
    ],
    [
      "a pending create of a row without an id whose text was edited",
      {
        desired: [post({ key: "row:2", content: "New" })],
        lockfile: lockfile({}, { unknown: { "row:1": attempt } }),
      },
      ["pending row:2"],
    ],
    [
      "a pending create of a row without an id that was moved in time",
      {
        desired: [post({ key: "row:2", scheduledAt: "2030-05-01T08:00:00Z" })],
        lockfile: lockfile({}, { unknown: { "row:1": attempt } }),
      },
      ["pending row:2"],
    ],
    [
      "a pending create of a row without an id, beside another row without an id",
      {
        desired: [post({ key: "row:2", content: "Other", scheduledAt: "2030-05-01T08:00:00Z" })],
        lockfile: lockfile({}, { unknown: { "row:1": attempt } }),
      },
      ["create row:2", "pending row:1"],
    ],
    [
      "a pending create without a text, beside a row without a text at another time",
      {
        desired: [post({ key: "row:2", content: "", scheduledAt: "2030-05-01T08:00:00Z" })],
        lockfile: lockfile({}, { unknown: { "row:1": { ...attempt, content: "" } } }),
      },
      ["create row:2", "pending row:1"],
    ],
    [
      "a pending create of a row that is kept as it was then",
      {
        desired: [post()],
        lockfile: lockfile(
          { launch: owned("post_1") },
          { unknown: { launch: { ...attempt, fingerprint: desiredFingerprint(post(), {}) ?? "" } } },
        ),
        remote: [remote()],
      },
      ["keep launch post_1"],
    ],
    [
      "a pending create of another row",
      {
        desired: [post({ key: "other", content: "Other" }), post()],
        lockfile: lockfile({}, { unknown: { launch: attempt } }),
      },
      ["create other", "pending launch"],
    ],
    [
      "a half done replacement of an edit that was undone",
      {
        desired: [post()],
        lockfile: lockfile(
          { launch: owned("post_2") },
          {
            retiring: {
              post_1: {
                key: "launch",
                fingerprint: "sha256:-",
                scheduled_at: post().scheduledAt,
                file: "calendars/a.csv",
              },
            },
          },
        ),
        remote: [remote(), remote({ id: "post_2", content: "New" })],
      },
      ["adopt launch post_1", "cancel launch post_2"],
    ],
    [
      "an id that every JavaScript object has",
      { desired: [post({ key: "constructor" })] },
      ["create constructor"],
    ],
  ])("decides what to do with %s", (_name, input, expected) => {
    expect(decided(input)).toEqual(expected);
  });
});

test.each<[string, Partial<DiffInput>, CreateReason]>([
  ["is new", {}, "new-row"],
  ["was tried before", { lockfile: lockfile({}, { unknown: { launch: LONG_AGO } }) }, "earlier-create-lost"],
  ["was moved after its post was published", {}, "row-rescheduled"],
])("a create says why: the row %s", (what, given, reason) => {
  const isOwned = what.includes("moved");
  const known = isOwned ? { lockfile: lockfile({ launch: owned("post_1", { scheduled_at: PAST }) }) } : {};
  const [change] = diff(diffInput({ desired: [post()], ...known, ...given })).changes;
  expect(change).toMatchObject({ action: "create", reason });
});

test("lets a post wait with the reason", () => {
  const inDoubt = { desired: [post()], lockfile: lockfile({}, { unknown: { launch: LONG_AGO } }) };
  const [cut] = diff(diffInput({ ...inDoubt, mayListBeIncomplete: true })).pending;
  expect(cut?.unsure).toBe("list-may-be-incomplete");
  const [alike] = diff(diffInput({ ...inDoubt, remote: [remote({ platforms: ["linked-in"] })] })).pending;
  expect(alike?.unsure).toBe("similar-post-exists");
});

test("matches posts by id and fingerprint when the service leaves out fields", () => {
  const desired = [post()];
  const known = lockfile({ launch: owned("post_1", { fingerprint: desiredFingerprint(post(), {}) ?? "" }) });
  const told = [{ id: "post_1", content: post().content }];
  expect(decided({ desired, lockfile: known, remote: told })).toEqual(["keep launch post_1"]);
  expect(decided({ desired: [post({ platforms: ["x"] })], lockfile: known, remote: told })).toEqual([
    "replace launch post_1",
  ]);
  expect(decided({ desired, lockfile: known, remote: [{ id: "post_1", content: "Edited" }] })).toEqual([
    "replace launch post_1",
  ]);
});

test("compares media by the id in the media cache", () => {
  const desired = [post({ media: [file] })];
  const known = lockfile({ launch: owned("post_1") }, { media: cached });
  expect(decided({ desired, lockfile: known, remote: [remote({ mediaIds: ["media_1"] })] })).toEqual([
    "keep launch post_1",
  ]);
  expect(decided({ desired, lockfile: known, remote: [remote({ mediaIds: ["media_2"] })] })).toEqual([
    "replace launch post_1",
  ]);
  expect(decided({ desired, lockfile: known, remote: [remote()] })).toEqual(["replace launch post_1"]);
});

test("assigns the old half of a replacement to the calendar that contains the row now", () => {
  const inB = { file: "calendars/b.csv", line: 2 };
  const old = { ...owned(""), key: "launch" };
  const input = {
    desired: [post({ source: inB })],
    lockfile: lockfile({ launch: owned("post_1") }, { retiring: { post_0: old } }),
    remote: [remote(), remote({ id: "post_0", content: "Old" })],
    inScope: (name: string) => name === "calendars/b.csv",
  };
  expect(decided(input)).toEqual(["cancel launch post_0", "keep launch post_1"]);
  const adopting = {
    ...input,
    desired: [post({ source: inB, content: "New" })],
    lockfile: lockfile({ launch: owned("post_1") }),
    remote: [remote(), remote({ id: "post_2", content: "New" })],
  };
  expect(decided(adopting)).toEqual(["adopt launch post_2", "cancel launch post_1"]);
});

test("does not change posts of other calendars in a limited run", () => {
  const inB = { file: "calendars/b.csv", line: 2 };
  const input = {
    desired: [post({ content: "New" }), post({ key: "b", source: inB, content: "New b" })],
    lockfile: lockfile(
      {
        launch: owned("post_1"),
        gone: owned("post_3", { file: "calendars/b.csv" }),
        moved: owned("post_4"),
      },
      { unknown: { pending: { ...attempt, file: "calendars/b.csv" } } },
    ),
    remote: [remote(), remote({ id: "post_3", content: "c" }), remote({ id: "post_4", content: "d" })],
    inScope: (name: string) => name === "calendars/a.csv",
  };
  expect(decided(input)).toEqual(["replace launch post_1", "cancel moved post_4"]);
  const movedToB = {
    ...input,
    desired: [...input.desired, post({ key: "moved", source: inB, content: "d" })],
  };
  expect(decided(movedToB)).toEqual(["replace launch post_1"]);
});

const left = (given: Partial<StayingRow> = {}): StayingRow => ({
  why: "filter",
  file: "calendars/a.csv",
  keys: [],
  content: "",
  places: [],
  ...given,
});
describe("rows that a filter leaves out", () => {
  const old = remote({ id: "post_0", content: "Old" });

  test("keep the posts of their keys on every platform, and their lockfile entries", () => {
    const input = diffInput({
      lockfile: lockfile({
        launch: owned("post_1"),
        "launch@twitter": owned("post_0"),
        other: owned("post_2"),
      }),
      remote: [remote(), old, remote({ id: "post_2", content: "Other" })],
      staying: staying([left({ keys: ["launch"] })]),
    });
    expect(decided(input)).toEqual(["cancel other post_2"]);
    expect(Object.keys(nextLockfile(input, diff(input)).posts)).toEqual([
      "launch",
      "launch@twitter",
      "other",
    ]);
  });

  test("keep the old halves of their replacements and their pending creates", () => {
    const input = diffInput({
      lockfile: lockfile(
        {},
        { retiring: { post_0: { ...owned(""), key: "launch" } }, unknown: { launch: attempt } },
      ),
      remote: [old],
      staying: staying([left({ keys: ["launch"] })]),
    });
    expect(decided(input)).toEqual([]);
    const later = { ...input, now: Date.parse("2030-01-02T00:00:00Z") };
    expect(Object.keys(nextLockfile(later, diff(later)).unknown)).toEqual(["launch"]);
  });

  test("keep a post that a merged lockfile also assigns to a deleted row", () => {
    const input = diffInput({
      lockfile: lockfile({ gone: owned("post_0"), launch: owned("post_0") }),
      remote: [old],
      staying: staying([left({ keys: ["launch"] })]),
    });
    expect(decided(input)).toEqual([]);
  });

  const derived = { "row:1": owned("post_0") };

  test.each<[string, Partial<StayingRow>, number]>([
    ["without an id keep a post with their text", { keys: ["row:2"], content: "Old" }, 1],
    [
      "without an id keep a post with their time and platforms",
      { keys: ["row:2"], places: [{ scheduledAt: post().scheduledAt, platforms: ["linkedin"] }] },
      1,
    ],
    ["without a key keep a post with their text", { keys: [], content: "Old" }, 1],
    ["without an id give up a post that shares nothing with them", { keys: ["row:2"], content: "Else" }, 0],
    [
      "with an id give up a post of another key, even with their text",
      { keys: ["launch"], content: "Old" },
      0,
    ],
  ])("%s", (_name, row, posts) => {
    const input = diffInput({
      lockfile: lockfile(derived),
      remote: [old],
      staying: staying([left(row)]),
    });
    expect(diff(input)).toMatchObject(
      posts === 1
        ? { withheld: { why: "filtered-rows", posts }, changes: [] }
        : { withheld: undefined, changes: [{ action: "cancel" }] },
    );
  });

  test("lose a post that a row within the filter takes over", () => {
    const input = diffInput({
      desired: [post({ key: "row:3", content: "Old", scheduledAt: "2030-03-05T08:00:00Z" })],
      lockfile: lockfile(derived),
      remote: [old],
      staying: staying([left({ keys: ["row:2"], content: "Old" })]),
    });
    expect(decided(input)).toEqual(["replace row:3 post_0"]);
  });

  test("never have the key of a planned row", () => {
    const has = belongsTo([left({ keys: ["a", "b"] })], [{ key: "a" }]);
    expect(["a", "b"].map(has)).toEqual([false, true]);
  });
});

test("a cancel says whether its row is gone, or is now a draft or skipped", () => {
  const posts = { launch: owned("post_1"), other: owned("post_2"), "third@twitter": owned("post_3") };
  const { changes } = diff(
    diffInput({
      lockfile: lockfile(posts),
      remote: ["post_1", "post_2", "post_3"].map((id) => remote({ id })),
      setAside: () => new Set(["launch", "third"]),
    }),
  );
  expect(changes.map((each) => [each.key, each.action === "cancel" && each.reason])).toEqual([
    ["launch", "row-set-aside"],
    ["other", "row-gone"],
    ["third@twitter", "row-set-aside"],
  ]);
});
