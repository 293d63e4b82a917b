/**
 * For `node --import`: blocks the process for ever as soon as it has read 64 KB of input, as one slow piece of work would;
 * with BLOCK_WHEN=watched, only when another thread watches for signals. Says `blocked` on stderr.
 */
import diagnostics from "node:diagnostics_channel";
import { writeSync } from "node:fs";

const waits = process.env["BLOCK_WHEN"] === "watched";

function block() {
  writeSync(2, "blocked\n");
  for (;;);
}

/** plancast handles no signals between its first large input and the moment from which the thread watches for them. */
function blockWhenWatched() {
  if (process.listenerCount("SIGTERM") > 0) block();
  setTimeout(blockWhenWatched, 10);
}

let bytes = 0;
diagnostics.subscribe("plancast:input", (more) => {
  bytes += Number(more);
  if (bytes < 65_536) return;
  if (waits) setTimeout(blockWhenWatched, 10);
  else queueMicrotask(block);
});
