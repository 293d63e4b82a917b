/**
 * The process as the commands see it: streams, environment, time, exit codes, and the signals that stop it: it ends
 * cleanly if possible, and within some seconds in any case. No other file of commands/ uses the streams, the environment
 * or the signals of `process`.
 */

import { fstatSync, writeSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { type Readable, Writable } from "node:stream";
import { isatty } from "node:tty";
import type { Dispatcher } from "undici";
import { machineOf } from "../../disk/machine.ts";
import { endGit } from "../../disk/git.ts";
import type { Clock } from "../../model/clock.ts";
import { errorCode } from "../../model/failure.ts";
import { onInput } from "../../model/input-size.ts";
import { systemClock } from "../../service/system-clock.ts";
import { isCi } from "../../settings/environment.ts";

/** The exit codes of all commands. 0 done · 1 failed or refused · 2 changes · 3 unknown outcome · 130 interrupted. */
export type ExitCode = 0 | 1 | 2 | 3 | 130;

export interface TextStream {
  write(text: string): void;
  readonly isTerminal: boolean;
  /** The current width: it may change while a command runs. */
  readonly columns: number;
}

interface NodeVersions {
  /** Such as `22.1.0`. */
  readonly version: string;
  /** The release of the time zone data, such as `2026c`. Undefined if Node takes the data from the system. */
  readonly zones: string | undefined;
}

export interface Shell {
  readonly stdout: TextStream;
  readonly stderr: TextStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly node: NodeVersions;
  readonly clock: Clock;
  readonly random: () => number;
  readonly randomBytes: (bytes: number) => Uint8Array;
  /** The network to the service. Default: the real one. */
  readonly connections?: Dispatcher;
  /** Aborted when the user or the system stops the run. */
  readonly stop: AbortSignal;
  /** Whether a person can be asked: at a terminal, and not in CI, where a terminal may have nobody in front of it. */
  readonly isInteractive: boolean;
  /** Answers about keys: a command that opens the service again must not ask again, even after a no. */
  readonly answered: Map<string, boolean>;
  /** Asks on stderr. Only a clear yes counts. */
  confirm(question: string): Promise<boolean>;
  /**
   * Asks on stderr for a line of text. Undefined if there is no answer: Ctrl-C, or a closed terminal. `hidden`: what the
   * person types is a secret, and does not appear.
   */
  ask(question: string, isShown?: "hidden"): Promise<string | undefined>;
  /** Standard input, for a program that talks to this one. Nothing reads from it before the first call. */
  input(): Readable;
  /** Resolves when the program that started this process is gone. Watches from the first call on. */
  abandoned(): Promise<Abandoned>;
  /**
   * For processes that run for weeks next to other programs, or publish large videos. They get slower, but take much
   * less memory. They end cleanly at any time, because none of their tasks takes long.
   */
  prepareForLongRun(): void;
}

/** How a process notices that nobody needs it any more: its parent process ended, or its stdin pipe was closed. */
export type Abandoned = "parent" | "stdin";

export function processShell({ stop, handleAlways }: Signals): Shell {
  return {
    stdout: textStream(process.stdout, process.env),
    stderr: textStream(process.stderr, process.env),
    env: process.env,
    cwd: process.cwd(),
    node: { version: process.versions.node, zones: process.versions.tz },
    clock: systemClock,
    random: Math.random,
    randomBytes: machineOf(process.cwd()).randomBytes,
    stop,
    // Without process.stdin, which opens it.
    isInteractive: isatty(0) && isTerminal(process.stderr) && !isCi(process.env),
    answered: new Map(),
    confirm: async (question) => /^y(es)?$/i.test((await ask(question, stop)) ?? ""),
    ask: (question, isShown) => ask(question, stop, isShown),
    input: () => process.stdin,
    abandoned: () => Promise.race([parentEnded(), stdinClosed()]),
    prepareForLongRun: () => {
      handleAlways();
      const { setFlagsFromString } = process.getBuiltinModule("node:v8");
      for (const flag of SAVE_MEMORY_FLAGS) setFlagsFromString(flag);
    },
  };
}

const SAVE_MEMORY_FLAGS = [
  // Young objects keep the space that they have at the start (2 MB, otherwise up to 32).
  "--semi-space-growth-factor=1",
  // undici's parser is WebAssembly. Optimizing it takes 30 MB, and saves microseconds.
  "--wasm-tiering-budget=1000000000",
];

/** Interval of checking the parent process, in ms. */
const PARENT_CHECK_MS = 500;

/** Never resolves for a process without a parent: the first of a container, or a detached one. */
function parentEnded(): Promise<"parent"> {
  const parent = process.ppid;
  if (parent <= 1) return new Promise(() => undefined);
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      // Unix gives an orphan another parent. On Windows, the number stays, but belongs to no process.
      if (process.ppid === parent && isAlive(parent)) return;
      clearInterval(timer);
      resolve("parent");
    }, PARENT_CHECK_MS);
    timer.unref();
  });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}

