/** Preloaded into a process: writes the most memory that it had (bytes) to the file that MEMORY_FILE names. */
import { readFileSync, writeFileSync } from "node:fs";

process.on("exit", () => {
  writeFileSync(process.env["MEMORY_FILE"] ?? "", String(peakBytes()));
});

/** On Linux, getrusage includes the parent's memory at the start of the process; the kernel's own list does not. */
function peakBytes() {
  try {
    const status = readFileSync("/proc/self/status", "utf8");
    const [, most] = /^VmHWM:\s+(\d+) kB/m.exec(status) ?? [];
    if (most !== undefined) return Number(most) * 1024;
  } catch {
    // Not Linux.
  }
  return process.resourceUsage().maxRSS * 1024;
}
