/**
 * Publishes due posts on real accounts, each post once. The store records what is about to be sent before it is sent, and
 * the result after it. So after a crash, plancast asks the network what happened to a post, and sends nothing blindly.
 *
 * | state of a post on an account | next step |
 * | ----------------------------- | --------- |
 * | none, or waiting              | send it, unless it is too late |
 * | sending, by this process      | wait for the answer |
 * | sending, left by a crash      | ask the network; without a way to ask, it stays unknown |
 * | unknown, with a next time     | ask the network then |
 * | published, failed, expired, unknown | nothing |
 */

import type { OpenedAccount } from "../../networks/open-accounts.ts";
import type { Attempt, PublishResult } from "../../networks/network.ts";
import { NETWORK_REQUESTS_AT_ONCE } from "../../networks/network-requests.ts";
import { reasonOf } from "../../model/failure.ts";
import type { Clock } from "../../model/clock.ts";
import { systemClock } from "../../service/system-clock.ts";
import type { StoredPost, StoredPublication } from "../store/records.ts";
import { accountFor } from "./accounts.ts";
import { type ServiceState, deadlineOf, errorOn, hasBegun, networkPost } from "./post-state.ts";
import { deliveriesOf, eventsOfPost } from "./webhook-deliveries.ts";

export interface Publisher {
  /** Starts what is due now, and returns immediately. */
  start(): void;
  /**
   * Publishes due posts until that time, in ms, and repeats attempts that may still succeed. Resolves when nothing is
   * under way.
   */
  drain(until: number, clock: Clock): Promise<void>;
  /** Starts nothing more, and resolves when nothing is under way. Requests that take too long are cut off. */
  close(): Promise<void>;
}

/** The result on an account, for a log. */
export interface PublisherNews {
  readonly account: string;
  readonly postId: string;
  readonly state: "published" | "failed" | "expired" | "waiting" | "unknown";
  readonly url?: string | undefined;
  readonly reason?: string | undefined;
}

export interface PublisherOptions {
  readonly accounts: readonly OpenedAccount[];
  /** How late a post may still be published, in ms. */
  readonly lateMs: number;
  /** How long a request without an answer may still have an effect, in ms. */
  readonly settleMs: number;
  /** Aborted when no new request may start. The accounts were opened with its signal. */
  readonly stop: AbortController;
  readonly onNews: (news: PublisherNews) => void;
}

/** How long running requests may still take when the publisher stops, in ms. */
const FINISH_MS = 7_000;
/**
 * Posts that are sent to one account at the same time. 100 posts that are due at once then take two seconds if the network
 * answers in 150 ms.
 */
const CONCURRENCY = NETWORK_REQUESTS_AT_ONCE;
/** Like `CONCURRENCY`, if nobody can find out what a killed process has sent: these posts may be lost. */
const UNCERTAIN_CONCURRENCY = 4;
const FIRST_PAUSE_MS = 2_000;
const MAX_PAUSE_MS = 300_000;
/** Two clocks may differ by a little. */
const MIN_SLEEP_MS = 10;
/** How long after its time plancast asks the network what happened to a post, in ms. */
const ASK_FOR_MS = 24 * 3_600_000;

export function openPublisher(backend: ServiceState, options: PublisherOptions): Publisher {
  let isClosed = false;
  const lanes = options.accounts.map((account) => new Lane(account, backend, options));
  return {
    start() {
      if (!isClosed) for (const lane of lanes) lane.start();
    },
    async drain(until, clock) {
      for (;;) {
        if (!isClosed) for (const lane of lanes) lane.start();
        await Promise.all(lanes.map((lane) => lane.idle()));
        const next = Math.min(...lanes.map((lane) => lane.nextStart()));
        if (isClosed || next > until) return;
        await clock.sleep(Math.max(next - clock.now(), MIN_SLEEP_MS), options.stop.signal);
      }
    },
    async close() {
      isClosed = true;
      options.stop.abort();
      const done = Promise.all(lanes.map((lane) => lane.close()));
      const timer = new AbortController();
      await Promise.race([done, systemClock.sleep(FINISH_MS, timer.signal)]);
      timer.abort();
      // The result of an aborted request is unknown. After the next start, plancast asks the network about it.
      await Promise.all(options.accounts.map(({ network }) => network.close()));
      await done;
    },
  };
}

