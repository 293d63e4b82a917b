/** Rate limits of accounts and keys, shared by machines with connections of their own to a real PostgreSQL. */
import { expect, onTestFinished, test } from "vitest";
import { RateLimit } from "../../../src/embedded/http-server.ts";
import { PostgresLimits } from "../../../src/embedded/store/postgres-limits.ts";
import { Limiter } from "../../../src/service/rate/limiter.ts";
import type { RateObservation } from "../../../src/service/rate/rate-headers.ts";
import { RateLimits } from "../../../src/service/rate/rate-limits.ts";
import { SharedGate } from "../../../src/service/rate/shared-gate.ts";
import { systemClock } from "../../../src/service/system-clock.ts";
import { fixedWindow } from "../../service/share/limiters.ts";
import { openTestStore, usePostgres } from "../../support/postgres-server.ts";

const postgres = usePostgres();
const WINDOW_MS = 1_500;

/** Address of a database with the tables of a store. */
async function database(): Promise<string> {
  const url = await postgres().database();
  const store = await openTestStore(url);
  await store.close();
  return url;
}

function limitsIn(url: string, project = "garden"): PostgresLimits {
  const limits = new PostgresLimits({ url, project });
  onTestFinished(() => limits.close());
  return limits;
}

/** @param behindMs how far its clock is behind */
function machine(limits: PostgresLimits, perWindow: number, behindMs = 0) {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const rules = {
    fallbackLimit: perWindow,
    fallbackWindowMs: WINDOW_MS,
    reserve: () => 0,
    random: () => 0.5,
  };
  const clock = { ...systemClock, now: () => Date.now() - behindMs };
  const gate = new SharedGate({
    count: limits.count("account"),
    window: new RateLimits(rules),
    clock,
    confirm: () => Promise.resolve(true),
    onLost: () => undefined,
  });
  const limiter = new Limiter({
    ...rules,
    clock,
    stop: stop.signal,
    onWait: () => undefined,
    shared: { gate },
  });
  return (send: () => Promise<RateObservation>) =>
    limiter.schedule({ priority: 5, send, observationOf: (seen) => seen });
}

const NO_HEADERS: RateObservation = {
  reading: { windows: [], date: undefined },
  refused: false,
  retryAfterMs: undefined,
};

test("machines whose clocks differ by ten minutes together keep to a limit that no answer shows", async () => {
  const url = await database();
  const sent: number[] = [];
  const send = async (): Promise<RateObservation> => {
    sent.push(Date.now());
    await systemClock.sleep(5);
    return NO_HEADERS;
  };
  const machines = [machine(limitsIn(url), 10), machine(limitsIn(url), 10, 600_000)];
  await Promise.all(machines.flatMap((ask) => Array.from({ length: 15 }, () => ask(send))));
  expect(sent).toHaveLength(30);
  const spread = sent.map((at) => at - (sent[0] ?? 0));
  expect(spread.filter((at) => at < WINDOW_MS)).toHaveLength(10);
  expect(spread.filter((at) => at < 2 * WINDOW_MS).length).toBeLessThanOrEqual(20);
}, 30_000);

test("machines share what a network says about its limit, and it refuses none of them", async () => {
  const url = await database();
  const network = fixedWindow(10, WINDOW_MS);
  const machines = [1, 2, 3].map(() => machine(limitsIn(url), 100));
  await Promise.all(machines.flatMap((ask) => Array.from({ length: 10 }, () => ask(network.request))));
  expect(network.seen).toEqual({ refused: 0, windows: [10, 10, 10] });
}, 30_000);

test("nothing is sent while the database is gone, and what waits is sent when it is back", async () => {
  const server = postgres();
  const url = await database();
  let sent = 0;
  const send = (): Promise<RateObservation> => {
    sent += 1;
    return Promise.resolve(NO_HEADERS);
  };
  const ask = machine(limitsIn(url), 1_000);
  await ask(send);
  await server.kill();
  const waiting = Promise.all([ask(send), ask(send)]);
  await systemClock.sleep(1_500);
  expect(sent).toBe(1);
  await server.start();
  await waiting;
  expect(sent).toBe(3);
}, 30_000);

test("the keys of a service have one window on all machines, and each project its own", async () => {
  const url = await database();
  const plan = { plan: "free", windowMs: 60_000, resetUnit: "seconds", now: Date.now } as const;
  const [one, other, foreign] = [limitsIn(url), limitsIn(url), limitsIn(url, "orchard")].map(
    (shared) => new RateLimit({ ...plan, shared }),
  );
  const taken = await Promise.all(
    Array.from({ length: 100 }, async (_, index) => (index % 2 === 0 ? one : other)?.take("write")),
  );
  const limit = Number(taken[0]?.headers["X-RateLimit-Limit"]);
  expect(taken.filter((each) => each?.exceeded === false)).toHaveLength(limit);
  expect(new Set(taken.map((each) => each?.headers["X-RateLimit-Remaining"])).size).toBe(limit);
  expect(one?.peek("write").headers["X-RateLimit-Remaining"]).toBe("0");
  expect((await foreign?.take("write"))?.headers["X-RateLimit-Remaining"]).toBe(String(limit - 1));
});

test("a window of a key begins again after its end", async () => {
  const limits = limitsIn(await database());
  expect(await limits.takeInWindow("key read", 1, 300)).toMatchObject({ isTaken: true, free: 0 });
  expect(await limits.takeInWindow("key read", 1, 300)).toMatchObject({ isTaken: false, free: 0 });
  await systemClock.sleep(350);
  expect(await limits.takeInWindow("key read", 1, 300)).toMatchObject({ isTaken: true });
});
