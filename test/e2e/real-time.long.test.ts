/**
 * Waits in real time: one row for each mechanism that other tests check with a fake clock. A row returns how long the
 * wait took, in ms.
 * Only "not too early" is exact: a busy machine may be late.
 */

import { type AddressInfo, createServer } from "node:net";
import { expect, test, vi } from "vitest";
import { runLockName } from "../../src/service/share/open-share.ts";
import { RedisLink, parseRedisAddress } from "../../src/service/share/redis-link.ts";
import { RunLease } from "../../src/service/share/run-lease.ts";
import { systemClock } from "../../src/service/system-clock.ts";
import { afterThisTest } from "../support/after-test.ts";
import { type ForeignOptions, type ForeignService, startForeignService } from "../support/foreign-service.ts";
import { makeProject } from "../support/project.ts";
import { type TestRedis, startRedis } from "../support/redis-server.ts";
import { type ProcessResult, runProcess } from "../support/run-process.ts";
import { csv } from "../support/scenario.ts";
import { until } from "../support/until.ts";

vi.setConfig({ testTimeout: 180_000 });

interface Wait {
  /** The test's name. */
  readonly of: string;
  readonly atLeastMs: number;
  readonly atMostMs: number;
  readonly tookMs: () => Promise<number>;
}

const WAITS: readonly Wait[] = [
  {
    of: "apply waits for the next window of the rate limit",
    atLeastMs: 3_000,
    atMostMs: 30_000,
    tookMs: async () => {
      const limit = { perWindow: 6, windowMs: 3_000, resetUnit: "epoch-ms" } as const;
      const { service, apply } = await project({ limit }, 8);
      expect((await apply()).code).toBe(0);
      expect(service.counters).toMatchObject({ rateLimited: 0, creates: 8 });
      const times = service.requests.map(({ at }) => at);
      return Number(times.at(-1)) - Number(times[0]);
    },
  },
  {
    of: "apply sends a request again when no answer comes within the timeout",
    atLeastMs: 2_000,
    atMostMs: 30_000,
    tookMs: async () => {
      const { service, apply } = await project({}, 1);
      service.faults.at(1, "hang-before", { method: "GET", path: "/v1/posts" });
      expect((await apply()).code).toBe(0);
      const lists = service.requests.filter(({ path }) => path === "/v1/posts");
      return Number(lists[1]?.at) - Number(lists[0]?.at);
    },
  },
  {
    of: "a command ends although its proxy never answers and closes no connection",
    atLeastMs: 20_000,
    atMostMs: 120_000,
    tookMs: async () => {
      const { root } = await makeProject({ files: {} });
      const env = {
        PLANCAST_BASE_URL: "https://service.example/v1",
        PLANCAST_API_KEY: "key-of-this-test",
        HTTPS_PROXY: `socks5://127.0.0.1:${await silentPort()}`,
      };
      const began = Date.now();
      const { code, stderr } = await runProcess(["posts", "list"], { cwd: root, env });
      expect([code, stderr]).toEqual([1, expect.stringContaining("service/unreachable")]);
      return Date.now() - began;
    },
  },
  {
    of: "a lease is free when it expires after its holder died",
    atLeastMs: 2_500,
    atMostMs: 30_000,
    tookMs: async () => {
      const redis = await startRedis();
      const [dead, next] = [await lease(redis, "dead", 3_000), await lease(redis, "next", 3_000)];
      expect(await dead.run.take()).toBe("taken");
      const began = Date.now();
      dead.link.close();
      await until(async () => (await next.run.take()) === "taken");
      return Date.now() - began;
    },
  },
  {
    of: "a lease is renewed for as long as its holder lives",
    atLeastMs: 7_000,
    atMostMs: 60_000,
    tookMs: async () => {
      const redis = await startRedis();
      const [holder, other] = [await lease(redis, "holder", 6_000), await lease(redis, "other", 6_000)];
      expect(await holder.run.take()).toBe("taken");
      const began = Date.now();
      await systemClock.sleep(7_000);
      expect(await other.run.take()).toMatchObject({ owner: { token: "holder" } });
      expect(holder.link.lost.aborted).toBe(false);
      return Date.now() - began;
    },
  },
];

test.each(WAITS.map((wait) => [wait.of, wait] as const))(
  "%s",
  async (_of, { atLeastMs, atMostMs, tookMs }) => {
    const took = await tookMs();
    expect(took).toBeGreaterThanOrEqual(atLeastMs);
    expect(took).toBeLessThan(atMostMs);
  },
);

/** A project with this many posts, whose apply is a real process. */
async function project(
  options: ForeignOptions,
  posts: number,
): Promise<{ service: ForeignService; apply: () => Promise<ProcessResult> }> {
  const service = await startForeignService(options);
  afterThisTest(() => service.close());
  const rows = Array.from({ length: posts }, (_, day) => [`2036-03-1${day} 10:00`, "twitter", `Post ${day}`]);
  const { root } = await makeProject({
    config: { timezone: "UTC", safety: { settle: "0s" }, service: { timeout: "2s" } },
    files: { "calendars/a.csv": csv(["scheduled_at", "platforms", "content"], ...rows) },
  });
  const env = { PLANCAST_BASE_URL: service.url, PLANCAST_API_KEY: service.key };
  return { service, apply: () => runProcess(["apply", "--yes"], { cwd: root, env }) };
}

/** The port of a server that accepts connections and does nothing else. */
async function silentPort(): Promise<number> {
  const server = createServer(() => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterThisTest(() => void server.close());
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  return (server.address() as AddressInfo).port;
}

async function lease(
  redis: TestRedis,
  token: string,
  ttlMs: number,
): Promise<{ run: RunLease; link: RedisLink }> {
  const link = await RedisLink.open(parseRedisAddress(redis.url), systemClock);
  const name = runLockName("https://api.example.com", "plancast.lock.json");
  const owner = { token, host: "here", pid: 7, since: "2036-01-01T00:00:00Z" };
  const run = new RunLease({ link, name, owner, ttlMs, clock: systemClock });
  afterThisTest(async () => {
    await run.release();
    link.close();
  });
  return { run, link };
}
