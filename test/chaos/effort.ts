/** How much is tried: a sample with `npm test`, all of it with `npm run chaos`. */

/** Set by scripts/chaos.js. */
const IS_FULL = process.env["CHAOS_FULL"] === "1";

/** For tests that try everything: ms. */
export const LONG_MS = 4 * 3_600_000;

/** Under way at once: processes and servers share two cores. */
export const AT_ONCE = 3;

/** All of them, or every n-th, the first and the last among them. */
export function sample<T>(all: readonly T[], every: number): readonly T[] {
  return IS_FULL ? all : all.filter((_, index) => index % every === 0 || index === all.length - 1);
}
