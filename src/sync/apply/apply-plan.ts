/**
 * Carries out an approved plan: opens the state, runs every change, closes the state. The earliest post goes first,
 * several changes run at once, and each has one outcome. One failure does not hide another. Asks nobody anything.
 */

import pLimit from "p-limit";
import type { WebMedia } from "../../media/web-media.ts";
import { utcTime } from "../../model/canonical.ts";
import type { Clock } from "../../model/clock.ts";
import { Failure, ignoreFailure } from "../../model/failure.ts";
import { type Lockfile, UNKNOWN_FINGERPRINT, getOwn } from "../../model/lockfile.ts";
import type { ApplyResult, Change, Outcome, Plan } from "../../model/plan.ts";
import type { Service } from "../../service/service.ts";
import type { Project } from "../../settings/config.ts";
import { type Seen, projectAccounts, withSeen } from "../state/accounts.ts";
import { reconcilePendingCreates } from "../plan/reconcile.ts";
import { OpenState, type ReadState } from "../state/project-state.ts";
import { type ChangeResult, type StepTools, completePost, finishReplace, runChange } from "./run-change.ts";
import { Uploads } from "./upload-media.ts";

/** The parts of an open service that apply needs. */
interface ApplyingService {
  readonly service: Service;
  /** Requests sent so far. */
  readonly requests: () => number;
  /** Ms spent waiting for the rate limit so far. */
  readonly waitedMs: () => number;
  /** Aborted, with a Failure as its reason, when the shared run lock is lost. */
  readonly share?: { readonly lost: AbortSignal } | undefined;
}

export interface ApplyOptions {
  readonly project: Project;
  readonly plan: Plan;
  /** The lockfile that the plan starts from. */
  readonly lockfile: Lockfile;
  /** Lockfile and journal as the plan read them. */
  readonly state: ReadState;
  /** What the plan saw of the service. */
  readonly seen: Seen | undefined;
  readonly opened: ApplyingService;
  readonly addresses: WebMedia;
  readonly clock: Clock;
  /** Aborted when the run is interrupted: changes in flight are finished, no others start. */
  readonly stop: AbortSignal;
  /** Called once for each change, when it ends. */
  readonly onOutcome: (outcome: Outcome) => void;
}

/** The outcome of each change. `failure` ended the run early, such as a full disk. */
export type ApplyRun = ApplyResult & { readonly failure: Failure | undefined };

export async function applyPlan(options: ApplyOptions): Promise<ApplyRun> {
  const { project, plan, lockfile, state, seen, opened, addresses, clock, stop, onOutcome } = options;
  const { service, requests, waitedMs, share } = opened;
  const counts = (): Pick<ApplyResult, "missing" | "requests" | "waitedMs"> => ({
    missing: plan.missing.length,
    requests: requests(),
    waitedMs: waitedMs(),
  });
  const lost = share?.lost;
  // Another run may have already made the planned changes.
  lost?.throwIfAborted();
  const hasJournal = state.journal.records.length > 0;
  const isRestored = service.restore !== undefined;
  const hasWork = plan.changes.length > 0 || hasJournal || isRestored || OpenState.differs(lockfile, state);
  if (stop.aborted || !hasWork) {
    const outcomes = plan.changes.map(({ key, action }): Outcome => ({ key, action, status: "not_started" }));
    return { outcomes, uploaded: 0, interrupted: stop.aborted, failure: undefined, ...counts() };
  }
  const accounts = await projectAccounts(service, lockfile);
  const started = withSeen(lockfile, { accounts, page: seen?.page });
  // A job confirms the files of a run that has opened its state, also if the run was killed then.
  await service.restore?.();
  const openState = await OpenState.open(project, started, state, utcTime(clock.now()), plan.unproved);
  const uploads = new Uploads(service, openState, project.root, addresses);
  const ran = await runPlan({ plan, service, state: openState, uploads, clock, stop, lost, onOutcome });
  // If the lockfile cannot be written at the end, nothing is lost: the journal has everything, and the report is still
  // shown.
  const closingFailure = await openState.close().then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof Failure) return error;
      throw error;
    },
  );
  return { ...ran, failure: ran.failure ?? closingFailure, ...counts() };
}

/** Changes in progress at the same time, unless the service wants more: keeps the limiter's queue short, but never empty. */
const MAX_CONCURRENT = 12;
/** After this many refusals for lack of permission, and no success, the key counts as read-only. */
const MAX_FORBIDDEN = 3;
/**
 * After an interruption, changes in flight may take this long, in ms. After 6 s, the command ends the process; by then, the
 * lockfile and the report are written.
 */
const GRACE_MS = 4_500;

interface RunOptions extends StepTools, Pick<ApplyOptions, "plan" | "stop" | "onOutcome"> {
  /** Aborted, with a Failure as its reason, when no new change may start; those in flight are finished. */
  readonly lost?: AbortSignal | undefined;
}

export async function runPlan(
  options: RunOptions,
): Promise<Omit<ApplyRun, "missing" | "requests" | "waitedMs">> {
  const run = new Run(options);
  const over = new AbortController();
  await Promise.race([run.all(), graceAfter(options, over.signal)]);
  over.abort();
  // Changes may still be in progress. A change that is not recorded by now must not be sent.
  await options.state.seal();
  const outcomes = options.plan.changes.map((change) => run.outcomeOf(change));
  const failure = run.failure ?? failureFromLostLock(options.lost, outcomes);
  return { outcomes, failure, uploaded: options.uploads.done, interrupted: options.stop.aborted };
}

