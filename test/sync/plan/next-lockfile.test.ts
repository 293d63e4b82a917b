import { expect, test } from "vitest";
import type { Lockfile } from "../../../src/model/lockfile.ts";
import type { RemotePost, ResolvedPost } from "../../../src/model/post.ts";
import { fingerprint } from "../../../src/sync/plan/compare.ts";
import { diff } from "../../../src/sync/plan/diff.ts";
import type { DiffInput } from "../../../src/sync/plan/input.ts";
import { nextLockfile } from "../../../src/sync/plan/next-lockfile.ts";
import { withStillScheduled } from "../../../src/sync/plan/reconcile.ts";
import { rowlessPosts } from "../../../src/sync/pull.ts";
import { diffInput, lockfile, owned, post, remote } from "../../support/rows.ts";

const LATER = post().scheduledAt;
const PAST = "2029-12-31T00:00:00Z";
const file = { kind: "file", path: "a.png", sha256: "aa", bytes: 3, mime: "image/png" } as const;
const entry = { id: "media_1", type: "image", bytes: 3, path: "a.png" };
const { post_id: _id, ...former } = owned("");
/** From a service that shows no media. */
const { mediaIds: _media, ...unseen } = remote();

function next(given: Partial<DiffInput>): Lockfile {
  const input = diffInput(given);
  return nextLockfile(input, diff(input));
}

/** What a lockfile owns, as `key: id` and, for old halves of replacements, `id of key`. */
function ownedIn({ posts, retiring }: Lockfile): string[] {
  return [
    ...Object.entries(posts).map(([key, { post_id }]) => `${key}: ${post_id}`),
    ...Object.entries(retiring).map(([id, { key }]) => `${id} of ${key}`),
  ];
}

test.each<[string, Partial<DiffInput>, string[]]>([
  ["an adopted post is owned", { desired: [post()], remote: [remote()] }, ["launch: post_1"]],
  [
    "the post that an adopted one replaces is to be cancelled",
    {
      desired: [post({ content: "New" })],
      lockfile: lockfile({ launch: owned("post_1") }),
      remote: [remote(), remote({ id: "post_2", content: "New" })],
    },
    ["launch: post_2", "post_1 of launch"],
  ],
  [
    "an old half that its row asks for again is owned, and the new half is to be cancelled",
    {
      desired: [post()],
      lockfile: lockfile({ launch: owned("post_2") }, { retiring: { post_1: { ...former, key: "launch" } } }),
      remote: [remote(), remote({ id: "post_2", content: "New" })],
    },
    ["launch: post_1", "post_2 of launch"],
  ],
  [
    "a kept post moves to the new id of its row",
    { desired: [post({ key: "new" })], lockfile: lockfile({ old: owned("post_1") }), remote: [remote()] },
    ["new: post_1"],
  ],
  [
    "a post that is replaced moves to the new key of its row",
    {
      desired: [post({ key: "row:b", content: "New" })],
      lockfile: lockfile({ "row:a": owned("post_1") }),
      remote: [remote()],
    },
    ["row:b: post_1"],
  ],
  [
    "a post that is gone is owned until its row is created again",
    {
      desired: [post()],
      lockfile: lockfile({ launch: owned("post_1") }),
      absent: new Map([["post_1", "missing"]]),
    },
    ["launch: post_1"],
  ],
  [
    "a post that is to be cancelled is owned until then",
    { lockfile: lockfile({ launch: owned("post_1") }), remote: [remote()] },
    ["launch: post_1"],
  ],
  [
    "a post without a row is removed once the service shows that it is gone",
    { lockfile: lockfile({ launch: owned("post_1") }), absent: new Map([["post_1", "cancelled"]]) },
    [],
  ],
  [
    "a post without a row stays owned until the service shows that it is gone",
    { lockfile: lockfile({ launch: owned("post_1") }) },
    ["launch: post_1"],
  ],
  [
    "a post without a row is forgotten once it was due",
    { lockfile: lockfile({ launch: owned("post_1", { scheduled_at: "2030-01-01T00:00:00Z" }) }) },
    [],
  ],
  [
    "a post that was due but is still scheduled is owned",
    {
      desired: [post({ scheduledAt: PAST })],
      lockfile: lockfile({ launch: owned("post_1", { scheduled_at: PAST }) }),
      remote: [remote({ scheduledAt: PAST })],
    },
    ["launch: post_1"],
  ],
  [
    "a post of a past row is owned, so that its row is not taken for one that was never scheduled",
    {
      desired: [post({ scheduledAt: PAST })],
      lockfile: lockfile({ launch: owned("post_1", { scheduled_at: PAST }) }),
    },
    ["launch: post_1"],
  ],
  [
    "a post of another calendar is left alone",
    {
      lockfile: lockfile({ launch: owned("post_1", { scheduled_at: PAST }) }),
      inScope: () => false,
    },
    ["launch: post_1"],
  ],
  [
    "old halves of replacements are forgotten once they are due or gone",
    {
      lockfile: lockfile(
        {},
        {
          retiring: {
            post_1: { ...former, key: "a", scheduled_at: PAST },
            post_2: { ...former, key: "b" },
            post_3: { ...former, key: "c" },
          },
        },
      ),
      absent: new Map([["post_2", "missing"]]),
    },
    ["post_3 of c"],
  ],
])("%s", (_what, given, expected) => {
  expect(ownedIn(next(given))).toEqual(expected);
});

