import { setTimeout as wait } from "node:timers/promises";

/**
 * Resolves when this holds. It checks often, for states without an event. The test's timeout ends a wait without
 * success.
 */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await wait(5);
}
