/**
 * For `node --import`: blocks the process for ever as soon as it has read 64 KB of input, as one slow piece of work would.
 * Says `blocked` on stderr some seconds later, when other threads have had the time to start.
 */
import diagnostics from "node:diagnostics_channel";
import { writeSync } from "node:fs";

const STARTED_MS = 3_000;
let bytes = 0;
diagnostics.subscribe("plancast:input", (more) => {
  bytes += Number(more);
  if (bytes < 65_536) return;
  queueMicrotask(() => {
    const start = Date.now();
    while (Date.now() - start < STARTED_MS);
    writeSync(2, "blocked\n");
    for (;;);
  });
});
