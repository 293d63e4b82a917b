/** The command loads this at each start, so it imports nothing. */

/** @param reason of the system */
export function lostOutputText(reason: string): string {
  return (
    `error disk/not-writable\n  plancast could not write all of its output: ${reason}\n` +
    "  → Free some space, or send the output to another place. Only output is lost: the run itself went on.\n"
  );
}
