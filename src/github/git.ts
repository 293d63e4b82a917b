/** Runs git, without a shell. Nothing here moves the checkout, and nothing is forced. */

import { type ChildProcess, spawn } from "node:child_process";
import { Failure } from "../model/failure.ts";

/** Longest time for one command, ms. */
const TIMEOUT_MS = 120_000;
/** How long a command that is asked to stop may take to clean up, ms. */
const STOP_MS = 5_000;

export interface GitResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface GitOptions {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export class Git {
  readonly #folder: string;
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #timeoutMs: number;

  /** @param folder in which it runs  @param env the process's own  @param timeoutMs for one command */
  constructor(
    folder: string,
    env: Readonly<Record<string, string | undefined>>,
    timeoutMs: number = TIMEOUT_MS,
  ) {
    this.#folder = folder;
    this.#env = env;
    this.#timeoutMs = timeoutMs;
  }

  /** Runs a command to its end, whatever that is. Throws a Failure where there is no git. */
  async try(args: readonly string[], { input = "", env = {} }: GitOptions = {}): Promise<GitResult> {
    const child = spawn("git", args, {
      cwd: this.#folder,
      // It must never prompt, and its messages must be the English ones.
      env: { ...this.#env, GIT_TERMINAL_PROMPT: "0", LC_ALL: "C", ...env },
      stdio: ["pipe", "pipe", "pipe"],
      // A cancelled job interrupts all its processes; the push of what was done has to go on.
      detached: true,
    });
    const [stdout, stderr]: [Uint8Array[], Uint8Array[]] = [[], []];
    child.stdout.on("data", (part: Uint8Array) => stdout.push(part));
    child.stderr.on("data", (part: Uint8Array) => stderr.push(part));
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
    const end = await endOf(child, this.#timeoutMs);
    const said = [textOf(stderr), end.why].filter((each) => each !== undefined).join("\n");
    return { code: end.code, stdout: textOf(stdout), stderr: withoutSecrets(said) };
  }

  /** What a command prints. Throws a Failure where it does not succeed. */
  async run(args: readonly string[], options?: GitOptions): Promise<string> {
    const { code, stdout, stderr } = await this.try(args, options);
    if (code === 0) return stdout;
    throw gitFailure(`\`git ${args[0] ?? ""}\` failed: ${lastLines(stderr)}`);
  }
}

interface End {
  readonly code: number;
  /** Why it ended, where it did not by itself. */
  readonly why?: string;
}

/** Throws a Failure where there is no git. */
function endOf(child: ChildProcess, timeoutMs: number): Promise<End> {
  let isLate = false;
  const term = setTimeout(() => {
    isLate = true;
    stopGroup(child, "SIGTERM");
  }, timeoutMs);
  const kill = setTimeout(() => stopGroup(child, "SIGKILL"), timeoutMs + STOP_MS);
  return new Promise<End>((resolve, reject) => {
    child.once("error", () => reject(gitFailure("git cannot be run here", "Install git on the runner.")));
    child.once("close", (code, signal) => {
      if (isLate)
        resolve({ code: code || 1, why: `it had not ended after ${timeoutMs / 1000} s and was stopped` });
      else if (signal !== null) resolve({ code: 1, why: `it was ended by ${signal}` });
      else resolve({ code: code ?? 1 });
    });
  }).finally(() => {
    clearTimeout(term);
    clearTimeout(kill);
  });
}

/** With its children: the helper that speaks to the remote is what hangs, and it would keep git's output open. */
function stopGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, signal);
  } catch {
    child.kill(signal);
  }
}

function textOf(parts: readonly Uint8Array[]): string {
  return Buffer.concat(parts).toString("utf8");
}

/** Hides what is before the host of an address: it may be a token. */
function withoutSecrets(text: string): string {
  return text.replaceAll(/:\/\/[^\s@/]*@/g, "://••••@");
}

/** The end of what git said, in which it gives its reason. */
export function lastLines(stderr: string): string {
  return stderr.trim().split(/\n+/).slice(-3).join(" ").slice(-400);
}

function gitFailure(what: string, hint?: string): Failure {
  return new Failure("ci/lockfile", `${what}.`, hint);
}
