/** A signal ends the built command within seconds, whatever it is doing. Needs `npm run build`. */
import { execFileSync } from "node:child_process";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { type ProcessResult, type RunningProcess, startProcess } from "../support/run-process.ts";
import { csv, startScenario } from "../support/scenario.ts";
import { until } from "../support/until.ts";

const ROWS = ["a", "b", "c"].map((id) => [id, "2036-03-01 10:00", "twitter", `Text ${id}`]);
const CALENDAR = csv(["id", "scheduled_at", "platforms", "content"], ...ROWS);
/** The longest that a process may take, ms, and what a busy machine may add. */
const [AT_MOST_MS, BUSY_MS] = [7_000, 3_000];

/** A command that one piece of work keeps busy for ever. */
async function startBusy(env: Readonly<Record<string, string>>): Promise<RunningProcess> {
  const { project } = await startScenario({
    files: { "calendars/a.csv": `${CALENDAR}\n${"x".repeat(100_000)}` },
  });
  const block = fileURLToPath(new URL("../support/block-on-input.js", import.meta.url));
  const running = startProcess(["validate"], {
    cwd: project.root,
    env: { ...env, NODE_OPTIONS: `--import=${block}` },
  });
  await running.waitFor("blocked");
  return running;
}

test.each([
  ["SIGTERM once", ["SIGTERM"]],
  ["SIGTERM twice", ["SIGTERM", "SIGTERM"]],
] as const)("a process that one piece of work keeps busy is ended by %s", async (_name, signals) => {
  const { tookMs, result } = await endedBy(await startBusy({ BLOCK_AFTER_MS: "3000" }), signals);
  expect(result).toMatchObject({ code: null, signal: "SIGKILL" });
  expect(result.stderr).toContain("Stopped at once.");
  expect(tookMs).toBeLessThan((signals.length > 1 ? 1_000 : AT_MOST_MS) + BUSY_MS);
});

test("the system ends a process that is busy before anything watches for signals", async () => {
  const { tookMs, result } = await endedBy(await startBusy({}), ["SIGTERM"]);
  expect(result).toMatchObject({ code: null, signal: "SIGTERM" });
  expect(tookMs).toBeLessThan(BUSY_MS);
});

test.runIf(process.platform !== "win32")("a process that reads a pipe without an end is ended", async () => {
  const { project, service } = await startScenario({ files: { "calendars/a.csv": CALENDAR } });
  const pipe = join(project.root, "pipe");
  execFileSync("mkfifo", [pipe]);
  for (const signals of [["SIGTERM"], ["SIGTERM", "SIGINT"]] as const) {
    const running = startProcess(["posts", "list", "--api-key-file", pipe], {
      cwd: project.root,
      env: { PLANCAST_BASE_URL: service.url },
    });
    // The other end opens when the process has opened its own.
    const writer = await open(pipe, "w");
    const { tookMs, result } = await endedBy(running, signals);
    await writer.close();
    // As a shell says it, this is exit code 130.
    expect(result).toMatchObject({ code: null, signal: "SIGINT" });
    expect(tookMs).toBeLessThan((signals.length > 1 ? 1_000 : AT_MOST_MS) + BUSY_MS);
  }
});

test("one signal ends an apply that waits for answers, and the next run creates nothing twice", async () => {
  const { project, service, env } = await startScenario({
    files: { "calendars/a.csv": CALENDAR },
    config: { safety: { settle: "0s" } },
  });
  service.faults.plan(({ method }) => (method === "POST" ? "hang-after" : undefined));
  const apply = ["apply", "--yes"];
  const running = startProcess(apply, { cwd: project.root, env });
  await until(() => service.counters.creates === 3);
  const { tookMs, result } = await endedBy(running, ["SIGTERM"]);
  expect(result).toMatchObject({ code: 130, signal: null });
  expect(result.stdout).toContain("3 changes with an unknown outcome");
  expect(result.stderr).not.toContain("Stopped at once.");
  expect(tookMs).toBeLessThan(AT_MOST_MS + BUSY_MS);

  service.faults.plan(() => undefined);
  expect(await startProcess(apply, { cwd: project.root, env }).ended).toMatchObject({ code: 0 });
  expect(service.scheduled().map(({ content }) => content)).toEqual(["Text a", "Text b", "Text c"]);
});

async function endedBy(
  running: RunningProcess,
  signals: readonly NodeJS.Signals[],
): Promise<{ readonly tookMs: number; readonly result: ProcessResult }> {
  const start = Date.now();
  for (const signal of signals) {
    running.kill(signal);
    // Two of the same at once are one to the system.
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const result = await running.ended;
  return { tookMs: Date.now() - start, result };
}
