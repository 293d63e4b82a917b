/**
 * How many cases a chaos test tries: few with `npm test`, more and others with `npm run test:all`, all with `npm run
 * chaos`.
 */

export interface PerEffort<T> {
  readonly quick: T;
  readonly long: T;
  readonly full: T;
}

/** Set by vitest.config.ts for the long suite and by scripts/chaos.js. */
const EFFORT = process.env["CHAOS_EFFORT"] ?? "quick";

/** For tests that try very many cases: ms. */
export const LONG_MS = 4 * 3_600_000;

/** `CHAOS_SLOW=4`: the machine is so busy that everything may take that many times as long. */
export const SLOWNESS = Number(process.env["CHAOS_SLOW"] ?? 1);

/** Cases under way at once: processes and servers share two cores. */
export const AT_ONCE = 3;

export function perEffort<T>({ quick, long, full }: PerEffort<T>): T {
  return EFFORT === "full" ? full : EFFORT === "long" ? long : quick;
}

/**
 * Every n-th case. `npm test` takes the first of every n cases and the last case. The long suite takes the second of
 * every n.
 */
export function sample<T>(all: readonly T[], oneIn: Pick<PerEffort<number>, "quick" | "long">): readonly T[] {
  return perEffort({
    quick: all.filter((_, index) => index % oneIn.quick === 0 || index === all.length - 1),
    long: all.filter((_, index) => index % oneIn.long === 1),
    full: all,
  });
}

/**
 * A number for random choices: always the same with `npm test` and `npm run chaos`. The long suite takes the seed of the
 * property tests, or a fresh one.
 */
const { CHAOS_SEED, PROPERTY_SEED = Date.now() % 1_000_000 } = process.env;
export const SEED = Number(CHAOS_SEED ?? perEffort({ quick: 1, long: PROPERTY_SEED, full: 1 }));

/** Numbers from 0 up to below the argument, which are the same for the same seed. */
export function randomBelow(seed: number): (below: number) => number {
  let random = seed;
  return (below) => {
    random = (Math.imul(random, 1_103_515_245) + 12_345) >>> 0;
    return (random >>> 8) % below;
  };
}
