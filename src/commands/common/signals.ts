/** Signals that stop the process: it ends cleanly if possible, and within some seconds in any case. */

import { writeSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { onInput } from "../../model/input-size.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Longest time for a clean end, ms. GitHub sends a job's processes SIGINT, SIGTERM 7.5 s later, and SIGKILL after 2.5 s
 * more.
 */
const ORDERLY_MS = 6_000;
/** When the process is killed if it is too busy to notice the end of this time, ms. */
const BLOCKED_MS = 6_500;
/** The same after a second signal. */
const BLOCKED_AGAIN_MS = 500;

/** Exit code of an interrupted run. */
const INTERRUPTED = 130;
const FORCED_EXIT =
  "\nStopped at once. If apply was under way, run it again: it finds out what happened to unfinished changes.\n";

/**
 * Aborted when the process must stop. A second signal ends the process immediately, and so does the end of the time for
 * a clean end. Nothing is lost, because the journal has everything that was begun.
 */
export function stopOnSignals(): AbortSignal {
  const stop = new AbortController();
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (stop.signal.aborted) exitImmediately();
      setTimeout(exitImmediately, ORDERLY_MS).unref();
      stop.abort();
    });
  }
  watchLongWork();
  // A closed output pipe (`plancast plan | head`) does not stop a run halfway.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
  }
  return stop.signal;
}

function exitImmediately(): never {
  try {
    writeSync(process.stderr.fd, FORCED_EXIT);
  } catch {
    // Nobody reads the output any more.
  }
  process.exit(INTERRUPTED);
}

/**
 * Input up to this size, bytes, blocks the process only for a moment, so it notices signals itself. Watching it needs a
 * thread, which slows down short runs.
 */
const LONG_WORK_BYTES = 65_536;

function watchLongWork(): void {
  let bytes = 0;
  const stopCounting = onInput((more) => {
    bytes += more;
    if (bytes < LONG_WORK_BYTES) return;
    stopCounting();
    // Without the process's options: modules that those load may be what blocks the process.
    new Worker(WATCH, { eval: true, env: {}, execArgv: [] }).unref();
  });
}

/**
 * Kills the process after a signal that it does not notice, because one task blocks it. Node delivers signals only to
 * the main thread, so this registers them through Node's internal, deprecated interface. In a Node without it, nothing
 * is watched.
 */
const WATCH = `
  process.noDeprecation = true;
  const { constants } = require("node:os");
  const { writeSync } = require("node:fs");
  const Signal = (() => {
    try { return process.binding("signal_wrap").Signal; } catch {}
  })();
  if (Signal === undefined) process.exit();
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
    watcher.start(constants.signals[name]);
  }
`;
