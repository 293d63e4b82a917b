/** The story in one screen: what was read, validated and resolved (see check-calendars.ts) → diff → plan. Nothing here writes. */

import type { CheckedCalendars } from "../calendars/check.ts";
import { aliasesOf, unknownPlatforms } from "../checks/platforms.ts";
import type { Clock, Pace } from "../model/clock.ts";
import { type Lockfile, getOwn } from "../model/lockfile.ts";
import type { Plan } from "../model/plan.ts";
import type { RemotePost, ResolvedPost } from "../model/post.ts";
import { type Problem, hasErrors, problem } from "../model/problem.ts";
import { durationMs } from "../model/units.ts";
import type { ReadService } from "../service/service.ts";
import type { Project } from "../settings/config.ts";
import { withholdCancels } from "./plan/cancel-guards.ts";
import { idToSend } from "./plan/compare.ts";
import { absence, diff } from "./plan/diff.ts";
import type { Diff, DiffInput } from "./plan/input.ts";
import { makePlan, mediaToSend, withoutMissing } from "./plan/make-plan.ts";
import { nextLockfile } from "./plan/next-lockfile.ts";
import { reconcilePendingCreates, withStillScheduled } from "./plan/reconcile.ts";
import { type Remote, mayStillBeScheduled, readRemote } from "./remote.ts";

/** A plan with the lockfile that its apply starts from; without a plan, the problems say why. */
export interface Planned {
  readonly plan: Plan | undefined;
  readonly problems: readonly Problem[];
  /** Made when asked, since only apply asks. Undefined without a plan. */
  readonly lockfile: (() => Lockfile) | undefined;
}

interface PlanOptions {
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
    if (action === "create" && id !== undefined && absence({ key }, input) === "unknown")
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

/** What only the service can tell of posts that are to be sent: whether it has their platforms and media. */

/** The platforms that the posts name against those that the service has connected. Costs a request, if there are posts. */
export async function checkPlatforms(
  posts: readonly ResolvedPost[],
  project: Project,
  service: ReadService,
): Promise<Problem[]> {
  if (posts.length === 0) return [];
  const known = await service.listPlatforms();
  if (known !== undefined) return unknownPlatforms(posts, known, aliasesOf(project.config.platforms));
  const message =
    "The service's list of connected platforms cannot be read, so the names in the calendar were not checked.";
  return [problem("platform/unchecked", message)];
}

/** Of the media that are to be sent by an id, those that the service does not have. */
async function findMissingMedia(
  { changes }: Diff,
  { media }: Lockfile,
  service: ReadService,
): Promise<ReadonlySet<string>> {
  const ids = changes.flatMap(mediaToSend).flatMap((each) => idToSend(each, media) ?? []);
  return ids.length === 0 ? new Set() : service.findMissingMedia([...new Set(ids)]);
}

/** A file can be uploaded again; an id that a row names cannot. */
function unknownMedia({ changes }: Diff, missing: ReadonlySet<string>): Problem[] {
  return changes.flatMap((change) =>
    mediaToSend(change).flatMap((each, index) => {
      if (change.action === "cancel" || each.kind !== "id" || !missing.has(each.id)) return [];
      const message = `The service has no media "${each.id}". Name a file instead, or an id that it has.`;
      return [problem("media/unknown-id", message, change.desired.at("media", index))];
    }),
  );
}
