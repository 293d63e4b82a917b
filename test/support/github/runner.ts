/**
 * Runs the steps of action.yml as GitHub's runner does: conditions, inputs, environment, files and outputs. The caller
 * decides how a step's script runs: in a shell with the built command (`in-shell.ts`), or in this process
 * (`in-process.ts`).
 */
import { mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { z } from "zod";
import { afterThisTest } from "../after-test.ts";
import { interpolate, isTrue, type Contexts } from "./expression.ts";

export const ACTION_FOLDER = fileURLToPath(new URL("../../../", import.meta.url));

const texts = z.record(z.string(), z.union([z.string(), z.boolean(), z.number()]).transform(String));

export const actionSchema = z.object({
  inputs: z.record(
    z.string(),
    z.object({
      description: z.string(),
      required: z.boolean().default(false),
      default: z.string().optional(),
    }),
  ),
  outputs: z.record(z.string(), z.object({ description: z.string(), value: z.string() })),
  runs: z.object({
    using: z.literal("composite"),
    steps: z.array(
      z.object({
        name: z.string(),
        id: z.string().optional(),
        if: z.string().default("success()"),
        shell: z.literal("bash").optional(),
        run: z.string().optional(),
        uses: z.string().optional(),
        "continue-on-error": z.boolean().default(false),
        with: texts.default({}),
        env: texts.default({}),
        "working-directory": z.string().default("."),
      }),
    ),
  }),
});

/** Read once, because every job needs it. */
let action: Promise<z.infer<typeof actionSchema>> | undefined;

export function readAction(): Promise<z.infer<typeof actionSchema>> {
  action ??= readFile(join(ACTION_FOLDER, "action.yml"), "utf8").then((text) =>
    actionSchema.parse(parse(text)),
  );
  return action;
}

/** The script of a step, with what the runner gives it. */
export interface Script {
  /** Of the step. */
  readonly id: string | undefined;
  readonly text: string;
  readonly cwd: string;
  /** The whole environment, except variables that every process inherits: PATH, HOME and TMPDIR. */
  readonly env: Readonly<Record<string, string>>;
}

/** SIGINT and SIGTERM ask it to stop, SIGKILL kills it. */
export type StopSignal = "SIGINT" | "SIGTERM" | "SIGKILL";

export interface RunningScript {
  /** Sends a signal to the one process that the script has become, as the runner does. */
  readonly stop: (signal: StopSignal) => void;
  readonly ended: Promise<EndedScript>;
}

export interface EndedScript {
  /** Null when a signal ended the process. */
  readonly code: number | null;
  /** stdout and stderr, as the log shows them. */
  readonly log: string;
}

export type StartScript = (script: Script) => Promise<RunningScript>;

/** A step while it runs. */
interface RunningStep {
  readonly name: string;
  /** Cancels the job. */
  readonly cancel: (signal: StopSignal) => void;
  /** Kills the step's process; the job continues. */
  readonly kill: () => void;
}

export interface JobOptions {
  readonly startScript: StartScript;
  /** Absolute path of the checkout. */
  readonly workspace: string;
  readonly inputs: Readonly<Record<string, string>>;
  readonly apiUrl: string;
  readonly eventName: string;
  /** The content of the event's file. */
  readonly event: object;
  readonly sha: string;
  readonly refName?: string;
  readonly refType?: string;
  readonly actor?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Called as soon as a step's script runs. */
  readonly during?: (step: RunningStep) => unknown;
  /** An action that a step uses, with its inputs. Returns its outputs; throws if it fails. */
  readonly uses?: (name: string, inputs: Readonly<Record<string, string>>) => Promise<ActionOutputs>;
}

type ActionOutputs = Readonly<Record<string, string>> | undefined | void;

interface StepRecord extends EndedScript {
  readonly name: string;
  readonly outcome: "success" | "failure" | "skipped" | "cancelled";
  readonly summary: string;
  readonly outputs: Readonly<Record<string, string>>;
  /** What it wrote to GITHUB_ENV and GITHUB_PATH. */
  readonly leaked: string;
}

const SKIPPED = { outcome: "skipped", code: 0, log: "", summary: "", outputs: {}, leaked: "" } as const;

export interface JobRecord {
  readonly steps: readonly StepRecord[];
  /** The outputs of the whole action. */
  readonly outputs: Readonly<Record<string, string>>;
  readonly failed: boolean;
  step(name: RegExp): StepRecord;
}

export const TOKEN = "ghs_0123456789secretTokenOfTheJob";

export async function runAction(options: JobOptions): Promise<JobRecord> {
  const action = await readAction();
  const temp = await realpath(await mkdtemp(join(tmpdir(), "plancast-runner-")));
  afterThisTest(() => rm(temp, { recursive: true, force: true }));
  await writeFile(join(temp, "event.json"), JSON.stringify(options.event));
  const steps: StepRecord[] = [];
  const contexts: Record<string, unknown> = {
    ...givenInputs(action, options.inputs),
    "github.action_path": ACTION_FOLDER,
    "github.token": TOKEN,
    "steps.none": "",
  };
  let state: "success" | "failure" | "cancelled" = "success";
  for (const step of action.runs.steps) {
    const now: Contexts = {
      ...contexts,
      "always()": true,
      "success()": state === "success",
      "failure()": state === "failure",
      "cancelled()": state === "cancelled",
    };
    if (!isTrue(step.if, now)) {
      steps.push({ ...SKIPPED, name: step.name });
      continue;
    }
    const fill = (fields: Readonly<Record<string, string>>): Record<string, string> =>
      Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, interpolate(value, now)]));
    if (step.uses !== undefined) {
      try {
        const outputs = (await options.uses?.(step.uses, fill(step.with))) ?? {};
        for (const [name, value] of Object.entries(outputs))
          contexts[`steps.${step.id}.outputs.${name}`] = value;
      } catch (error) {
        if (!step["continue-on-error"]) throw error;
      }
      continue;
    }
    const folder = interpolate(step["working-directory"], now);
    const ran = await runStep(options, temp, {
      name: step.name,
      id: step.id,
      text: interpolate(step.run ?? "", now),
      env: fill(step.env),
      cwd: folder.startsWith("/") ? folder : join(options.workspace, folder),
    });
    if (ran.outcome !== "success" && state === "success") state = ran.outcome;
    steps.push(ran);
    if (step.id === undefined) continue;
    contexts[`steps.${step.id}.outcome`] = ran.outcome;
    for (const [name, value] of Object.entries(ran.outputs))
      contexts[`steps.${step.id}.outputs.${name}`] = value;
  }
  return {
    steps,
    failed: state !== "success",
    outputs: Object.fromEntries(
      Object.entries(action.outputs).map(([name, { value }]) => [name, interpolate(value, contexts)]),
    ),
    step: (name) => {
      const found = steps.find((each) => name.test(each.name));
      if (found === undefined) throw new Error(`no step is called ${String(name)}`);
      return found;
    },
  };
}

