import type { ExitCode } from "./shell.ts";
export async function servePreview(..._given: unknown[]): Promise<ExitCode> {
  return 0;
}
