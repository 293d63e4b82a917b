import type { WindowReading } from "./rate-headers.ts";

/** After this many equal counts in a row, the count is a constant. */
const MAX_STUCK = 4;

/**
 * Whether the remaining count can be trusted: some services send a constant. A count that changed once is not constant.
 */
export class CountCheck {
  #first: string | undefined;
  #changed = false;
  #latestAt = -Infinity;
  #stuck = 0;

  get isConstant(): boolean {
    return !this.#changed && this.#stuck >= MAX_STUCK;
  }

  /** An accepted request was answered. `begins`: in a new window, which may begin with the same count as the last one. */
  answered(windows: readonly WindowReading[], begins: boolean, sentAt: number, receivedAt: number): void {
    const counted = windows.filter(({ limit, remaining }) => remaining !== undefined && limit !== 1);
    if (counted.length === 0) return;
    const count = counted.map(({ remaining }) => remaining).join(" ");
    this.#changed ||= count !== (this.#first ??= count);
    const isUsedUp = counted.some(({ remaining }) => remaining === 0);
    if (begins && !isUsedUp) this.#stuck = 0;
    // The service counts the request, unless it was sent together with the previous one.
    else if (sentAt >= this.#latestAt) this.#stuck += 1;
    this.#latestAt = receivedAt;
  }
}
