import { setTimeout as wait } from "node:timers/promises";

/**
 * Resolves when this holds. It checks often, for states without an event. If the state never comes, the test's timeout
 * ends the wait.
 */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await wait(5);
}
