/** Looks at what runs have left in the project: locks, lockfile and journal. Touches nothing. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { readRunLock } from "../apply/run-lock.ts";
import type { Project } from "../calendar/config.ts";
import { Failure } from "../calendar/failure.ts";
import { LockHeld } from "../state/process-lock.ts";
import { readState } from "../state/project-state.ts";
import { resultOrFailure } from "./attempt.ts";
import type { StateFacts } from "./facts.ts";

/** @param origin of the service; a Failure where it is not known */
export async function examineState(project: Project, origin: string | Failure): Promise<StateFacts> {
  const { root, config } = project;
  const found = await stat(join(root, config.lockfile)).catch(() => undefined);
  return {
    lock: await lockOf(root),
    lockfile: { name: config.lockfile, exists: found !== undefined },
    read: origin instanceof Failure ? undefined : await resultOrFailure(() => readState(project, origin)),
  };
}

async function lockOf(root: string): Promise<StateFacts["lock"]> {
  try {
    return (await readRunLock(root)) ?? "free";
  } catch (error) {
    // Whatever is in the way (a folder of that name, permissions), a run would not get past it either.
    if (error instanceof LockHeld || (error instanceof Error && "code" in error)) return "unreadable";
    throw error;
  }
}
