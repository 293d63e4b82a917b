/** Counts how much input a run reads, for code that watches how long a run may take. */

import diagnostics from "node:diagnostics_channel";

const inputs = diagnostics.channel("plancast:input");

/** Reports a file or an answer just before it is parsed or compared, because nothing can interrupt that. */
export function reportInput(bytes: number): void {
  inputs.publish(bytes);
}

/** Calls back with the size of each input, in bytes. Returns a function that ends this. */
export function onInput(observe: (bytes: number) => void): () => void {
  const listener = (bytes: unknown): void => observe(Number(bytes));
  inputs.subscribe(listener);
  return () => inputs.unsubscribe(listener);
}
