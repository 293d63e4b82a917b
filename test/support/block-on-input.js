/**
 * For `node --import`: blocks the process for ever as soon as it has read 64 KB of input, as one slow piece of work would.
 * With BLOCK_AT=2, it blocks at the second such input after a pause. Says `blocked` on stderr.
 */
import diagnostics from "node:diagnostics_channel";
import { writeSync } from "node:fs";

function block() {
  writeSync(2, "blocked\n");
  for (;;);
}

let inputsLeft = Number(process.env["BLOCK_AT"] ?? 1);
diagnostics.subscribe("plancast:input", (bytes) => {
  if (Number(bytes) < 65_536) return;
  inputsLeft -= 1;
  if (inputsLeft === 0) queueMicrotask(block);
});
