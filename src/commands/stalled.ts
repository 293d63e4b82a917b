/**
 * The same as `run`, but rejects when nothing is left that the process could wait for: what has not ended by then never
 * will, and Node would leave without a word.
 */
export async function unlessStalled<T>(run: Promise<T>): Promise<T> {
  const over = new AbortController();
  try {
    return await Promise.race([run, rejectWhenStalled(over.signal)]);
  } finally {
    over.abort();
  }
}

function rejectWhenStalled(over: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const stall = (): void =>
      reject(new Error("the command came to a stop before its end. What had begun is known; run it again."));
    process.once("beforeExit", stall);
    over.addEventListener("abort", () => process.off("beforeExit", stall), { once: true });
  });
}
