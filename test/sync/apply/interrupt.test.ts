/** Stopping an apply: no new requests, those under way are awaited, everything is on disk, exit 130. */

import { expect, test } from "vitest";
import { startProcess } from "../../support/run-process.ts";
import { type ScenarioOptions, csv, startScenario } from "../../support/scenario.ts";
import { until } from "../../support/until.ts";

const ROWS = Array.from({ length: 30 }, (_, index) => [
  `post-${index}`,
  `2036-03-01 10:${10 + index}`,
  "twitter",
  `Post ${index}`,
]);
const FILES = { "calendars/a.csv": csv(["id", "scheduled_at", "platforms", "content"], ...ROWS) };
const APPLY = ["apply", "--yes", "--format", "json"] as const;

function scenario(service: ScenarioOptions["service"] = {}) {
  return startScenario({ service, files: FILES, config: { safety: { settle: "0s" } } });
}

test("stops while requests wait for the rate limit and reports what was not started", async () => {
  const { start, clock } = await scenario({
    limit: { perWindow: 10, windowMs: 60_000, resetUnit: "epoch-ms" },
  });
  const began = clock.now();
  const running = start(...APPLY);
  await running.waitFor("Waiting until");
  running.stop();
  // Three of the ten requests were lists.
  const { code, stdout } = await running.ended;
  expect(code).toBe(130);
  expect(JSON.parse(stdout).summary).toMatchObject({ created: 7, not_started: 23, unknown: 0, failed: 0 });
  expect(clock.now() - began).toBeLessThan(7_000);
});

test("reports requests to a silent service as unknown, and the next apply resolves them", async () => {
  const { service, start, apply, clock } = await scenario();
  service.faults.plan(({ method, n }) => (method === "POST" && n > 6 ? "hang-after" : undefined));
  const running = start(...APPLY);
  await until(() => service.counters.creates >= 8);
  const stopped = clock.now();
  running.stop();
  const { code, stdout } = await running.ended;
  expect(code).toBe(130);
  expect(JSON.parse(stdout).summary.unknown).toBeGreaterThan(0);
  expect(clock.now() - stopped).toBeLessThan(7_000);
  service.faults.clear();
  await apply();
  expect(service.scheduled().length).toBe(30);
  expect(service.duplicates()).toEqual([]);
});

test("reports a cancel without an answer as unknown, because the service may have done it", async () => {
  const { service, project, start, apply } = await scenario();
  await apply();
  await project.write("calendars/a.csv", FILES["calendars/a.csv"].split("\n").toSpliced(1, 1).join("\n"));
  service.faults.plan(({ method }) => (method === "DELETE" ? "hang-after" : undefined));
  const running = start(...APPLY);
  await until(() => service.counters.cancels === 1);
  running.stop();
  const { code, stdout } = await running.ended;
  expect(code).toBe(130);
  expect(JSON.parse(stdout).outcomes).toMatchObject([{ key: "post-0", action: "cancel", status: "unknown" }]);
});

test("stops waiting for a list immediately and still prints its document", async () => {
  const { service, start, clock } = await scenario();
  service.faults.plan(() => "hang-before");
  const began = clock.now();
  const running = start(...APPLY);
  await until(() => service.requests.length > 0);
  running.stop();
  const { code, stdout } = await running.ended;
  expect(code).toBe(130);
  expect(JSON.parse(stdout).outcomes).toEqual([]);
  expect(clock.now() - began).toBeLessThan(7_000);
});

test("a second signal ends the process immediately, and the next apply finishes the work", async () => {
  const { service, project, env, apply, clock } = await scenario();
  service.faults.plan(({ method, n }) => (method === "POST" && n > 4 ? "hang-after" : undefined));
  const running = startProcess(APPLY, { cwd: project.root, env });
  await until(() => service.counters.creates >= 4);
  // Different ones, because the system merges two equal signals that arrive together.
  running.kill("SIGINT");
  running.kill("SIGTERM");
  const ended = await running.ended;
  // While it writes a file, it ends itself by the signal, which a shell shows as exit code 130, too.
  expect([130, "SIGINT"]).toContain(ended.code ?? ended.signal);
  expect(ended.stderr).toContain("Stopped immediately");
  service.faults.clear();
  // Requests of the first run may still be on their way.
  await service.whenQuiet();
  // The process used the time of this machine, and may have recorded a later time than the clock shows.
  clock.advance(60_000);
  await apply();
  expect(service.scheduled().length).toBe(30);
  expect(service.duplicates()).toEqual([]);
});
