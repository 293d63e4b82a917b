/** Who may start a request now, as the limiter asks it: by a window of this process, or by one that several share. */
import type { Clock } from "../calendar/clock.ts";
import type { Pace } from "../calendar/pace.ts";
import type { RateObservation } from "./rate-headers.ts";
import type { Opening, RateWindow } from "./rate-window.ts";

export interface RateGate {
  /** What is known here of the limit, all of it at one moment. */
  state(): GateState;
  /** How fast requests may go from now on. */
  pace(): Pace;
  /** A place for one request that is sent at once; undefined when none may start now. */
  start(): Promise<Slot | undefined>;
  /** Who is told when something has changed that did not happen here. */
  onChange(listener: () => void): void;
}

export interface GateState {
  /** Requests that may start now. */
  readonly allowance: number;
  /** When the allowance may grow without an answer, ms by the local clock; undefined when only an answer can help. */
  readonly opening: Opening | undefined;
}

/** One request in flight. */
export interface Slot {
  /** It is over; `news` is what its answer said, undefined where there was none. */
  end(news: RateObservation | undefined): void;
}

export class LocalGate implements RateGate {
  readonly #window: RateWindow;
  readonly #clock: Clock;

  constructor(window: RateWindow, clock: Clock) {
    this.#window = window;
    this.#clock = clock;
  }

  state(): GateState {
    // One reading of the clock: a wait that ends between two would be neither over nor waited for.
    const now = this.#clock.now();
    return { allowance: this.#window.allowance(now), opening: this.#window.opening(now) };
  }

  pace(): Pace {
    return this.#window.pace(this.#clock.now());
  }

  async start(): Promise<Slot | undefined> {
    const sentAt = this.#clock.now();
    if (this.#window.allowance(sentAt) === 0) return undefined;
    this.#window.started(sentAt);
    return { end: (news) => this.#window.ended(sentAt, this.#clock.now(), news) };
  }

  /** Nothing happens elsewhere. */
  onChange(): void {}
}