test("an adopted post gets the lockfile entry of its row", () => {
  const { posts } = next({ desired: [post({ media: [file] })], remote: [remote({ mediaIds: ["media_9"] })] });
  expect(posts).toEqual({
    launch: {
      post_id: "post_1",
      fingerprint: fingerprint({ ...post(), mediaIds: ["media_9"] }),
      scheduled_at: LATER,
      file: "calendars/a.csv",
    },
  });
});

test.each<[string, Partial<ResolvedPost>, Partial<RemotePost>, boolean]>([
  ["a text", {}, {}, true],
  ["media that the service shows", { media: [file] }, { mediaIds: ["media_9"] }, true],
  ["media", { media: [file] }, {}, false],
  ["a thread", { thread: ["Two"] }, {}, false],
  ["a thread that the service shows", { thread: ["Two"] }, { thread: ["Two"] }, true],
])("an adopted post whose row has %s: the plan after it", (_what, row, shown, isKept) => {
  const given = { desired: [post(row)], remote: [{ ...unseen, ...shown }] };
  const after = diff(diffInput({ ...given, lockfile: next(given) }));
  expect(after.kept).toHaveLength(isKept ? 1 : 0);
  expect(after.changes).toMatchObject(isKept ? [] : [{ action: "replace", reason: "adopted", fields: [] }]);
  // The row has lost the part that nobody has seen.
  const edited = diff(diffInput({ ...given, desired: [post()], lockfile: next(given) }));
  expect(edited.changes).toHaveLength(isKept && row.media === undefined && row.thread === undefined ? 0 : 1);
});

const replaced = { ...former, key: "launch", fingerprint: fingerprint({ ...post(), mediaIds: ["media_1"] }) };

test.each<[string, Partial<ResolvedPost>, string]>([
  ["its former post back", { media: [file] }, "adopt post_1"],
  ["the text of its former post, without the media", {}, "replace post_2"],
])(
  "an edit during its replacement, on a service that shows no media: the row gets %s",
  (_what, row, change) => {
    const given = {
      desired: [post(row)],
      lockfile: lockfile(
        { launch: owned("post_2") },
        { media: { aa: entry }, retiring: { post_1: replaced } },
      ),
      remote: [unseen, { ...unseen, id: "post_2", content: "New" }],
    };
    const input = diffInput(given);
    const found = diff(input);
    expect(
      found.changes.map((each) => (each.action === "create" ? "" : `${each.action} ${each.remote.id}`)),
    ).toContain(change);
    expect(nextLockfile(input, found).posts["launch"]?.fingerprint).toBe(
      row.media === undefined ? owned("").fingerprint : replaced.fingerprint,
    );
  },
);

