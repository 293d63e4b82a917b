/** Keys that do not suffice, disks that do not hold, and a second run beside the first. */
import { once } from "node:events";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startProcess } from "../support/run-process.ts";
import { csv, startScenario } from "../support/scenario.ts";

const ROWS = Array.from({ length: 30 }, (_, index) => [
  `post-${index}`,
  `2036-03-01 10:${10 + index}`,
  "twitter",
  `Post ${index}`,
]);
const FILES = { "calendars/a.csv": csv(["id", "scheduled_at", "platforms", "content"], ...ROWS) };

test("a wrong key stops the run before anything, and says so", async () => {
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

test("a key that is revoked half-way stops all that has not begun", async () => {
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

test("a key that may read only is found out after a few refusals", async () => {
  const { run, service } = await startScenario({ files: FILES, service: { keys: { readonly: "read" } } });
  const { code, stdout, stderr } = await run("apply", "--yes");
  expect(code).toBe(1);
  expect(stdout + stderr).toContain("forbidden");
  expect(service.scheduled()).toEqual([]);
  expect(service.counters.requests).toBeLessThan(20);
});

test("state that cannot be written is found before the first write to the service", async () => {
  const { run, service, project } = await startScenario({ files: FILES });
  await project.write(".plancast", "a file where the folder is to be");
  const { code, stderr } = await run("apply", "--yes");
  expect([code, stderr.includes("disk/not-writable")]).toEqual([1, true]);
  expect(service.scheduled()).toEqual([]);
});

test("a full disk is found before the first write to the service", async () => {
  const { run, service, project, apply } = await startScenario({ files: FILES });
  await mkdir(join(project.root, ".plancast"));
  await symlink("/dev/full", join(project.root, ".plancast", "plancast.lock.json.part"));
  const { code, stderr } = await run("apply", "--yes");
  expect([code, stderr.includes("disk/not-writable"), stderr.includes("ENOSPC")]).toEqual([1, true, true]);
  expect(service.scheduled()).toEqual([]);
  await project.remove(".plancast");
  await apply();
});

test("one run at a time: the second says who holds the lock, or waits for its end", async () => {
  const { run, service, project, env } = await startScenario({ files: FILES });
  const refusal = new AbortController();
  const untilRefused = async (): Promise<void> => {
    if (!refusal.signal.aborted) await once(refusal.signal, "abort");
  };
  service.faults.plan(({ method }) =>
    method === "POST" ? { kind: "run-before", run: untilRefused } : undefined,
  );
  const first = startProcess(["apply", "--yes"], { cwd: project.root, env });
  // oxlint-disable-next-line no-await-in-loop
  while (!service.requests.some(({ method }) => method === "POST"))
    await new Promise((resolve) => setTimeout(resolve, 10));
  const refused = await run("apply", "--yes");
  expect([refused.code, refused.stderr.includes("run/locked")]).toEqual([1, true]);
  expect(refused.stderr).toContain(`plancast apply, process ${first.child.pid}`);
  expect(refused.stderr).toContain("--lock-timeout 5m");
  // A command that has no such flag names none.
  const other = await run("draft", "--yes");
  expect([other.code, other.stderr]).toEqual([1, expect.stringContaining("plancast apply, process")]);
  expect(other.stderr).toContain("Wait until it has ended, then run again.");
  expect(other.stderr).not.toContain("--lock-timeout");
  const waiting = run("apply", "--yes", "--lock-timeout", "60s");
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
  ["lockfile/newer-version", '{ "version": 99 }'],
  [
    "lockfile/other-service",
    '{ "version": 1, "origin": "https://other.example.com", "media": {}, "posts": {} }',
  ],
])("a lockfile that is no good is refused: %s", async (code, text) => {
  const { run, service, project } = await startScenario({ files: FILES });
  await writeFile(join(project.root, "plancast.lock.json"), text);
  const refused = await run("apply", "--yes");
  expect([refused.code, refused.stderr.includes(code)]).toEqual([1, true]);
  expect(await project.read("plancast.lock.json")).toBe(text);
  expect(service.scheduled()).toEqual([]);
});
