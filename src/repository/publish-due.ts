/**
 * Publishes what is due, from a schedule that several runs share. A runner keeps nothing, so the journal is the branch. A
 * run pushes its claims, and sends only what it has claimed. It pushes the results together with the next claims. What a
 * claim leaves open, a later run finds out. The publisher of the embedded service does the sending.
 */

import type { Random } from "../model/random.ts";
import { accountsOf } from "../embedded/publishing/accounts.ts";
import { deadlineOf } from "../embedded/publishing/publication-steps.ts";
import { openPublisher } from "../embedded/publishing/publisher.ts";
import type { AccountNews } from "../model/publication.ts";
import type { Clock } from "../model/clock.ts";
import { isExpired } from "../model/extras.ts";
import { utcMs, utcTime } from "../model/canonical.ts";
import type { UtcTime } from "../model/post.ts";
import { holdFacts, holdOfPost } from "../model/holds.ts";
import { Failure } from "../model/failure.ts";
import { holdSentence } from "../problems/hold-texts.ts";
import type { AccountCheck, PublishResult, SettleResult } from "../networks/network.ts";
import type { AccountName, OpenedAccount } from "../networks/open-accounts.ts";
import type { PublishedTask } from "../report/outcomes/publish-text.ts";
import { type ClaimedBatch, ClaimedStore } from "./claimed-store.ts";
import {
  type Result,
  type Task,
  type Terms,
  blockedTasks,
  nextTaskAt,
  openTasks,
  withClaims,
  withResults,
} from "./claims.ts";
import type { PushedSchedule, ScheduleBranch } from "./schedule-branch.ts";
import { type ScheduleMedia, ScheduledFiles, publishWithBytes } from "./schedule-media.ts";
import { type ScheduledPublication, accountOf, otherAccount } from "./schedule.ts";
import { isConfirmed } from "./trusted-schedule.ts";

/** What decides which posts are due. */
export interface DueOptions {
  readonly branch: ScheduleBranch;
  /** At least one account. */
  readonly accounts: readonly AccountName[];
  readonly media: ScheduleMedia;
  readonly clock: Clock;
  /** How late a post may still be published, in ms. */
  readonly lateMs: number;
  /** How long after its start a request may still have an effect, in ms. */
  readonly settleMs: number;
}

export interface PublishOptions extends DueOptions {
  readonly accounts: readonly OpenedAccount[];
  readonly randomBytes: Random;
  /** Aborted when the run is interrupted. */
  readonly stop: AbortSignal;
  /** Aborted by this run when no new request may start. The accounts were opened with its signal. */
  readonly stopRequests: AbortController;
  readonly onNews: (news: AccountNews) => void;
}

export interface PublishRun {
  readonly tasks: readonly PublishedTask[];
  /** Why the run ended early: the branch cannot be read, or takes no push. */
  readonly failure: Failure | undefined;
  /** When the next post is due that is still to come; only without sending. */
  readonly next?: UtcTime | undefined;
}

/** How long a run may send what it has claimed, in ms. */
const CLAIM_MS = 15 * 60_000;
/** When a run claims nothing more, in ms after its start. */
const RUN_MS = 8 * 60_000;
/** How long a run tries its claims again, in ms, unless other posts are due before. */
const RETRY_MS = 60_000;
/** Posts that a run claims at once on an account. */
const BATCH = 50;
/** Like `BATCH`, if nobody can find out what a killed run has sent. */
const UNCERTAIN_BATCH = 10;

/** How often a run claims one post on an account. Each claim costs a commit, and so does its result. */
const MAX_CLAIMS = 3;

const RUN_ID_BYTES = 8;

