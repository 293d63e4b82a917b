/** A project, a foreign service and one clock for both; apply runs in this process, or as a process that is killed. */

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pathToFileURL } from "node:url";
import { main } from "../../src/commands/main.ts";
import type { Shell } from "../../src/commands/shell/shell.ts";
import { afterThisTest } from "../support/after-test.ts";
import { type ForeignOptions, type ForeignService, startForeignService } from "../support/foreign-service.ts";
import { type TestProject, makeProject } from "../support/project.ts";
import { runProcess } from "../support/run-process.ts";
import { TestClock } from "./test-clock.ts";

export interface Ran {
  /** Null when it was killed. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ChaosOptions {
  readonly service?: ForeignOptions;
  /** Settings under `service:` of plancast.yaml. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** Default: one. If there are several and one is revoked, `useNextKey` takes the next. */
  readonly keys?: number;
}

/** How long a create with an unknown result waits: the program's default. */
export const SETTLE_MS = 120_000;
/** Longest wait for an answer, in real time, so that a hanging request costs a test no more. */
const TIMEOUT = "250ms";
/** The most runs after a fault until an apply must end with 0. */
const MAX_FURTHER_RUNS = 3;

export class ChaosWorld {
  readonly service: ForeignService;
  readonly project: TestProject;
  readonly clock: TestClock;
  readonly #folder: string;
  readonly #keys: readonly string[];
  #key = 0;

  private constructor(
    service: ForeignService,
    project: TestProject,
    clock: TestClock,
    folder: string,
    keys: readonly string[],
  ) {
    this.service = service;
    this.project = project;
    this.clock = clock;
    this.#folder = folder;
    this.#keys = keys;
  }

  static async start({
    service: options,
    settings = {},
    files = {},
    keys = 1,
  }: ChaosOptions): Promise<ChaosWorld> {
    const folder = await mkdtemp(join(tmpdir(), "plancast-chaos-"));
    const clock = new TestClock(join(folder, "clock"));
    const names = Array.from({ length: keys }, (_, index) => `sk_chaos_${index}`);
    const service = await startForeignService({
      now: () => clock.now(),
      keys: Object.fromEntries(names.map((name) => [name, "write" as const])),
      ...options,
    });
    const config = {
      timezone: "UTC",
      service: { timeout: TIMEOUT, ...settings },
      safety: { max_cancels: 1_000, max_cancel_percent: 100 },
    };
    const project = await makeProject({ files, config });
    const world = new ChaosWorld(service, project, clock, folder, names);
    afterThisTest(() => world.close());
    return world;
  }

  async close(): Promise<void> {
    await this.service.close();
    await this.project.dispose();
    await rm(this.#folder, { recursive: true, force: true });
  }

  get env(): Record<string, string> {
    return { PLANCAST_BASE_URL: this.service.url, PLANCAST_API_KEY: this.#keys[this.#key] ?? "" };
  }

  /** After a key was revoked. */
  useNextKey(): void {
    this.#key += 1;
  }

  /** `apply --yes` in this process, with real files and real HTTP. */
  async apply({
    stop,
    args = {},
    allowRecreates,
  }: {
    stop?: AbortSignal;
    args?: { plan?: string };
    allowRecreates?: number | undefined;
  } = {}): Promise<Ran> {
    const words = [
      "apply",
      "--yes",
      "--format",
      "json",
      ...(args.plan === undefined ? [] : ["--plan", args.plan]),
      ...(allowRecreates === undefined ? [] : ["--allow-recreates", String(allowRecreates)]),
    ];
    return this.#inProcess(stop, (shell) => main(words, shell));
  }

  /** The counts of a plan's summary that are not zero. Throws when there is no plan. */
  async planned(): Promise<Record<string, number>> {
    const ran = await this.plan();
    if (ran.code !== 0) throw new Error(`plan ended with ${ran.code}\n${ran.stderr}`);
    const { summary }: { summary: Record<string, number> } = JSON.parse(ran.stdout);
    return Object.fromEntries(Object.entries(summary).filter(([, count]) => count > 0));
  }

  async plan(): Promise<Ran> {
    return this.#inProcess(undefined, (shell) => main(["plan", "--format", "json"], shell));
  }

  /**
   * `apply --yes` as a process that is killed at the step; with 0, never. `report`: what the step did, or how many
   * steps there were.
   */
  async applyAndDie(step: number): Promise<Ran & { readonly report: string }> {
    const report = join(this.#folder, "report");
    await rm(report, { force: true });
    const ran = await runProcess(["apply", "--yes", "--format", "json"], {
      cwd: this.project.root,
      env: {
        ...this.env,
        NODE_OPTIONS: `--import ${PRELOAD}`,
        CHAOS_KILL_AT: String(step),
        CHAOS_REPORT: report,
        CHAOS_CLOCK: this.clock.file,
      },
    });
    return { ...ran, report: await readFile(report, "utf8").catch(() => "") };
  }

  /**
   * Runs apply until it ends with 0, and allows the missing posts that it names. Returns the number of runs. Throws
   * after `MAX_FURTHER_RUNS`.
   * Requests of an earlier run arrive before the settling time is over.
   */
  async converge(): Promise<number> {
    const runs: Ran[] = [];
    while (runs.length < MAX_FURTHER_RUNS) {
      // The runs follow each other: each continues where the one before was killed.
      await this.service.whenQuiet();
      // A run that could not read the whole list says nothing about missing posts.
      const counts = runs.map(missingIn).filter((count) => count !== undefined && count > 0);
      const ran = await this.apply({ allowRecreates: counts.at(-1) });
      if (ran.code === 0) return runs.length + 1;
      runs.push(ran);
      if (ran.code === 3) this.clock.advance(SETTLE_MS + 1_000);
    }
    const told = runs.map(({ code, stdout, stderr }) => `exit ${code}\n${stdout}\n${stderr}`);
    throw new Error(`No apply ended with 0 in ${MAX_FURTHER_RUNS} runs:\n${told.join("\n")}`);
  }

  async #inProcess(stop: AbortSignal | undefined, run: (shell: Shell) => Promise<number>): Promise<Ran> {
    let stdout = "";
    let stderr = "";
    const shell: Shell = {
      stdout: { write: (text) => void (stdout += text), isTerminal: false, columns: 100 },
      stderr: { write: (text) => void (stderr += text), isTerminal: false, columns: 100 },
      env: this.env,
      cwd: this.project.root,
      clock: this.clock,
      random: () => 0.5,
      randomBytes: (bytes) => new Uint8Array(bytes),
      stop: stop ?? new AbortController().signal,
      isInteractive: false,
      answered: new Map(),
      input: () => Readable.from([]),
      node: { version: process.versions.node, zones: process.versions.tz },
      confirm: async () => false,
      ask: async () => undefined,
      abandoned: () => new Promise(() => undefined),
      prepareForLongRun: () => undefined,
    };
    const code = await run(shell);
    return { code, stdout, stderr };
  }
}

const PRELOAD = pathToFileURL(new URL("../support/kill-at-step.js", import.meta.url).pathname).href;

/** How many missing posts a run named when it refused to create them again. */
export function missingIn(ran: Ran | undefined): number | undefined {
  const [, count] = /--allow-recreates\s+(\d+)/.exec(ran?.stderr ?? "") ?? [];
  return count === undefined ? undefined : Number(count);
}
