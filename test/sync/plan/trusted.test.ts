/** What counts of a lockfile that somebody else may have written. */
import { expect, test } from "vitest";
import type { Lockfile } from "../../../src/model/lockfile.ts";
import { UNKNOWN_FINGERPRINT } from "../../../src/model/lockfile.ts";
import { fingerprint } from "../../../src/sync/plan/compare.ts";
import { type Evidence, type Trusted, trustedLockfile } from "../../../src/sync/plan/trusted.ts";
import { attempt, lockfile, owned, post, remote } from "../../support/rows.ts";

const NEW = fingerprint({ ...post({ content: "New" }), mediaIds: [] });
const HIDING = { fingerprint: NEW, stored: { content: post().content } };
const { post_id: _id, ...FORMER } = owned("post_1");
const file = { type: "image", bytes: 1, path: "a.png" };

interface Case {
  readonly mine: Lockfile;
  readonly base: Lockfile;
  readonly own?: Lockfile;
  readonly evidence?: Partial<Evidence>;
}

function judge({ mine, base, own, evidence = {} }: Case): Trusted {
  return trustedLockfile(
    mine,
    { lockfile: base, own },
    { remote: [], absent: new Map(), isPast: () => false, isJournaled: () => false, ...evidence },
  );
}

const a = owned("post_1");
const RETIRING = { retiring: { post_1: { ...FORMER, key: "a" } } };
const CANCELLED = { cancelled: { post_1: { ...FORMER, key: "a", at: a.scheduled_at } } };
const listed = { remote: [remote()] };
const { mediaIds: _media, ...withoutMedia } = remote();

test.each<[string, Case, Lockfile["posts"]]>([
  ["an entry as in the base", { mine: lockfile({ a }), base: lockfile({ a }) }, { a }],
  [
    "an entry as this machine wrote it",
    { mine: lockfile({ a }), base: lockfile(), own: lockfile({ a }) },
    { a },
  ],
  [
    "an entry of this machine's journal",
    { mine: lockfile({ a }), base: lockfile(), evidence: { isJournaled: () => true } },
    { a },
  ],
  [
    "for the same post, only the base's entry, whatever hides a change",
    {
      mine: lockfile({ a: { ...a, ...HIDING, series: "forged", slot: ["x"] } }),
      base: lockfile({ a }),
      evidence: listed,
    },
    { a },
  ],
  [
    "the base's entry that the checkout lacks",
    { mine: lockfile(), base: lockfile({ a }), evidence: listed },
    { a },
  ],
  [
    "the base's entry that the checkout lacks, even if its post is gone: a person decides",
    { mine: lockfile(), base: lockfile({ a }) },
    { a },
  ],
  [
    "no entry of the base that this machine cancelled",
    { mine: lockfile({}, CANCELLED), base: lockfile({ a }), own: lockfile({}, CANCELLED) },
    {},
  ],
  [
    "the base's entry that only the checkout says was cancelled: perhaps somebody removed its post",
    { mine: lockfile({}, CANCELLED), base: lockfile({ a }) },
    { a },
  ],
  [
    "the base's post instead of another one for its row, while it is scheduled",
    {
      mine: lockfile({ a: owned("post_2") }),
      base: lockfile({ a }),
      evidence: { remote: [remote(), remote({ id: "post_2" })] },
    },
    { a },
  ],
  [
    "a replacement whose old post is gone",
    {
      mine: lockfile({ a: owned("post_2") }),
      base: lockfile({ a }),
      evidence: { remote: [remote({ id: "post_2" })] },
    },
    { a: owned("post_2") },
  ],
  [
    "after a revert, the newer post that this machine made for the row",
    {
      mine: lockfile({ a: owned("post_old") }),
      base: lockfile({ a: owned("post_old") }),
      own: lockfile({ a }),
      evidence: listed,
    },
    { a },
  ],
  [
    "after a revert of somebody else's change, the newer post of the base",
    {
      mine: lockfile({ a: owned("post_old") }),
      base: lockfile({ a }),
      own: lockfile({ a: owned("post_old") }),
      evidence: listed,
    },
    { a },
  ],
  [
    "no newer post that is only to be cancelled",
    {
      mine: lockfile({ a: owned("post_2") }, { retiring: { post_1: { ...FORMER, key: "a" } } }),
      base: lockfile({ a: owned("post_2") }),
      own: lockfile({ a }),
      evidence: listed,
    },
    { a: owned("post_2") },
  ],
  [
    "of an added post only what the service shows",
    {
      mine: lockfile({ a: { ...a, ...HIDING, series: "forged" } }),
      base: lockfile(),
      evidence: listed,
    },
    { a: { ...a, fingerprint: UNKNOWN_FINGERPRINT } },
  ],
  [
    "no fingerprint if the service does not show the media",
    {
      mine: lockfile({ a: { ...a, fingerprint: fingerprint({ ...post(), mediaIds: [] }) } }),
      base: lockfile(),
      evidence: { remote: [withoutMedia] },
    },
    { a: { ...a, fingerprint: UNKNOWN_FINGERPRINT } },
  ],
  ["nothing of a post that the service lacks", { mine: lockfile({ a }), base: lockfile() }, {}],
  [
    "nothing of a post that is said to be published",
    {
      mine: lockfile({ a }),
      base: lockfile(),
      evidence: { absent: new Map([["post_1", "published"]]) },
    },
    {},
  ],
  [
    "an added post that somebody removed",
    {
      mine: lockfile({ a }),
      base: lockfile(),
      evidence: { absent: new Map([["post_1", "cancelled"]]) },
    },
    { a },
  ],
  [
    "that a past row was scheduled",
    { mine: lockfile({ a }), base: lockfile(), evidence: { isPast: (key) => key === "a" } },
    { a },
  ],
  [
    "the base's owner of a post that has another key",
    { mine: lockfile({ b: a }), base: lockfile({ a }), evidence: listed },
    { a },
  ],
  [
    "nothing of a base of another service",
    { mine: lockfile(), base: lockfile({ a }, { origin: "https://other.example" }), evidence: listed },
    {},
  ],
  [
    "a post that the row got back",
    {
      mine: lockfile({ a }),
      base: lockfile({}, { retiring: { post_1: { ...FORMER, key: "a" } } }),
      evidence: listed,
    },
    { a },
  ],
])("counts: %s", (_what, given, posts) => {
  expect(judge(given).lockfile.posts).toEqual(posts);
});

