/**
 * For `node --import`: blocks the process for ever as soon as it has read 64 KB of input, as one slow piece of work would; with
 * BLOCK_AFTER_MS, only that much later, when other threads have had the time to start. Says `blocked` on stderr.
 */
import diagnostics from "node:diagnostics_channel";
import { writeSync } from "node:fs";

const afterMs = process.env["BLOCK_AFTER_MS"];

function block() {
  writeSync(2, "blocked\n");
  for (;;);
}

let bytes = 0;
diagnostics.subscribe("plancast:input", (more) => {
  bytes += Number(more);
  if (bytes < 65_536) return;
  if (afterMs === undefined) queueMicrotask(block);
  else setTimeout(block, Number(afterMs));
});
