/** Which posts a run may claim, and what its results change. */
import { describe, expect, test } from "vitest";
import type { AccountName } from "../../src/networks/open-accounts.ts";
import { accountNames } from "../../src/networks/open-accounts.ts";
import {
  blockedTasks,
  nextTaskAt,
  openTasks,
  withClaims,
  withResults,
  withoutOld,
} from "../../src/repository/claims.ts";
import {
  type ScheduledPublication,
  type Schedule,
  type ScheduledPost,
  withDigest,
} from "../../src/repository/schedule.ts";
import { accountsSchema } from "../../src/settings/accounts.ts";

const DUE = Date.UTC(2027, 2, 1, 8);
const MINUTE_MS = 60_000;
const ID = "post_0123456789ab";
const ACCOUNTS: readonly AccountName[] = accountNames(
  accountsSchema.parse({ press: { network: "webhook", url_env: "PRESS" } }),
);
const ACCOUNT_ID = ACCOUNTS[0]?.id ?? "";

function post(publication?: ScheduledPublication, accountId = ACCOUNT_ID): ScheduledPost {
  const made = withDigest({
    content: "Text",
    platforms: ["webhook"],
    accounts: { webhook: accountId },
    scheduled_at: "2027-03-01T08:00:00Z",
    media: [],
    created_at: "2027-03-01T07:00:00Z",
  });
  return publication === undefined ? made : { ...made, publications: { webhook: publication } };
}

function on(
  state: ScheduledPublication["state"],
  more: Partial<ScheduledPublication> = {},
): ScheduledPublication {
  return { account_id: ACCOUNT_ID, state, attempts: 1, sent_at: "2027-03-01T08:00:00Z", parts: [], ...more };
}

function schedule(one: ScheduledPost): Schedule {
  return { version: 1, posts: { [ID]: one } };
}

function result(publication: ScheduledPublication | undefined) {
  return [{ id: ID, platform: "webhook", publication }];
}

function terms(now: number) {
  return { now, settleMs: 2 * MINUTE_MS, accounts: ACCOUNTS };
}

describe("a run may claim", () => {
  test("a post as soon as it is due", () => {
    expect(openTasks(schedule(post()), terms(DUE - 1))).toEqual([]);
    expect(nextTaskAt(schedule(post()), terms(DUE - 1))).toBe(DUE);
    expect(openTasks(schedule(post()), terms(DUE))).toMatchObject([{ id: ID, platform: "webhook" }]);
  });

  test("a post of another run only after its claim, and after a lost request can no longer arrive", () => {
    const claim = { run: "other", until: "2027-03-01T08:15:00Z" };
    const claimed = schedule(post(on("sending", { claim })));
    expect(openTasks(claimed, terms(DUE + 17 * MINUTE_MS - 1))).toEqual([]);
    expect(openTasks(claimed, terms(DUE + 17 * MINUTE_MS))).toHaveLength(1);
  });

  test("a waiting or unknown post at its next time, but never a finished post", () => {
    const next_at = "2027-03-01T08:05:00Z";
    for (const state of ["waiting", "unknown"] as const) {
      expect(openTasks(schedule(post(on(state, { next_at }))), terms(DUE + 4 * MINUTE_MS))).toEqual([]);
      expect(openTasks(schedule(post(on(state, { next_at }))), terms(DUE + 5 * MINUTE_MS))).toHaveLength(1);
    }
    for (const state of ["published", "failed", "unknown"] as const)
      expect(nextTaskAt(schedule(post(on(state))), terms(DUE))).toBe(Infinity);
  });

  test("no post of another account, and none that somebody edited", () => {
    const other = schedule(post(undefined, "account_other"));
    const edited = schedule({ ...post(), content: "Edited" });
    for (const [each, why] of [
      [other, "other-account"],
      [edited, "edited"],
    ] as const) {
      expect(openTasks(each, terms(DUE))).toEqual([]);
      expect(blockedTasks(each, terms(DUE))).toMatchObject([{ id: ID, why }]);
      expect(blockedTasks(each, terms(DUE - 1))).toEqual([]);
    }
  });
});

describe("the results of a run", () => {
  const claimant = { run: "ours", until: DUE + 15 * MINUTE_MS };
  const before = schedule(post(on("waiting", { attempts: 2, reason: "busy" })));
  const claimed = withClaims(before, openTasks(before, terms(DUE)), claimant, DUE);

  test("a claim keeps the facts about earlier attempts, and nobody else may claim the post", () => {
    expect(claimed.posts[ID]?.publications?.["webhook"]).toMatchObject({
      state: "sending",
      attempts: 2,
      reason: "busy",
      claim: { run: "ours", until: "2027-03-01T08:15:00.000Z" },
    });
    expect(openTasks(claimed, terms(DUE))).toEqual([]);
  });

  test("replace its claim, or give it back", () => {
    const published = on("published", { url: "https://a.example/1" });
    expect(withResults(claimed, result(published), "ours").posts[ID]?.publications).toEqual({
      webhook: published,
    });
    expect(withResults(claimed, result(undefined), "ours").posts[ID]).toEqual(post());
  });

  test("change nothing that another run has claimed since", () => {
    const theirs = withClaims(before, openTasks(before, terms(DUE)), { ...claimant, run: "theirs" }, DUE);
    expect(withResults(theirs, result(on("failed")), "ours")).toEqual(theirs);
    expect(withResults(theirs, result(on("published")), "ours")).toEqual(theirs);
  });

  test("say that a post is published, even if another run does not know", () => {
    const unknown = schedule(post(on("unknown")));
    expect(
      withResults(unknown, result(on("published")), "ours").posts[ID]?.publications?.["webhook"]?.state,
    ).toBe("published");
    expect(withResults(unknown, result(on("failed")), "ours")).toEqual(unknown);
  });
});

test("finished posts leave the schedule after 90 days, and all other posts stay", () => {
  const later = DUE + 91 * 24 * 60 * MINUTE_MS;
  expect(withoutOld(schedule(post(on("published"))), later).posts).toEqual({});
  expect(
    Object.keys(withoutOld(schedule(post(on("unknown", { next_at: "2027-03-01T09:00:00Z" }))), later).posts),
  ).toEqual([ID]);
  const recent = schedule(post(on("published")));
  expect(withoutOld(recent, DUE + MINUTE_MS)).toBe(recent);
});