test.each<[string, Case, [string, string][]]>([
  ["of the base", { mine: lockfile({ a }), base: lockfile({ a }), evidence: listed }, []],
  ["that the base lacks", { mine: lockfile({ a }), base: lockfile(), evidence: listed }, [["post_1", "a"]]],
  [
    "of a create that the base waits for",
    {
      mine: lockfile({ a }),
      base: lockfile({}, { unknown: { a: { ...attempt, fingerprint: a.fingerprint } } }),
      evidence: listed,
    },
    [],
  ],
  [
    "to cancel, of nobody",
    {
      mine: lockfile({}, { retiring: { post_1: { ...FORMER, key: "a" } } }),
      base: lockfile(),
      evidence: listed,
    },
    [["post_1", "a"]],
  ],
  [
    "to cancel, as the base says",
    {
      mine: lockfile({}, { retiring: { post_1: { ...FORMER, key: "a" } } }),
      base: lockfile({}, { retiring: { post_1: { ...FORMER, key: "a" } } }),
      evidence: listed,
    },
    [],
  ],
  [
    "to cancel, of its row",
    {
      mine: lockfile({}, { retiring: { post_1: { ...FORMER, key: "a" } } }),
      base: lockfile({ a }),
      evidence: listed,
    },
    [],
  ],
])("is unproved or not: a post %s", (_what, given, expected) => {
  expect([...judge(given).unproved]).toEqual(expected);
});

