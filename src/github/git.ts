/** git, run without a shell. Nothing here moves the checkout, and nothing is ever forced. */
import { spawn } from "node:child_process";
import { Failure } from "../calendar/failure.ts";

/** Longest time for one command, ms. */
const TIMEOUT_MS = 120_000;

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

  /** @param folder in which it runs  @param env the process's own */
  constructor(folder: string, env: Readonly<Record<string, string | undefined>>) {
    this.#folder = folder;
    this.#env = env;
  }

  /** Runs a command to its end, whatever that is. Throws a Failure where there is no git. */
  async try(args: readonly string[], { input = "", env = {} }: GitOptions = {}): Promise<GitResult> {
    const child = spawn("git", args, {
      cwd: this.#folder,
      // It is never to ask, and its messages are to be the ones that are known.
      env: { ...this.#env, GIT_TERMINAL_PROMPT: "0", LC_ALL: "C", ...env },
      stdio: ["pipe", "pipe", "pipe"],
      timeout: TIMEOUT_MS,
      // A job that is cancelled interrupts all its processes; the push of what was done is to go on.
      detached: true,
    });
    const [stdout, stderr]: [Uint8Array[], Uint8Array[]] = [[], []];
    child.stdout.on("data", (part: Uint8Array) => stdout.push(part));
    child.stderr.on("data", (part: Uint8Array) => stderr.push(part));
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
    const code = await new Promise<number>((resolve, reject) => {
      child.once("error", () => reject(failed("git cannot be run here", "Install git on the runner.")));
      child.once("close", (ended) => resolve(ended ?? 1));
    });
    return { code, stdout: textOf(stdout), stderr: withoutSecrets(textOf(stderr)) };
  }

  /** What a command prints. Throws a Failure where it does not succeed. */
  async run(args: readonly string[], options?: GitOptions): Promise<string> {
    const { code, stdout, stderr } = await this.try(args, options);
    if (code === 0) return stdout;
    throw failed(`\`git ${args[0] ?? ""}\` failed: ${lastWords(stderr)}`);
  }
}

function textOf(parts: readonly Uint8Array[]): string {
  return Buffer.concat(parts).toString("utf8");
}

/** What stands before the host of an address is none of a log's business. */
function withoutSecrets(text: string): string {
  return text.replaceAll(/:\/\/[^\s@/]*@/g, "://••••@");
}

/** The end of what git said, in which it gives its reason. */
export function lastWords(stderr: string): string {
  return stderr.trim().split("\n").slice(-3).join(" ").slice(-400);
}

function failed(what: string, hint?: string): Failure {
  return new Failure("ci/lockfile", `${what}.`, hint);
}
