/** Wrong keys, full disks, a second run at the same time, and broken lockfiles. */

import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { afterThisTest } from "../../support/after-test.ts";
import { runCommand } from "../../support/run-command.ts";
import { runProcess, startProcess } from "../../support/run-process.ts";
import { csv, startScenario } from "../../support/scenario.ts";
import { until } from "../../support/until.ts";

const ROWS = Array.from({ length: 30 }, (_, index) => [
  `post-${index}`,
  `2036-03-01 10:${10 + index}`,
  "twitter",
  `Post ${index}`,
]);
const FILES = { "calendars/a.csv": csv(["id", "scheduled_at", "platforms", "content"], ...ROWS) };

test("a wrong key stops apply after one request and the message names PLANCAST_API_KEY", async () => {
  const { run, service, env } = await startScenario({ files: FILES });
  service.revokeKey(env["PLANCAST_API_KEY"] ?? "");
  const { code, stderr } = await run("apply", "--yes");
  expect([code, stderr.includes("service/unauthorized"), stderr.includes("PLANCAST_API_KEY")]).toEqual([
    1,
    true,
    true,
  ]);
  expect(service.requests.length).toBe(1);
});

test("a key that is revoked during apply stops every change that has not begun", async () => {
  const { run, service, apply } = await startScenario({ files: FILES, config: { safety: { settle: "0s" } } });
  service.faults.at(8, "unauthorized-from-now-on", { method: "POST" });
  const { code, stdout } = await run("apply", "--yes", "--format", "json");
  expect(code).toBe(1);
  const { summary } = JSON.parse(stdout);
  expect(summary.created).toBe(service.scheduled().length);
  expect(summary.not_started).toBeGreaterThan(10);
  expect(summary.created + summary.failed + summary.not_started).toBe(30);
  await expect(apply()).rejects.toThrow("service/unauthorized");
});

test("a read-only key stops apply after a few refusals", async () => {
  const { run, service } = await startScenario({ files: FILES, service: { keys: { readonly: "read" } } });
  const { code, stdout, stderr } = await run("apply", "--yes");
  expect(code).toBe(1);
  expect(stdout + stderr).toContain("forbidden");
  expect(service.scheduled()).toEqual([]);
  expect(service.counters.requests).toBeLessThan(20);
});

test("a service that stops during apply is reported only a few times, not for each waiting request", async () => {
  const { run, service } = await startScenario({ files: FILES });
  const warnings: Error[] = [];
  const note = (warning: Error): unknown => warnings.push(warning);
  process.on("warning", note);
  afterThisTest(() => process.off("warning", note));
  service.faults.at(2, { kind: "down-before", forMs: 3_600_000 }, { method: "POST" });
  const { code, stderr } = await run("apply", "--yes");
  expect(code).not.toBe(0);
  const waits = stderr.split("\n").filter((line) => line.startsWith("Waiting until"));
  expect(waits.length).toBeGreaterThan(0);
  // Three pauses, and the two reasons of a connection that breaks and one that is refused.
  expect(waits.length).toBeLessThan(10);
  expect(warnings).toEqual([]);
});

test("apply finds a file in place of .plancast before it changes anything on the service", async () => {
  const { run, service, project } = await startScenario({ files: FILES });
  await project.write(".plancast", "a file where the folder is to be");
  const { code, stderr } = await run("apply", "--yes");
  expect([code, stderr.includes("disk/state-unsafe")]).toEqual([1, true]);
  expect(service.scheduled()).toEqual([]);
});

test("apply finds a full disk before it changes anything on the service", async () => {
  const { service, project, apply, env } = await startScenario({ files: FILES });
  const full = { cwd: project.root, env, fullDisk: true };
  const { code, stderr } = await runProcess(["apply", "--yes"], full);
  expect([code, stderr.includes("disk/not-writable"), stderr.includes("EFBIG")]).toEqual([1, true, true]);
  expect(service.scheduled()).toEqual([]);
  await apply();
});

test("a second apply says which process holds the lock, or waits for its end", async () => {
  const { run, service, project, env } = await startScenario({ files: FILES });
  const refusal = new AbortController();
  const untilRefused = async (): Promise<void> => {
    if (!refusal.signal.aborted) await once(refusal.signal, "abort");
  };
  service.faults.plan(({ method }) =>
    method === "POST" ? { kind: "run-before", run: untilRefused } : undefined,
  );
  const first = startProcess(["apply", "--yes"], { cwd: project.root, env });
  await until(() => service.requests.some(({ method }) => method === "POST"));
  const refused = await run("apply", "--yes");
  expect([refused.code, refused.stderr.includes("run/locked")]).toEqual([1, true]);
  expect(refused.stderr).toContain(`plancast apply, process ${first.child.pid}`);
  expect(refused.stderr).toContain("--lock-timeout 5m");
  // A command without this flag does not mention it.
  const other = await run("draft", "--yes");
  expect([other.code, other.stderr]).toEqual([1, expect.stringContaining("plancast apply, process")]);
  expect(other.stderr).toContain("Wait until it ends, then run again.");
  expect(other.stderr).not.toContain("--lock-timeout");
  // Runs in real time, because it waits for another process.
  const waiting = runCommand(["apply", "--yes", "--lock-timeout", "60s"], { cwd: project.root, env });
  refusal.abort();
  const waited = await waiting;
  expect([waited.code, waited.stdout]).toEqual([0, expect.stringMatching(/^Nothing to do/)]);
  expect((await first.ended).code).toBe(0);
  expect(service.duplicates()).toEqual([]);
});

test.each([
  ["lockfile/conflict", "<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> other\n"],
  ["lockfile/invalid", '{ "version": 1, "origin": "https://a'],
  ["lockfile/invalid", "[]"],
  ["run/newer-version", '{ "version": 99 }'],
  [
    "lockfile/other-service",
    '{ "version": 1, "origin": "https://other.example.com", "media": {}, "posts": {} }',
  ],
])("apply refuses a broken or foreign lockfile and leaves it as it is: %s", async (code, text) => {
  const { run, service, project } = await startScenario({ files: FILES });
  await writeFile(join(project.root, "plancast.lock.json"), text);
  const refused = await run("apply", "--yes");
  expect([refused.code, refused.stderr.includes(code)]).toEqual([1, true]);
  expect(await project.read("plancast.lock.json")).toBe(text);
  expect(service.scheduled()).toEqual([]);
});
