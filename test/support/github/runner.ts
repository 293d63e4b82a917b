/** Runs the steps of action.yml as GitHub's runner does: the same shell, environment, files and signals. */
import { spawn, type ChildProcess } from "node:child_process";
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
        with: texts.default({}),
        env: texts.default({}),
        "working-directory": z.string().default("."),
      }),
    ),
  }),
});

export async function readAction(): Promise<z.infer<typeof actionSchema>> {
  return actionSchema.parse(parse(await readFile(join(ACTION_FOLDER, "action.yml"), "utf8")));
}

export interface JobOptions {
  /** Absolute path of the checkout. */
  readonly workspace: string;
  readonly inputs: Readonly<Record<string, string>>;
  readonly apiUrl: string;
  readonly eventName: string;
  /** What stands in the event's file. */
  readonly event: object;
  readonly sha: string;
  readonly refName?: string;
  readonly refType?: string;
  readonly actor?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Sees each step's process, with what it has printed so far; for instance to cancel the job. */
  readonly during?: (
    step: string,
    child: ChildProcess,
    log: () => string,
    cancel: () => void,
  ) => Promise<void>;
  /** An action that a step uses; with its inputs. */
  readonly uses?: (name: string, inputs: Readonly<Record<string, string>>) => Promise<void>;
}

interface StepRecord {
  readonly name: string;
  readonly outcome: "success" | "failure" | "skipped" | "cancelled";
  readonly code: number | null;
  /** stdout and stderr, as the log shows them. */
  readonly log: string;
  readonly summary: string;
  readonly outputs: Readonly<Record<string, string>>;
  /** What it wrote to GITHUB_ENV and GITHUB_PATH. */
  readonly leaked: string;
}

export interface JobRecord {
  readonly steps: readonly StepRecord[];
  /** Of the whole action. */
  readonly outputs: Readonly<Record<string, string>>;
  readonly failed: boolean;
  step(name: RegExp): StepRecord;
}

export const TOKEN = "ghs_0123456789secretTokenOfTheJob";

/** What a step inherits of this process: nothing of plancast, nothing of a real runner. */
const INHERITED = ["PATH", "HOME", "TMPDIR"] as const;

export async function runAction(options: JobOptions): Promise<JobRecord> {
  const action = await readAction();
  const temp = await realpath(await mkdtemp(join(tmpdir(), "plancast-runner-")));
  afterThisTest(() => rm(temp, { recursive: true, force: true }));
  await writeFile(join(temp, "event.json"), JSON.stringify(options.event));
  const given = Object.entries(action.inputs).map(([name, { default: usual = "", required }]) => {
    const value = options.inputs[name] ?? interpolate(usual, { "github.token": TOKEN });
    if (required && value === "") throw new Error(`the input ${name} is required`);
    return [`inputs.${name}`, value] as const;
  });
  const strangers = Object.keys(options.inputs).filter((name) => !(name in action.inputs));
  if (strangers.length > 0) throw new Error(`no such input: ${strangers.join(", ")}`);
  const steps: StepRecord[] = [];
  const contexts: Record<string, unknown> = {
    ...Object.fromEntries(given),
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
      steps.push({
        name: step.name,
        outcome: "skipped",
        code: 0,
        log: "",
        summary: "",
        outputs: {},
        leaked: "",
      });
      continue;
    }
    const fill = (fields: Readonly<Record<string, string>>): Record<string, string> =>
      Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, interpolate(value, now)]));
    if (step.uses !== undefined) {
      // oxlint-disable-next-line no-await-in-loop
      await options.uses?.(step.uses, fill(step.with));
      continue;
    }
    let cancelled = false;
    const cancel = (): void => void (cancelled = true);
    const folder = interpolate(step["working-directory"], now);
    const script = interpolate(step.run ?? "", now);
    // oxlint-disable-next-line no-await-in-loop
    const ran = await runStep(options, {
      name: step.name,
      script,
      env: fill(step.env),
      folder,
      temp,
      cancel,
    });
    const outcome = cancelled ? "cancelled" : ran.code === 0 ? "success" : "failure";
    if (outcome !== "success" && state === "success") state = outcome;
    steps.push({ ...ran, outcome });
    if (step.id === undefined) continue;
    contexts[`steps.${step.id}.outcome`] = outcome;
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

