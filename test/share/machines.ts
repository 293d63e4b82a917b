/** Several checkouts that share a real Redis, and the service whose one key they use. */
import { afterThisTest } from "../support/after-test.ts";
import { startForeignService, type ForeignOptions, type ForeignService } from "../support/foreign-service.ts";
import { makeProject, type TestProject } from "../support/project.ts";
import { startRedis, type RedisOptions, type TestRedis } from "../support/redis-server.ts";
import { runCommand, type CommandResult } from "../support/run-command.ts";
import { startProcess, type RunningProcess } from "../support/run-process.ts";
import { csv } from "../support/scenario.ts";

interface Machine {
  readonly project: TestProject;
  readonly run: (...args: string[]) => Promise<CommandResult>;
  readonly start: (...args: string[]) => RunningProcess;
}

export interface Machines {
  readonly service: ForeignService;
  readonly redis: TestRedis;
  /** A checkout of the project of that name, whose calendar has so many rows. */
  readonly checkout: (name: string | undefined, rows: number, config?: object) => Promise<Machine>;
}

export const APPLY = ["apply", "--yes", "--format", "json"] as const;

export async function startMachines(
  options: ForeignOptions = {},
  redisOptions: RedisOptions = {},
): Promise<Machines> {
  // A list that says where it ends: its length means nothing.
  const service = await startForeignService({ paging: "next-cursor", pageSize: 500, ...options });
  afterThisTest(() => service.close());
  const redis = await startRedis(redisOptions);
  return {
    service,
    redis,
    checkout: (name, rows, config = {}) => checkout({ service, redis }, name, rows, config),
  };
}

async function checkout(
  { service, redis }: Pick<Machines, "service" | "redis">,
  name: string | undefined,
  rows: number,
  config: object,
): Promise<Machine> {
  const said = { timezone: "UTC", safety: { settle: "0s" }, service: { timeout: "5s" }, ...config };
  const project = await makeProject({
    files: { "calendars/a.csv": calendar(name ?? "post", rows) },
    config: name === undefined ? said : { project: name, ...said },
  });
  const env = {
    PLANCAST_BASE_URL: service.url,
    PLANCAST_API_KEY: service.key,
    PLANCAST_REDIS_URL: redis.url,
  };
  const options = { cwd: project.root, env };
  return {
    project,
    run: (...args) => runCommand(args, options),
    start: (...args) => startProcess(args, options),
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

/** What an apply that printed JSON says that it did. */
export function summaryOf({ stdout }: CommandResult): Record<string, number> {
  return JSON.parse(stdout).summary;
}

/** Requests of each window, as a service counts that begins one with the first request after the last one's end. */
export function perWindow(service: ForeignService, windowMs: number): readonly number[] {
  const windows: number[] = [];
  let end = -Infinity;
  for (const { at } of service.requests) {
    if (at >= end) {
      windows.push(0);
      end = at + windowMs;
    }
    windows[windows.length - 1] = (windows.at(-1) ?? 0) + 1;
  }
  return windows;
}

export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  // oxlint-disable-next-line no-await-in-loop
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 10));
}
