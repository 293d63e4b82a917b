/**
 * `plancast resolve`: lists posts that may or may not exist, and records the truth about one: from a person, or from
 * the service's list.
 */

import { Failure } from "../model/failure.ts";
import type { Lockfile } from "../model/lockfile.ts";
import { pendingCreatesDocument, pendingCreatesText } from "../report/outcomes/lockfile.ts";
import type { Service } from "../service/service.ts";
import {
  reconcilePendingCreates,
  withConfirmedCreates,
  withoutPendingCreate,
} from "../sync/plan/reconcile.ts";
import { type Remote, RemoteReader } from "../sync/remote.ts";
import { readState } from "../sync/state/project-state.ts";
import {
  type FlagsOf,
  type ProjectRun,
  type Run,
  defineCommand,
  defineFlags,
  switchOption,
  textOption,
  FORMAT_OPTION,
} from "./shell/command.ts";
import { withLocalRunLock } from "./project/connect.ts";
import { openProject } from "./project/project.ts";
import { saveLockfile, showRead } from "./project/service-records.ts";
import type { ExitCode, Shell } from "./shell/shell.ts";

const FLAGS = defineFlags({
  key: {
    isPositional: true,
    type: "string",
    describe: "Id or key of the post, as plancast resolve lists it",
  },
  exists: textOption("The post exists on the service with this id", "ID"),
  absent: switchOption("The post does not exist. The next apply creates it"),
  "look-again": switchOption("Look for the posts on the service now"),
  format: FORMAT_OPTION,
});

type ResolveFlags = FlagsOf<typeof FLAGS>;

export const command = defineCommand({
  flags: FLAGS,
  examples: [
    ["resolve", "List posts that may or may not exist"],
    ["resolve launch --exists post_81f", 'Record that the post "launch" exists'],
    ["resolve launch --absent", 'Record that the post "launch" does not exist'],
  ],
  run: resolve,
});

async function resolve(run: Run<ResolveFlags>): Promise<ExitCode> {
  const { flags } = run;
  if (flags.key === undefined && (flags.exists !== undefined || flags.absent))
    throw new Failure(
      "usage/arguments",
      `${flags.absent ? "--absent" : "--exists"} needs the key of a post.`,
      "Run `plancast resolve` to list the posts with their keys.",
    );
  const opened = await openProject(run);
  const isReading = flags.exists === undefined && !flags.absent && !flags["look-again"];
  if (isReading) return resolveAttempts(opened);
  return withLocalRunLock(opened, "resolve", () => resolveAttempts(opened));
}

function resolveAttempts(run: ProjectRun<ResolveFlags>): Promise<ExitCode> {
  const { project, flags, shell, console } = run;
  return showRead(run, async (service) => {
    const state = await readState(project, service.origin);
    const lockfile = await resolved(state.lockfile, flags, service, shell);
    await saveLockfile(project, lockfile, { read: state, service, clock: shell.clock });
    const document = pendingCreatesDocument(lockfile.unknown);
    return {
      document,
      text: () => pendingCreatesText(document, console.style),
      // The advice differs for each pending create.
      next: document.unknown.length === 0 ? "plancast plan shows the remaining changes." : undefined,
    };
  });
}

/** The lockfile with the new facts about pending creates. */
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
      "You cannot combine --exists, --absent and --look-again.",
      "Use only one of them.",
    );
  }
  if (key !== undefined && !Object.hasOwn(lockfile.unknown, key)) {
    throw new Failure(
      "usage/not-found",
      `"${key}" is not a pending create, so its outcome is known.`,
      "Run `plancast resolve` to list the pending creates.",
    );
  }
  if (flags["look-again"]) {
    const reader = new RemoteReader({ service, lockfile, clock: shell.clock });
    let remote: Remote;
    do remote = await reader.read();
    while (!(await reader.isProved(remote, [])));
    return reconcilePendingCreates(lockfile, remote.posts);
  }
  if (key === undefined) return lockfile;
  if (absent) return withoutPendingCreate(lockfile, key);
  return exists === undefined
    ? lockfile
    : withConfirmedCreates(lockfile, new Map([[key, await scheduledPost(exists, lockfile, service)]]));
}

/** With a wrong id, plancast would own, and one day cancel, somebody else's post. So the post must at least exist. */
async function scheduledPost(id: string, lockfile: Lockfile, service: Service): Promise<string> {
  const isOwned = Object.values(lockfile.posts).some((post) => post.post_id === id);
  if (isOwned || Object.hasOwn(lockfile.retiring, id)) {
    throw new Failure(
      "service/not-found",
      `The post "${id}" belongs to another row.`,
      "Copy the id from the service again.",
    );
  }
  const { state } = await service.getPost(id);
  if (state === "scheduled" || state === "unknown") return id;
  throw new Failure(
    "service/not-found",
    `The service has no scheduled post "${id}".`,
    "Copy the id from the service again.",
  );
}
