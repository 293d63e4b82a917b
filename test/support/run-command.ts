/**
 * A command in this process: the real argument parser, files, HTTP and exit code, without the cost of starting Node.
 * Use it unless the test is about the process itself: signals, pipes, locks between processes, kills (`run-process.ts`).
 */

import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { main } from "../../src/commands/main.ts";
import { type Shell, terminalColumns } from "../../src/commands/shell/shell.ts";
import type { Clock } from "../../src/model/clock.ts";
import { systemClock } from "../../src/service/system-clock.ts";
import { isCi } from "../../src/settings/environment.ts";
import { afterThisTest } from "./after-test.ts";
import { checkDocument } from "./described-documents.ts";

export interface CommandOptions {
  readonly cwd: string;
  /** Added to PATH, HOME and TMPDIR; nothing else of this process's environment is passed on. */
  readonly env?: Readonly<Record<string, string>>;
  /** Default: the time of this machine. A `TestClock` makes every wait short. */
  readonly clock?: Clock;
  /** Stops the command when aborted, like the first Ctrl-C. */
  readonly stop?: AbortSignal;
  /** Aborts when the program that started the command ends. Default: never. */
  readonly abandoned?: ReturnType<Shell["abandoned"]>;
  /** What another program sends on stdin. Default: nothing. */
  readonly input?: Readable;
  /** Gets each text on stdout, for another program that reads it. */
  readonly onOutput?: (text: string) => void;
  /** Default: neither stream is a terminal, and nobody can be asked. */
  readonly terminal?: TestTerminal;
}

/** A person at a terminal. */
interface TestTerminal {
  readonly columns?: number;
  /** Whether the person says yes. Default: they say no. */
  readonly answer?: (question: string) => boolean;
  /** What the person types. Default: they leave. */
  readonly type?: (question: string) => string | undefined;
}

export interface CommandResult {
  /** Null only for a process that a signal ended. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningCommand {
  /** What it has written so far. */
  stdout(): string;
  stderr(): string;
  /** Both in the order in which they were written, as a terminal shows them. */
  screen(): string;
  /** Resolves when stdout or stderr contains this; rejects if the command ends without it. */
  waitFor(text: string | RegExp): Promise<void>;
  /** Asks it to stop, like the first Ctrl-C. */
  stop(): void;
  readonly ended: Promise<CommandResult>;
}

/** Runs a command to its end. */
export function runCommand(args: readonly string[], options: CommandOptions): Promise<CommandResult> {
  return startCommand(args, options).ended;
}

/** Starts a command. If it still runs at the end of the test, it is stopped. */
export function startCommand(args: readonly string[], options: CommandOptions): RunningCommand {
  const env = { ...inherited(), ...options.env };
  const stop = new AbortController();
  options.stop?.addEventListener("abort", () => stop.abort(), { once: true });
  if (options.stop?.aborted === true) stop.abort();
  const written = { stdout: "", stderr: "" };
  let screen = "";
  const waiting = new Set<() => void>();
  const stream = (name: keyof typeof written): Shell["stdout"] => ({
    write: (text) => {
      written[name] += text;
      if (name === "stdout") options.onOutput?.(text);
      screen += text;
      for (const look of waiting) look();
    },
    isTerminal: options.terminal !== undefined,
    columns: terminalColumns(env, options.terminal?.columns),
  });
  const shell: Shell = {
    stdout: stream("stdout"),
    stderr: stream("stderr"),
    env,
    cwd: options.cwd,
    node: { version: process.versions.node, zones: process.versions.tz },
    clock: options.clock ?? systemClock,
    random: Math.random,
    randomBytes,
    stop: stop.signal,
    isInteractive: options.terminal !== undefined && !isCi(env),
    answered: new Map(),
    confirm: async (question) => options.terminal?.answer?.(question) ?? false,
    ask: async (question) => options.terminal?.type?.(question),
    input: () => options.input ?? Readable.from([]),
    abandoned: () => options.abandoned ?? new Promise(() => undefined),
    prepareForLongRun: () => undefined,
  };
  const ended = main(args, shell).then((code) => {
    checkDocument(args, written.stdout);
    return { code, ...written };
  });
  afterThisTest(async () => {
    stop.abort();
    await ended;
  });
  const holds = (text: string | RegExp): boolean =>
    Object.values(written).some((output) =>
      typeof text === "string" ? output.includes(text) : output.search(text) >= 0,
    );
  const waitFor = async (text: string | RegExp): Promise<void> => {
    const seen = new Promise<void>((resolve) => {
      waiting.add(() => {
        if (holds(text)) resolve();
      });
    });
    if (!holds(text)) await Promise.race([seen, ended]);
    if (!holds(text))
      throw new Error(`The command ended without ${String(text)}:\n${written.stdout}\n${written.stderr}`);
  };
  return {
    stdout: () => written.stdout,
    stderr: () => written.stderr,
    screen: () => screen,
    waitFor,
    stop: () => stop.abort(),
    ended,
  };
}

/** No NO_COLOR, CI, proxy, time zone or key of this machine reaches a test. */
function inherited(): Record<string, string> {
  const names = ["PATH", "HOME", "TMPDIR"];
  return Object.fromEntries(names.flatMap((name) => [[name, process.env[name] ?? ""]]).filter(([, v]) => v));
}