/** What would be published now, and when the next post is due. Nothing is sent, and nothing is pushed. */
export async function dueNow(options: DueOptions): Promise<PublishRun> {
  const pushed = await options.branch.read();
  const terms = termsOf(options);
  const { ready, blocked } = await sorted(pushed, terms, options, new RunAccounts([]));
  const isOver = ({ post, before }: Task): boolean => before === undefined && isExpired(post, terms.now);
  const tasks = [
    ...ready.map((task) => (isOver(task) ? expired(task) : publishedTask(task, undefined))),
    ...blocked,
  ];
  const isToCome = ({ post }: Task): boolean => utcMs(post.scheduled_at) > terms.now;
  const nextAt = nextTaskAt(pushed.schedule, terms, isToCome);
  return { tasks, failure: undefined, next: nextAt === Infinity ? undefined : utcTime(nextAt) };
}

/** Publishes until nothing is due. Every post that was tried or could not be tried is in the result. */
export async function publishDue(options: PublishOptions): Promise<PublishRun> {
  const results = new Map<string, PublishedTask>();
  try {
    await publishAll(options, (found) => {
      for (const each of found) results.set(`${each.post_id} ${each.platform}`, each);
    });
    return { tasks: [...results.values()], failure: undefined };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { tasks: [...results.values()], failure: error };
  }
}

interface Batch extends ClaimedBatch {
  /** The time at which the run may claim something else, in ms. */
  readonly nextAt: number;
}

async function publishAll(
  options: PublishOptions,
  report: (found: readonly PublishedTask[]) => void,
): Promise<void> {
  const { branch, clock, stop } = options;
  const run = Buffer.from(options.randomBytes(RUN_ID_BYTES)).toString("hex");
  const endsAt = clock.now() + RUN_MS;
  let results: readonly Result[] = [];
  let isStuck = false;
  const accounts = new RunAccounts(options.accounts);
  for (;;) {
    const mayClaim = !stop.aborted && !isStuck && clock.now() < endsAt;
    const batch = await branch.update(async ({ schedule, confirmed, holds }): Promise<Change> => {
      const recorded = withResults(schedule, results, run);
      const terms = termsOf(options);
      const { ready, blocked } = await sorted(
        { schedule: recorded, confirmed, holds },
        terms,
        options,
        accounts,
      );
      report(blocked);
      const claimed = mayClaim ? firstOf(ready, options.accounts) : [];
      const claimant = { run, until: terms.now + CLAIM_MS };
      const next = withClaims(recorded, claimed, claimant, terms.now);
      return {
        schedule: next,
        message: messageOf(results.length, claimed.length),
        value: {
          ...claimant,
          tasks: claimed,
          nextAt: nextTaskAt(recorded, terms, (task) => !accounts.isLeftOut(task)),
          schedule: recorded,
        },
      };
    });
    results = [];
    if (batch.tasks.length > 0) {
      results = await send(batch, options, report, accounts);
      // An account that takes nothing must not be claimed again and again.
      isStuck = results.every(({ publication }, index) => publication === batch.tasks[index]?.before);
      continue;
    }
    if (stop.aborted || batch.nextAt > endsAt || !mayClaim) return;
    // A post that is due soon. A blocked task is already due.
    if (batch.nextAt <= clock.now()) return;
    await clock.sleep(batch.nextAt - clock.now(), stop);
  }
}

type Change = Awaited<ReturnType<Parameters<ScheduleBranch["update"]>[0]>> & { readonly value: Batch };

function termsOf({ clock, accounts, settleMs }: DueOptions): Terms {
  return { now: clock.now(), accounts, settleMs };
}

function messageOf(results: number, claims: number): string {
  const parts = [
    ...(results > 0 ? [`record ${results} ${results === 1 ? "result" : "results"}`] : []),
    ...(claims > 0 ? [`claim ${claims} ${claims === 1 ? "post" : "posts"}`] : []),
  ];
  return `Publish: ${parts.join(", ")}`;
}

interface Sorted {
  readonly ready: readonly Task[];
  /** Due posts that cannot be sent now, with the reason. */
  readonly blocked: readonly PublishedTask[];
}