test.each<[string, Case, Trusted["refused"]]>([
  ["nothing of an equal lockfile", { mine: lockfile({ a }), base: lockfile({ a }) }, []],
  [
    "nothing of an older entry for the same post",
    { mine: lockfile({ a: { ...a, fingerprint: NEW } }), base: lockfile({ a }), evidence: listed },
    [],
  ],
  [
    "a fingerprint, if the service does not show the post",
    {
      mine: lockfile({ a: { ...a, fingerprint: NEW } }),
      base: lockfile({ a }),
      evidence: { remote: [{ id: "post_1" }] },
    },
    [{ of: "post", key: "a", postId: "post_1", parts: ["fingerprint"] }],
  ],
  [
    "what hides a change",
    { mine: lockfile({ a: { ...a, ...HIDING, series: "x" } }), base: lockfile({ a }), evidence: listed },
    [{ of: "post", key: "a", postId: "post_1", parts: ["stored", "series"] }],
  ],
  [
    "posts that two rows swapped",
    {
      mine: lockfile({ a: owned("post_2"), b: a }),
      base: lockfile({ a, b: owned("post_2") }),
      evidence: listed,
    },
    [
      { of: "post", key: "a", postId: "post_2", parts: ["post_id"] },
      { of: "post", key: "b", postId: "post_1", parts: ["post_id"] },
    ],
  ],
  [
    "a pending create",
    { mine: lockfile({}, { unknown: { a: attempt } }), base: lockfile() },
    [{ of: "pending-create", key: "a" }],
  ],
  [
    "another known id of a file",
    {
      mine: lockfile({}, { media: { aa: { ...file, id: "media_2" } } }),
      base: lockfile({}, { media: { aa: { ...file, id: "media_1" }, bb: { ...file, id: "media_2" } } }),
    },
    [{ of: "media", path: "a.png", id: "media_2" }],
  ],
  [
    "accounts that are added",
    { mine: lockfile({}, { accounts: ["a", "b"] }), base: lockfile({}, { accounts: ["a"] }) },
    [{ of: "accounts", before: ["a"], now: ["a", "b"] }],
  ],
])("refuses %s", (_what, given, expected) => {
  expect(judge(given).refused).toEqual(expected);
});

test.each<[string, Partial<Lockfile>, Partial<Lockfile>, Partial<Lockfile>]>([
  [
    "the id of an unknown file only compares posts",
    { media: { aa: { ...file, id: "media_9" } } },
    {},
    { media: { aa: { ...file, id: "media_9", assumed: true } } },
  ],
  [
    "a second id of a file only compares posts",
    { media: { aa: { ...file, id: "media_9" } } },
    { media: { aa: { ...file, id: "media_1" } } },
    { media: { aa: { ...file, id: "media_1", also: ["media_9"] } } },
  ],
  ["accounts stay", {}, { accounts: ["a"] }, { accounts: ["a"] }],
  [
    "other accounts are checked by the service",
    { accounts: ["b"] },
    { accounts: ["a"] },
    { accounts: ["b"] },
  ],
  [
    "a list is not proved by a longer one",
    { longest_lists: { "100": 90, "50": 50 } },
    { longest_lists: { "100": 20 } },
    { longest_lists: { "100": 20 } },
  ],
  [
    "a post of others is not hidden as cancelled",
    { cancelled: { post_9: { ...FORMER, key: "a", at: a.scheduled_at } } },
    {},
    { cancelled: {} },
  ],
  ["a post to cancel stays, even if no list shows it", RETIRING, RETIRING, RETIRING],
  ["a pending create stays", {}, { unknown: { a: attempt } }, { unknown: { a: attempt } }],
])("%s", (_what, mine, base, expected) => {
  expect(judge({ mine: lockfile({}, mine), base: lockfile({}, base) }).lockfile).toMatchObject(expected);
});

test("a cancel counts if the base or this machine says so", () => {
  const mine = lockfile({}, CANCELLED);
  const base = lockfile({ a });
  expect(judge({ mine, base }).lockfile.cancelled).toEqual({});
  expect(judge({ mine, base, own: mine }).lockfile.cancelled).toEqual(CANCELLED.cancelled);
  expect(judge({ mine: base, base: mine }).lockfile.cancelled).toEqual(CANCELLED.cancelled);
});

function pin(sha256: string): Partial<Lockfile> {
  return { urls: { u: { address: "u", sha256, mime: "image/png" } } };
}

test("an address has no file that the base does not have", () => {
  const base = lockfile({}, pin("aa"));
  expect(judge({ mine: lockfile({}, pin("bb")), base }).lockfile.urls).toBeUndefined();
  expect(judge({ mine: base, base }).lockfile.urls).toEqual(base.urls);
});
