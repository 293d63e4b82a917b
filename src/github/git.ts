/** Git for a job. Nothing here moves the checkout, and nothing is forced. */

import { type GitResult, runGit } from "../disk/run-git.ts";
import { Failure } from "../model/failure.ts";

/** Longest time for one command, ms. */
const TIMEOUT_MS = 120_000;

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
    const ran = await runGit(args, {
      folder: this.#folder,
      env: { ...this.#env, ...env },
      timeoutMs: this.#timeoutMs,
      input,
    });
    if (ran === undefined) throw gitFailure("git cannot be run here", "Install git on the runner.");
    return { ...ran, stderr: withoutSecrets(ran.stderr) };
  }

  /** What a command prints. Throws a Failure where it does not succeed. */
  async run(args: readonly string[], options?: GitOptions): Promise<string> {
    const { code, stdout, stderr } = await this.try(args, options);
    if (code === 0) return stdout;
    throw gitFailure(`\`git ${args[0] ?? ""}\` failed: ${lastLines(stderr)}`);
  }
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