/** If a pipe ends sooner than this, nobody meant to keep it open, in ms. */
const STDIN_GRACE_MS = 250;

/** Only the end of a pipe means something: a terminal ends with Ctrl-D, and a file or /dev/null ends immediately. */
function stdinClosed(): Promise<"stdin"> {
  return new Promise((resolve) => {
    if (!isPipe(0)) return;
    const opened = performance.now();
    const onEnd = (): void => {
      if (performance.now() - opened > STDIN_GRACE_MS) resolve("stdin");
    };
    // An open pipe must not keep the process running after its work has ended.
    process.stdin.once("end", onEnd).once("error", onEnd).resume().unref();
  });
}

function isPipe(fd: number): boolean {
  try {
    const stats = fstatSync(fd);
    return stats.isFIFO() || stats.isSocket();
  } catch {
    // The process was started without a stdin.
    return false;
  }
}

/** Width of a log, and of a terminal that does not report its width. */
const COLUMNS = 100;

function textStream(stream: NodeJS.WriteStream, env: Shell["env"]): TextStream {
  return {
    write: (text) => void stream.write(text),
    isTerminal: isTerminal(stream),
    get columns() {
      return terminalColumns(env, stream.isTTY ? stream.columns : undefined);
    },
  };
}

/** @param terminal its reported width; undefined or 0 if there is none, or it is unknown */
export function terminalColumns(env: Shell["env"], terminal: number | undefined): number {
  return columnsIn(env) ?? (terminal || COLUMNS);
}

/** Node's types have `false` for a pipe or a file, but the property is really missing there. */
function isTerminal(stream: { readonly isTTY?: boolean }): boolean {
  return stream.isTTY === true;
}

/** The width in COLUMNS, which overrides the terminal's (POSIX, chapter 8). */
function columnsIn(env: Shell["env"]): number | undefined {
  const columns = env["COLUMNS"] ?? "";
  return /^[1-9]\d{0,4}$/.test(columns) ? Number(columns) : undefined;
}

async function ask(question: string, signal: AbortSignal, isShown?: "hidden"): Promise<string | undefined> {
  const isHidden = isShown === "hidden";
  if (isHidden) process.stderr.write(question);
  const output = isHidden ? new Writable({ write: (_chunk, _encoding, done) => done() }) : process.stderr;
  // Otherwise, the terminal itself shows what people type.
  const { createInterface } = process.getBuiltinModule("node:readline/promises");
  const prompt = createInterface({ input: process.stdin, output, ...(isHidden ? { terminal: true } : {}) });
  // While a line is typed, Ctrl-C is a key and not a signal.
  prompt.on("SIGINT", () => {
    if (!process.emit("SIGINT")) prompt.close();
  });
  try {
    return (await prompt.question(isHidden ? "" : question, { signal })).trim();
  } catch {
    // Ctrl-C, or a closed terminal: nobody answered.
    return undefined;
  } finally {
    prompt.close();
    if (isHidden) process.stderr.write("\n");
  }
}

/** What each exit code means: for --help and for the reference. */
export const EXIT_CODES: Readonly<Record<ExitCode, { readonly short: string; readonly meaning: string }>> = {
  0: { short: "done", meaning: "Done, or nothing to do." },
  1: {
    short: "failed or refused",
    meaning: "Failed or refused: bad input, a guard, a post that failed.",
  },
  2: {
    short: "there are changes (plan --detailed-exitcode)",
    meaning: "`plan --detailed-exitcode` found changes.",
  },
  3: {
    short: "unknown outcome: run again",
    meaning: "plancast does not know the outcome of a change. Run the command again.",
  },
  130: { short: "interrupted", meaning: "Interrupted." },
};

