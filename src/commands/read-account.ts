/** What is scheduled on the service, beside what the project knows of it. */
import type { Clock } from "../calendar/clock.ts";
import type { Project } from "../calendar/config.ts";
import type { CheckedCalendars } from "../check-calendars.ts";
import { diffInput } from "../pipeline.ts";
import { diff, type Diff } from "../plan/diff.ts";
import { readRemote, type Remote } from "../remote.ts";
import type { ReadService } from "../service/service.ts";
import { readState, type ReadState } from "../state/project-state.ts";

export interface PullState {
  readonly state: ReadState;
  readonly remote: Remote;
  readonly diff: Diff;
}

/** Throws a Failure when the list cannot be shown whole. `adopts`: posts are to be taken over, so a second list must agree. */
export async function readPullState(
  project: Project,
  checked: CheckedCalendars,
  service: ReadService,
  clock: Clock,
  adopts: boolean,
): Promise<PullState> {
  const state = await readState(project, service.origin);
  const { lockfile } = state;
  const compare = (remote: Remote): Diff => diff(diffInput(project, checked, lockfile, remote, clock.now()));
  const claims = (listed: Remote): readonly string[] =>
    adopts ? compare(listed).unmanaged.map(({ id }) => `adopts ${id}`) : [];
  const remote = await readRemote({
    service,
    lockfile,
    clock,
    unconfirmedChanges: claims,
    takesIncomparable: true,
  });
  return { state, remote, diff: compare(remote) };
}
