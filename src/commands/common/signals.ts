/** Signals that ask the process to stop: it ends in order if it can, and within some seconds in any case. */

import { writeSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { onInput } from "../../model/input-size.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Longest time in which a run may end in order, ms. GitHub sends a job's processes SIGINT, SIGTERM 7.5 s later, and
 * SIGKILL after 2.5 s more.
 */
const ORDERLY_MS = 6_000;
/** When the process is ended from outside if it does not even notice that this time is over, ms. */
const BLOCKED_MS = 6_500;
/** The same after a second signal. */
const BLOCKED_AGAIN_MS = 500;

/** Exit code of an interrupted run. */
const INTERRUPTED = 130;
const FORCED_EXIT =
  "\nStopped at once. If apply was under way, run it again: it finds out what happened to unfinished changes.\n";

/**
 * Aborted when the process is asked to stop. A second signal ends the process at once, and so does the end of the time for
 * an orderly stop. That loses nothing: the journal has all that was begun.
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
  // A reader that has gone away (`plancast plan | head`) is no reason to leave a run half done.
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
    // Nobody reads any more.
  }
  process.exit(INTERRUPTED);
}

/**
 * Input up to this size, bytes, keeps the process busy for a moment only, so that it notices signals itself. To watch it
 * takes a thread, which costs short runs some time.
 */
const LONG_WORK_BYTES = 65_536;

function watchLongWork(): void {
  let bytes = 0;
  const stopCounting = onInput((more) => {
    bytes += more;
    if (bytes < LONG_WORK_BYTES) return;
    stopCounting();
    // It takes over no options: what is loaded with those may be what keeps the process busy.
    new Worker(WATCH, { eval: true, env: {}, execArgv: [] }).unref();
  });
}

/**
 * Ends the process after a signal that it does not notice, because one piece of work keeps it busy. Node hands signals to
 * the main thread only, so this asks for them as Node's own code does, by a way that is deprecated. In a Node without it, nothing is watched.
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
