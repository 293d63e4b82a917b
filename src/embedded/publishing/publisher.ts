/**
 * Publishes due posts on real accounts, each post once. The store records what is about to be sent before it is sent, and
 * the result after it. So after a crash, plancast asks the network what happened to a post, and sends nothing blindly.
 * `publication-steps.ts` decides; this file does.
 */

import { type AccountNews, isOverOnAccount } from "../../model/publication.ts";
import type { OpenedAccount } from "../../networks/open-accounts.ts";
import type { Attempt, PublishResult } from "../../networks/network.ts";
import { reasonOf } from "../../model/failure.ts";
import type { Clock } from "../../model/clock.ts";
import { systemClock } from "../../service/system-clock.ts";
import type { StoredPublication, StoredPost } from "../store/records.ts";
import { partName } from "../store/store-index.ts";
import type { Entry } from "../store/store.ts";
import { finishOrphans, finished } from "./finish-posts.ts";
import {
  type AccountConnections,
  type ServiceState,
  connectionsOf,
  errorOn,
  postMedia,
  networkPost,
} from "./post-state.ts";
import { heldBack, isHeld, isNewsFor, mixed, withProgress } from "./post-progress.ts";
import { type Step, afterResult, deadlineOf, lastReason, nextStep, resultOf } from "./publication-steps.ts";
import { deliveriesOf, eventsOfPost } from "./webhook-deliveries.ts";

export interface Publisher {
  /** Starts what is due now, and returns immediately. */
  start(): void;
  /**
   * Publishes due posts until that time, in ms, and repeats attempts that may still succeed. Resolves when nothing is
   * under way.
   */
  drain(until: number, clock: Clock): Promise<void>;
  /**
   * Starts nothing more, and resolves when nothing is under way. Requests that take too long are cut off. What was not
   * sent is free for another publisher.
   */
  close(): Promise<void>;
}

export interface PublisherOptions {
  readonly accounts: readonly OpenedAccount[];
  /** How late a post may still be published, in ms. */
  readonly lateMs: number;
  /** How long after its start a request may still have an effect, in ms. It may start until its claim ends. */
  readonly settleMs: number;
  /**
   * By how much the clock of the accounts' requests is ahead of the service's clock, in ms. A machine's clock may be wrong,
   * and machines with one database use its clock. Default: not at all.
   */
  readonly requestsAheadMs?: () => number;
  /** Aborted when no new request may start. The accounts were opened with its signal. */
  readonly stop: AbortController;
  readonly onNews: (news: AccountNews) => void;
  /** The store cannot be read, so nothing is published until it can. May be called again and again. */
  readonly onStoreTrouble: (reason: string) => void;
}

/**
 * How long running requests may still take when the publisher stops, in ms. A signal ends the process after six seconds, and
 * the results must be recorded before that.
 */
const FINISH_MS = 4_000;
/** Due posts that are read at once. Many are due at the same time, and each costs a machine only its own claim. */
const READ_AT_ONCE = 256;
const FIRST_PAUSE_MS = 2_000;
const MAX_PAUSE_MS = 300_000;
/** What is due this soon is started at its time, in ms. */
const SOON_MS = 1_000;
/** Two clocks may differ by a little. */
const MIN_SLEEP_MS = 10;
/** How long a claim keeps others away, in ms. It is renewed three times in this time. */
const CLAIM_MS = 60_000;
/** Like `CLAIM_MS`, if no other process has the store: then a claim only says that somebody works on the post. */
const OWN_CLAIM_MS = 15 * 60_000;
const TOKEN_BYTES = 8;
/** How often posts of an account with a wrong secret are looked at, in ms. */
const LOOK_AT_HELD_MS = 60_000;
/** The claim of a post that ends without being sent. */
const HELD = "held";

const NO_MORE = "plancast sends nothing more to this account until you correct the secret and start it again";

