/**
 * Asks the service about posts that events tell of, and records its word: an event is not believed before. Goes on as
 * long as it is run; what it has not done is done when it is run again, or by `status`.
 */
import type { Clock } from "../calendar/clock.ts";
import type { Publication } from "../calendar/fate.ts";
import { publicationRecord, isWorthRecording, type Publications } from "./outcomes.ts";
import type { PublicationLog } from "./outcome-log.ts";

/** Events come in bursts: so long after one, posts are asked for together, ms. */
const GATHER_MS = 500;
/** Waits before a post is asked for again, ms; the last one from then on. */
const RETRY_WAITS_MS = [5_000, 30_000, 300_000, 3_600_000] as const;

export interface ConfirmerOptions {
  readonly origin: string;
  readonly outcomes: Publications;
  readonly log: PublicationLog;
  /** The service's word on each of these posts that the project owns; of others nobody asks. */
  readonly ask: (ids: readonly string[]) => Promise<ReadonlyMap<string, Publication>>;
  /** Told of each post whose fate is recorded. */
  readonly onPublication: (id: string, fate: Publication) => void;
  /** Told why nothing could be asked. It is tried again. */
  readonly onTrouble: (error: unknown) => void;
  readonly clock: Clock;
  readonly stop: AbortSignal;
}

export class Confirmer {
  readonly #options: ConfirmerOptions;
  /** How often a post was asked for in vain, and when its turn comes again. */
  readonly #tried = new Map<string, { readonly times: number; readonly next: number }>();
  #woken = new AbortController();

  constructor(options: ConfirmerOptions) {
    this.#options = options;
    options.stop.addEventListener("abort", () => this.wake(), { once: true });
  }

  /** To be called when an event has come. */
  wake(): void {
    this.#woken.abort();
  }

  /** Resolves when it is stopped. */
  async run(): Promise<void> {
    const { clock, stop } = this.#options;
    while (!stop.aborted) {
      this.#woken = new AbortController();
      // One round after the other: what comes meanwhile is the next one's.
      // oxlint-disable-next-line no-await-in-loop
      await this.#round().catch((error: unknown) => {
        if (!stop.aborted) this.#options.onTrouble(error);
      });
      // oxlint-disable-next-line no-await-in-loop
      await clock.sleep(this.#nextMs(), this.#woken.signal);
      // oxlint-disable-next-line no-await-in-loop
      if (this.#woken.signal.aborted) await clock.sleep(GATHER_MS, stop);
    }
  }

  async #round(): Promise<void> {
    const { outcomes, ask, clock } = this.#options;
    const unconfirmed = new Set(outcomes.unconfirmed());
    for (const id of this.#tried.keys()) if (!unconfirmed.has(id)) this.#tried.delete(id);
    const ids = [...unconfirmed].filter((id) => (this.#tried.get(id)?.next ?? 0) <= clock.now());
    if (ids.length === 0) return;
    // Before they are asked for: where that fails it is tried again later as well.
    for (const id of ids) this.#later(id);
    for (const [id, fate] of await ask(ids)) {
      // oxlint-disable-next-line no-await-in-loop
      await this.#record(id, fate);
    }
  }

  async #record(id: string, fate: Publication): Promise<void> {
    if (!isWorthRecording(fate)) return;
    const { origin, outcomes, log, clock, onPublication: onFate } = this.#options;
    const record = publicationRecord(id, fate, origin, clock.now());
    await log.append(record);
    outcomes.take(record, "events");
    this.#tried.delete(id);
    onFate(id, outcomes.publicationOf(id) ?? fate);
  }

  #later(id: string): void {
    const times = this.#tried.get(id)?.times ?? 0;
    const wait = RETRY_WAITS_MS[Math.min(times, RETRY_WAITS_MS.length - 1)] ?? 0;
    this.#tried.set(id, { times: times + 1, next: this.#options.clock.now() + wait });
  }

  /** Ms until the next post's turn. */
  #nextMs(): number {
    const next = [...this.#tried.values()].reduce((least, each) => Math.min(least, each.next), Infinity);
    return Math.max(0, Math.min(next - this.#options.clock.now(), RETRY_WAITS_MS.at(-1) ?? 0));
  }
}
