/** What a run of publish has claimed, as a store: it does what every store does, and its claims end together. */
import { expect, test } from "vitest";
import { mediaInMemory } from "../../src/embedded/store/media-files.ts";
import { accountsOf } from "../../src/embedded/publishing/accounts.ts";
import { openPublisher } from "../../src/embedded/publishing/publisher.ts";
import { type ClaimedBatch, ClaimedStore } from "../../src/repository/claimed-store.ts";
import { type Schedule, withDigest } from "../../src/repository/schedule.ts";
import { systemClock } from "../../src/service/system-clock.ts";
import { testStore } from "../embedded/store/contract.ts";
import { account, open } from "../support/networks/open.ts";
import { startStandIn } from "../support/networks/stand-in.ts";

const RUN = "0123456789abcdef";

function batchOf(schedule: Schedule, until: number): ClaimedBatch {
  const tasks = Object.entries(schedule.posts).map(([id, post]) => ({
    id,
    platform: "webhook",
    post,
    before: undefined,
  }));
  return { run: RUN, until, tasks, schedule };
}

testStore("claimed in a branch", () => {
  const store = new ClaimedStore(batchOf({ version: 1, posts: {} }, 0), mediaInMemory(), 0);
  return Promise.resolve({ store, close: () => store.close() });
});

test.each([
  ["while its claims last", 60_000, "published"],
  ["after the end of its claims", -1_000, "waiting"],
])("a store that cannot renew claims sends only %s", async (_when, leftMs, state) => {
  const receiver = await startStandIn(() => ({ json: {} }));
  const stop = new AbortController();
  const settings = account({ network: "webhook", url_env: "HOOK" });
  const network = open(settings, `${receiver.origin}/hook`, { stop: stop.signal });
  const accounts = [{ id: "account_hook", name: "hook", platform: "webhook", settings, network }];
  const now = Date.now();
  const post = withDigest({
    content: "Open",
    platforms: ["webhook"],
    accounts: { webhook: "account_hook" },
    scheduled_at: new Date(now - 60_000).toISOString(),
    media: [],
    created_at: new Date(now - 120_000).toISOString(),
  });
  const schedule = { version: 1 as const, posts: { post_0123456789ab: post } };
  const store = new ClaimedStore(batchOf(schedule, now + leftMs), mediaInMemory(), now);
  const backend = {
    store,
    now: () => Date.now(),
    random: (bytes: number) => new Uint8Array(bytes),
    accounts: accountsOf(accounts),
    failures: new Set<string>(),
    runs: true,
    origin: () => "",
  };
  const publisher = openPublisher(backend, {
    accounts,
    lateMs: 3_600_000,
    settleMs: 0,
    stop,
    onNews: () => undefined,
    onStoreTrouble: (reason) => {
      throw new Error(reason);
    },
  });
  await publisher.drain(now, systemClock);
  await publisher.close();
  const [result] = await store.results();
  expect([result?.publication?.state, receiver.requests.length]).toEqual([
    state,
    state === "published" ? 1 : 0,
  ]);
});
