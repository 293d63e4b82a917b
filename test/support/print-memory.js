/** Preloaded into a process: writes the most memory that it had (bytes) to the file that MEMORY_FILE names. */
import { readFileSync, writeFileSync } from "node:fs";

process.on("exit", () => {
  writeFileSync(process.env["MEMORY_FILE"] ?? "", String(peakBytes()));
});

/** On Linux, getrusage includes the parent's memory at the start of the process; the kernel's own list does not. */
function peakBytes() {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
    if (kilobytes !== undefined) return Number(kilobytes) * 1024;
  } catch {
    // Not Linux.
  }
  return process.resourceUsage().maxRSS * 1024;
}
