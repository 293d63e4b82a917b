/** How much chaos is tried: a little with `npm test`, other and more cases with `npm run test:all`, all with `npm run chaos`. */

export interface PerEffort<T> {
  readonly quick: T;
  readonly long: T;
  readonly full: T;
}

/** Set by vitest.config.ts for the long suite and by scripts/chaos.js. */
const EFFORT = process.env["CHAOS_EFFORT"] ?? "quick";

/** For tests that try very many cases: ms. */
export const LONG_MS = 4 * 3_600_000;

/** Cases under way at once: processes and servers share two cores. */
export const AT_ONCE = 3;

export function perEffort<T>({ quick, long, full }: PerEffort<T>): T {
  return EFFORT === "full" ? full : EFFORT === "long" ? long : quick;
}

/** Every n-th case. Quick takes the first of n and the last case, long takes the second of n: it tries other cases. */
export function sample<T>(all: readonly T[], oneIn: Pick<PerEffort<number>, "quick" | "long">): readonly T[] {
  return perEffort({
    quick: all.filter((_, index) => index % oneIn.quick === 0 || index === all.length - 1),
    long: all.filter((_, index) => index % oneIn.long === 1),
    full: all,
  });
}

/** A number for random choices: always the same with `npm test` and `npm run chaos`, fresh in the long suite. */
export const SEED = Number(
  process.env["CHAOS_SEED"] ?? perEffort({ quick: 1, long: Date.now() % 1_000_000, full: 1 }),
);