/**
 * Like `run`, but rejects if the process has nothing left to wait for: an unfinished command never ends then, and Node
 * would exit silently.
 */
export async function unlessStalled<T>(run: Promise<T>): Promise<T> {
  const over = new AbortController();
  try {
    return await Promise.race([run, rejectWhenStalled(over.signal)]);
  } finally {
    over.abort();
  }
}

function rejectWhenStalled(over: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const stall = (): void =>
      reject(
        new Error(
          "the command stopped before it finished. Run it again: plancast recorded what it had started.",
        ),
      );
    process.once("beforeExit", stall);
    over.addEventListener("abort", () => process.off("beforeExit", stall), { once: true });
  });
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Longest time for a clean end, in ms. GitHub sends a job's processes SIGINT, SIGTERM 7.5 s later, and SIGKILL after 2.5 s
 * more.
 */
const ORDERLY_MS = 6_000;

/** Exit code of an interrupted run. */
const INTERRUPTED = 130;
const FORCED_EXIT =
  "\nStopped immediately. If apply was under way, run it again: it finds out what happened to unfinished changes.\n";

export interface Signals {
  /** Aborted when the process must stop. */
  readonly stop: AbortSignal;
  /** From now on, signals come to the program also while it works on large input. */
  readonly handleAlways: () => void;
}

/**
 * Stops the process on a signal. A second signal ends the process immediately, and so does the end of the time for
 * a clean end. Nothing is lost, because the journal has everything that was begun.
 */
export function stopOnSignals(): Signals {
  const stop = new AbortController();
  const handle = (): void => {
    if (stop.signal.aborted) exitImmediately(handling);
    setTimeout(() => exitImmediately(handling), ORDERLY_MS).unref();
    stop.abort();
  };
  const handling = new SignalHandling(handle);
  handling.start();
  return { stop: stop.signal, handleAlways: leaveLongWorkToSystem(handling) };
}

/** Whether signals come to the program. Otherwise, the system ends the process with them. */
class SignalHandling {
  readonly #handle: () => void;

  constructor(handle: () => void) {
    this.#handle = handle;
  }

  start(): void {
    this.stop();
    for (const signal of SIGNALS) process.on(signal, this.#handle);
  }

  stop(): void {
    for (const signal of SIGNALS) process.off(signal, this.#handle);
  }
}

function exitImmediately(handling: SignalHandling): never {
  try {
    writeSync(process.stderr.fd, FORCED_EXIT);
  } catch {
    // Nobody reads the output any more.
  }
  handling.stop();
  endGit();
  // Before it exits, Node waits for its threads. A thread that reads a pipe without a writer never ends.
  if (process.getActiveResourcesInfo().some((name) => WAITED_FOR.test(name)))
    process.kill(process.pid, "SIGINT");
  process.exit(INTERRUPTED);
}

/** What Node's threads do, as Node names it: files, and names of hosts. */
const WAITED_FOR = /^(?:FSReq|GetAddrInfoReq|GetNameInfoReq)/i;

/**
 * Input of less than this size, in bytes, blocks the process only for a moment, so the process notices signals.
 */
const LONG_WORK_BYTES = 65_536;
/** Interval of looking whether long work is over, in ms. */
const WORK_CHECK_MS = 100;
/** The share of that interval in which the process computed. With less, it waits for something else. */
const BUSY_SHARE = 0.5;

/**
 * Node notices no signal while one long task blocks it. So from the moment before large input is worked on until the
 * process waits for something, the system handles signals: it ends the process immediately.
 * @returns ends this
 */
function leaveLongWorkToSystem(handling: SignalHandling): () => void {
  let bytes = 0;
  let check: NodeJS.Timeout | undefined;
  const unobserve = onInput((more) => {
    bytes += more;
    if (bytes < LONG_WORK_BYTES) return;
    handling.stop();
    if (check !== undefined) return;
    let before = performance.eventLoopUtilization();
    check = setInterval(() => {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, before);
      before = now;
      if (utilization > BUSY_SHARE) return;
      clearInterval(check);
      check = undefined;
      bytes = 0;
      handling.start();
    }, WORK_CHECK_MS).unref();
  });
  return () => {
    unobserve();
    clearInterval(check);
    handling.start();
  };
}
