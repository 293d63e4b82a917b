/** A project, a foreign service and the commands in this process, connected for scenario tests. */
import { z } from "zod";
import { startForeignService, type ForeignOptions, type ForeignService } from "./foreign-service.ts";
import { afterThisTest } from "./after-test.ts";
import { makeProject, type TestProject } from "./project.ts";
import { TestClock } from "./test-clock.ts";
import { startCommand, type CommandResult, type RunningCommand } from "./run-command.ts";

export interface ScenarioOptions {
  readonly service?: ForeignOptions;
  readonly config?: Readonly<Record<string, unknown>>;
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  /** How far the service's clock is ahead of the commands', in ms. */
  readonly serviceAheadMs?: number;
}

const planDocument = z.object({
  hash: z.string(),
  summary: z.record(z.string(), z.number()),
  guards: z.array(z.object({ code: z.string() })),
  uploads: z.array(z.object({ path: z.string() })),
  changes: z.array(
    z.object({
      action: z.string(),
      key: z.string(),
      fields: z.array(z.string()).optional(),
      reason: z.string().optional(),
    }),
  ),
  missing: z.array(
    z.object({
      key: z.string(),
      post_id: z.string().optional(),
      besides: z.array(z.string()),
      reason: z.string(),
    }),
  ),
  problems: z.array(
    z.object({
      code: z.string(),
      file: z.string().optional(),
      line: z.number().optional(),
      column: z.number().optional(),
      message: z.string(),
    }),
  ),
});

const applyDocument = z.object({
  summary: z.record(z.string(), z.number()),
  outcomes: z.array(z.object({ key: z.string(), action: z.string(), status: z.string() })),
  requests: z.number(),
});

export interface Scenario {
  readonly service: ForeignService;
  /** The time of the service and of the commands, which sleeping moves. */
  readonly clock: TestClock;
  readonly project: TestProject;
  readonly run: (...args: string[]) => Promise<CommandResult>;
  readonly start: (...args: string[]) => RunningCommand;
  /** The document that a command prints with `--format json`; fails the test unless the command ends with the exit code. */
  readonly json: (exit: number, ...args: string[]) => Promise<Record<string, unknown>>;
  /** `plan --format json`, read. */
  readonly plan: (...args: string[]) => Promise<z.infer<typeof planDocument>>;
  /** `apply --yes --format json`, read; fails the test unless it ends with the exit code (default 0). */
  readonly apply: (options?: { exit?: number; args?: string[] }) => Promise<z.infer<typeof applyDocument>>;
  /** The counts of a plan that are not zero. */
  readonly summary: (...args: string[]) => Promise<Record<string, number>>;
  readonly env: Readonly<Record<string, string>>;
}

export async function startScenario({
  service: options,
  config = {},
  files,
  serviceAheadMs = 0,
}: ScenarioOptions): Promise<Scenario> {
  const clock: TestClock = new TestClock(() => service.isBusy());
  const service: ForeignService = await startForeignService({
    now: () => clock.now() + serviceAheadMs,
    ...options,
  });
  afterThisTest(() => service.close());
  const settings = { timezone: "Europe/Paris", ...config };
  const project = await makeProject({ files, config: settings });
  const env = { PLANCAST_BASE_URL: service.url, PLANCAST_API_KEY: service.key };
  const start = (...args: string[]): RunningCommand => startCommand(args, { cwd: project.root, env, clock });
  const run = (...args: string[]): Promise<CommandResult> => start(...args).ended;
  const plan = async (...args: string[]) =>
    planDocument.parse(parse(await run("plan", "--format", "json", ...args)));
  return {
    service,
    clock,
    project,
    env,
    run,
    start,
    json: async (exit, ...args) => {
      const ended = await run(...args, "--format", "json");
      if (ended.code !== exit) throw new Error(`exit ${ended.code}\n${ended.stdout}\n${ended.stderr}`);
      return JSON.parse(ended.stdout);
    },
    plan,
    apply: async ({ exit = 0, args = [] } = {}) => {
      const ended = await run("apply", "--yes", "--format", "json", ...args);
      if (ended.code !== exit)
        throw new Error(`apply ended with ${ended.code}\n${ended.stdout}\n${ended.stderr}`);
      return applyDocument.parse(parse(ended));
    },
    summary: async (...args) => {
      const { summary } = await plan(...args);
      return Object.fromEntries(Object.entries(summary).filter(([, count]) => count > 0));
    },
  };
}

function parse({ stdout, stderr, code }: CommandResult): unknown {
  try {
    return JSON.parse(stdout);
  } catch {
    throw new Error(`no JSON on stdout; exit ${code}\n${stdout}\n${stderr}`);
  }
}

/** A CSV calendar of rows; each is quoted, so texts may hold anything. */
export function csv(header: readonly string[], ...rows: readonly (readonly string[])[]): string {
  return `${[header, ...rows].map(csvLine).join("\n")}\n`;
}

function csvLine(cells: readonly string[]): string {
  return cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",");
}
