/** Runs git without a shell. It executes nothing from the checkout: no hook, no monitor, no repository inside it. */

import { type ChildProcess, spawn } from "node:child_process";
import { dirname } from "node:path";

/** How long a command that was asked to stop may take to clean up, ms. */
const STOP_MS = 5_000;

/** These settings override any configuration of the repository. */
const SAFE = ["core.hooksPath=/dev/null", "core.fsmonitor=false", "safe.bareRepository=explicit"].flatMap(
  (setting) => ["-c", setting],
);

export interface GitResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface GitRun {
  /** Absolute path of the working folder. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Longest time, ms. */
  readonly timeoutMs: number;
  readonly input?: string;
}

/** Runs a command to its end, whatever the result. Undefined if git is not installed. */
export async function runGit(
  args: readonly string[],
  { folder, env, timeoutMs, input = "" }: GitRun,
): Promise<GitResult | undefined> {
  const child = spawn("git", ["-C", folder, ...SAFE, ...args], {
    // Windows searches the current folder first for programs, and the checkout may contain a git.exe.
    cwd: dirname(process.execPath),
    // git must never prompt, and its messages must be the English ones.
    env: { ...env, GIT_TERMINAL_PROMPT: "0", LC_ALL: "C" },
    stdio: ["pipe", "pipe", "pipe"],
    // A cancelled job interrupts all its processes, but a push of completed work must go on.
    detached: true,
  });
  const [stdout, stderr]: [Uint8Array[], Uint8Array[]] = [[], []];
  child.stdout.on("data", (part: Uint8Array) => stdout.push(part));
  child.stderr.on("data", (part: Uint8Array) => stderr.push(part));
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  const end = await endOf(child, timeoutMs);
  if (end === undefined) return undefined;
  const said = [textOf(stderr), end.why].filter((each) => each !== undefined).join("\n");
  return { code: end.code, stdout: textOf(stdout), stderr: said };
}

interface End {
  readonly code: number;
  /** Why plancast ended it, if it did not end on its own. */
  readonly why?: string;
}

function endOf(child: ChildProcess, timeoutMs: number): Promise<End | undefined> {
  let isLate = false;
  const term = setTimeout(() => {
    isLate = true;
    stopGroup(child, "SIGTERM");
  }, timeoutMs);
  const kill = setTimeout(() => stopGroup(child, "SIGKILL"), timeoutMs + STOP_MS);
  return new Promise<End | undefined>((resolve) => {
    child.once("error", () => resolve(undefined));
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

/** Together with its children: the remote helper is what hangs, and it would keep git's output open. */
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
