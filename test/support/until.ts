import { setTimeout as wait } from "node:timers/promises";

/** Resolves as soon as this holds; look at it often, for what tells no event. The test's timeout ends a wait in vain. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await wait(5);
}
