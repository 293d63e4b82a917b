/** Plays histories, shrinks those that break a guarantee, and tells the shortest as a story. */

import { type ExceptionName, type History, makeHistory, shorter } from "./history.ts";
import { Violation, World } from "./world.ts";

/** Histories that shrinking may try. */
const MAX_TRIES = 400;

export interface Played {
  readonly violation: Violation | undefined;
  /** Events of disks, networks and clocks. */
  readonly events: number;
  readonly runs: number;
}

export async function playHistory(history: History): Promise<Played> {
  const world = new World(history);
  try {
    await world.play();
    return { violation: undefined, events: world.scheduler.count, runs: world.runs };
  } catch (error) {
    if (!(error instanceof Violation)) throw new Error(`Seed ${history.seed}`, { cause: error });
    return { violation: error, events: world.scheduler.count, runs: world.runs };
  }
}

/** The shortest history that breaks the same guarantee. */
async function shrink(history: History, { guarantee }: Violation): Promise<History> {
  let shortest = history;
  let tries = 0;
  for (let isShorter = true; isShorter;) {
    isShorter = false;
    for (const candidate of shorter(shortest)) {
      if ((tries += 1) > MAX_TRIES) return shortest;
      const { violation } = await playHistory(candidate);
      if (violation?.guarantee !== guarantee) continue;
      shortest = candidate;
      isShorter = true;
      break;
    }
  }
  return shortest;
}

export interface Failure {
  readonly seed: number;
  readonly story: string;
}

/** Plays the history of a seed. A failure comes with the story of the shortest history. */
export async function trySeed(
  seed: number,
  {
    exception,
    isShrunk = true,
  }: { readonly exception?: ExceptionName | undefined; readonly isShrunk?: boolean } = {},
): Promise<Omit<Played, "violation"> & { readonly failure: Failure | undefined }> {
  const history = makeHistory(seed, exception);
  const { violation, events, runs } = await playHistory(history);
  if (violation === undefined) return { failure: undefined, events, runs };
  const shortest = isShrunk ? await shrink(history, violation) : history;
  const last = (await playHistory(shortest)).violation ?? violation;
  const story = [
    `Broken: ${last.message}`,
    `Seed ${seed}, ${shortest.steps.length} of ${history.steps.length} steps:`,
    ...last.story.map((line) => `  ${line}`),
  ].join("\n");
  return { failure: { seed, story }, events, runs };
}

/** Imports on demand take real time, which would change the order of events in the first history. */
export async function warmUp(): Promise<void> {
  // Runs that die never remove their listeners.
  process.setMaxListeners(0);
  for (const seed of [1, 2, 3]) await playHistory({ ...makeHistory(seed), steps: [] }).catch(() => undefined);
}
