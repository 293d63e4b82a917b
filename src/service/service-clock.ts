/** The service's clock, seen from here: each Date header bounds how far it is ahead of the local one. */
import { intersect, type Span } from "./span.ts";

/** Without any Date, clocks are taken to agree this well, ms. */
const DEFAULT_OFFSET: Span = { from: -1_000, to: 1_000 };
/** Clocks that agree do so to this much, ms. */
export const CLOCK_TOLERANCE_MS = 25;
/** A Date has whole seconds, and servers make it anew up to so much too late, ms. */
const DATE_PRECISION_MS = 1_100;

export class ServiceClock {
  #ahead: Span | undefined;

  /** Learns from the Date of an answer that was asked for and received at these local times, ms. */
  observe(date: number | undefined, sentAt: number, receivedAt: number): void {
    if (date === undefined) return;
    const told: Span = { from: date - receivedAt, to: date + DATE_PRECISION_MS - sentAt };
    // Where the two exclude each other, a clock was set meanwhile: start again from this answer.
    this.#ahead = (this.#ahead && intersect(this.#ahead, told)) ?? told;
  }

  /** Learns from a moment of which both times are known, ms; what contradicts the Dates is not taken. */
  compare(serviceTime: number, local: Span): void {
    const told: Span = { from: serviceTime - local.to, to: serviceTime - local.from };
    this.#ahead = intersect(this.#ahead ?? DEFAULT_OFFSET, told) ?? this.#ahead;
  }

  /** When it is that time at the service, for certain. */
  local(serviceTime: number): Span {
    const ahead = this.#ahead ?? DEFAULT_OFFSET;
    return { from: serviceTime - ahead.to, to: serviceTime - ahead.from };
  }

  /** When it is that time at the service, most likely: clocks that may both be right are. Never too early else. */
  likelyLocal(serviceTime: number): number {
    const { from, to } = this.#ahead ?? DEFAULT_OFFSET;
    return from <= 0 && to >= 0 ? serviceTime : serviceTime - from;
  }
}
