/** The rate limit of one key or account that several processes and machines share, over a count that they can all reach. */

import { newId } from "../../disk/machine.ts";
import type { Clock, Pace } from "../../model/clock.ts";
import { type RateGate, type Slot, CONCURRENCY } from "./limiter.ts";
import type { RateObservation } from "./rate-headers.ts";
import type { GateState, Opening, RateLimits, ToldLimits } from "./rate-limits.ts";

/**
 * What the processes share: a phase with its end, and the number of requests left while it is open. It has a clock of its
 * own, so the clocks of two machines are never compared. Every method rejects if the count cannot be reached.
 */
export interface SharedCount {
  /**
   * The phase. If it is open, one of the requests left is taken, if there is one. If there is no phase, `probe` becomes it,
   * for `probeMs`. Undefined if nobody may start any more.
   */
  take(probe: string, probeMs: number): Promise<SharedPhase | undefined>;
  /** Ends the probe with an open window, unless another phase has begun. */
  open(probe: string, left: number, ms: number): Promise<void>;
  /** Ends the probe without a result, unless another phase has begun. */
  endProbe(probe: string): Promise<void>;
  /** Closes for that long, unless it is already closed for longer. @param phase starts with `closed` */
  shut(phase: string, ms: number): Promise<void>;
  /** Sets the number of requests left to `to`, if it is more than `from`. */
  lower(from: number, to: number): Promise<void>;
}

export interface SharedPhase {
  readonly phase: string;
  readonly leftMs: number;
  /** Whether a request may start in the open window. */
  readonly isTaken: boolean;
}

interface SharedGateOptions {
  readonly count: SharedCount;
  /** Reads the answers to this process's requests. */
  readonly window: RateLimits;
  readonly clock: Clock;
  /** Called last before each request; false if it must not be sent. */
  readonly confirm: () => Promise<boolean>;
  /** The count cannot be reached, so nothing starts now. */
  readonly onLost: (error: unknown) => void;
  /** How often processes that wait for a probe check for its end, in ms. */
  readonly lookMs?: number;
}

/** A probe without an answer counts as failed after this, in ms: its process may be dead. */
const PROBE_MS = 10_000;
/** The default of `lookMs`, and how long nothing starts after a failure, in ms. */
const LOOK_MS = 500;
/** Two processes notice the end of one window at most this far apart, in ms. */
const SAME_END_MS = 2_000;

/**
 * | phase    | meaning                                                            | who may start               |
 * | -------- | ------------------------------------------------------------------ | --------------------------- |
 * | none     | the last window is over, and the next one is unknown               | the first one, as the probe |
 * | `probe`  | the probe is under way                                             | nobody                      |
 * | `open`   | the probe's answer said how many are left, and until when          | who takes one of them       |
 * | `closed` | the service refused a request, or asked all clients to wait        | nobody                      |
 *
 * Each process reads the answers to its own requests with a rate window of its own. In an open window, the count only
 * goes down: if an answer reports less than the count has, there is a client that does not share it.
 */
export class SharedGate implements RateGate {
  readonly #options: SharedGateOptions;
  /** Answers that the other processes do not know yet. */
  readonly #reporting = new Set<Promise<void>>();
  /** Why no request may start, if this process knows that, and since when it knows. */
  #shut: (Opening & { readonly since: number }) | undefined;
  /** Requests of this process. */
  #inFlight = 0;

  constructor(options: SharedGateOptions) {
    this.#options = options;
  }

  state(): GateState {
    const now = this.#options.clock.now();
    // After the clock was set back, the time of opening is unknown.
    const isShut = this.#shut !== undefined && now >= this.#shut.since && now < this.#shut.at;
    return isShut ? { allowance: 0, opening: this.#shut } : { allowance: CONCURRENCY, opening: undefined };
  }

  /** The shared count keeps it. */
  told(): ToldLimits {
    return { windows: [] };
  }

  pace(): Pace {
    return this.#options.window.pace(this.#options.clock.now());
  }

  async start(): Promise<Slot | undefined> {
    const { count, clock, confirm, onLost } = this.#options;
    const probe = `probe ${newId()}`;
    try {
      const taken = await count.take(probe, PROBE_MS);
      if (taken === undefined) return undefined;
      const isProbe = taken.phase === probe;
      if (!isProbe && !taken.isTaken) this.#waitFor(taken);
      else if (await confirm()) return this.#slot(isProbe ? probe : undefined, clock.now() + taken.leftMs);
    } catch (error) {
      this.#waitFor({ phase: "lost", leftMs: LOOK_MS });
      onLost(error);
    }
    return undefined;
  }

  /** Resolves when the other processes know the last answers. */
  async reported(): Promise<void> {
    await Promise.all(this.#reporting);
  }

  #waitFor({ phase, leftMs }: Pick<SharedPhase, "phase" | "leftMs">): void {
    const { clock, lookMs = LOOK_MS } = this.#options;
    const since = clock.now();
    const why = phase === "closed told" ? "told" : phase === "closed refused" ? "refused" : "limit";
    this.#shut = { since, at: since + (phase.startsWith("probe") ? Math.min(lookMs, leftMs) : leftMs), why };
  }

  #slot(probe: string | undefined, windowEnd: number): Slot {
    const { window, clock, onLost } = this.#options;
    const sentAt = clock.now();
    this.#shut = undefined;
    // The shared window is over. A guess that began later would make the next one too short.
    if (probe !== undefined) window.forgetGuess();
    window.started(sentAt);
    this.#inFlight += 1;
    return {
      end: (observation) => {
        this.#inFlight -= 1;
        window.ended(sentAt, clock.now(), observation);
        const reporting = this.#report(observation, probe, windowEnd)
          .catch(onLost)
          .finally(() => this.#reporting.delete(reporting));
        this.#reporting.add(reporting);
      },
    };
  }

  /** Publishes what an answer says to all processes. */
  async #report(
    observation: RateObservation | undefined,
    probe: string | undefined,
    windowEnd: number,
  ): Promise<void> {
    const { window, clock, count } = this.#options;
    const now = clock.now();
    const state = observation === undefined ? undefined : window.state(now);
    const { at = now, why } = state?.opening ?? {};
    if (state?.phase === "closed" && (probe !== undefined || why !== "limit")) {
      await count.shut(`closed ${why}`, Math.ceil(at - now));
    } else if (probe === undefined) {
      const isSameWindow = now < windowEnd && state !== undefined && state.phase !== "unknown";
      // Requests in flight are already taken from the count, but perhaps the service has not counted them.
      // An answer without windows says nothing that the count does not know.
      const isTold = observation !== undefined && observation.reading.windows.length > 0;
      if (isTold && isSameWindow && at < windowEnd + SAME_END_MS)
        await count.lower(state.left, state.left - this.#inFlight);
    } else if (state?.phase === "open") await count.open(probe, state.left, Math.ceil(at - now));
    else await count.endProbe(probe);
  }
}
