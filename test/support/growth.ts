/** Whether work takes linear time, and not quadratic time. */

const FACTOR = 8;

/** Linear work takes 8 times as long for 8 times the input, quadratic work 64 times. This is far from both. */
export const GROWS_TOO_FAST = 24;

/** Shorter times cannot be compared, in ms. */
const SHORTEST_MS = 1;

const MOST_ROUNDS = 6;

/**
 * Measures the processor time of this process: on a busy machine the wall clock proves nothing. The smallest ratio
 * counts, because garbage collection and other noise do not slow down every round.
 * @param work does something with an input of this size, synchronously
 * @param size of the small input
 * @returns how many times as long it takes for an input 8 times as large
 */
export function growth(work: (size: number) => unknown, size: number): number {
  work(size);
  let least = Infinity;
  for (let round = 0; round < MOST_ROUNDS && least >= GROWS_TOO_FAST; round += 1) {
    const small = Math.max(
      SHORTEST_MS,
      cpuMs(() => work(size)),
    );
    least = Math.min(least, cpuMs(() => work(size * FACTOR)) / small);
  }
  return least;
}

function cpuMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
