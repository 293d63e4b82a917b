/** The files through which a step tells the runner something. Nothing that is written can end its own value. */
import { appendFile, stat } from "node:fs/promises";

/** GitHub takes no larger summary of a step, bytes. */
const MAX_SUMMARY_BYTES = 1024 * 1024;

/** The most that a character of UTF-16 takes in UTF-8. */
const MAX_BYTES_PER_UNIT = 3;

/**
 * Sets outputs of the step. Each value stands between delimiters that nobody can guess, whatever it holds.
 * @param path of GITHUB_OUTPUT; without one nothing is done
 * @param delimiter gives another random word at each call
 */
export async function writeOutputs(
  path: string | undefined,
  outputs: Readonly<Record<string, string>>,
  delimiter: () => string,
): Promise<void> {
  if (path === undefined || path === "") return;
  const entries = Object.entries(outputs).map(([name, value]) => {
    const end = `plancast_${delimiter()}`;
    return `${name}<<${end}\n${value}\n${end}\n`;
  });
  await appendFile(path, entries.join(""));
}

/** UTF-16 units that a summary may have beside what the step has written before. */
export async function remainingSummaryLength(path: string | undefined): Promise<number> {
  if (path === undefined || path === "") return 0;
  const used = await stat(path).then(
    ({ size }) => size,
    () => 0,
  );
  return Math.max(0, Math.floor((MAX_SUMMARY_BYTES - used) / MAX_BYTES_PER_UNIT) - 1);
}

/** @param path of GITHUB_STEP_SUMMARY; without one nothing is done */
export async function writeSummary(path: string | undefined, markdown: string): Promise<void> {
  if (path !== undefined && path !== "") await appendFile(path, `${markdown}\n`);
}
