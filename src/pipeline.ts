/** The story in one screen: read → validate → resolve → diff → plan. Nothing here writes. */
import type { Project } from "./calendar/config.ts";
import { durationMs } from "./calendar/duration.ts";
import type { Clock } from "./calendar/clock.ts";
import type { Plan } from "./calendar/change.ts";
import type { LeftOut } from "./calendar/left-out.ts";
import type { Lockfile } from "./calendar/lockfile.ts";
import type { Pace } from "./calendar/pace.ts";
import type { RemotePost, ResolvedPost } from "./calendar/post.ts";
import { hasErrors, problem, type Problem } from "./calendar/problem.ts";
import type { Calendar } from "./calendar/row.ts";
import { resolveMedia } from "./media/resolve-media.ts";
import { diff, type Diff, type DiffInput } from "./plan/diff.ts";
import { mediaIdOf } from "./plan/fingerprint.ts";
import { makePlan, withoutMissing } from "./plan/make-plan.ts";
import { nextLockfile } from "./plan/next-lockfile.ts";
import { settle } from "./plan/settle.ts";
import { mediaToSend } from "./plan/turns.ts";
import { withholdCancels, type BlindSpots } from "./plan/withhold-cancels.ts";
import { readRemote, type Remote } from "./remote.ts";
import { checkPosts } from "./rules/check-posts.ts";
import type { ReadService } from "./service/service.ts";
import { aliasesOf, unknownPlatforms } from "./validate/platforms.ts";
import { validate } from "./validate/validate.ts";
import type { Selection } from "./select-calendars.ts";

/** The calendars, understood as far as that goes without the service. */
export interface Checked extends BlindSpots {
  readonly calendars: readonly Calendar[];
  /** Rows in scope that no filter leaves out, whatever became of them. */
  readonly rows: number;
  readonly posts: readonly ResolvedPost[];
  /** Draft and skipped rows in scope. */
  readonly drafts: number;
  readonly problems: readonly Problem[];
  readonly inScope: (file: string) => boolean;
  /** Rows that a filter leaves out. */
  readonly leftOut: LeftOut;
}

/** Offline: rows become posts with known media, or problems. */
export async function check(
  project: Project,
  { calendars, inScope, problems, only }: Selection,
  clock: Clock,
): Promise<Checked> {
  const { posts, drafts, leftOut, problems: wrong } = validate(calendars, project.config, only);
  const resolved = await resolveMedia(posts, project.root);
  const found = checkPosts({ posts, resolved: resolved.posts, config: project.config, now: clock.now() });
  const all = [...problems, ...calendars.flatMap((each) => each.problems), ...wrong, ...resolved.problems];
  const broken = all.filter(
    (each) => each.severity === "error" && each.file !== undefined && !inScope(each.file),
  );
  return {
    calendars,
    rows:
      calendars.filter(({ file }) => inScope(file)).reduce((sum, { rows }) => sum + rows.length, 0) -
      leftOut.count(inScope),
    posts: resolved.posts,
    drafts: drafts.filter(inScope).length,
    problems: inFileOrder(
      [
        ...all.filter((each) => each.file === undefined || inScope(each.file) || acrossFiles(each)),
        // These make no calendar one that cannot be understood.
        ...found.filter((each) => each.file === undefined || inScope(each.file)),
      ],
      calendars,
    ),
    inScope,
    leftOut,
    isFiltered: only !== undefined,
    brokenOthers: [...new Set(broken.flatMap((each) => each.file ?? []))],
  };
}

/** A clash between two files concerns both. */
function acrossFiles({ code }: Problem): boolean {
  return code === "row/duplicate-id" || code === "row/duplicate-post";
}

function inFileOrder(problems: readonly Problem[], calendars: readonly Calendar[]): readonly Problem[] {
  const order = new Map(calendars.map(({ file }, index) => [file, index]));
  const rank = ({ file }: Problem): number => (file === undefined ? -1 : (order.get(file) ?? -1));
  return [...problems].sort(
    (one, other) =>
      rank(one) - rank(other) ||
      (one.line ?? 0) - (other.line ?? 0) ||
      (one.column ?? 0) - (other.column ?? 0),
  );
}

/** A plan with the lockfile that its apply starts from; without a plan, the problems say why. */
export interface Planned {
  readonly plan: Plan | undefined;
  readonly problems: readonly Problem[];
  /** Undefined without a plan. */
  readonly lockfile: Lockfile | undefined;
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
  checked: Checked,
  options: PlanOptions,
): Promise<Planned> {
  if (hasErrors(checked.problems)) return withoutPlan(checked.problems);
  const { service, clock } = options;
  const { safety } = project.config;
  const inputOf = (remote: Remote): DiffInput => ({
    desired: checked.posts,
    lockfile: settle(options.lockfile, remote.posts),
    remote: remote.posts,
    absent: remote.absent,
    now: clock.now(),
    leadTimeMs: durationMs(safety.lead_time),
    settleMs: durationMs(safety.settle),
    inScope: checked.inScope,
    leftOut: checked.leftOut,
  });
  const adopted = (posts: readonly RemotePost[]): string[] =>
    adoptedIn(diff(inputOf({ posts, absent: new Map() })));
  const input = inputOf(await readRemote({ service, lockfile: options.lockfile, clock, adopted }));
  const withheld = withholdCancels(diff(input), checked);
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
    safety,
    allowCancels: options.allowCancels,
    pace: options.pace(),
    problems,
  });
  const lockfile = withoutMissing(nextLockfile(input, withheld.diff), missingMedia);
  return { plan, problems: plan.problems, lockfile };
}

function withoutPlan(problems: readonly Problem[]): Planned {
  return { plan: undefined, problems, lockfile: undefined };
}

function adoptedIn({ changes }: Diff): string[] {
  return changes.flatMap((change) => (change.action === "adopt" ? change.remote.id : []));
}

function postsToSend({ changes }: Diff): readonly ResolvedPost[] {
  return changes.flatMap((change) =>
    change.action === "create" || change.action === "replace" ? change.desired : [],
  );
}

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
  const ids = changes.flatMap(mediaToSend).flatMap((each) => mediaIdOf(each, media) ?? []);
  return ids.length === 0 ? new Set() : service.findMissingMedia([...new Set(ids)]);
}

/** A file can be uploaded again; an id that a row names cannot. */
function unknownMedia({ changes }: Diff, missing: ReadonlySet<string>): Problem[] {
  return changes.flatMap((change) =>
    mediaToSend(change).flatMap((each, index) => {
      if (change.action === "cancel" || each.kind === "file" || !missing.has(each.id)) return [];
      const message = `The service has no media "${each.id}". Name a file instead, or an id that it has.`;
      return [problem("media/unknown-id", message, change.desired.at("media", index))];
    }),
  );
}
