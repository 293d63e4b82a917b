/** Signals: no new requests, those in flight are awaited, everything is on disk, exit 130 within 7 s. */
import { expect, test } from "vitest";
import { afterThisTest } from "../support/after-test.ts";
import { startForeignService, type ForeignOptions } from "../support/foreign-service.ts";
import { makeProject } from "../support/project.ts";
import { startProcess } from "../support/run-process.ts";
import { csv } from "../support/scenario.ts";

const ROWS = Array.from({ length: 30 }, (_, index) => [
  `post-${index}`,
  `2036-03-01 10:${10 + index}`,
  "twitter",
  `Post ${index}`,
]);
const FILES = { "calendars/a.csv": csv(["id", "scheduled_at", "platforms", "content"], ...ROWS) };

async function startApply(options: ForeignOptions) {
  const service = await startForeignService(options);
  afterThisTest(() => service.close());
  const config = { timezone: "UTC", safety: { settle: "0s" } };
  const project = await makeProject({ files: FILES, config });
  const env = { PLANCAST_BASE_URL: service.url, PLANCAST_API_KEY: service.key };
  const start = () => startProcess(["apply", "--yes", "--format", "json"], { cwd: project.root, env });
  return { service, project, start };
}

async function until(holds: () => boolean): Promise<void> {
  // oxlint-disable-next-line no-await-in-loop
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10));
}

test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "%s while requests wait for the rate limit",
  async (signal) => {
    const { service, start } = await startApply({
      limit: { perWindow: 10, windowMs: 60_000, resetUnit: "epoch-ms" },
    });
    const running = start();
    // Three of the ten are lists.
    await until(() => service.counters.creates === 7);
    const at = Date.now();
    running.kill(signal);
    const { code, stdout } = await running.ended;
    expect(code).toBe(130);
    expect(Date.now() - at).toBeLessThan(7_000);
    const { summary } = JSON.parse(stdout);
    expect(summary).toMatchObject({ created: 7, not_started: 23, unknown: 0, failed: 0 });
  },
);

test("a service that answers no more: what is in flight is unknown, and settled by the next run", async () => {
  const { service, start } = await startApply({});
  service.faults.plan(({ method, n }) => (method === "POST" && n > 6 ? "hang-after" : undefined));
  const running = start();
  await until(() => service.counters.creates >= 8);
  const at = Date.now();
  running.kill("SIGINT");
  const { code, stdout } = await running.ended;
  expect(code).toBe(130);
  expect(Date.now() - at).toBeLessThan(7_000);
  expect(JSON.parse(stdout).summary.unknown).toBeGreaterThan(0);
  service.faults.clear();
  const again = await start().ended;
  expect(again.code).toBe(0);
  expect(service.scheduled().length).toBe(30);
  expect(service.duplicates()).toEqual([]);
});

test("a read that hangs is given up at once, with a document all the same", async () => {
  const { service, start } = await startApply({});
  service.faults.plan(() => "hang-before");
  const running = start();
  await until(() => service.requests.length > 0);
  const at = Date.now();
  running.kill("SIGINT");
  const { code, stdout } = await running.ended;
  expect(code).toBe(130);
  expect(Date.now() - at).toBeLessThan(7_000);
  expect(JSON.parse(stdout).outcomes).toEqual([]);
});

test("a second signal ends it at once, and the next run puts all right", async () => {
  const { service, start } = await startApply({});
  service.faults.plan(({ method, n }) => (method === "POST" && n > 4 ? "hang-after" : undefined));
  const running = start();
  await until(() => service.counters.creates >= 4);
  running.kill("SIGINT");
  await until(() => {
    running.kill("SIGINT");
    return running.child.exitCode !== null || running.child.signalCode !== null;
  });
  expect((await running.ended).code).toBe(130);
  service.faults.clear();
  expect((await start().ended).code).toBe(0);
  expect(service.scheduled().length).toBe(30);
  expect(service.duplicates()).toEqual([]);
});

test("a reader of stdout that goes away does not stop the run", async () => {
  const { service, start } = await startApply({});
  const running = start();
  running.child.stdout.destroy();
  expect((await running.ended).code).toBe(0);
  expect(service.scheduled().length).toBe(30);
});
