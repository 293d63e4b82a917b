/**
 * Asks the service about posts that events name, and records its answer: no event is believed before that. Runs until it
 * is stopped; the next run, or `status`, does what is left.
 */

import type { Clock } from "../model/clock.ts";
import type { Publication } from "../model/publication.ts";
import type { PublicationLog } from "./publication-log.ts";
import { type Publications, isWorthRecording, publicationRecord } from "./publications.ts";

/** Events come in bursts: so long after one, posts are asked for together, ms. */
const GATHER_MS = 500;
/** Waits before a post is asked for again, ms; the last one from then on. */
const RETRY_WAITS_MS = [5_000, 30_000, 300_000, 3_600_000] as const;

interface ConfirmerOptions {
  readonly origin: string;
  readonly publications: Publications;
  readonly log: PublicationLog;
  /** What the service says of those of these posts that the project owns. */
  readonly ask: (ids: readonly string[]) => Promise<ReadonlyMap<string, Publication>>;
  /** Called for each post once its publication is recorded. */
  readonly onPublication: (id: string, publication: Publication) => void;
  /** Called with the reason when the service could not be asked. It is asked again. */
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

  /** Call it when an event has come. */
  wake(): void {
    this.#woken.abort();
  }

  /** Resolves when it is stopped. */
  async run(): Promise<void> {
    const { clock, stop } = this.#options;
    while (!stop.aborted) {
      this.#woken = new AbortController();
      // One round after the other: what comes meanwhile is for the next one.
      await this.#round().catch((error: unknown) => {
        if (!stop.aborted) this.#options.onTrouble(error);
      });
      await clock.sleep(this.#nextMs(), this.#woken.signal);
      if (this.#woken.signal.aborted) await clock.sleep(GATHER_MS, stop);
    }
  }

  async #round(): Promise<void> {
    const { publications, ask, clock } = this.#options;
    const unconfirmed = new Set(publications.unconfirmed());
    for (const id of this.#tried.keys()) if (!unconfirmed.has(id)) this.#tried.delete(id);
    const ids = [...unconfirmed].filter((id) => (this.#tried.get(id)?.next ?? 0) <= clock.now());
    if (ids.length === 0) return;
    // Before they are asked for: where that fails it is tried again later as well.
    for (const id of ids) this.#later(id);
    for (const [id, publication] of await ask(ids)) {
      await this.#record(id, publication);
    }
  }

  async #record(id: string, publication: Publication): Promise<void> {
    if (!isWorthRecording(publication)) return;
    const { origin, publications, log, clock, onPublication } = this.#options;
    const record = publicationRecord(id, publication, origin, clock.now());
    await log.append(record);
    publications.take(record, "events");
    this.#tried.delete(id);
    onPublication(id, publications.publicationOf(id) ?? publication);
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