/** If the files of a post are not as apply saw them, the post waits until it is too late. A fixed checkout can still publish it. */
async function sorted(
  { schedule, confirmed, holds }: PushedSchedule,
  terms: Terms,
  { media, lateMs }: DueOptions,
  run: RunAccounts,
): Promise<Sorted> {
  const inTime = ({ post }: Task): boolean => terms.now < deadlineOf(post, lateMs).at;
  const ready: Task[] = [];
  const blocked = blockedTasks(schedule, terms)
    .filter(inTime)
    .map((task) => stillScheduled(task, task.why === "edited" ? EDITED : otherAccount(task.platform)));
  const open = openTasks(schedule, terms).filter((task) => !run.isTried(task));
  const counts = open.length === 0 ? undefined : await confirmed();
  const all = open.length === 0 ? [] : await holds();
  for (const task of open) {
    const { id, post } = task;
    const hold = isUnsent(task)
      ? holdOfPost(all, { id, dueAt: utcMs(post.scheduled_at) }, terms.now)
      : undefined;
    if (hold !== undefined) {
      if (inTime(task))
        blocked.push({ ...aboutTask(task), status: "held", reason: holdSentence(holdFacts(hold)) });
      continue;
    }
    if (counts !== undefined && !isConfirmed(counts, id, post)) {
      if (inTime(task)) blocked.push(stillScheduled(task, NOT_CONFIRMED));
      continue;
    }
    const problem = inTime(task)
      ? ((await run.problemWith(task)) ?? (await media.problemWith(post)))
      : undefined;
    if (problem === undefined) ready.push(task);
    else blocked.push(stillScheduled(task, problem));
  }
  return { ready, blocked };
}

/** What a claim has perhaps sent must be found out, even if it is held. */
function isUnsent({ before }: Task): boolean {
  return before === undefined || before.state === "waiting";
}

const NOT_CONFIRMED =
  "no apply of a job has confirmed this post in plancast.schedule.json. Run the workflow that applies: it confirms what the rows say, and repairs the file";
const EDITED = "somebody edited the post in plancast.schedule.json. Change the row instead, and apply";

/** It goes out as soon as its problem is solved, until it is too late. */
function stillScheduled(task: Task, reason: string): PublishedTask {
  return { ...aboutTask(task), status: "scheduled", reason };
}

function expired(task: Task): PublishedTask {
  return { ...aboutTask(task), status: "expired" };
}

function aboutTask({ id, platform, post }: Task): Omit<PublishedTask, "status"> {
  return { post_id: id, platform, scheduled_at: post.scheduled_at, content: post.content };
}

/** The next posts for each account. */
function firstOf(tasks: readonly Task[], accounts: readonly OpenedAccount[]): readonly Task[] {
  return accounts.flatMap(({ id, network }) =>
    tasks
      .filter(({ post, platform }) => accountOf(post, platform, accounts)?.id === id)
      .slice(0, network.canSettle ? BATCH : UNCERTAIN_BATCH),
  );
}

/** The store of a batch is in memory. */
function failInMemory(reason: string): never {
  throw new Error(reason);
}

/** Sends what was claimed. */
async function send(
  batch: Batch,
  options: PublishOptions,
  report: (found: readonly PublishedTask[]) => void,
  run: RunAccounts,
): Promise<readonly Result[]> {
  const { clock, randomBytes, stop, stopRequests, lateMs, settleMs, onNews } = options;
  const accounts = options.accounts.map((account) => withBytes(account, run));
  const files = new ScheduledFiles(
    options.media,
    batch.tasks.flatMap(({ post }) => post.media),
  );
  const store = new ClaimedStore(batch, files, clock.now());
  const backend = {
    store,
    now: () => clock.now(),
    random: randomBytes,
    accounts: accountsOf(accounts),
    failures: new Set<string>(),
    runs: true,
    origin: () => "",
  };
  const publisher = openPublisher(backend, {
    accounts,
    lateMs,
    settleMs,
    stop: stopRequests,
    onNews,
    onStoreTrouble: failInMemory,
  });
  const close = (): void => void publisher.close();
  stop.addEventListener("abort", close, { once: true });
  try {
    if (stop.aborted) await publisher.close();
    else await publisher.drain(Math.min(clock.now() + RETRY_MS, batch.nextAt), clock);
  } finally {
    stop.removeEventListener("abort", close);
    await files.close();
  }
  const results = await store.results();
  report(
    batch.tasks.flatMap((task, index) => {
      const result = results[index]?.publication;
      run.tried(task, result);
      return result === task.before ? [] : [publishedTask(task, result)];
    }),
  );
  return results;
}

