/**
 * The temporary files of one run of the tests are in one folder, which goes with the run: no test that fails, and no
 * process that a test kills, leaves anything on the machine.
 */

import { mkdirSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

/** The folder's path, in vitest's process. Short: paths of sockets have at most 104 bytes on some systems. */
export function folderOfRun(parent = tmpdir()): string {
  return join(parent, `plancast-${process.pid}`);
}

/**
 * Linux's folder in memory, or else the usual one: the tests write and sync many small files, and need a tenth less time
 * in memory. A container's folder may be too small.
 */
export function folderInMemory(): string {
  try {
    const { bavail, bsize } = statfsSync("/dev/shm");
    return bavail * bsize >= 2e9 ? "/dev/shm" : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** Runs before the first test of a project; what it returns, after its last. */
export function setup({ config }: TestProject): () => void {
  const folder = config.env["TMPDIR"] ?? folderOfRun();
  mkdirSync(folder, { recursive: true });
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
