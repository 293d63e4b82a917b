/** Several checkouts that share a real Redis and one key of a service. */

import type { Clock } from "../../../src/model/clock.ts";
import { systemClock } from "../../../src/service/system-clock.ts";
import { afterThisTest } from "../../support/after-test.ts";
import {
  type ForeignOptions,
  type ForeignService,
  startForeignService,
} from "../../support/foreign-service.ts";
import { type TestProject, makeProject } from "../../support/project.ts";
import type { TestRedis } from "../../support/redis-server.ts";
import { type CommandResult, type RunningCommand, startCommand } from "../../support/run-command.ts";
import { type RunningProcess, startProcess } from "../../support/run-process.ts";
import { csv } from "../../support/scenario.ts";

interface CheckoutOptions {
  readonly config?: Readonly<Record<string, unknown>>;
  readonly clock?: Clock;
}

interface Machine {
  readonly project: TestProject;
  readonly env: Readonly<Record<string, string>>;
  /** Runs in this process, but with its own connections. */
  readonly start: (...args: string[]) => RunningCommand;
  readonly run: (...args: string[]) => Promise<CommandResult>;
  /** The built command. */
  readonly startProcess: (...args: string[]) => RunningProcess;
}

export interface Machines {
  readonly service: ForeignService;
  readonly redis: TestRedis;
  /** A checkout of the project of that name, whose calendar has this many rows. */
  readonly checkout: (name: string | undefined, rows: number, options?: CheckoutOptions) => Promise<Machine>;
}

export const APPLY = ["apply", "--yes", "--format", "json"] as const;

export async function startMachines(redis: TestRedis, options: ForeignOptions = {}): Promise<Machines> {
  // A list that shows its end, so its length means nothing.
  const service = await startForeignService({ paging: "next-cursor", pageSize: 500, ...options });
  afterThisTest(() => service.close());
  return {
    service,
    redis,
    checkout: (name, rows, given = {}) => checkout({ service, redis }, name, rows, given),
  };
}

async function checkout(
  { service, redis }: Pick<Machines, "service" | "redis">,
  name: string | undefined,
  rows: number,
  { config, clock = systemClock }: CheckoutOptions,
): Promise<Machine> {
  const settings = { timezone: "UTC", safety: { settle: "0s" }, service: { timeout: "1m" }, ...config };
  const project = await makeProject({
    files: { "calendars/a.csv": calendar(name ?? "post", rows) },
    config: name === undefined ? settings : { project: name, ...settings },
  });
  const env = {
    PLANCAST_BASE_URL: service.url,
    PLANCAST_API_KEY: service.key,
    PLANCAST_REDIS_URL: redis.url,
  };
  const options = { cwd: project.root, env };
  const start = (...args: string[]): RunningCommand => startCommand(args, { ...options, clock });
  return {
    project,
    env,
    start,
    run: (...args) => start(...args).ended,
    startProcess: (...args) => startProcess(args, options),
  };
}

function calendar(name: string, count: number): string {
  const rows = Array.from({ length: count }, (_, index) => [
    `${name}-${index}`,
    `2036-03-${String(1 + (index % 28)).padStart(2, "0")} 10:00`,
    "twitter",
    `${name} ${index}`,
  ]);
  return csv(["id", "scheduled_at", "platforms", "content"], ...rows);
}

export interface HeldRequest {
  /** Resolves when the request has arrived. */
  readonly arrived: Promise<void>;
  readonly release: () => void;
}

/** The n-th POST from now arrives. The service handles it only after it is released. */
export function holdPost({ faults }: ForeignService, n: number): HeldRequest {
  let [arrive, release] = [(): void => {}, (): void => {}];
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  const released = new Promise<void>((resolve) => (release = resolve));
  const run = (): Promise<void> => {
    arrive();
    return released;
  };
  faults.at(n, { kind: "run-before", run }, { method: "POST" });
  afterThisTest(() => release());
  return { arrived, release };
}

/** The output of commands that failed; empty if all succeeded. */
export function failuresOf(ended: readonly CommandResult[]): string {
  return ended.map(({ code, stderr }) => (code === 0 ? "" : stderr)).join("");
}

/** The outcomes in the JSON that an apply printed. */
export function summaryOf({ stdout, stderr }: CommandResult): Record<string, number> {
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout).summary;
}

/** Message texts are wrapped to the terminal's width. */
export function unwrapped(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}
