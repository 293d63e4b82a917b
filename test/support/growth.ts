/** Whether work takes a time that grows with its input, and not with the square of it. */

/** Linear work takes 4 times as long for 4 times the input, quadratic work 16 times. This is far from both. */
export const GROWS_TOO_FAST = 10;

/** Less is too short to compare, ms. */
const SHORTEST_MS = 1;

/**
 * Measures the processor time of this process: on a busy machine the wall clock proves nothing.
 * @param work does something with an input of this size, synchronously
 * @param size of the small input
 * @returns how many times as long it takes for an input four times as large
 */
export function growth(work: (size: number) => unknown, size: number): number {
  work(size);
  const small = Math.max(SHORTEST_MS, leastMs(work, size));
  return leastMs(work, size * 4) / small;
}

function leastMs(work: (size: number) => unknown, size: number): number {
  return Math.min(...[1, 2, 3].map(() => cpuMs(() => work(size))));
}

function cpuMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
