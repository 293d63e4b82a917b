/** How much input a run reads, for those who watch how long it may take. */

import diagnostics from "node:diagnostics_channel";

const inputs = diagnostics.channel("plancast:input");

/** Reports a file or an answer that is about to be understood, which nothing can interrupt. */
export function reportInput(bytes: number): void {
  inputs.publish(bytes);
}

/** Calls back with the size of each input, bytes; the function that it returns stops that. */
export function onInput(observe: (bytes: number) => void): () => void {
  const listener = (bytes: unknown): void => observe(Number(bytes));
  inputs.subscribe(listener);
  return () => inputs.unsubscribe(listener);
}
