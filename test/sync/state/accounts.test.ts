import { expect, test } from "vitest";
import {
  type Seen,
  areOtherAccounts,
  projectAccounts,
  refuseOtherAccounts,
  withSeen,
} from "../../../src/sync/state/accounts.ts";
import { mergeLockfiles } from "../../../src/sync/state/merge-lockfiles.ts";
import { InMemoryService } from "../../support/in-memory-service.ts";
import { lockfile } from "../../support/rows.ts";

test.each<[string, string[] | undefined, string[] | undefined, boolean]>([
  ["no accounts are known", undefined, ["acc_1"], false],
  ["the known list is empty", [], ["acc_1"], false],
  ["the service shows none", ["acc_1"], undefined, true],
  ["the service shows none, and none are known", [], undefined, false],
  ["all are the same", ["acc_1", "acc_2"], ["acc_1", "acc_2"], false],
  ["one of several is left", ["acc_1", "acc_2"], ["acc_2", "acc_3"], false],
  ["all are others", ["acc_1", "acc_2"], ["acc_3"], true],
  ["none is connected", ["acc_1"], [], true],
])("detects other accounts if %s", (_what, known, connected, expected) => {
  expect(areOtherAccounts(known, connected)).toBe(expected);
});

function serviceOf(accountIds?: () => Iterable<string>): InMemoryService {
  const clock = { now: () => 0 };
  const abilities = accountIds === undefined ? {} : { accountIds };
  return new InMemoryService({ origin: "memory", clock, networks: new Set(), ...abilities });
}

test("requests accounts only if some are known, or the lockfile will record them", async () => {
  const service = serviceOf(() => ["acc_2", "acc_1"]);
  await refuseOtherAccounts(service, lockfile());
  expect(service.calls.listAccountIds).toBe(0);
  await refuseOtherAccounts(service, lockfile({}, { accounts: ["acc_1"] }));
  expect(service.calls.listAccountIds).toBe(1);
  expect(await projectAccounts(service, lockfile())).toEqual(["acc_1", "acc_2"]);
  await expect(refuseOtherAccounts(service, lockfile({}, { accounts: ["acc_9"] }))).rejects.toMatchObject({
    code: "lockfile/other-account",
    message: expect.stringContaining("are on acc_9; connected now: acc_1, acc_2."),
  });
});

test("a service that does not show its accounts is refused only if the lockfile knows accounts", async () => {
  const service = serviceOf();
  expect(await projectAccounts(service, lockfile())).toBeUndefined();
  await expect(refuseOtherAccounts(service, lockfile({}, { accounts: ["acc_9"] }))).rejects.toMatchObject({
    code: "lockfile/other-account",
    message: expect.stringContaining("are on acc_9; connected now: not shown by the service."),
  });
});

test.each<[string, Seen, { accounts?: string[]; longest_lists?: Record<string, number> }]>([
  ["nothing", { accounts: undefined, page: undefined }, { accounts: ["a"], longest_lists: { 1000: 57 } }],
  ["no accounts", { accounts: [], page: undefined }, { accounts: ["a"], longest_lists: { 1000: 57 } }],
  ["other accounts", { accounts: ["b"], page: undefined }, { accounts: ["b"], longest_lists: { 1000: 57 } }],
  [
    "a longer list",
    { accounts: undefined, page: { limit: 1000, items: 58 } },
    { accounts: ["a"], longest_lists: { 1000: 58 } },
  ],
  [
    "a shorter list",
    { accounts: undefined, page: { limit: 1000, items: 56 } },
    { accounts: ["a"], longest_lists: { 1000: 57 } },
  ],
  [
    "a list for another limit",
    { accounts: undefined, page: { limit: 100, items: 11 } },
    { accounts: ["a"], longest_lists: { 100: 11, 1000: 57 } },
  ],
  [
    "a list that is too short to prove anything",
    { accounts: undefined, page: { limit: 100, items: 10 } },
    { accounts: ["a"], longest_lists: { 1000: 57 } },
  ],
])("the lockfile keeps what a run saw: %s", (_what, seen, expected) => {
  const before = lockfile({}, { accounts: ["a"], longest_lists: { 1000: 57 } });
  const { accounts, longest_lists } = withSeen(before, seen);
  expect({ accounts, longest_lists }).toEqual(expected);
});

test("a merge takes the shorter list limit, and the accounts of the side that changed them", () => {
  const base = lockfile({}, { accounts: ["a"], longest_lists: { 1000: 57 } });
  const ours = lockfile({}, { accounts: ["a"], longest_lists: { 100: 30, 1000: 60 } });
  const theirs = lockfile({}, { accounts: ["b"], longest_lists: { 1000: 58 } });
  expect(mergeLockfiles(base, ours, theirs)).toMatchObject({ accounts: ["b"], longest_lists: { 1000: 58 } });
  expect(mergeLockfiles(base, theirs, ours)).toMatchObject({ accounts: ["b"], longest_lists: { 1000: 58 } });
  const { longest_lists: none } = mergeLockfiles(base, ours, lockfile());
  expect(none).toBeUndefined();
});
