/**
 * Rejects when nothing is left that the process could wait for: what has not ended by then never will, and Node would
 * leave without a word.
 */
export function stalled(): Promise<never> {
  return new Promise((_resolve, reject) => {
    process.once("beforeExit", () =>
      reject(new Error("the command came to a stop before its end. What had begun is known; run it again.")),
    );
  });
}
