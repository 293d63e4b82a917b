import { writeSync } from "node:fs";

/**
 * Signals that ask the process to stop. The first stops the run in order; the second ends the process at once, which
 * loses nothing: the journal has all that was begun.
 */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Exit code of an interrupted run. */
const INTERRUPTED = 130;
const FORCED_EXIT =
  "\nStopped at once. If apply was under way, run it again: it finds out what became of what had been begun.\n";

function exitImmediately(): never {
  try {
    writeSync(process.stderr.fd, FORCED_EXIT);
  } catch {
    // Nobody reads any more.
  }
  process.exit(INTERRUPTED);
}

/** Aborted when the process is asked to stop. */
export function stopOnSignals(): AbortSignal {
  const stop = new AbortController();
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (stop.signal.aborted) exitImmediately();
      stop.abort();
    });
  }
  // A reader that has gone away (`plancast plan | head`) is no reason to leave a run half done.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
  }
  return stop.signal;
}