/** One account. A failure on it does not delay other accounts. */
class Lane {
  readonly #account: OpenedAccount;
  readonly #backend: ServiceState;
  readonly #options: PublisherOptions;
  readonly #active = new Map<string, Promise<void>>();
  #isClosed = false;
  /**
   * After failures that the post did not cause, nothing starts until then. In that case, posts start one after the
   * other.
   */
  #pausedUntil = -Infinity;
  #failures = 0;

  constructor(account: OpenedAccount, backend: ServiceState, options: PublisherOptions) {
    this.#account = account;
    this.#backend = backend;
    this.#options = options;
  }

  start(): void {
    const { now, store } = this.#backend;
    const at = now();
    if (this.#isClosed || at < this.#pausedUntil || store.scheduled.next() > at) return;
    const most = this.#account.network.canSettle ? CONCURRENCY : UNCERTAIN_CONCURRENCY;
    const places = (this.#failures > 0 ? 1 : most) - this.#active.size;
    if (places <= 0) return;
    const due = store.scheduled
      .due(at)
      .filter((post) => this.#isOpen(post, at))
      // The attempts for a failed post must not delay other posts.
      .sort((one, other) => this.#failedAttempts(one) - this.#failedAttempts(other));
    for (const { id } of due.slice(0, places)) {
      this.#active.set(id, this.#work(id));
    }
  }

  async #work(id: string): Promise<void> {
    try {
      await this.#handle(id);
    } catch (error) {
      // A disk error. The store then refuses everything, so nothing more is sent.
      this.#pause();
      this.#options.onNews({
        account: this.#account.platform,
        postId: id,
        state: "waiting",
        reason: reasonOf(error),
      });
    }
    this.#active.delete(id);
    this.start();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#active.values());
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    while (this.#active.size > 0) await Promise.all(this.#active.values());
  }

  /** The next time at which a waiting task may start, in ms. Infinity if nothing waits. */
  nextStart(): number {
    const { now, store } = this.#backend;
    const times = store.scheduled.due(now()).flatMap((post) => {
      const next = this.#publicationOf(post)?.next_at;
      return next === undefined && !this.#isOpen(post, now()) ? [] : [Date.parse(next ?? post.scheduled_at)];
    });
    return times.length === 0 ? Infinity : Math.max(Math.min(...times), this.#pausedUntil);
  }

  /** What the post calls this account; undefined if it is for others. */
  #platformIn({ accounts = {}, platforms }: StoredPost): string | undefined {
    return platforms.find((platform) => accounts[platform] === this.#account.id);
  }

  #publicationOf(post: StoredPost): StoredPublication | undefined {
    const platform = this.#platformIn(post);
    return platform === undefined ? undefined : this.#backend.store.publication(post.id, platform);
  }

  #failedAttempts(post: StoredPost): number {
    const { state, attempts } = this.#publicationOf(post) ?? {};
    return state === "waiting" || state === "unknown" ? (attempts ?? 0) : 0;
  }

  /** Whether there is something to do for a due post now. */
  #isOpen(post: StoredPost, at: number): boolean {
    if (this.#active.has(post.id) || this.#platformIn(post) === undefined) return false;
    const publication = this.#publicationOf(post);
    if (publication === undefined) return true;
    if (publication.account_id !== this.#account.id) return false;
    if (isOver(publication)) return needsFinish(post, this.#backend);
    return publication.next_at === undefined || Date.parse(publication.next_at) <= at;
  }

  async #handle(id: string): Promise<void> {
    const { store } = this.#backend;
    const post = store.post(id);
    if (post === undefined) return;
    const before = this.#publicationOf(post);
    if (before !== undefined && isOver(before)) return this.#finish(id);
    if (before?.state === "sending" || before?.state === "unknown") {
      const settled = await this.#settle(post, before);
      if (settled !== "absent") return;
    }
    await this.#attempt(id);
  }

  /** Sends the post, unless somebody cancelled it, or it is too late. */
  async #attempt(id: string): Promise<void> {
    const { store, now } = this.#backend;
    const begun = await store.runExclusive(id, async () => {
      const post = store.post(id);
      if (post === undefined || post.cancelled_at !== undefined) return undefined;
      const platform = this.#platformIn(post);
      if (platform === undefined) return undefined;
      const before = store.publication(id, platform);
      const at = now();
      const fresh: StoredPublication = {
        post_id: id,
        platform,
        account_id: this.#account.id,
        state: "sending",
        attempts: (before?.attempts ?? 0) + 1,
        sent_at: new Date(at).toISOString(),
        parts: before?.parts ?? [],
      };
      const problem = errorOn(post, platform, this.#backend).error;
      const end =
        problem === undefined
          ? this.#tooLate(post, before, lastReason(before), at)
          : ({ state: "failed", reason: problem } as const);
      if (end !== undefined) {
        await this.#record({ ...fresh, ...end });
        return undefined;
      }
      await store.append({ publication: fresh });
      return { post, publication: fresh };
    });
    if (begun === undefined) return this.#finish(id);
    const { post } = begun;
    const { attempt, current } = this.#attemptFor(post, begun.publication);
    const sent = await networkPost(post, this.#account.id, this.#backend.store);
    const result: PublishResult =
      sent === undefined
        ? { state: "failed", reason: "a media file of the post is missing", retry: false }
        : await this.#account.network.publish(sent, attempt);
    await this.#conclude(post, current(), result);
  }

  async #settle(post: StoredPost, before: StoredPublication): Promise<"absent" | "other"> {
    const { network } = this.#account;
    const { now } = this.#backend;
    const { attempt, current } = this.#attemptFor(post, before);
    const sent = network.canSettle
      ? await networkPost(post, this.#account.id, this.#backend.store)
      : undefined;
    if (sent === undefined) {
      const reason = lastReason(before) ?? INTERRUPTED;
      await this.#conclude(post, before, { state: "unknown", reason });
      return "other";
    }
    const result = await network.settle(sent, attempt);
    if (result.state !== "absent") {
      await this.#conclude(post, current(), result);
      return "other";
    }
    this.#failures = 0;
    const safeAt = Date.parse(before.sent_at) + this.#options.settleMs;
    if (network.isRepeatable || now() >= safeAt) return "absent";
    const reason = "the network did not answer, and does not show the post yet";
    const next_at = new Date(safeAt).toISOString();
    await this.#record({ ...current(), state: "unknown", reason, next_at });
    return "other";
  }

  /** The facts and the records of an attempt. `current` is the newest record of it. */
  #attemptFor(
    post: StoredPost,
    begun: StoredPublication,
  ): { attempt: Attempt; current: () => StoredPublication } {
    const { store } = this.#backend;
    let publication = begun;
    return {
      current: () => publication,
      attempt: {
        parts: begun.parts,
        onPart: async ({ id, url }) => {
          const part = url === undefined ? { id } : { id, url };
          publication = { ...publication, parts: [...publication.parts, part] };
          await store.append({ publication });
        },
        notAfter: deadlineOf(post, this.#options.lateMs).at,
        isTaken: (id) => store.isPartOfAnother(begun, id),
      },
    };
  }

  async #conclude(post: StoredPost, publication: StoredPublication, result: PublishResult): Promise<void> {
    const at = this.#backend.now();
    const due = Date.parse(post.scheduled_at);
    const { next_at: _next, reason: _reason, ...rest } = publication;
    if (result.state === "published") {
      this.#failures = 0;
      const url = result.url === undefined ? {} : { url: result.url };
      await this.#record({ ...rest, state: "published", ...url });
    } else if (result.state === "failed" && !result.retry) {
      this.#failures = 0;
      const late = result.isLate === true ? this.#tooLate(post, publication, QUEUED, at) : undefined;
      await this.#record({ ...rest, state: "failed", reason: result.reason, ...late });
    } else {
      // The post itself may be the reason, even if others on the account succeed.
      const nextAt = Math.max(this.#pause(), at + pauseMs(publication.attempts - 1));
      if (result.isSignInRefused) this.#pausedUntil = at + MAX_PAUSE_MS;
      const next = { next_at: new Date(nextAt).toISOString(), reason: result.reason };
      if (result.state === "failed") await this.#record({ ...rest, state: "waiting", ...next });
      else if (this.#account.network.canSettle && at < due + ASK_FOR_MS)
        await this.#record({ ...rest, state: "unknown", ...next });
      else await this.#record({ ...rest, state: "unknown", reason: result.reason });
    }
    await this.#finish(post.id);
  }

  /** Delays the account for longer after each failure. Returns until when, in ms. */
  #pause(): number {
    this.#pausedUntil = this.#backend.now() + pauseMs(this.#failures);
    this.#failures += 1;
    return this.#pausedUntil;
  }

  /** How a post ends if it is too late to publish it; undefined if it is not. */
  #tooLate(
    post: StoredPost,
    before: StoredPublication | undefined,
    last: string | undefined,
    at: number,
  ): Pick<StoredPublication, "state" | "reason"> | undefined {
    const deadline = deadlineOf(post, this.#options.lateMs);
    if (at < deadline.at) return undefined;
    if (deadline.why === "expired") {
      const failure = last === undefined ? "" : `. The last attempt failed: ${last}`;
      const reason = `it expired ${new Date(deadline.at).toISOString().replace(".000Z", "Z")}${failure}`;
      // After an attempt, a part of a thread may be there.
      const isOneText = post.thread === undefined && post.first_comment === undefined;
      return { state: before === undefined || isOneText ? "expired" : "failed", reason };
    }
    const reason =
      last === undefined
        ? "plancast did not run when the post was due, and it is too late now"
        : `until it was too late: ${last}`;
    return { state: "failed", reason };
  }

  /** Records a result on the disk, with its event. */
  async #record(publication: StoredPublication): Promise<void> {
    const { store, now } = this.#backend;
    const { post_id, platform, state, url, reason } = publication;
    const post = store.post(post_id);
    const isLast = isOver(publication) && post !== undefined;
    const at = now();
    const about = isLast
      ? { ...post, published_at: new Date(at).toISOString(), results: [resultOf(publication)] }
      : undefined;
    const deliveries = about === undefined ? [] : deliveriesOf(eventsOfPost(about, ""), this.#backend, at);
    await store.append({ publication, deliveries });
    if (state !== "sending") this.#options.onNews({ account: platform, postId: post_id, state, url, reason });
  }

  /** Gives the post its results, once each of its accounts has one. */
  async #finish(id: string): Promise<void> {
    const { store, now } = this.#backend;
    await store.runExclusive(id, async () => {
      const post = store.post(id);
      if (post === undefined || !needsFinish(post, this.#backend)) return;
      const results = post.platforms.map((platform) => {
        const publication = store.publication(id, platform);
        return publication === undefined
          ? { platform, ...errorOn(post, platform, this.#backend) }
          : resultOf(publication);
      });
      await store.append({ post: { ...post, published_at: new Date(now()).toISOString(), results } });
    });
  }
}

const INTERRUPTED = "plancast ended while it was sending";
const QUEUED = "requests to the network had to wait";

/** Why the last attempt did not publish the post; undefined if there was none. */
function lastReason(before: StoredPublication | undefined): string | undefined {
  return before?.reason ?? (before?.state === "sending" ? INTERRUPTED : undefined);
}

/** How long to wait after this many failures before the latest one, in ms. */
function pauseMs(failures: number): number {
  return Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures);
}

/** Whether nothing more happens. */
function isOver({ state, next_at }: StoredPublication): boolean {
  return ["published", "failed", "expired"].includes(state) || (state === "unknown" && next_at === undefined);
}

/** Whether every account has a result, but the post as a whole has none yet. */
function needsFinish(post: StoredPost, { store, accounts }: ServiceState): boolean {
  if (post.published_at !== undefined || post.cancelled_at !== undefined) return false;
  return post.platforms.every((platform) => {
    const publication = store.publication(post.id, platform);
    if (publication !== undefined) return isOver(publication) || isOrphan(publication, accounts);
    return accountFor(post, platform, accounts) === undefined;
  });
}

/** Whether the account of an unfinished publication is not configured any more. */
function isOrphan({ account_id }: StoredPublication, { list }: ServiceState["accounts"]): boolean {
  return list.every(({ id }) => id !== account_id);
}

function resultOf(publication: StoredPublication): NonNullable<StoredPost["results"]>[number] {
  const { platform, state, url, reason = "no result is known" } = publication;
  if (state === "published") return { platform, ...(url === undefined ? {} : { url }) };
  if (state === "expired") return { platform, error: reason, code: state };
  const error =
    state === "failed" && !hasBegun(publication)
      ? reason
      : `It may be published, at least in part: ${reason}`;
  return { platform, error };
}