interface Step {
  readonly name: string;
  readonly script: string;
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly temp: string;
  readonly cancel: () => void;
}

let count = 0;

async function runStep(options: JobOptions, step: Step): Promise<Omit<StepRecord, "outcome">> {
  count += 1;
  const file = (name: string): string => join(step.temp, `${count}-${name}`);
  const files = {
    GITHUB_OUTPUT: file("output"),
    GITHUB_STEP_SUMMARY: file("summary"),
    GITHUB_ENV: file("env"),
    GITHUB_PATH: file("path"),
  };
  await Promise.all(Object.values(files).map((path) => writeFile(path, "")));
  await writeFile(file("script.sh"), step.script);
  const inherited = INHERITED.map((name) => [name, process.env[name] ?? ""]);
  const cwd = step.folder.startsWith("/") ? step.folder : join(options.workspace, step.folder);
  const child = spawn("bash", ["--noprofile", "--norc", "-eo", "pipefail", file("script.sh")], {
    cwd,
    env: {
      ...Object.fromEntries(inherited),
      CI: "true",
      GITHUB_ACTIONS: "true",
      GITHUB_ACTION_PATH: ACTION_FOLDER,
      GITHUB_ACTOR: options.actor ?? "octocat",
      GITHUB_API_URL: options.apiUrl,
      GITHUB_SERVER_URL: "https://github.example",
      GITHUB_EVENT_NAME: options.eventName,
      GITHUB_EVENT_PATH: join(step.temp, "event.json"),
      GITHUB_REPOSITORY: "acme/social",
      GITHUB_REF_NAME: options.refName ?? "main",
      GITHUB_REF_TYPE: options.refType ?? "branch",
      GITHUB_RUN_ID: "4711",
      GITHUB_RUN_ATTEMPT: "1",
      GITHUB_SHA: options.sha,
      GITHUB_WORKSPACE: options.workspace,
      RUNNER_TEMP: step.temp,
      ...files,
      ...options.env,
      ...step.env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  afterThisTest(() => void child.kill("SIGKILL"));
  const parts: Uint8Array[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (part: Uint8Array) => parts.push(part));
  const log = (): string => Buffer.concat(parts).toString("utf8");
  const ended = new Promise<number | null>((resolve) => void child.once("close", resolve));
  await options.during?.(step.name, child, log, step.cancel);
  const code = await ended;
  return {
    name: step.name,
    code,
    log: log(),
    summary: await textOf(files.GITHUB_STEP_SUMMARY),
    outputs: parseOutputs(await textOf(files.GITHUB_OUTPUT)),
    leaked: (await textOf(files.GITHUB_ENV)) + (await textOf(files.GITHUB_PATH)),
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

export interface RunnerCommand {
  readonly command: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly message: string;
}

/** What the runner takes for commands in a log. Source: actions/runner, src/Runner.Common/ActionCommand.cs. */
export function commandsIn(log: string): RunnerCommand[] {
  return log.split(/\r?\n/).flatMap((line): RunnerCommand[] => {
    const second = /^\s*::([^\s:]+)(?: (.*?))?::(.*)$/.exec(line);
    const first = /##\[([^\]\s]+)([^\]]*)\](.*)$/.exec(line);
    const [, command, given = "", message = ""] = second ?? first ?? [];
    if (command === undefined) return [];
    const properties = given.split(",").flatMap((pair): [string, string][] => {
      const [name = "", ...value] = pair.split("=");
      return name === "" ? [] : [[name.trim(), unescape(value.join("="))]];
    });
    return [{ command, properties: Object.fromEntries(properties), message: unescape(message) }];
  });
}

function unescape(text: string): string {
  return text
    .replaceAll("%0D", "\r")
    .replaceAll("%0A", "\n")
    .replaceAll("%3A", ":")
    .replaceAll("%2C", ",")
    .replaceAll("%25", "%");
}
