/** A project on the contract server of a service, and one clock for both. */
import { createHash } from "node:crypto";
import { expect } from "vitest";
import type { Clock } from "../../../src/model/clock.ts";
import type { ServiceType } from "../../../src/model/service-interface.ts";
import { afterThisTest } from "../after-test.ts";
import { type TestProject, makeProject } from "../project.ts";
import { type CommandResult, runCommand } from "../run-command.ts";
import { TestClock } from "../test-clock.ts";
import type { ContractServer } from "./contract-server.ts";

/** When the tests begin. */
const NOW = Date.parse("2030-01-01T00:00:00Z");

interface ServiceServer extends Pick<
  ContractServer,
  "isBusy" | "close" | "faults" | "requests" | "whenQuiet"
> {
  readonly url: string;
  readonly key: string;
}

export interface ContractWorld<Server extends ServiceServer = ServiceServer> {
  readonly server: Server;
  readonly project: TestProject;
  readonly clock: WorldClock;
  /** For a process. */
  readonly env: Readonly<Record<string, string>>;
  /** Writes the calendar. */
  readonly write: (...rows: readonly string[]) => Promise<void>;
  readonly run: (...args: readonly string[]) => Promise<CommandResult>;
  /** `apply --yes`, which must end with this code. */
  readonly apply: (code?: number) => Promise<Applied>;
  /** The counts of a plan that are not zero. */
  readonly planned: () => Promise<Record<string, number>>;
  /** Adds settings to plancast.yaml. */
  readonly configure: (line: string) => Promise<void>;
}

/** Time that the program, the service and the test share. */
export interface WorldClock extends Clock {
  advance(ms: number): void;
}

interface Applied extends CommandResult {
  /** `action key status`, sorted. */
  readonly outcomes: readonly string[];
}

export const HEAD = "id,scheduled_at,platforms,content,media,alt,thread,first_comment\n";

/** A line of the calendar. @param rest media, alt, thread and first comment */
export function row(id: string, day: string, platforms: string, content: string, rest = ",,,"): string {
  return `${id},2030-02-${day}T09:00:00Z,"${platforms}","${content}",${rest}\n`;
}

/** @param given default: a clock in 2030 that only sleeps move */
export async function startContractWorld<Server extends ServiceServer>(
  type: ServiceType,
  start: (now: () => number) => Promise<Server>,
  files: Readonly<Record<string, string | Uint8Array>> = {},
  given?: WorldClock,
): Promise<ContractWorld<Server>> {
  const clock: WorldClock = given ?? new TestClock(() => server.isBusy(), NOW);
  const server: Server = await start(() => clock.now());
  afterThisTest(() => server.close());
  const project = await makeProject({
    config: {
      timezone: "UTC",
      calendars: ["calendar.csv", "pulled.yaml"],
      service: { type, url: server.url, timeout: "250ms" },
      safety: { max_cancels: 100, max_cancel_percent: 100 },
    },
    files,
  });
  const env = { PLANCAST_API_KEY: server.key, PLANCAST_BASE_URL: server.url };
  const run = (...args: readonly string[]): Promise<CommandResult> =>
    runCommand(args, { cwd: project.root, env, clock });
  return {
    server,
    project,
    clock,
    env,
    run,
    write: (...rows) => project.write("calendar.csv", HEAD + rows.join("")),
    configure: async (line) =>
      project.write("plancast.yaml", `${await project.read("plancast.yaml")}${line}\n`),
    apply: async (code = 0) => {
      const ran = await run("apply", "--yes", "--format", "json");
      expect([ran.code, ran.stderr]).toEqual([code, ran.stderr]);
      const { outcomes = [] }: { outcomes?: { action: string; key: string; status: string }[] } = JSON.parse(
        ran.stdout,
      );
      return {
        ...ran,
        outcomes: outcomes.map(({ action, key, status }) => `${action} ${key} ${status}`).sort(),
      };
    },
    planned: async () => {
      const ran = await run("plan", "--format", "json");
      expect([ran.code, ran.stderr]).toEqual([0, ran.stderr]);
      const { summary }: { summary: Record<string, number> } = JSON.parse(ran.stdout);
      return Object.fromEntries(Object.entries(summary).filter(([, count]) => count > 0));
    },
  };
}

export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
