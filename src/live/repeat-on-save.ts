import { watchFolders } from "./watch-folders.ts";

/**
 * Does the work, and again each time that something in the folders was saved, until asked to stop. Never twice at once:
 * what is saved meanwhile is seen to afterwards.
 * @param first folders to watch from the beginning
 * @param work gives the folders to watch from then on
 */
export async function repeatOnSave(
  first: Iterable<string>,
  work: () => Promise<Iterable<string>>,
  stop: AbortSignal,
): Promise<void> {
  let isChanged = true;
  let wake: (() => void) | undefined;
  const watch = watchFolders(() => {
    isChanged = true;
    wake?.();
  });
  const stopped = (): void => wake?.();
  stop.addEventListener("abort", stopped);
  watch.follow(first);
  try {
    while (!stop.aborted) {
      if (isChanged) {
        isChanged = false;
        // oxlint-disable-next-line no-await-in-loop
        watch.follow(await work());
      } else {
        // oxlint-disable-next-line no-await-in-loop
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  } finally {
    stop.removeEventListener("abort", stopped);
    watch.close();
  }
}
