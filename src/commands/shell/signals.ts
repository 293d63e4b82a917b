/** Signals that stop the process: it ends cleanly if possible, and within some seconds in any case. */

import { writeSync } from "node:fs";
import { endGit } from "../../disk/git.ts";
import { onInput } from "../../model/input-size.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Longest time for a clean end, in ms. GitHub sends a job's processes SIGINT, SIGTERM 7.5 s later, and SIGKILL after 2.5 s
 * more.
 */
const ORDERLY_MS = 6_000;
/** After this time, in ms, the process is killed if it is too busy to end on its own. */
const BLOCKED_MS = 6_500;
/** The same after a second signal. */
const BLOCKED_AGAIN_MS = 500;

/** Exit code of an interrupted run. */
const INTERRUPTED = 130;
const FORCED_EXIT =
  "\nStopped immediately. If apply was under way, run it again: it finds out what happened to unfinished changes.\n";

/**
 * Aborted when the process must stop. A second signal ends the process immediately, and so does the end of the time for
 * a clean end. Nothing is lost, because the journal has everything that was begun.
 */
export function stopOnSignals(): AbortSignal {
  const stop = new AbortController();
  const handle = (): void => {
    if (stop.signal.aborted) exitImmediately(handling);
    setTimeout(() => exitImmediately(handling), ORDERLY_MS).unref();
    stop.abort();
  };
  const handling = new SignalHandling(handle);
  handling.start();
  watchLongWork(handling);
  // A closed output pipe (`plancast plan | head`) does not stop a run halfway.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
  }
  return stop.signal;
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
 * Input of at most this size, in bytes, blocks the process only for a moment, so the process notices signals. Watching it
 * needs a thread, which slows down short runs.
 */
const LONG_WORK_BYTES = 65_536;

/**
 * Makes sure that a signal ends the process even while one long task blocks it. A thread watches for signals. While the
 * thread starts, and in a Node where it cannot, signals end the process immediately.
 */
function watchLongWork(handling: SignalHandling): void {
  let bytes = 0;
  const stopCounting = onInput((more) => {
    bytes += more;
    if (bytes < LONG_WORK_BYTES) return;
    stopCounting();
    // Many small inputs block the process only briefly, one after the other.
    if (more >= LONG_WORK_BYTES) handling.stop();
    try {
      // Without the process's options: modules that those load may be what blocks the process.
      const { Worker } = process.getBuiltinModule("node:worker_threads");
      const watcher = new Worker(WATCH, {
        eval: true,
        env: {},
        execArgv: ["--expose-internals", "--no-warnings"],
      });
      watcher.once("message", () => handling.start());
      watcher.once("error", () => handling.stop());
      watcher.unref();
    } catch {
      // This Node does not know the option.
      handling.stop();
    }
  });
}

/**
 * Kills the process after a signal that it does not notice, because one task blocks it. Node delivers signals only to
 * the main thread, so this registers them through an internal interface of Node; no documented one can do that.
 */
const WATCH = `
  const { constants } = require("node:os");
  const { writeSync } = require("node:fs");
  const { parentPort } = require("node:worker_threads");
  const { Signal } = require("internal/test/binding").internalBinding("signal_wrap");
  const end = () => {
    try { writeSync(2, ${JSON.stringify(FORCED_EXIT)}); } catch {}
    process.kill(process.pid, "SIGKILL");
  };
  let isAsked = false;
  for (const name of ${JSON.stringify(SIGNALS)}) {
    const watcher = new Signal();
    watcher.onsignal = () => {
      setTimeout(end, isAsked ? ${BLOCKED_AGAIN_MS} : ${BLOCKED_MS});
      isAsked = true;
    };
    if (watcher.start(constants.signals[name]) !== 0) throw new Error(name);
  }
  parentPort.postMessage("watching");
`;
