/** The story in one screen: what was read, validated and resolved (see check-calendars.ts) → diff → plan. Nothing here writes. */
import { checkPlatforms, findMissingMedia, unknownMedia } from "./ask-service.ts";
import type { CheckedCalendars } from "./check-calendars.ts";
import type { Project } from "./calendar/config.ts";
import { durationMs } from "./calendar/duration.ts";
import type { Clock } from "./calendar/clock.ts";
import type { Plan } from "./calendar/change.ts";
import { getOwn } from "./calendar/entry.ts";
import type { Lockfile } from "./calendar/lockfile.ts";
import type { Pace } from "./calendar/pace.ts";
import type { RemotePost, ResolvedPost } from "./calendar/post.ts";
import { hasErrors, type Problem } from "./calendar/problem.ts";
import { absence } from "./plan/absence.ts";
import { diff, type Diff, type DiffInput } from "./plan/diff.ts";
import { makePlan, withoutMissing } from "./plan/make-plan.ts";
import { nextLockfile } from "./plan/next-lockfile.ts";
import { withStillScheduled } from "./plan/standing.ts";
import { reconcilePendingCreates } from "./plan/settle.ts";
import { withholdCancels } from "./plan/withhold-cancels.ts";
import { mayStillBeScheduled, readRemote, type Remote } from "./remote.ts";
import type { ReadService } from "./service/service.ts";

/** A plan with the lockfile that its apply starts from; without a plan, the problems say why. */
export interface Planned {
  readonly plan: Plan | undefined;
  readonly problems: readonly Problem[];
  /** Made when asked, since only apply asks. Undefined without a plan. */
  readonly lockfile: (() => Lockfile) | undefined;
}

export interface PlanOptions {
  readonly service: ReadService;
  /** What the project owns, by lockfile and journal. */
  readonly lockfile: Lockfile;
  readonly clock: Clock;
  /** How fast requests may go; asked when the service has been read. */
  readonly pace: () => Pace;
  readonly allowCancels: number | undefined;
}

/** Plans what checks found in order. Throws a Failure when the service cannot be read. */
export async function planChanges(
  project: Project,
  checked: CheckedCalendars,
  options: PlanOptions,
): Promise<Planned> {
  if (hasErrors(checked.problems)) return withoutPlan(checked.problems);
  const { service } = options;
  const { input, diff } = await readAndDiff(project, checked, options);
  const withheld = withholdCancels(diff, checked);
  const platformProblems = await checkPlatforms(postsToSend(withheld.diff), project, service);
  const missingMedia = await findMissingMedia(withheld.diff, input.lockfile, service);
  const problems = [
    ...checked.problems,
    ...withheld.problems,
    ...platformProblems,
    ...unknownMedia(withheld.diff, missingMedia),
  ];
  if (hasErrors(problems)) return withoutPlan(problems);
  const plan = makePlan({
    input,
    diff: withheld.diff,
    missingMedia,
    drafts: checked.drafts,
    safety: project.config.safety,
    allowCancels: options.allowCancels,
    pace: options.pace(),
    problems,
  });
  const lockfile = (): Lockfile => withoutMissing(nextLockfile(input, withheld.diff), missingMedia);
  return { plan, problems: plan.problems, lockfile };
}

/** Decisions, and what they were made of. */
interface DiffWithInput {
  readonly input: DiffInput;
  readonly diff: Diff;
}

/** Reads the service's side and decides. Throws a Failure when it cannot be read. */
async function readAndDiff(
  project: Project,
  checked: CheckedCalendars,
  { service, lockfile, clock }: PlanOptions,
): Promise<DiffWithInput> {
  const decideOn = (remote: Remote): DiffWithInput => {
    const input = diffInput(project, checked, lockfile, remote, clock.now());
    return { input, diff: diff(input) };
  };
  // Whoever reads the list asks what it would mean; where nothing is absent from it, that is the decision.
  const asked = new WeakMap<readonly RemotePost[], DiffWithInput>();
  const claims = (listed: Remote): string[] => {
    const decided = decideOn(listed);
    asked.set(listed.posts, decided);
    return unconfirmedChangesOf(decided);
  };
  const remote = await readRemote({ service, lockfile, clock, unconfirmedChanges: claims });
  const decided = (remote.absent.size === 0 ? asked.get(remote.posts) : undefined) ?? decideOn(remote);
  refuseDuplicateCreates(decided);
  return decided;
}

/** Throws a Failure where a post would be made again of which nobody can tell that it is gone. */
function refuseDuplicateCreates({ diff: { changes }, input }: DiffWithInput): void {
  for (const { action, key } of changes) {
    const id = getOwn(input.lockfile.posts, key)?.post_id;
    if (action === "create" && id !== undefined && absence({ key }, input) === "unsaid")
      throw mayStillBeScheduled(id);
  }
}

/** The three sides that are compared. `lockfile`: as it was read; `now`: ms since the epoch. */
export function diffInput(
  { config: { safety } }: Project,
  { posts, inScope, filteredRows: leftOut }: CheckedCalendars,
  lockfile: Lockfile,
  remote: Remote,
  now: number,
): DiffInput {
  return {
    desired: posts,
    lockfile: reconcilePendingCreates(withStillScheduled(lockfile, remote.stillScheduled), remote.posts),
    remote: remote.posts,
    isListInDoubt: remote.isListInDoubt,
    absent: remote.absent,
    now,
    leadTimeMs: durationMs(safety.lead_time),
    settleMs: durationMs(safety.settle),
    inScope,
    leftOut,
  };
}

function withoutPlan(problems: readonly Problem[]): Planned {
  return { plan: undefined, problems, lockfile: undefined };
}

/** A list that is out of date may show a cancelled post, or lack one of a row that the lockfile has forgotten. */
function unconfirmedChangesOf({ diff, input: { lockfile } }: DiffWithInput): string[] {
  return diff.changes.flatMap((change) => {
    if (change.action === "adopt") return `adopts ${change.remote.id}`;
    const isForgotten = change.action === "create" && !Object.hasOwn(lockfile.posts, change.key);
    return isForgotten ? `lacks the post of ${change.key}` : [];
  });
}

function postsToSend({ changes }: Diff): readonly ResolvedPost[] {
  return changes.flatMap((change) =>
    change.action === "create" || change.action === "replace" ? change.desired : [],
  );
}
