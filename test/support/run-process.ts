/** The built command as a real process, with its own environment. Needs `npm run build`. */
import { spawn, type ChildProcessByStdio } from "node:child_process";
import { existsSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { setTimeout as wait } from "node:timers/promises";
import manifest from "../../package.json" with { type: "json" };
import { afterThisTest } from "./after-test.ts";

export interface ProcessOptions {
  readonly cwd: string;
  /** Added to the variables in `INHERITED`, which every process needs. Nothing else is inherited. */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether stdin stays an open pipe, as for a program that never writes to it. */
  readonly keepsInputOpen?: boolean;
  /** Content of stdin. The input. It is not a terminal, and ends after this text. */
  readonly input?: string | Uint8Array;
  /** Kills the process (SIGKILL) after this many ms. */
  readonly killAfter?: number;
  /** The script to run; default: the one that package.json names. */
  readonly script?: string;
  /** Whether no file can be written, as on a full disk. Not on Windows. */
  readonly fullDisk?: boolean;
}

export interface ProcessResult {
  /** Null when a signal ended the process. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningProcess {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  /** What it has written so far. */
  stdout(): string;
  stderr(): string;
  /** Resolves when stdout or stderr holds this; rejects when the process ends without it. */
  waitFor(text: string | RegExp): Promise<void>;
  /** Sends a signal; false when the process is gone. */
  kill(signal: NodeJS.Signals): boolean;
  /** Resolves when the process has ended and its output is read to the end. */
  readonly ended: Promise<ProcessResult>;
}

/** No NO_COLOR, no CI, no proxy, no time zone, and no variables of plancast. */
const INHERITED = ["PATH", "HOME", "TMPDIR", "TEMP", "TMP", "SystemRoot", "NODE_V8_COVERAGE"] as const;

/** Each write to a file fails; pipes can be written. */
const FULL_DISK = ["sh", "-c", `trap "" XFSZ; ulimit -f 0; exec "$0" "$@"`];

/** Runs the command to its end. */
export async function runProcess(args: readonly string[], options: ProcessOptions): Promise<ProcessResult> {
  return startProcess(args, options).ended;
}

/** Starts the command. It is killed at the end of the test, if it still runs then. */
export function startProcess(args: readonly string[], options: ProcessOptions): RunningProcess {
  const command = [process.execPath, options.script ?? builtScript(), ...args];
  const [program = "", ...rest] = options.fullDisk === true ? [...FULL_DISK, ...command] : command;
  const child = spawn(program, rest, {
    cwd: options.cwd,
    env: { ...inherited(), ...options.env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const kill = (signal: NodeJS.Signals): boolean => child.kill(signal);
  const timer =
    options.killAfter === undefined ? undefined : setTimeout(() => kill("SIGKILL"), options.killAfter);
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  // A process that ends without reading its input breaks the pipe.
  child.stdin.on("error", () => undefined);
  if (options.keepsInputOpen !== true) child.stdin.end(options.input ?? "");
  const ended = new Promise<ProcessResult>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      clearTimeout(timer);
      resolve({ code, signal, stdout: stdout(), stderr: stderr() });
    });
  });
  afterThisTest(async () => {
    kill("SIGKILL");
    await ended;
  });
  const holds = (text: string | RegExp): boolean =>
    [stdout(), stderr()].some((output) =>
      typeof text === "string" ? output.includes(text) : output.search(text) >= 0,
    );
  const isOver = (): Promise<boolean> => Promise.race([ended.then(() => true), wait(5, false)]);
  const waitFor = async (text: string | RegExp): Promise<void> => {
    while (!holds(text) && !(await isOver()));
    if (!holds(text)) throw new Error(`The process ended without ${String(text)}:\n${stdout()}\n${stderr()}`);
  };
  return { child, stdout, stderr, waitFor, kill, ended };
}

function inherited(): Record<string, string> {
  const pairs = INHERITED.map((name): [string, string | undefined] => [name, process.env[name]]);
  return Object.fromEntries(pairs.filter((pair): pair is [string, string] => pair[1] !== undefined));
}

/** @returns the output of the stream so far, as UTF-8 */
function collect(stream: Readable): () => string {
  const chunks: Uint8Array[] = [];
  stream.on("data", (chunk: Uint8Array) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString("utf8");
}

/** Absolute path of the command, as package.json names it. */
export function builtScript(): string {
  const script = fileURLToPath(new URL(`../../${manifest.bin.plancast}`, import.meta.url));
  if (!existsSync(script)) throw new Error(`${script} is not built: run npm run build first.`);
  return script;
}

export interface EndedProcess {
  readonly tookMs: number;
  readonly result: ProcessResult;
}

/** Sends signals immediately, and waits for the end. */
export async function endedBy(
  running: RunningProcess,
  signals: readonly NodeJS.Signals[],
): Promise<EndedProcess> {
  const start = Date.now();
  for (const signal of signals) running.kill(signal);
  const result = await running.ended;
  return { tookMs: Date.now() - start, result };
}
