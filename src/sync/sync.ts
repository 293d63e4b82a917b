/**
 * The steps of a run, from the calendars to the service:
 *
 *   read      find the calendars and read their rows                selectCalendars    reads files
 *   check     rows become posts with known media, or problems       checkCalendars     reads files, downloads media
 *   remote    what the service has, read until it is proved         RemoteReader       only reads
 *   trust     what counts of the lockfile                           trustedLockfile    pure
 *   slots     rows without a time get the slots that they have      withKnownSlots     pure
 *   diff      calendars, lockfile and service, compared             diff               pure
 *   plan      what to do, in which order, and what stops it         makePlan           pure
 *   apply     the changes, several at once, each in the journal     applyPlan          writes
 *
 * `plan`, `preview` and `ci` on a pull request stop after the plan. `apply`, and `ci` after the merge, do all steps.
 * If something would change, the service is asked before the plan whether it has the accounts and media for it.
 */

import {
  type CheckedCalendars,
  type MediaSources,
  checkCalendars,
  toUnplannedPost,
} from "../calendars/check.ts";
import { countRows, withoutInvalidRows } from "../calendars/row-groups.ts";
import { type SelectionOptions, selectCalendars } from "../calendars/select.ts";
import { utcMs } from "../model/canonical.ts";
import { hasExtras, isExpired, supportedPosts } from "../model/extras.ts";
import { type Clock, type Pace, durationMs } from "../model/clock.ts";
import { reportInput } from "../model/input-size.ts";
import { type Lockfile, getOwn, knownSeries, ownersIn } from "../model/lockfile.ts";
import type { Plan } from "../model/plan.ts";
import { type ResolvedPost, withoutMedia } from "../model/post.ts";
import { type Problem, hasErrors, problem } from "../model/problem.ts";
import type { OpenedService } from "../service/connect/open-service.ts";
import {
  accountsUnknownText,
  lostLockfileText,
  noBaseText,
  withheldCancelsText,
  pausedText,
} from "../problems/plan-texts.ts";
import type { ReadService } from "../service/service.ts";
import { type Project, REPOSITORY } from "../settings/config.ts";
import { type Seen, areAccountsUnknown, projectAccounts } from "./state/accounts.ts";
import {
  checkWithService,
  movedClock,
  notStoredProblems,
  platformProblemsIfReachable,
  refuseOtherClock,
} from "./check-with-service.ts";
import {
  type Remote,
  conclusionsOf,
  latestOf,
  pausedPosts,
  refuseDuplicateCreates,
  RemoteReader,
} from "./remote.ts";
import { unknownPostProblems } from "./plan/unknown-posts.ts";
import { withKnownSlots } from "./plan/known-slots.ts";
import { diff } from "./plan/diff.ts";
import type { Diff, DiffInput } from "./plan/input.ts";
import { type PlanInput, makePlan, withoutMissing } from "./plan/make-plan.ts";
import { heldRowsOf, holdProblems, withoutHeldPosts } from "./plan/held.ts";
import { NOTHING_LEFT_OUT, Staying } from "./plan/staying.ts";
import { nextLockfile } from "./plan/next-lockfile.ts";
import {
  type Base,
  type Compared,
  type Evidence,
  type Trusted,
  trustedLockfile,
  withBase,
  withoutStored,
} from "./plan/trusted.ts";
import { reconcilePendingCreates, withStillScheduled } from "./plan/reconcile.ts";
import { type ReadState, readState } from "./state/project-state.ts";

export { applyPlan } from "./apply/apply-plan.ts";

/** The parts of an open service that a plan needs. */
export interface PlanningService {
  readonly service: ReadService;
  /** How fast requests may follow each other, according to the newest answer. */
  readonly pace: () => Pace;
  /** The clock that decides what is past. Default: the run's own. */
  readonly clock?: Clock;
  /** How far the service's clock is ahead of this machine's, in ms, by its answers; undefined if they do not show it. */
  readonly clockAheadMs?: () => number | undefined;
  /** Whether this is a CI job. A cache that others can write may have restored its journal. */
  readonly isCi?: boolean;
  readonly close: () => Promise<void>;
}