test("a kept post keeps the differences between what was sent and what the service stored", () => {
  const stored = { content: "We are open!" };
  const known = owned("post_1", {
    fingerprint: fingerprint({ ...post(), mediaIds: [] }),
    stored,
  });
  const { posts } = next({
    desired: [post()],
    lockfile: lockfile({ launch: known }),
    remote: [remote(stored)],
  });
  expect(posts["launch"]).toEqual(known);
});

test.each<[string, Lockfile["media"], Partial<Lockfile["media"][string]>]>([
  ["is assumed to be the row's file", {}, { id: "media_9", assumed: true }],
  ["is another id of a known file", { aa: entry }, { id: "media_1", also: ["media_9"] }],
  [
    "is added to the other ids of a known file, once",
    { aa: { ...entry, also: ["media_8", "media_9"] } },
    { id: "media_1", also: ["media_8", "media_9"] },
  ],
  ["may be known", { aa: { ...entry, id: "media_9" } }, { id: "media_9" }],
])("the media of an adopted post: its id %s", (_what, media, expected) => {
  const given = {
    desired: [post({ media: [file] })],
    lockfile: lockfile({}, { media }),
    remote: [remote({ mediaIds: ["media_9"] })],
  };
  expect(next(given).media["aa"]).toMatchObject(expected);
});

test.each([
  [["b.png"], "b.png"],
  [["b.png", "a.png"], "a.png"],
  [[], "a.png"],
])("a file that is now at %j is kept under %s", (paths, expected) => {
  const desired = paths.map((path) => post({ key: path, media: [{ ...file, path }] }));
  expect(next({ desired, lockfile: lockfile({}, { media: { aa: entry } }) }).media["aa"]?.path).toBe(
    expected,
  );
});

test("the lockfile remembers cancelled posts for a day, and longer if it does not change", () => {
  const entries = [
    ["old", "2029-12-31T00:00:00Z"],
    ["new", "2029-12-31T00:00:01Z"],
  ];
  const cancelled = Object.fromEntries(
    entries.map(([id = "", at = ""]) => [id, { ...former, key: "old", at }]),
  );
  const given = { lockfile: lockfile({}, { cancelled }) };
  expect(Object.keys(next(given).cancelled)).toEqual(["old", "new"]);
  expect(Object.keys(next({ ...given, desired: [post()] }).cancelled)).toEqual(["new"]);
});

test("a cancelled post that is still scheduled will be cancelled again; others do not change", () => {
  const cancelled = { post_1: { ...former, key: "a", at: PAST }, post_2: { ...former, key: "b", at: PAST } };
  const given = lockfile({}, { cancelled });
  expect(withStillScheduled(given, new Set())).toBe(given);
  const { cancelled: left, retiring } = withStillScheduled(given, new Set(["post_1", "post_9"]));
  expect(left).toEqual({ post_2: cancelled.post_2 });
  expect(retiring).toEqual({ post_1: { ...former, key: "a" } });
});

test("posts without a row are unmanaged posts and posts to cancel, the earliest first", () => {
  const made = diff(
    diffInput({
      desired: [post({ key: "kept", content: "Kept" })],
      lockfile: lockfile(
        { gone: owned("post_1"), kept: owned("post_2") },
        { retiring: { post_3: { ...former, key: "kept" } } },
      ),
      remote: [
        remote(),
        remote({ id: "post_2", content: "Kept" }),
        remote({ id: "post_3", content: "Old" }),
        remote({ id: "post_4", content: "Else", scheduledAt: "2030-02-01T08:00:00Z" }),
        remote({ id: "post_0", content: "Else" }),
      ],
    }),
  );
  expect(rowlessPosts(made).map(({ post: { id }, ownedAs }) => [id, ownedAs])).toEqual([
    ["post_4", undefined],
    ["post_0", undefined],
    ["post_1", "gone"],
  ]);
});
