/** Says what became of creates in doubt: by a person's word, or by the service's list. */

import { utcTime } from "../../model/canonical.ts";
import { Failure } from "../../model/failure.ts";
import type { Lockfile } from "../../model/lockfile.ts";
import { pendingCreatesDocument, pendingCreatesText } from "../../report/outcomes/pending-creates.ts";
import type { Service } from "../../service/service.ts";
import type { Project } from "../../settings/config.ts";
import {
  reconcilePendingCreates,
  withConfirmedCreates,
  withoutPendingCreate,
} from "../../sync/plan/reconcile.ts";
import { readRemote } from "../../sync/remote.ts";
import { OpenState, readState } from "../../sync/state/project-state.ts";
import type { Console } from "../shared/console.ts";
import type { GlobalFlags } from "../shared/flags.ts";
import { showRead } from "../shared/service-records.ts";
import type { ExitCode, Shell } from "../shared/shell.ts";

export interface ResolveFlags {
  readonly key: string | undefined;
  readonly exists: string | undefined;
  readonly absent: boolean;
  readonly "look-again": boolean;
  readonly format: "text" | "json";
}

export function resolveAttempts(
  project: Project,
  flags: GlobalFlags & ResolveFlags,
  shell: Shell,
  console: Console,
): Promise<ExitCode> {
  return showRead(project, flags, shell, console, async (service) => {
    const state = await readState(project, service.origin);
    const lockfile = await resolved(state.lockfile, flags, service, shell);
    if (OpenState.differs(lockfile, state)) {
      const writing = await OpenState.open(project, lockfile, state.journal, utcTime(shell.clock.now()));
      await writing.close();
    }
    return {
      document: () => pendingCreatesDocument(lockfile.unknown),
      text: () => pendingCreatesText(lockfile.unknown, console.style),
      // What is in doubt comes with its own way on.
      next:
        Object.keys(lockfile.unknown).length === 0
          ? "plancast plan shows what is still to be done."
          : undefined,
    };
  });
}

/** The lockfile with what was said, or found, about posts in doubt. */
async function resolved(
  lockfile: Lockfile,
  flags: ResolveFlags,
  service: Service,
  shell: Shell,
): Promise<Lockfile> {
  const { key, exists, absent } = flags;
  if ([exists !== undefined, absent, flags["look-again"]].filter(Boolean).length > 1) {
    throw new Failure(
      "usage/arguments",
      "--exists, --absent and --look-again exclude each other.",
      "Say one of them.",
    );
  }
  if (key !== undefined && !Object.hasOwn(lockfile.unknown, key)) {
    throw new Failure(
      "resolve/nothing",
      `"${key}" is not in doubt.`,
      "Run `plancast resolve` to see what is.",
    );
  }
  if (flags["look-again"]) {
    const { posts } = await readRemote({ service, lockfile, clock: shell.clock }, (remote) => ({
      ...remote,
      unconfirmed: [],
    }));
    return reconcilePendingCreates(lockfile, posts);
  }
  if (key === undefined) return lockfile;
  if (absent) return withoutPendingCreate(lockfile, key);
  return exists === undefined
    ? lockfile
    : withConfirmedCreates(lockfile, new Map([[key, await scheduledPost(exists, lockfile, service)]]));
}

/** A slip in the id would make plancast own, and one day cancel, somebody else's post; so it must at least be there. */
async function scheduledPost(id: string, lockfile: Lockfile, service: Service): Promise<string> {
  const isOwned = Object.values(lockfile.posts).some((post) => post.post_id === id);
  if (isOwned || Object.hasOwn(lockfile.retiring, id)) {
    throw new Failure(
      "resolve/not-scheduled",
      `"${id}" is the post of another row.`,
      "Copy the id from the service again.",
    );
  }
  const { state } = await service.getPost(id);
  if (state === "scheduled" || state === "unclear") return id;
  throw new Failure(
    "resolve/not-scheduled",
    `The service has no scheduled post "${id}".`,
    "Copy the id from the service again.",
  );
}
