/**
 * What other users of the same key spend. They do not tell, but it shows in what the answers leave. So many as they
 * may spend while a request is under way are left to them, or the request would be refused.
 *
 * They are taken to come at random, in bursts: so many in a time as is usual of late, give or take twice the spread.
 * Where that leaves nothing, one request a while has a look whether they are still at it.
 */

/** Averages reach back over so many requests' times under way. */
const FLIGHTS = 8;
/** And at least over so long, ms. */
const REACH_MS = 50;
/** A look is taken after this part of the time that the window has left. */
const LOOK_AFTER = 0.25;
/** A look is worth the risk where at least this part of the limit is left. */
const WORTH = 0.15;
/** Most windows without a look, after looks that were refused. */
const MOST_BLIND = 16;

export class OtherClients {
  /** Requests in a ms. */
  #rate = 0;
  /** How many come at once: the sizes seen, each weighed by itself. */
  #burst = 1;
  /** How long a request is under way, ms. */
  #flightMs = 0;
  #heardAt = 0;
  /** Windows to go without a look, and as many as it will be after the next one that is refused. */
  #blind = 0;
  #nextBlind = 1;

  /** A window began. */
  began(now: number): void {
    this.#heardAt = now;
    this.#blind = Math.max(0, this.#blind - 1);
  }

  /** An answer, which was under way for so long (ms), shows that they spent so many since the last one. */
  heard(now: number, flightMs: number, spent: number): void {
    this.#flightMs += (flightMs - this.#flightMs) / (this.#flightMs === 0 ? 1 : FLIGHTS);
    const ms = Math.max(now - this.#heardAt, 1);
    const weight = 1 - Math.exp(-ms / Math.max(REACH_MS, FLIGHTS * this.#flightMs));
    this.#rate += (spent / ms - this.#rate) * weight;
    if (spent > 0) this.#burst += ((spent - this.#burst) * Math.min(spent, FLIGHTS)) / (2 * FLIGHTS);
    this.#heardAt = now;
  }

  /**
   * How many requests of others may come before one that is sent at `now`, and were not heard of yet. One that goes
   * alone risks less, and shows more, so that bursts need not be feared.
   */
  margin(now: number, alone: boolean): number {
    const usual = this.#rate * (now - this.#heardAt + this.#flightMs);
    // What is left of a rate long ago counts as none.
    return usual < 0.01 ? 0 : Math.ceil(usual + 2 * Math.sqrt(usual * (alone ? 1 : this.#burst)));
  }

  /** When to have a look in a window that ends at `end` and has so many left; Infinity for not at all. */
  lookAt(end: number, left: number, limit: number): number {
    if (this.#blind > 0 || left < WORTH * limit) return Infinity;
    return Math.ceil(this.#heardAt + (end - this.#heardAt) * LOOK_AFTER);
  }

  /** A look was taken. */
  looked(refused: boolean): void {
    this.#nextBlind = refused ? Math.min(MOST_BLIND, 2 * this.#nextBlind) : 1;
    if (refused) this.#blind = this.#nextBlind;
  }
}
