/**
 * What other users of the same key spend. They do not tell, but it shows in what the answers leave. So many as they
 * may spend while a request is under way are left to them, or the request would be refused.
 *
 * They are taken to come at random, in bursts: so many in a time as is usual of late, give or take twice the spread.
 * Where that leaves nothing, one request a while has a look whether they are still at it.
 */

/** Averages reach back over so many requests' times under way. */
const AVERAGED_REQUESTS = 8;
/** And at least over so long, ms. */
const MIN_AVERAGED_MS = 50;
/** A look is taken after this part of the time that the window has left. */
const PROBE_AFTER = 0.25;
/** A look is worth the risk where at least this part of the limit is left. */
const MIN_SHARE_FOR_PROBE = 0.15;
/** Most windows without a look, after looks that were refused. */
const MAX_WINDOWS_WITHOUT_PROBE = 16;

export class OtherClients {
  /** Requests in a ms. */
  #rate = 0;
  /** How many come at once: the sizes seen, each weighed by itself. */
  #burst = 1;
  /** How long a request is under way, ms. */
  #flightMs = 0;
  #observedAt = 0;
  /** Windows to go without a look, and as many as it will be after the next one that is refused. */
  #windowsWithoutProbe = 0;
  #nextWithoutProbe = 1;

  /** A window began. */
  windowStarted(now: number): void {
    this.#observedAt = now;
    this.#windowsWithoutProbe = Math.max(0, this.#windowsWithoutProbe - 1);
  }

  /** An answer, which was under way for so long (ms), shows that they spent so many since the last one. */
  observe(now: number, flightMs: number, spent: number): void {
    this.#flightMs += (flightMs - this.#flightMs) / (this.#flightMs === 0 ? 1 : AVERAGED_REQUESTS);
    const ms = Math.max(now - this.#observedAt, 1);
    const weight = 1 - Math.exp(-ms / Math.max(MIN_AVERAGED_MS, AVERAGED_REQUESTS * this.#flightMs));
    this.#rate += (spent / ms - this.#rate) * weight;
    if (spent > 0)
      this.#burst += ((spent - this.#burst) * Math.min(spent, AVERAGED_REQUESTS)) / (2 * AVERAGED_REQUESTS);
    this.#observedAt = now;
  }

  /**
   * How many requests of others may come before one that is sent at `now`, and were not heard of yet. One that goes
   * alone risks less, and shows more, so that bursts need not be feared.
   */
  margin(now: number, alone: boolean): number {
    const usual = this.#rate * (now - this.#observedAt + this.#flightMs);
    // What is left of a rate long ago counts as none.
    return usual < 0.01 ? 0 : Math.ceil(usual + 2 * Math.sqrt(usual * (alone ? 1 : this.#burst)));
  }

  /** When to have a look in a window that ends at `end` and has so many left; Infinity for not at all. */
  probeAt(end: number, left: number, limit: number): number {
    if (this.#windowsWithoutProbe > 0 || left < MIN_SHARE_FOR_PROBE * limit) return Infinity;
    return Math.ceil(this.#observedAt + (end - this.#observedAt) * PROBE_AFTER);
  }

  /** A look was taken. */
  probed(refused: boolean): void {
    this.#nextWithoutProbe = refused ? Math.min(MAX_WINDOWS_WITHOUT_PROBE, 2 * this.#nextWithoutProbe) : 1;
    if (refused) this.#windowsWithoutProbe = this.#nextWithoutProbe;
  }
}