export interface PlanOptions<Opened extends PlanningService> {
  readonly project: Project;
  readonly clock: Clock;
  /** Whether the clock shows a different time than now, which decides what is past. Nobody applies this plan. */
  readonly isTrial?: boolean;
  /** Whether rows with errors are left out instead of stopping the plan. */
  readonly onlyValid?: boolean;
  /** Opens the service. It is closed if there is no plan; otherwise the caller closes it. */
  readonly open: () => Promise<Opened>;
  /** Called before the first request; if it throws, there is no plan. */
  readonly prepare?: (opened: Opened) => Promise<void>;
  readonly allowCancels?: number | undefined;
  /** What the checkout is compared with. Default: the whole lockfile counts. */
  readonly compared?: Compared;
}

/** A plan and its inputs. Without a plan, the problems say why. */
export interface Planning<Opened extends PlanningService = OpenedService> {
  readonly project: Project;
  readonly checked: CheckedCalendars;
  readonly problems: readonly Problem[];
  readonly plan: Plan | undefined;
  /** The lockfile that apply starts from; computed on demand. Undefined without a plan. */
  readonly lockfile: (() => Lockfile) | undefined;
  /** Lockfile and journal as they were read. Undefined if the service was not asked. */
  readonly state: ReadState | undefined;
  /** What counts of them. Undefined if the service was not asked. */
  readonly owned: Lockfile | undefined;
  readonly opened: Opened | undefined;
  /** Facts about the service for the lockfile, if it is written. Undefined without a plan. */
  readonly seen: Seen | undefined;
  /** The series whose posts the service has, in the form of `seriesName`. Empty without a plan. */
  readonly series: ReadonlySet<string>;
}

/**
 * Reads the calendars and plans. Throws a Failure if the service cannot be read, or its list cannot be proved whole.
 */
export async function planCalendars<Opened extends PlanningService>(
  selection: SelectionOptions & { readonly cwd: string },
  media: MediaSources,
  options: PlanOptions<Opened>,
): Promise<Planning<Opened>> {
  const { project, clock } = options;
  const holds = options.compared?.holds?.text;
  const selected = await selectCalendars(project, { ...selection, holds }, selection.cwd);
  const check = async (at: Clock): Promise<CheckedCalendars> => {
    const checked = await checkCalendars(project, selected, at, media);
    return options.onlyValid === true ? withoutInvalidRows(checked) : checked;
  };
  return planChecked(await check(clock), options, check);
}

/**
 * Plans with checked calendars.
 * @param checkAgain with the clock of the embedded service, if somebody has moved it: free slots and posts of series
 *   depend on the time
 */
