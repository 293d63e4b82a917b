/** Running a plan without its command: the memory of 100,000 changes, and the end of a run that lost its lock. */

import { setTimeout as delay } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { StateFolder } from "../../../src/disk/state-folder.ts";
import { emptyLockfile } from "../../../src/model/lockfile.ts";
import { Failure } from "../../../src/model/failure.ts";
import type { Change, Plan } from "../../../src/model/plan.ts";
import { httpService } from "../../../src/service/endpoints/http-service.ts";
import { parseAddress, OriginKey } from "../../../src/service/http/key.ts";
import { openConnections } from "../../../src/service/http/request.ts";
import { Transport } from "../../../src/service/http/transport.ts";
import { Limiter } from "../../../src/service/rate/limiter.ts";
import { runPlan } from "../../../src/sync/apply/apply-plan.ts";
import { Uploads } from "../../../src/sync/apply/upload-media.ts";
import { openAddresses } from "../../../src/sync/state/media-caches.ts";
import { OpenState, readState } from "../../../src/sync/state/project-state.ts";
import { afterThisTest } from "../../support/after-test.ts";
import { type ForeignService, startForeignService } from "../../support/foreign-service.ts";
import { makeProject } from "../../support/project.ts";
import { config, post } from "../../support/rows.ts";

const CHANGES = 100_000;

/** Bytes in use after a garbage collection. */
function usedBytes(): number {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect === "function") collect();
  return process.memoryUsage().heapUsed;
}

const clock = {
  now: () => Date.now(),
  sleep: (ms: number, signal?: AbortSignal) =>
    delay(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined),
};

function connect({ url, origin, key }: ForeignService, stop: AbortSignal) {
  const dispatcher = openConnections();
  afterThisTest(() => dispatcher.destroy());
  const common = { clock, stop, random: Math.random, onWait: () => undefined };
  const limiter = new Limiter({ ...common, fallbackLimit: 30, reserve: () => 0 });
  const more = { timeoutMs: 60_000, userAgent: "test", onRequest: () => undefined };
  const transport = new Transport({
    ...common,
    ...more,
    address: parseAddress(url),
    key: OriginKey.confirmed(origin, key, "script"),
    dispatcher,
    limiter,
  });
  return {
    limiter,
    service: httpService({ origin, transport, uploadField: "file", listLimit: undefined, shape: undefined }),
  };
}

async function startRun(foreign: ForeignService, count: number) {
  const { root } = await makeProject();
  const project = { root, file: "plancast.yaml", config: config(), state: StateFolder.at(root) };
  const stopping = new AbortController();
  const { limiter, service } = connect(foreign, stopping.signal);
  const lockfile = emptyLockfile(foreign.origin);
  const read = await readState(project, foreign.origin);
  const state = await OpenState.open(project, lockfile, read, "2030-01-01T00:00:00Z");
  afterThisTest(() => state.close());
  const changes = Array.from({ length: count }, (_, index): Change => {
    const desired = post({ key: `row-${index}`, content: `Text ${index}`, platforms: ["twitter"] });
    return { action: "create", key: desired.key, desired, conflictingIds: [], reason: "new-row" };
  });
  const uploads = new Uploads(service, state, root, openAddresses(project, clock));
  const plan: Plan = { ...EMPTY, changes };
  return {
    limiter,
    stopping,
    options: { service, state, uploads, clock, stop: stopping.signal, plan, onOutcome: () => undefined },
  };
}

test("the limiter's queue is short, however long the plan is, and memory stays flat", async () => {
  const foreign = await startForeignService({
    limit: { perWindow: 5, windowMs: 60_000, resetUnit: "seconds" },
  });
  afterThisTest(() => foreign.close());
  const { limiter, stopping, options } = await startRun(foreign, CHANGES);
  const before = usedBytes();
  const running = runPlan(options);
  while (foreign.counters.creates < 5 || limiter.waiting < 12) await delay(10);
  expect(limiter.waiting).toBe(12);
  expect((usedBytes() - before) / CHANGES).toBeLessThan(50);
  stopping.abort();
  const { outcomes } = await running;
  expect(outcomes.filter(({ status }) => status === "done").length).toBe(5);
  expect(outcomes.filter(({ status }) => status === "not_started").length).toBe(CHANGES - 5);
});

test.each([
  ["unknown", "drop-after"],
  ["done", undefined],
] as const)("a lost lock is why the run failed only if a change is open: %s", async (status, fault) => {
  const foreign = await startForeignService();
  afterThisTest(() => foreign.close());
  foreign.faults.plan(({ method }) => (method === "POST" ? fault : undefined));
  const { options } = await startRun(foreign, 1);
  const losing = new AbortController();
  const lost = new Failure("share/lock-lost", "This run lost its lock.");
  const run = await runPlan({ ...options, lost: losing.signal, onOutcome: () => losing.abort(lost) });
  expect(run.outcomes).toMatchObject([{ status }]);
  expect(run.failure).toBe(status === "unknown" ? lost : undefined);
});

const EMPTY: Plan = {
  hash: () => "",
  costs: { changesPerRequest: undefined, hasUploads: true },
  summary: {
    create: 0,
    replace: 0,
    cancel: 0,
    adopt: 0,
    missing: 0,
    held: 0,
    keep: 0,
    past: 0,
    expired: 0,
    draft: 0,
    skipped: 0,
    unmanaged: 0,
  },
  guards: [],
  unproved: new Set(),
  uploads: [],
  changes: [],
  kept: [],
  pending: [],
  held: [],
  missing: [],
  whereMissing: "here",
  requests: 0,
  uploadedFiles: () => new Map(),
  problems: [],
};
