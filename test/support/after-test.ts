import { onTestFinished, TestRunner } from "vitest";

/** Cleans up when the running test ends. Outside of a test (in a hook or a benchmark), the caller must do it. */
export function afterThisTest(cleanUp: () => unknown): void {
  if (TestRunner.getCurrentTest() !== undefined) onTestFinished(async () => void (await cleanUp()));
}