/** A run that had already made all changes has lost nothing. */
function failureFromLostLock(
  lost: AbortSignal | undefined,
  outcomes: readonly Outcome[],
): Failure | undefined {
  if (lost?.aborted !== true || !(lost.reason instanceof Failure)) return undefined;
  return outcomes.some(({ status }) => status === "not_started" || status === "unknown")
    ? lost.reason
    : undefined;
}

class Run {
  readonly #options: RunOptions;
  readonly #started = new Set<Change>();
  readonly #ended = new Map<Change, Outcome>();
  failure: Failure | undefined;
  #halted = false;
  #forbidden = 0;

  constructor(options: RunOptions) {
    this.#options = options;
  }

  async all(): Promise<void> {
    const { plan, stop, lost } = this.#options;
    await this.#each(plan.changes);
    if (stop.aborted || lost?.aborted === true || this.failure !== undefined) return;
    await this.#unlessFailure(() =>
      confirmPendingCreates(plan.changes, this.#ended, this.#options, (change, outcome) =>
        this.#end(change, outcome),
      ),
    );
  }

  /** Only one change waits for its turn, because waiting changes use memory. */
  async #each(changes: readonly Change[]): Promise<void> {
    const limit = pLimit(this.#options.service.writesAtOnce ?? MAX_CONCURRENT);
    const underWay = new Set<Promise<void>>();
    for (const change of changes) {
      const one = limit(() => this.#one(change)).finally(() => underWay.delete(one));
      underWay.add(one);
      if (limit.pendingCount > 0) await Promise.race(underWay);
    }
    await Promise.all(underWay);
  }

  outcomeOf(change: Change): Outcome {
    const { key, action } = change;
    const ended = this.#ended.get(change);
    if (ended !== undefined) return ended;
    if (!this.#started.has(change) || this.#isUnsentCreate(change))
      return { key, action, status: "not_started" };
    return { key, action, status: "unknown", reason: { kind: "run-ended" } };
  }

  /** Its media were still being uploaded, or it waited for its turn. */
  #isUnsentCreate({ key, action }: Change): boolean {
    return action === "create" && !Object.hasOwn(this.#options.state.lockfile.unknown, key);
  }

  async #one(change: Change): Promise<void> {
    const { stop, lost } = this.#options;
    if (this.#halted || stop.aborted || lost?.aborted === true) return;
    this.#started.add(change);
    await this.#unlessFailure(async () => this.#end(change, await runChange(change, this.#options)));
  }

  /** A Failure, such as of the disk, ends the run. Completed changes are still reported. */
  async #unlessFailure(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#halted = true;
      if (!(error instanceof Failure)) throw error;
      this.failure ??= error;
    }
  }

  /** One post may be forbidden for its own reasons. If nothing else was allowed, the key is the reason. */
  #mayNotWrite(outcome: Outcome): boolean {
    if (outcome.status === "done" && outcome.action !== "adopt") this.#forbidden = -Infinity;
    if (outcome.status === "failed" && outcome.code === "forbidden") this.#forbidden += 1;
    return this.#forbidden >= MAX_FORBIDDEN;
  }

  #end(change: Change, { fatal, ...outcome }: ChangeResult): void {
    if (fatal === true || this.#mayNotWrite(outcome)) this.#halted = true;
    this.#ended.set(change, outcome);
    this.#options.onOutcome(outcome);
  }
}

/** Resolves some time after the run was stopped, or when it is over. Never resolves before that. */
function graceAfter({ stop, clock }: RunOptions, over: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const begin = (): void => void clock.sleep(GRACE_MS, over).then(resolve);
    if (stop.aborted) begin();
    else stop.addEventListener("abort", begin, { once: true });
  });
}

/**
 * At the end of a run, one whole list decides the results of pending creates. Without it, all stay pending. Throws a
 * Failure if the disk fails.
 * @param onSettled called for each change that the list decides
 */
async function confirmPendingCreates(
  changes: readonly Change[],
  outcomes: ReadonlyMap<Change, Outcome>,
  tools: StepTools,
  onSettled: (change: Change, result: ChangeResult) => void,
): Promise<void> {
  const { state } = tools;
  const open = changes.filter(
    (change) =>
      Object.hasOwn(state.lockfile.unknown, change.key) && outcomes.get(change)?.status === "unknown",
  );
  if (open.length === 0) return;
  const list = await tools.service
    .listScheduled(undefined, state.lockfile.longest_lists)
    .catch(ignoreFailure);
  const found = reconcilePendingCreates(state.lockfile, list?.posts ?? []);
  for (const change of open) {
    if (Object.hasOwn(found.unknown, change.key)) continue;
    const postId = getOwn(found.posts, change.key)?.post_id;
    if (postId === undefined) continue;
    const { key, action } = change;
    const mayLack = getOwn(found.posts, key)?.fingerprint === UNKNOWN_FINGERPRINT;
    await state.record({
      event: "created",
      key,
      post_id: postId,
      ...(mayLack ? { may_lack_texts: true } : {}),
    });
    if (mayLack) await completePost(change, postId, tools);
    const done: ChangeResult = { key, action, status: "done", postId };
    onSettled(change, action === "replace" ? await finishReplace(change, postId, tools) : done);
  }
}
