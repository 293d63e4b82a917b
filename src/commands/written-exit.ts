import type { WriteResult } from "../service/records.ts";
import type { ExitCode } from "./shell.ts";

/** The exit code of a run of one write. */
export function writeExitCode({ result }: WriteResult<unknown>): ExitCode {
  return ({ done: 0, refused: 1, unknown: 3, not_started: 130 } as const)[result];
}
