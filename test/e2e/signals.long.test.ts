/** A signal ends the built command within seconds, whatever keeps it busy. Needs `npm run build`. */
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { type FileHandle, open, readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { EditingPage } from "../support/edit-requests.ts";
import { type EndedProcess, type RunningProcess, endedBy, startProcess } from "../support/run-process.ts";
import { csv, startScenario } from "../support/scenario.ts";
import { until } from "../support/until.ts";

const ROWS = ["a", "b", "c"].map((id) => [id, "2036-03-01 10:00", "twitter", `Text ${id}`]);
const CALENDAR = csv(["id", "scheduled_at", "platforms", "content"], ...ROWS);
/** The longest time that a process may take, in ms. A busy machine may need longer, but not for ever. */
const [AT_MOST_MS, BUSY_MS] = [7_000, 30_000];
/** Different ones, because the system merges two equal signals that arrive together. */
const TWICE = ["SIGTERM", "SIGINT"] as const;

/** Rows that are large input, both as a file and for the comparison. */
const LARGE = csv(
  ["id", "scheduled_at", "platforms", "content"],
  ...Array.from({ length: 2_000 }, (_, row) => [
    `r${row}`,
    "2036-03-01 10:00",
    "twitter",
    `Text number ${row}`,
  ]),
);

test.each([
  ["reads a large file", "1"],
  ["plans a large file, after it waited for the service", "2"],
])("if a process never stops working when it %s, the system ends it", async (_what, blockAt) => {
  const { project, env, service } = await startScenario({ files: { "calendars/a.csv": LARGE } });
  service.faults.at(1, { kind: "slow-after", ms: 1_000 });
  const block = fileURLToPath(new URL("../support/block-on-input.js", import.meta.url));
  const running = startProcess(["plan"], {
    cwd: project.root,
    env: { ...env, NODE_OPTIONS: `--import=${block}`, BLOCK_AT: blockAt },
  });
  await running.waitFor("blocked");
  const { tookMs, result } = await endedBy(running, ["SIGTERM"]);
  expect(result).toMatchObject({ code: null, signal: "SIGTERM" });
  expect(tookMs).toBeLessThan(BUSY_MS);
});

test("after large input, a process that waits for an answer still ends cleanly", async () => {
  const { project, env, service } = await startScenario({ files: { "calendars/a.csv": LARGE } });
  service.faults.plan(() => "hang-before");
  const running = startProcess(["plan", "--format", "json"], { cwd: project.root, env });
  await until(() => service.counters.requests > 0);
  await wait(2_000);
  const { result } = await endedBy(running, ["SIGTERM"]);
  expect(result).toMatchObject({ code: 130, signal: null });
  expect(JSON.parse(result.stdout)).toMatchObject({ version: 1 });
});

test.runIf(process.platform !== "win32")("git ends with the process that waits for it", async () => {
  const writers = new Map<RunningProcess, FileHandle>();
  const startWithGit = async (): Promise<RunningProcess> => {
    const { project } = await startScenario({ files: { "calendars/a.csv": CALENDAR, ".plancast/old": "" } });
    execFileSync("git", ["init", "--quiet", project.root]);
    // An index that only git can read, and a pipe that git reads first.
    await project.write(".git/index", "");
    const pipe = join(project.root, ".git", "config");
    await project.remove(".git/config");
    execFileSync("mkfifo", [pipe]);
    const running = startProcess(["validate"], { cwd: project.root });
    // The other end opens when git has opened the pipe.
    writers.set(running, await open(pipe, "w"));
    return running;
  };
  // While it reads a file, it ends itself by the signal, which a shell shows as exit code 130, too.
  await endedSoonerByTwo(startWithGit, ({ result: { code, signal } }) =>
    expect([130, "SIGINT"]).toContain(code ?? signal),
  );
  for (const writer of writers.values()) {
    // Nobody reads the pipe any more.
    await expect(writer.write("x")).rejects.toThrow("EPIPE");
    await writer.close();
  }
});

test.runIf(process.platform !== "win32")("a process that reads a pipe without an end is ended", async () => {
  const { project, service } = await startScenario({ files: { "calendars/a.csv": CALENDAR } });
  const writers: FileHandle[] = [];
  const startReading = async (): Promise<RunningProcess> => {
    const pipe = join(project.root, randomUUID());
    execFileSync("mkfifo", [pipe]);
    const running = startProcess(["posts", "list", "--api-key-file", pipe], {
      cwd: project.root,
      env: { PLANCAST_BASE_URL: service.url },
    });
    // The other end opens when the process has opened the pipe.
    writers.push(await open(pipe, "w"));
    return running;
  };
  await endedSoonerByTwo(startReading, ({ result }) => {
    // A shell shows this as exit code 130.
    expect(result).toMatchObject({ code: null, signal: "SIGINT" });
  });
  await Promise.all(writers.map((writer) => writer.close()));
});

/** Ends one process by one signal, and at the same time another by two. The second ends first: it does not wait. */
async function endedSoonerByTwo(
  start: () => Promise<RunningProcess>,
  check: (ended: EndedProcess) => void,
): Promise<void> {
  const [one, two] = [await start(), await start()];
  const order: number[] = [];
  await Promise.all(
    [["SIGTERM"] as const, TWICE].map(async (signals) => {
      const ended = await endedBy(signals.length === 1 ? one : two, signals);
      order.push(signals.length);
      check(ended);
      expect(ended.tookMs).toBeLessThan(AT_MOST_MS + BUSY_MS);
    }),
  );
  expect(order).toEqual([2, 1]);
}

test("a preview that is killed during an edit leaves the whole file, as it was before or after the edit", async () => {
  const rows = Array.from({ length: 2_000 }, (_, index) => [
    `p${index}`,
    "2036-03-01 10:00",
    "twitter",
    `Text ${index}`,
  ]);
  const before = csv(["id", "scheduled_at", "platforms", "content"], ...rows);
  const { project } = await startScenario({ files: { "calendars/a.csv": before } });
  const file = join(project.root, "calendars/a.csv");
  /** @param share of the time that an edit takes, after which the process is killed */
  const editUntil = async (share: number, usualMs: number): Promise<number> => {
    await project.write("calendars/a.csv", before);
    const running = startProcess(["preview", "--serve", "--offline"], { cwd: project.root });
    await running.waitFor(/upcoming posts/);
    const page = new EditingPage(running.stdout().trim());
    const post = await page.post("Text 7");
    const start = performance.now();
    const edit = page.ask({ ask: "change", post, change: { day: "2036-03-09" } }).catch(() => undefined);
    await Promise.race([edit, wait(share * usualMs)]);
    const tookMs = performance.now() - start;
    running.kill("SIGKILL");
    await Promise.all([running.ended, edit]);
    return tookMs;
  };
  const usualMs = await editUntil(1, BUSY_MS);
  const after = before.replace('"p7","2036-03-01', '"p7","2036-03-09');
  expect(await readFile(file, "utf8")).toBe(after);
  for (let quarter = 1; quarter <= 4; quarter += 1) {
    await editUntil(quarter / 4, usualMs);
    expect([before, after]).toContain(await readFile(file, "utf8"));
    // What the process leaves is no calendar, and the next run works.
    expect((await readdir(join(project.root, "calendars"))).filter((name) => name.endsWith(".csv"))).toEqual([
      "a.csv",
    ]);
  }
});
