/**
 * Who a process is, so that a file that outlives it can tell whether it still runs. A number alone is not enough:
 * numbers are given out again. Where /proc shows it, the moment of the start, counted by that boot of the kernel,
 * tells two processes with one number apart. Processes that cannot see each other (containers with process numbers
 * of their own that share a folder) take each other for dead.
 */
import { readFile } from "node:fs/promises";
import { z } from "zod";

export const processIdentitySchema = z.object({
  pid: z.int().positive(),
  /** Boot and clock tick of the start, as the kernel tells them; null where it does not. Only to be compared. */
  startedAt: z.string().nullable(),
});

export type ProcessIdentity = z.infer<typeof processIdentitySchema>;

/** The process that runs this code. */
export async function thisProcess(): Promise<ProcessIdentity> {
  const seen = await probe(process.pid);
  return { pid: process.pid, startedAt: seen === undefined ? null : seen.startedAt };
}

/** Whether that very process still runs. One that has ended but was not yet collected by its parent does not. */
export async function isRunning(identity: ProcessIdentity): Promise<boolean> {
  if (!acceptsSignals(identity.pid)) return false;
  const seen = await probe(identity.pid);
  if (seen === undefined) return true;
  return !seen.ended && (identity.startedAt === null || seen.startedAt === identity.startedAt);
}

function acceptsSignals(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is there and belongs to someone else.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Fields of /proc/PID/stat after the name, which stands in brackets and may hold any character. See proc(5). */
const STATE = 0;
const START_TIME = 19;

async function probe(pid: number): Promise<{ startedAt: string; ended: boolean } | undefined> {
  try {
    const boot = await readFile("/proc/sys/kernel/random/boot_id", "utf8");
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ended = fields[STATE] === "Z" || fields[STATE] === "X";
    return { startedAt: `${boot.trim()}:${fields[START_TIME] ?? ""}`, ended };
  } catch {
    return undefined;
  }
}
