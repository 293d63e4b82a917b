/** Carries out an approved plan: opens the state, runs every change, closes the state. Nothing is asked of anybody here. */

import type { WebMedia } from "../../media/web-media.ts";
import { utcTime } from "../../model/canonical.ts";
import type { Clock } from "../../model/clock.ts";
import { Failure } from "../../model/failure.ts";
import type { Lockfile } from "../../model/lockfile.ts";
import type { ApplyResult, Outcome, Plan } from "../../model/plan.ts";
import type { Service } from "../../service/service.ts";
import type { Project } from "../../settings/config.ts";
import { OpenState, type ReadState } from "../state/project-state.ts";
import { runPlan } from "./run-plan.ts";
import { Uploads } from "./upload-media.ts";

/** An open service, as far as apply needs it. */
export interface ApplyingService {
  readonly service: Service;
  /** Requests sent so far. */
  readonly requests: () => number;
  /** Ms spent waiting for the rate limit so far. */
  readonly waitedMs: () => number;
  /** Aborted, with a Failure as its reason, when the run lock that machines share is lost. */
  readonly share?: { readonly lost: AbortSignal } | undefined;
}

export interface ApplyOptions {
  readonly project: Project;
  readonly plan: Plan;
  /** The lockfile that the plan starts from. */
  readonly lockfile: Lockfile;
  /** Lockfile and journal as the plan read them. */
  readonly state: ReadState | undefined;
  readonly opened: ApplyingService;
  readonly addresses: WebMedia;
  readonly clock: Clock;
  /** Aborted when the run is interrupted: what is in flight is finished, nothing else starts. */
  readonly stop: AbortSignal;
  /** Called once for each change, when it ends. */
  readonly onOutcome: (outcome: Outcome) => void;
}

/** What became of each change. `failure` ended the run early, such as a full disk. */
export type ApplyRun = ApplyResult & { readonly failure: Failure | undefined };

export async function applyPlan(options: ApplyOptions): Promise<ApplyRun> {
  const { project, plan, lockfile, state, opened, addresses, clock, stop, onOutcome } = options;
  const { service, requests, waitedMs, share } = opened;
  const counts = (): Pick<ApplyResult, "requests" | "waitedMs"> => ({
    requests: requests(),
    waitedMs: waitedMs(),
  });
  const lost = share?.lost;
  // What was planned may be done by another run by now.
  lost?.throwIfAborted();
  const hasJournal = (state?.journal.records.length ?? 0) > 0;
  const hasWork = plan.changes.length > 0 || hasJournal || OpenState.differs(lockfile, state);
  if (stop.aborted || !hasWork) {
    return {
      outcomes: notStarted(plan),
      uploaded: 0,
      interrupted: stop.aborted,
      failure: undefined,
      ...counts(),
    };
  }
  const journal = state?.journal ?? { records: [], wholeBytes: 0 };
  const openState = await OpenState.open(project, lockfile, journal, utcTime(clock.now()));
  const uploads = new Uploads(service, openState, project.root, addresses);
  const ran = await runPlan({ plan, service, state: openState, uploads, clock, stop, lost, onOutcome });
  const closingFailure = await closeState(openState);
  return { ...ran, failure: ran.failure ?? closingFailure, ...counts() };
}

/** A lockfile that cannot be written at the end takes nothing back: the journal has it all, and the report still comes. */
async function closeState(state: OpenState): Promise<Failure | undefined> {
  try {
    await state.close();
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

function notStarted({ changes }: Plan): ApplyResult["outcomes"] {
  return changes.map(({ key, action }) => ({ key, action, status: "not_started" }));
}
