/** Work that changes the service or the lockfile: one run at a time, as apply. */
import { acquireRunLock, acquireSharedRunLock, withoutWaiting } from "../apply/run-lock.ts";
import type { Project } from "../calendar/config.ts";
import type { OpenedService, ServiceAccess } from "../open-service.ts";
import type { GlobalFlags } from "./command.ts";
import type { Console } from "./console.ts";
import type { Shell } from "./shell.ts";
import { withService } from "./with-service.ts";

interface LockedWork {
  /** As people type it after `plancast`. */
  readonly command: string;
  readonly access: ServiceAccess;
}

/** Throws a Failure, at once, while another run has the lock. */
export async function withRunLock<T>(
  project: Project,
  { command, access }: LockedWork,
  flags: GlobalFlags,
  shell: Shell,
  console: Console,
  work: (opened: OpenedService) => Promise<T>,
): Promise<T> {
  const patience = withoutWaiting(command, shell);
  const lock = await acquireRunLock(project.root, patience);
  try {
    return await withService({ project, access }, flags, shell, console, async (opened) => {
      if (opened.share !== undefined) await acquireSharedRunLock(opened.share.lease, patience);
      return work(opened);
    });
  } finally {
    await lock.release();
  }
}
