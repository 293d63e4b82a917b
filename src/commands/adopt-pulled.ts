/** Takes posts over into the lockfile whose rows have just been written. Sends nothing. */
import { utcTime } from "../calendar/canonical.ts";
import type { Clock } from "../calendar/clock.ts";
import type { Project } from "../calendar/config.ts";
import { Failure } from "../calendar/failure.ts";
import { hasErrors } from "../calendar/problem.ts";
import { checkCalendars } from "../check-calendars.ts";
import { openAddresses } from "../open-addresses.ts";
import { hashCacheOf } from "../open-hash-cache.ts";
import { diffInput } from "../pipeline.ts";
import { diff } from "../plan/diff.ts";
import { nextLockfile } from "../plan/next-lockfile.ts";
import type { Remote } from "../remote.ts";
import { SELECT_ALL, selectCalendars } from "../select-calendars.ts";
import { OpenState, type ReadState } from "../state/project-state.ts";

export interface Adoption {
  readonly project: Project;
  /** The calendar that was written, relative to the project root, with `/`. */
  readonly file: string;
  /** What the rows were made from. The run lock has been held since before it was read. */
  readonly state: ReadState;
  readonly remote: Remote;
  readonly clock: Clock;
}

/** Gives how many posts were taken over. */
export async function adoptPulled({ project, file, state, remote, clock }: Adoption): Promise<number> {
  const selection = await selectCalendars(project, SELECT_ALL, project.root);
  const checked = await checkCalendars(project, selection, clock, {
    addresses: openAddresses(project, clock),
    hashes: hashCacheOf(project, clock),
  });
  if (hasErrors(checked.problems)) throw changedMeanwhile(file);
  const all = diffInput(project, checked, state.lockfile, remote, clock.now());
  const input = { ...all, inScope: (name: string) => name === file };
  const made = diff(input);
  const changes = made.changes.filter(({ action }) => action === "adopt");
  const lockfile = nextLockfile(input, { ...made, changes });
  if (OpenState.differs(lockfile, state)) {
    const writing = await OpenState.open(project, lockfile, state.journal, utcTime(clock.now()));
    await writing.close();
  }
  return changes.length;
}

function changedMeanwhile(file: string): Failure {
  return new Failure(
    "pull/not-adopted",
    `${file} was written, but its posts were not adopted: a calendar has been changed meanwhile and has errors.`,
    "Mend what plancast validate names; then plancast apply adopts them.",
  );
}