function publishedTask(task: Task, result: ScheduledPublication | undefined): PublishedTask {
  const about = aboutTask(task);
  if (result === undefined) return { ...about, status: "due" };
  const { state, url, reason } = result;
  switch (state) {
    case "sending":
      return { ...about, status: "unknown", url, reason };
    case "waiting":
      return { ...about, status: "scheduled", reason };
    default:
      return { ...about, status: state, url, reason };
  }
}

/** What a run knows about its accounts, so that it writes no claim for an attempt that would send nothing. */
class RunAccounts {
  /** Why the account's server refuses the sign-in, by the account's id. Nothing more is sent there. */
  readonly #refused = new Map<string, string>();
  /** Whether the account can be reached at all, by its id. Asked only for posts that failed before. */
  readonly #checks = new Map<string, Promise<AccountCheck>>();
  /** How often the run has claimed a task, by the task's id and platform. */
  readonly #claims = new Map<string, number>();
  readonly #accounts: readonly OpenedAccount[];

  constructor(accounts: readonly OpenedAccount[]) {
    this.#accounts = accounts;
  }

  refused(id: string, reason: string): void {
    this.#refused.set(id, reason);
  }

  refusalOf(id: string): AccountCheck | undefined {
    const reason = this.#refused.get(id);
    return reason === undefined ? undefined : { state: "failed", reason, isSignInRefused: true };
  }

  /** After attempts that failed, the next run tries again. A run asks about an unknown result again. */
  tried({ id, platform }: Task, result: ScheduledPublication | undefined): void {
    const claims = result?.state === "waiting" ? MAX_CLAIMS : 1;
    this.#claims.set(`${id} ${platform}`, (this.#claims.get(`${id} ${platform}`) ?? 0) + claims);
  }

  isTried({ id, platform }: Task): boolean {
    return (this.#claims.get(`${id} ${platform}`) ?? 0) >= MAX_CLAIMS;
  }

  /** Why nothing can be sent for a task; undefined if nothing is known. */
  async problemWith(task: Task): Promise<string | undefined> {
    const account = openedFor(task, this.#accounts);
    if (account === undefined) return undefined;
    const { id, network } = account;
    if (task.before?.state === "waiting" && !this.#refused.has(id)) {
      const check = this.#checks.get(id) ?? network.check();
      this.#checks.set(id, check);
      const answer = await check;
      if (answer.state === "failed") return answer.reason;
    }
    return this.#refused.get(id);
  }

  isLeftOut(task: Task): boolean {
    return this.isTried(task) || this.#refused.has(openedFor(task, this.#accounts)?.id ?? "");
  }
}

function openedFor({ post, platform }: Task, accounts: readonly OpenedAccount[]): OpenedAccount | undefined {
  const id = accountOf(post, platform, accounts)?.id;
  return accounts.find((each) => each.id === id);
}

/** An account that sends the bytes that files have now. The run gets to know if its server refuses the sign-in. */
function withBytes(account: OpenedAccount, run: RunAccounts): OpenedAccount {
  const { id, network } = account;
  const noted = <T extends PublishResult | SettleResult>(result: T): T => {
    if ("isSignInRefused" in result) run.refused(id, result.reason);
    return result;
  };
  const send = publishWithBytes(network);
  return {
    ...account,
    network: {
      atOnce: network.atOnce,
      canSettle: network.canSettle,
      isRepeatable: network.isRepeatable,
      publish: async (post, attempt) => noted(await send(post, attempt)),
      settle: async (post, attempt) => noted(await network.settle(post, attempt)),
      // One refusal is enough: many can lock the account.
      check: async () => run.refusalOf(id) ?? network.check(),
      close: () => network.close(),
    },
  };
}
