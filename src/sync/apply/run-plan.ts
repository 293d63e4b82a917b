/** Runs a plan: earliest post first, several at once, one outcome a change. One that fails hides no other. */

import pLimit from "p-limit";
import { Failure } from "../../model/failure.ts";
import { getOwn } from "../../model/lockfile.ts";
import type { ApplyResult, Change, Outcome, Plan } from "../../model/plan.ts";
import { reconcilePendingCreates } from "../plan/reconcile.ts";
import { type StepResult, type StepTools, finishReplace, runChange } from "./run-change.ts";

/** Changes under way at once: keeps the limiter's queue short and full. */
const MAX_CONCURRENT = 12;
/** So many refusals for lack of permission, and nothing done: the key may read only. */
const MAX_FORBIDDEN = 3;
/** After an interruption, what is in flight is awaited this long, ms; CI runners kill after 7.5 s. */
const GRACE_MS = 6_000;

interface RunOptions extends StepTools {
  readonly plan: Plan;
  /** Aborted when the run is interrupted. */
  readonly stop: AbortSignal;
  /** Aborted, with a Failure as its reason, when nothing may be started any more; what is in flight is finished. */
  readonly lost?: AbortSignal | undefined;
  readonly onOutcome: (outcome: Outcome) => void;
}

interface RunResult extends Omit<ApplyResult, "requests" | "waitedMs"> {
  /** The failure that ended the run early, such as a full disk. */
  readonly failure: Failure | undefined;
}

export async function runPlan(options: RunOptions): Promise<RunResult> {
  const run = new Run(options);
  const over = new AbortController();
  await Promise.race([run.all(), graceAfter(options, over.signal)]);
  over.abort();
  const outcomes = options.plan.changes.map((change) => run.outcomeOf(change));
  const failure = run.failure ?? failureFromLostLock(options.lost, outcomes);
  return { outcomes, failure, uploaded: options.uploads.done, interrupted: options.stop.aborted };
}

/** A run that had done everything before has lost nothing. */
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

  /** One waits for its turn at a time, not all: what waits costs memory. */
  async #each(changes: readonly Change[]): Promise<void> {
    const limit = pLimit(MAX_CONCURRENT);
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
    return { key, action, status: "unknown", message: "the run ended before the service answered" };
  }

  /** Its media were still on their way, or it waited for its turn. */
  #isUnsentCreate({ key, action }: Change): boolean {
    return action === "create" && !Object.hasOwn(this.#options.state.lockfile.unknown, key);
  }

  async #one(change: Change): Promise<void> {
    const { stop, lost } = this.#options;
    if (this.#halted || stop.aborted || lost?.aborted === true) return;
    this.#started.add(change);
    await this.#unlessFailure(async () => this.#end(change, await runChange(change, this.#options)));
  }

  /** A failure, such as of the disk, ends the run; what was done so far is still reported. */
  async #unlessFailure(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#halted = true;
      if (!(error instanceof Failure)) throw error;
      this.failure ??= error;
    }
  }

  /** One post may be forbidden for reasons of its own; when nothing else has been allowed, it is the key. */
  #mayNotWrite(outcome: Outcome): boolean {
    if (outcome.status === "done" && outcome.action !== "adopt") this.#forbidden = -Infinity;
    if (outcome.status === "failed" && outcome.code === "forbidden") this.#forbidden += 1;
    return this.#forbidden >= MAX_FORBIDDEN;
  }

  #end(change: Change, { fatal, ...outcome }: StepResult): void {
    if (fatal === true || this.#mayNotWrite(outcome)) this.#halted = true;
    this.#ended.set(change, outcome);
    this.#options.onOutcome(outcome);
  }
}

/** Resolves some time after the run was stopped, or when it is over; never, where it is neither. */
function graceAfter({ stop, clock }: RunOptions, over: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const begin = (): void => void clock.sleep(GRACE_MS, over).then(resolve);
    if (stop.aborted) begin();
    else stop.addEventListener("abort", begin, { once: true });
  });
}

/** At the end of a run one whole list decides what became of the creates in doubt. */

/** Tells of each change in doubt that the list decides; the others stay in doubt. Throws a Failure when the disk fails. */
async function confirmPendingCreates(
  changes: readonly Change[],
  outcomes: ReadonlyMap<Change, Outcome>,
  tools: StepTools,
  onSettled: (change: Change, result: StepResult) => void,
): Promise<void> {
  const { state } = tools;
  const open = changes.filter(
    (change) =>
      Object.hasOwn(state.lockfile.unknown, change.key) && outcomes.get(change)?.status === "unknown",
  );
  if (open.length === 0) return;
  const found = await reconcileWithList(tools);
  for (const change of open) {
    if (found === undefined || Object.hasOwn(found.unknown, change.key)) continue;
    const postId = getOwn(found.posts, change.key)?.post_id;
    if (postId === undefined) continue;
    await state.record({ event: "created", key: change.key, post_id: postId });
    const { key, action } = change;
    const done: StepResult = { key, action, status: "done", postId };
    onSettled(change, action === "replace" ? await finishReplace(change, postId, tools) : done);
  }
}

/** The lockfile with what the list shows to exist; undefined when no whole list is to be had, and doubt remains. */
async function reconcileWithList({ service, state }: StepTools) {
  try {
    const { posts } = await service.listScheduled();
    return reconcilePendingCreates(state.lockfile, posts);
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