/** The inputs as contexts, with their defaults. */
function givenInputs(
  action: z.infer<typeof actionSchema>,
  inputs: JobOptions["inputs"],
): Record<string, string> {
  const strangers = Object.keys(inputs).filter((name) => !(name in action.inputs));
  if (strangers.length > 0) throw new Error(`no such input: ${strangers.join(", ")}`);
  const given = Object.entries(action.inputs).map(([name, { default: usual = "", required }]) => {
    const value = inputs[name] ?? interpolate(usual, { "github.token": TOKEN });
    if (required && value === "") throw new Error(`the input ${name} is required`);
    return [`inputs.${name}`, value] as const;
  });
  return Object.fromEntries(given);
}

type RanStep = StepRecord & { readonly outcome: "success" | "failure" | "cancelled" };

async function runStep(
  options: JobOptions,
  temp: string,
  step: Script & { readonly name: string },
): Promise<RanStep> {
  const folder = await mkdtemp(join(temp, "step-"));
  const files = {
    GITHUB_OUTPUT: join(folder, "output"),
    GITHUB_STEP_SUMMARY: join(folder, "summary"),
    GITHUB_ENV: join(folder, "env"),
    GITHUB_PATH: join(folder, "path"),
  };
  await Promise.all(Object.values(files).map((path) => writeFile(path, "")));
  const env = { ...runnerEnv(options, temp), ...files, ...options.env, ...step.env };
  const running = await options.startScript({ ...step, env });
  let isCancelled = false;
  await options.during?.({
    name: step.name,
    cancel: (signal) => {
      isCancelled = true;
      running.stop(signal);
    },
    kill: () => running.stop("SIGKILL"),
  });
  const { code, log } = await running.ended;
  return {
    name: step.name,
    outcome: isCancelled ? "cancelled" : code === 0 ? "success" : "failure",
    code,
    log,
    summary: await textOf(files.GITHUB_STEP_SUMMARY),
    outputs: parseOutputs(await textOf(files.GITHUB_OUTPUT)),
    leaked: (await textOf(files.GITHUB_ENV)) + (await textOf(files.GITHUB_PATH)),
  };
}

/** The variables that every step of a job gets. Source: docs.github.com, "Variables reference". */
function runnerEnv(options: JobOptions, temp: string): Record<string, string> {
  return {
    CI: "true",
    GITHUB_ACTIONS: "true",
    GITHUB_ACTION_PATH: ACTION_FOLDER,
    GITHUB_ACTOR: options.actor ?? "octocat",
    GITHUB_API_URL: options.apiUrl,
    GITHUB_SERVER_URL: "https://github.example",
    GITHUB_EVENT_NAME: options.eventName,
    GITHUB_EVENT_PATH: join(temp, "event.json"),
    GITHUB_REPOSITORY: "acme/social",
    GITHUB_REF_NAME: options.refName ?? "main",
    GITHUB_REF_TYPE: options.refType ?? "branch",
    GITHUB_RUN_ID: "4711",
    GITHUB_RUN_ATTEMPT: "1",
    GITHUB_SHA: options.sha,
    GITHUB_WORKSPACE: options.workspace,
    RUNNER_TEMP: temp,
  };
}

function textOf(path: string): Promise<string> {
  return readFile(path, "utf8");
}

/** Source: actions/runner, src/Runner.Worker/FileCommandManager.cs. */
function parseOutputs(text: string): Record<string, string> {
  const outputs: Record<string, string> = {};
  const lines = text.split("\n");
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    if (line === "") continue;
    const [, name = "", mark, rest = ""] = /^(.*?)(=|<<)(.*)$/.exec(line) ?? [];
    if (mark === undefined) throw new Error(`the runner does not understand ${line}`);
    if (mark === "=") {
      outputs[name] = rest;
      continue;
    }
    const end = lines.indexOf(rest, index + 1);
    if (end === -1) throw new Error(`the runner finds no ${rest}`);
    outputs[name] = lines.slice(index + 1, end).join("\n");
    index = end;
  }
  return outputs;
}