export function openPublisher(backend: ServiceState, options: PublisherOptions): Publisher {
  let isClosed = false;
  const lanes = options.accounts.map((account) => new Lane(account, backend, options));
  let opening: Promise<void> | undefined;
  return {
    start() {
      if (isClosed) return;
      // A disk error; the next start tries again.
      opening ??= finishOrphans(backend).catch(() => {
        opening = undefined;
      });
      for (const lane of lanes) lane.start();
    },
    async drain(until, clock) {
      for (;;) {
        if (!isClosed) for (const lane of lanes) lane.start();
        await Promise.all(lanes.map((lane) => lane.idle()));
        const next = Math.min(...(await Promise.all(lanes.map((lane) => lane.nextStart()))));
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
  /** Due posts that were read, and wait for a place. */
  #due: StoredPost[] = [];
  /** Looks for due posts; undefined if nothing does. */
  #filling: Promise<void> | undefined;
  /** Starts what is due soon. */
  #soon: NodeJS.Timeout | undefined;
  /** Whether something changed since it looked. */
  #isStale = false;
  #isClosed = false;
  /**
   * After failures that the post did not cause, nothing starts until then. In that case, posts start one after the
   * other.
   */
  #pausedUntil = -Infinity;
  #failures = 0;
  /** Why the account's server refuses its secret. Then nothing more is sent, because many attempts can lock the account. */
  #refusal: string | undefined;

  constructor(account: OpenedAccount, backend: ServiceState, options: PublisherOptions) {
    this.#account = account;
    this.#backend = backend;
    this.#options = options;
  }

  start(): void {
    if (this.#isClosed) return;
    this.#isStale = true;
    this.#filling ??= this.#fill()
      // The next start tries again.
      .catch((error: unknown) => this.#options.onStoreTrouble(reasonOf(error)))
      .finally(() => {
        this.#filling = undefined;
      });
  }

  async #fill(): Promise<void> {
    const { now } = this.#backend;
    while (this.#isStale) {
      this.#isStale = false;
      const at = now();
      const places = (this.#failures > 0 ? 1 : this.#account.network.atOnce) - this.#active.size;
      if (this.#isClosed || at < this.#pausedUntil || places <= 0) return;
      if (this.#refusal !== undefined) return this.#holdDue(at, this.#refusal);
      if (this.#due.length === 0) await this.#read(at);
      for (const post of this.#due.splice(0, places)) {
        if (this.#isClosed) return;
        if (!this.#active.has(post.id)) this.#active.set(post.id, this.#work(post));
      }
    }
  }

  /** Reads what is due. Each post is read again when it is claimed. */
  async #read(at: number): Promise<void> {
    const { store, random } = this.#backend;
    const lane = this.#account.id;
    const next = await store.nextDue("post", [lane]);
    if (next > at) return this.#startSoon(next - at);
    const due = await store.due("post", { lane, at, limit: READ_AT_ONCE });
    const open = due.filter(({ id }) => !this.#active.has(id));
    // Machines that read the same posts should not claim them in the same order.
    this.#due = store.isShared ? mixed(open, random) : open;
  }

  /** Says at each due post why it is not sent, and ends those that are too late. */
  async #holdDue(at: number, reason: string): Promise<void> {
    this.#pausedUntil = at + LOOK_AT_HELD_MS;
    for (const post of await this.#backend.store.due("post", { lane: this.#account.id, at })) {
      if (this.#isClosed) return;
      await this.#hold(post, reason);
    }
  }

  async #hold(scheduled: StoredPost, reason: string): Promise<void> {
    const platform = this.#platformIn(scheduled);
    const before = platform === undefined ? undefined : scheduled.publications?.[platform];
    // What may be on the network waits for somebody who can ask it.
    if (platform === undefined || before?.state === "sending" || before?.state === "unknown") return;
    if (!this.#isInTime(scheduled)) return void (await this.#begin(scheduled, HELD, false));
    if (before !== undefined) return;
    const held = heldBack(this.#account.id, this.#backend.now(), reason);
    const written = await this.#backend.store.update("post", scheduled, (newest) =>
      newest.cancelled_at === undefined && newest.publications?.[platform] === undefined
        ? { record: withProgress(newest, platform, held) }
        : undefined,
    );
    if (written !== undefined) this.#tell(scheduled.id, platform, held);
  }

  /** At the moment itself, because whoever calls `start` does it only from time to time. */
  #startSoon(ms: number): void {
    clearTimeout(this.#soon);
    if (ms < SOON_MS) this.#soon = setTimeout(() => this.start(), Math.max(ms, MIN_SLEEP_MS)).unref();
  }

  async #work(post: StoredPost): Promise<void> {
    const { id } = post;
    try {
      await this.#handle(post);
    } catch (error) {
      // The store cannot be written to, so nothing is sent. It says nothing about the network, and may be back soon.
      this.#pausedUntil = Math.max(this.#pausedUntil, this.#backend.now() + FIRST_PAUSE_MS);
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
    clearTimeout(this.#soon);
    await this.idle();
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    while (this.#filling !== undefined || this.#active.size > 0)
      await Promise.all([this.#filling, ...this.#active.values()]);
  }

  /** The next time at which something may start, in ms. Infinity if nothing waits. */
  async nextStart(): Promise<number> {
    if (this.#refusal !== undefined) return Infinity;
    return Math.max(await this.#backend.store.nextDue("post", [this.#account.id]), this.#pausedUntil);
  }

  async #handle(post: StoredPost): Promise<void> {
    await this.#fetchMedia(post);
    if (this.#isClosed) return undefined;
    const token = Buffer.from(this.#backend.random(TOKEN_BYTES)).toString("hex");
    const first = await this.#begin(post, token, false);
    if (first?.kind !== "ask") return first && this.#send(first);
    const isAbsent = await this.#ask(first);
    const second = isAbsent ? await this.#begin(first.post, token, true) : undefined;
    if (second?.kind === "send") await this.#send(second);
  }

  /** Another machine may have received the files. Without them, the post waits, and nobody records an attempt. */
  async #fetchMedia(post: StoredPost): Promise<void> {
    const { store } = this.#backend;
    if (!this.#isInTime(post)) return;
    for (const item of await postMedia(post, this.#backend)) await store.files.place(item);
  }

  /** Writes the next step of a post before it is taken. Undefined if there is none, or the post ended. */
  async #begin(scheduled: StoredPost, token: string, isAbsent: boolean): Promise<BegunStep | undefined> {
    const { store, now } = this.#backend;
    const { id } = scheduled;
    const connections = await connectionsOf(this.#backend);
    const platform = this.#platformIn(scheduled);
    if (platform === undefined) return undefined;
    const terms = {
      platform,
      accountId: this.#account.id,
      at: now(),
      lateMs: this.#options.lateMs,
      claim: this.#claim(token),
      problem: errorOn(scheduled, platform, connections).error,
      isAbsent,
    };
    // Events of an end, which is seldom. They are written with it.
    const also = await this.#eventsOf(scheduled, platform, nextStep(scheduled, terms)?.publication);
    let step: Step | undefined;
    const post = await store.update("post", scheduled, (newest) => {
      step = nextStep(newest, terms);
      if (step === undefined) return undefined;
      const record = withProgress(newest, platform, step.publication);
      return step.kind === "end" ? { record: finished(record, connections, terms.at), also } : { record };
    });
    if (post === undefined || step === undefined) return undefined;
    if (step.kind === "end") this.#tell(id, platform, step.publication);
    return step.kind === "end" ? undefined : { ...step, post, platform, token, connections };
  }

  async #send(begun: BegunStep): Promise<void> {
    const { post } = begun;
    const { attempt, current, end } = this.#attemptFor(begun);
    try {
      const sent = await networkPost(post, this.#account, this.#backend.store);
      const result: PublishResult =
        sent === undefined
          ? { state: "failed", reason: "a media file of the post is missing", retry: false }
          : await this.#account.network.publish(sent, attempt);
      // Only the claim ended. The post itself is not too late.
      const isClaimOver = result.state === "failed" && result.isLate === true && this.#isInTime(post);
      await this.#conclude(begun, current(), isClaimOver ? { ...result, retry: true } : result);
    } finally {
      end();
    }
  }

  #isInTime(post: StoredPost): boolean {
    return this.#backend.now() < deadlineOf(post, this.#options.lateMs).at;
  }

  /** Asks the network what happened. Resolves to whether it certainly does not have the post, so that it may be sent. */
  async #ask(begun: BegunStep): Promise<boolean> {
    const { network } = this.#account;
    const { post, publication } = begun;
    const { attempt, current, end } = this.#attemptFor(begun);
    const sent = network.canSettle
      ? await networkPost(post, this.#account, this.#backend.store).catch(() => undefined)
      : undefined;
    if (sent === undefined) {
      end();
      const reason = lastReason(publication) ?? "";
      await this.#conclude(begun, publication, { state: "unknown", reason });
      return false;
    }
    const result = await network.settle(sent, attempt).finally(end);
    if (result.state !== "absent") {
      await this.#conclude(begun, current(), result);
      return false;
    }
    this.#failures = 0;
    const safeAt = Date.parse(publication.sent_at) + this.#options.settleMs;
    if (network.isRepeatable || this.#backend.now() >= safeAt) return true;
    const { claim: _claim, ...rest } = current();
    const reason = "the network did not answer, and does not show the post yet";
    const next_at = new Date(safeAt).toISOString();
    await this.#record(begun, { ...rest, state: "unknown", reason, next_at });
    return false;
  }

  /** The facts and the records of an attempt. `current` is the newest record of it, and `end` ends its claim's renewal. */
  #attemptFor({ post, platform, publication: begun, token }: BegunStep): {
    attempt: Attempt;
    current: () => StoredPublication;
    end: () => void;
  } {
    const { store } = this.#backend;
    const { lateMs, requestsAheadMs = () => 0 } = this.#options;
    const deadline = deadlineOf(post, lateMs).at;
    let publication = begun;
    let newestPost = post;
    const renew = async (change: (before: StoredPublication) => StoredPublication): Promise<void> => {
      const written = await store.update("post", newestPost, (newest) => {
        const before = newest.publications?.[platform];
        if (before === undefined || !isHeld(newest, platform, token)) return undefined;
        return { record: withProgress(newest, platform, { ...change(before), claim: this.#claim(token) }) };
      });
      // If somebody else took over, this attempt only remembers what it did, and sends nothing more.
      publication = written?.publications?.[platform] ?? change(publication);
      newestPost = written ?? newestPost;
    };
    const timer = setInterval(() => {
      // If the store cannot be reached, the claim ends at its time.
      renew((before) => before).catch(() => undefined);
    }, this.#claimMs / 3).unref();
    return {
      end: () => clearInterval(timer),
      current: () => publication,
      attempt: {
        parts: begun.parts,
        onPart: async ({ id, url }) => {
          const part = url === undefined ? { id } : { id, url };
          await renew((before) => ({ ...before, parts: [...before.parts, part] }));
        },
        get notAfter() {
          return Math.min(deadline, Date.parse(publication.claim?.until ?? "")) + requestsAheadMs();
        },
        isTaken: async (id) => {
          const owner = await store.find("post", partName(this.#account.id, id));
          return owner !== undefined && owner.id !== post.id;
        },
      },
    };
  }

  async #conclude(begun: BegunStep, publication: StoredPublication, result: PublishResult): Promise<void> {
    const { network } = this.#account;
    const at = this.#backend.now();
    const isDone = result.state === "published" || (result.state === "failed" && !result.retry);
    if (isDone) this.#failures = 0;
    // The post itself may be the reason, even if others on the account succeed. A publisher that ends hands the post over.
    const nextAt =
      isDone || this.#isClosed ? at : Math.max(this.#pause(), at + pauseMs(publication.attempts - 1));
    const { lateMs } = this.#options;
    const terms = { at, lateMs, nextAt, canSettle: network.canSettle };
    if (!("isSignInRefused" in result) || isDone)
      return this.#record(begun, afterResult(begun.post, publication, result, terms));
    // A server may also refuse only this post, with the code of a wrong secret.
    const { state, isSignInRefused } = { isSignInRefused: undefined, ...(await network.check()) };
    if (state === "ready" || isSignInRefused === undefined) this.#pausedUntil = at + MAX_PAUSE_MS;
    else this.#refusal ??= `${result.reason}. ${NO_MORE}`;
    const reason = this.#refusal ?? result.reason;
    await this.#record(begun, afterResult(begun.post, publication, { ...result, reason }, terms));
  }

  /** Writes a result, with its events. */
  async #record({ post, platform, token, connections }: BegunStep, result: StoredPublication): Promise<void> {
    const { store, now } = this.#backend;
    const also = await this.#eventsOf(post, platform, result);
    const written = await store.update("post", post, (newest) => {
      const isOurs = isHeld(newest, platform, token) || isNewsFor(newest.publications?.[platform], result);
      if (!isOurs) return undefined;
      return { record: finished(withProgress(newest, platform, result), connections, now()), also };
    });
    if (written === undefined) this.#options.onNews({ account: platform, postId: post.id, state: "lost" });
    else this.#tell(post.id, platform, result);
  }

  #tell(postId: string, platform: string, { state, url, reason }: StoredPublication): void {
    if (state === "sending") return;
    const refused = this.#refusal === undefined ? {} : { isSignInRefused: true as const };
    this.#options.onNews({ account: platform, postId, state, url, reason, ...refused });
  }

  /** The events of a publication that is over. */
  async #eventsOf(
    post: StoredPost,
    platform: string,
    publication: StoredPublication | undefined,
  ): Promise<readonly Entry[]> {
    if (publication === undefined || !isOverOnAccount(publication)) return [];
    const at = this.#backend.now();
    const about = {
      ...post,
      published_at: new Date(at).toISOString(),
      results: [resultOf(platform, publication)],
    };
    return deliveriesOf(eventsOfPost(about, ""), this.#backend, at);
  }

  #claim(token: string): NonNullable<StoredPublication["claim"]> {
    const until = this.#backend.store.claimsEndAt ?? this.#backend.now() + this.#claimMs;
    return { token, until: new Date(until).toISOString() };
  }

  get #claimMs(): number {
    return this.#backend.store.isShared ? CLAIM_MS : OWN_CLAIM_MS;
  }

  /**
   * Delays the account for longer after each failure. Posts that fail while it is paused had started before: they fail
   * for the same reason, and count once. Returns until when, in ms.
   */
  #pause(): number {
    const at = this.#backend.now();
    if (at < this.#pausedUntil) return this.#pausedUntil;
    this.#pausedUntil = at + pauseMs(this.#failures);
    this.#failures += 1;
    return this.#pausedUntil;
  }

  /** What the post calls this account; undefined if it is for others. */
  #platformIn({ accounts = {}, platforms }: StoredPost): string | undefined {
    return platforms.find((platform) => accounts[platform] === this.#account.id);
  }
}

interface BegunStep extends Step {
  readonly post: StoredPost;
  readonly platform: string;
  /** Of its claim. */
  readonly token: string;
  readonly connections: AccountConnections;
}

/** How long to wait after this many failures before the latest one, in ms. */
function pauseMs(failures: number): number {
  return Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures);
}
