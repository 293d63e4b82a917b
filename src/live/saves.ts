import { relative, sep } from "node:path";
import type { Clock } from "../calendar/clock.ts";
import { watchProject } from "./watch-project.ts";

/** Waits for files to be saved. Their paths, relative to the folder, with `/`; none when the run is to stop. */
export type NextSave = () => Promise<readonly string[]>;

/** What is saved below a folder from now on. @param root absolute */
export async function watchSaves(
  root: string,
  { stop, clock }: { readonly stop: AbortSignal; readonly clock: Clock },
): Promise<NextSave> {
  let files = new Set<string>();
  let wake: (() => void) | undefined;
  const onChange = (changed: readonly string[]): void => {
    for (const path of changed) files.add(relative(root, path).split(sep).join("/"));
    wake?.();
  };
  stop.addEventListener("abort", () => wake?.(), { once: true });
  await watchProject([root], onChange, stop, clock);
  return async () => {
    if (files.size === 0 && !stop.aborted) await new Promise<void>((resolve) => (wake = resolve));
    const saved = [...files];
    files = new Set();
    return saved;
  };
}