export async function planChecked<Opened extends PlanningService>(
  given: CheckedCalendars,
  options: PlanOptions<Opened>,
  checkAgain?: (at: Clock) => Promise<CheckedCalendars>,
): Promise<Planning<Opened>> {
  const { project, open, prepare } = options;
  const unplanned = {
    project,
    checked: given,
    plan: undefined,
    lockfile: undefined,
    state: undefined,
    owned: undefined,
    seen: undefined,
    series: new Set<string>(),
  };
  if (hasErrors(given.problems)) {
    const others = await platformProblemsIfReachable(allPosts(given), project, open);
    return { ...unplanned, problems: [...given.problems, ...others], opened: undefined };
  }
  const opened = await open();
  try {
    await prepare?.(opened);
    const moved = movedClock(opened.clock, options);
    const checked = moved === undefined ? given : ((await checkAgain?.(moved)) ?? given);
    if (hasErrors(checked.problems)) {
      await opened.close();
      return { ...unplanned, checked, problems: checked.problems, opened: undefined };
    }
    const state = await readState(project, opened.service.origin);
    return {
      project,
      state,
      opened,
      ...(await planChanges(checked, state, opened, options)),
    };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** All ready posts, including those with errors, which have no media here. */
function allPosts({ posts, unresolved, faultyRows }: CheckedCalendars): readonly ResolvedPost[] {
  const faulty = [...unresolved, ...faultyRows.map(toUnplannedPost)].map(withoutMedia);
  return [...posts, ...faulty];
}

/** remote → diff → plan. Writes nothing. */
async function planChanges(
  read: CheckedCalendars,
  state: ReadState,
  opened: PlanningService,
  {
    project,
    clock,
    isTrial,
    compared: { base, isPullRequest, notices = [], upstream, holds } = {
      base: undefined,
      isPullRequest: false,
    },
    ...allowed
  }: Omit<PlanOptions<PlanningService>, "open" | "prepare">,
): Promise<
  Pick<Planning<PlanningService>, "checked" | "plan" | "problems" | "lockfile" | "owned" | "seen" | "series">
> {
  const { service } = opened;
  const { isJournalOnly, isLost } = state;
  const written = service.origin === REPOSITORY ? withoutStored(state.lockfile) : state.lockfile;
  const isJournaled = opened.isCi === true || isJournalOnly === undefined ? () => false : isJournalOnly;
  const {
    checked,
    problems: found,
    input,
    compared,
    page,
    trusted,
  } = await compareUntilProved(read, { ...state, lockfile: written }, opened, {
    project,
    clock,
    isTrial,
    base: base === "unknown" ? undefined : base,
    upstream,
    holds,
    isJournaled,
  });
  const { lockfile: owned } = trusted;
  const { withheld } = compared;
  // With the key of another account, every post is missing.
  const isWriting = compared.changes.length + input.absent.size > 0;
  const accounts = isWriting ? await projectAccounts(service, owned) : undefined;
  const asked = await checkWithService(compared, input.lockfile, project, service);
  const file = project.config.lockfile;
  const problems = [
    ...(isLost === true ? [problem("lockfile/missing", lostLockfileText(file), { file })] : []),
    ...(base === "unknown" && hasEntries(written)
      ? [problem("lockfile/no-base", noBaseText(file), { file })]
      : []),
    ...notices,
    ...checked.problems,
    ...found,
    ...(withheld === undefined ? [] : [problem("plan/cancels-withheld", withheldCancelsText(withheld))]),
    ...asked.problems,
    ...holdProblems(checked, input, compared, project.config, holds?.before),
    ...unknownPostProblems(service, checked.posts, compared),
    ...notStoredProblems(checked.posts.filter(hasExtras).filter(isPlanned(checked, input)), service, project),
    ...(accounts !== undefined && areAccountsUnknown(service, owned, accounts)
      ? [problem("plan/accounts-unknown", accountsUnknownText(file, accounts), { file })]
      : []),
  ];
  if (hasErrors(problems))
    return {
      checked,
      plan: undefined,
      problems,
      lockfile: undefined,
      owned,
      seen: undefined,
      series: new Set(),
    };
  const plan = makePlan({
    input,
    diff: compared,
    missingMedia: asked.missingMedia,
    ...countRows(checked),
    timezone: project.config.timezone ?? "UTC",
    safety: project.config.safety,
    allowCancels: allowed.allowCancels,
    afterApply: project.config.automations.after_apply,
    ...sendingOf(opened),
    problems,
    isJournalOnly: opened.isCi === true ? isJournalOnly : undefined,
    trusted: { ...trusted, file, isPullRequest },
  });
  const lockfile = (): Lockfile => withoutMissing(nextLockfile(input, compared), asked.missingMedia);
  const series = scheduledSeries(input);
  return { checked, plan, problems: plan.problems, lockfile, owned, seen: { accounts, page }, series };
}

/** How fast apply may send, and what it needs for its changes. */
function sendingOf({ service, pace }: PlanningService): Pick<PlanInput, "pace" | "costs"> {
  const costs = {
    changesPerRequest: service.changesPerRequest,
    hasUploads: service.whyNotFile === undefined,
  };
  return { pace: pace(), costs };
}

/** The series whose posts the service has, or had until they were due. */
function scheduledSeries({ remote, lockfile, now }: DiffInput): ReturnType<typeof knownSeries> {
  const scheduled = new Set(remote.map(({ id }) => id));
  return knownSeries(
    lockfile,
    ({ post_id: id, scheduled_at: due }) => scheduled.has(id) || utcMs(due) <= now,
  );
}

function hasEntries({ posts, unknown, media }: Lockfile): boolean {
  return [posts, unknown, media].some((entries) => Object.keys(entries).length > 0);
}

/** Whether this run may schedule the post: its calendar is in scope, and it is not past. */
function isPlanned({ inScope }: CheckedCalendars, { now }: DiffInput): (post: ResolvedPost) => boolean {
  return ({ source, scheduledAt }) => inScope(source.file) && utcMs(scheduledAt) > now;
}

/** The size of a usual post, in bytes. */
const POST_BYTES = 300;

/** remote → what counts of the lockfile → diff, again and again until the list behind it is proved. */
async function compareUntilProved(
  read: CheckedCalendars,
  { lockfile: written, isLost }: ReadState,
  { service, clock: serviceClock, clockAheadMs }: PlanningService,
  {
    project,
    clock: runClock,
    isTrial,
    base,
    upstream,
    holds,
    isJournaled,
  }: Pick<PlanOptions<PlanningService>, "project" | "clock"> &
    Pick<Compared, "upstream" | "holds"> &
    Pick<Evidence, "isJournaled"> & {
      readonly isTrial: boolean | undefined;
      readonly base: Base | undefined;
    },
): Promise<{
  readonly checked: CheckedCalendars;
  /** About slots, and about posts that the service keeps back. */
  readonly problems: readonly Problem[];
  readonly input: DiffInput;
  readonly compared: Diff;
  readonly page: Seen["page"];
  readonly trusted: Trusted;
}> {
  const clock = isTrial === true ? runClock : (serviceClock ?? runClock);
  const lockfile = base === undefined ? written : withBase(written, base);
  const owners = ownersIn(lockfile);
  const staying = new Staying(read.leftOut, read.posts);
  const isConcerned = (id: string): boolean => {
    const { key, file } = owners.get(id) ?? {};
    return key === undefined || file === undefined || (read.inScope(file) && !staying.has(key));
  };
  const reader = new RemoteReader({
    service,
    lockfile,
    clock,
    until: latestOf(read, clock.now()),
    movedRows: postsOfMovedRows(read, lockfile, clock.now()),
    isConcerned,
  });
  const past = new Set(
    base === undefined
      ? []
      : read.posts.flatMap(({ key, slot, scheduledAt }) =>
          slot === undefined && utcMs(scheduledAt) <= clock.now() ? [key] : [],
        ),
  );
  for (;;) {
    const remote = await reader.read();
    refuseOtherClock(clockAheadMs?.());
    const evidence = {
      remote: remote.posts,
      absent: remote.absent,
      isPast: (key: string) => past.has(key),
      isJournaled,
    };
    const trusted: Trusted =
      base === undefined
        ? { lockfile: written, unproved: new Map(), refused: [] }
        : trustedLockfile(written, base, evidence);
    const { lockfile: owned } = trusted;
    const { checked, problems: slotProblems } = withKnownSlots(read, owned, remote.posts, clock.now());
    const known = { lockfile: owned, isLost, isHolding: holds?.isNew };
    const input = diffInput(project, checked, known, remote, clock.now());
    // The comparison blocks the process, like parsing.
    reportInput(checked.posts.length * POST_BYTES);
    const compared = await diffWithUpstream(input, upstream);
    if (!(await reader.isProved(remote, conclusionsOf(compared, input.lockfile)))) continue;
    refuseDuplicateCreates(compared, input, remote);
    const problems = [...slotProblems, ...pausedProblems(input)];
    return { checked, problems, input, compared, page: remote.page, trusted };
  }
}

/** Posts that were due, although their rows are due later now. A post of a series that was due stays past. */
function postsOfMovedRows({ posts }: CheckedCalendars, lockfile: Lockfile, now: number): readonly string[] {
  return posts.flatMap(({ key, scheduledAt, series }) => {
    const entry = series === undefined ? getOwn(lockfile.posts, key) : undefined;
    if (entry === undefined || utcMs(entry.scheduled_at) > now || utcMs(scheduledAt) <= now) return [];
    return [entry.post_id];
  });
}

/** Most runs create no post for a row that may have one, so they need not ask git. */
async function diffWithUpstream(input: DiffInput, upstream: Compared["upstream"]): Promise<Diff> {
  const compared = diff(input);
  const isInQuestion =
    compared.missing.length + compared.held.length > 0 ||
    compared.changes.some(({ action }) => action === "create");
  const known = isInQuestion ? await upstream?.() : undefined;
  // A lockfile of another service says nothing about this one.
  if (known?.origin !== input.lockfile.origin) return compared;
  return diff({ ...input, upstream: withoutHeldPosts(known, input) });
}

/** @param statuses by post id */
function pausedRows(
  posts: readonly ResolvedPost[],
  { posts: owned }: Pick<Lockfile, "posts">,
  statuses: ReadonlyMap<string, string>,
): DiffInput["paused"] {
  if (statuses.size === 0) return new Map();
  const rows = new Map(posts.map((post) => [post.key, post]));
  return new Map(
    Object.entries(owned).flatMap(([key, { post_id: id, file }]) => {
      const status = statuses.get(id);
      return status === undefined ? [] : [[id, { status, row: rows.get(key), file }]];
    }),
  );
}

function pausedProblems({ paused, inScope }: DiffInput): readonly Problem[] {
  return [...paused].flatMap(([id, { status, row, file }]) => {
    if (!inScope(file)) return [];
    const at = row === undefined ? { file } : row.at();
    return [{ ...problem("service/unknown-status", pausedText(id, status), at), severity: "warning" }];
  });
}

/**
 * The three sides of the comparison.
 * @param state lockfile and journal as they were read
 * @param now ms since the epoch
 */
export function diffInput(
  { config: { safety } }: Project,
  { posts, inScope, holds, leftOut, skippedRows }: CheckedCalendars,
  { lockfile, isLost, isHolding }: Pick<DiffInput, "lockfile" | "isLost" | "isHolding">,
  remote: Remote,
  now: number,
): DiffInput {
  const ready = supportedPosts(posts, remote.supports);
  const held = heldRowsOf(ready, holds, now);
  const known = reconcilePendingCreates(withStillScheduled(lockfile, remote.stillScheduled), remote.posts);
  const paused = pausedRows(ready, known, pausedPosts(remote));
  const waits = new Set([...paused.values()].flatMap(({ row }) => row?.key ?? []));
  return {
    holds,
    paused,
    desired:
      held.size + waits.size === 0 ? ready : ready.filter(({ key }) => !held.has(key) && !waits.has(key)),
    held,
    isHolding,
    lockfile: withoutHeldPosts(known, { holds, held, absent: remote.absent, now }),
    isLost,
    remote: remote.posts,
    mayListBeIncomplete: remote.doubt !== undefined,
    absent: remote.absent,
    now,
    leadTimeMs: durationMs(safety.lead_time),
    settleMs: remote.isSettled ? 0 : durationMs(safety.settle),
    inScope,
    expired: new Set(posts.filter((post) => isExpired(post, now)).map(({ key }) => key)),
    staying: new Staying(holds.forAll(now) === undefined ? leftOut : NOTHING_LEFT_OUT, posts),
    setAside: () =>
      new Set(skippedRows.flatMap(({ id, posts: asPosts }) => id ?? asPosts().map(({ key }) => key))),
  };
}
