/** Reports which files were saved below the project's folder. Paths are relative to that folder, with `/`. */

import type { Stats } from "node:fs";
import { basename, join, normalize, relative, sep } from "node:path";
import { watch } from "chokidar";
import { realpath, unwatchFile, watchFile } from "../../disk/machine.ts";
import type { Clock } from "../../model/clock.ts";
import { NOT_SEARCHED } from "../../calendars/find-projects.ts";
import type { Project } from "../../settings/config.ts";

/** The saves in a watched folder. */
export interface Saves {
  /** Waits for files to be saved, and returns their paths; none when the run must stop. */
  readonly next: () => Promise<readonly string[]>;
  /** Reports a save that is complete, so that nothing waits for more of its steps. */
  readonly report: (file: string) => void;
  /** Also watches the given files that are outside the folder, such as shared settings: `../agency.yaml`. */
  readonly alsoWatch: (files: readonly string[]) => Promise<void>;
}

/** Temporary files of editors and spreadsheets. */
const IGNORED_FILES = /^(\.?#.*|~\$.*|\.~lock.*|.*~|\..*\.sw.|4913|.*\.tmp)$/;

/** Editors save in several steps: a save is reported after no change for this long, in ms. */
const QUIET_MS = 150;
/** If changes never stop, a save is reported after this long, in ms. */
const LONGEST_MS = 1_000;
/** How often to check whether the folder was replaced, or for saves if the system does not report them, in ms. */
const POLL_MS = 2_000;

/**
 * Watches a folder. Resolves when it is watched: every later save is reported, however an editor saves. If the folder
 * is removed, this is reported for its files, and again when it comes back. Rejects if the folder does not exist.
 * @param root absolute
 */
export async function watchSaves(
  root: string,
  { stop, clock }: { readonly stop: AbortSignal; readonly clock: Clock },
): Promise<Saves> {
  const saved = new Set<string>();
  let events = 0;
  let isComplete = false;
  let wake: (() => void) | undefined;
  // chokidar does not follow links here, so the folder's own name must not be one.
  const folder = await realpath(root);
  const onSave = (path: string): void => {
    saved.add(relative(folder, path).split(sep).join("/"));
    events += 1;
    wake?.();
  };
  stop.addEventListener("abort", () => wake?.(), { once: true });
  await watchFolder(folder, onSave, stop);
  const outside = new Set<string>();
  const alsoWatch = async (file: string): Promise<void> => {
    if (!file.startsWith("../") || outside.has(file) || stop.aborted) return;
    outside.add(file);
    const { ready, close } = follow(join(folder, file), { ignoreInitial: true }, onSave);
    stop.addEventListener("abort", close, { once: true });
    await ready;
  };
  const next = async (): Promise<readonly string[]> => {
    if (saved.size === 0 && !stop.aborted) await new Promise<void>((resolve) => (wake = resolve));
    const start = clock.now();
    const isOver = (): boolean => isComplete || stop.aborted || clock.now() - start >= LONGEST_MS;
    for (let seen = -1; seen !== events && !isOver();) {
      seen = events;
      await clock.sleep(QUIET_MS, stop);
    }
    const files = stop.aborted ? [] : [...saved].sort();
    saved.clear();
    isComplete = false;
    return files;
  };
  return {
    next,
    report: (file) => {
      saved.add(file);
      isComplete = true;
      wake?.();
    },
    alsoWatch: async (files) => {
      await Promise.all(files.map(alsoWatch));
    },
  };
}

/**
 * Calls `onSave` with the absolute path of each file that is added, changed or removed, and of each new folder. Resolves
 * after the first scan.
 */
async function watchFolder(folder: string, onSave: (path: string) => void, stop: AbortSignal): Promise<void> {
  if (stop.aborted) return;
  const first = follow(folder, { ignoreInitial: true }, onSave);
  let close = first.close;
  // chokidar does not notice if its folder is removed or replaced.
  const onFolderChange = (now: Stats, before: Stats): void => {
    const isReplaced = now.ino !== before.ino || now.birthtimeMs !== before.birthtimeMs;
    if (!isReplaced || now.ino === 0) return;
    close();
    close = follow(folder, { ignoreInitial: false }, onSave).close;
  };
  watchFile(folder, { interval: POLL_MS }, onFolderChange);
  await new Promise<void>((resolve) => {
    const end = (): void => {
      unwatchFile(folder, onFolderChange);
      close();
      resolve();
    };
    stop.addEventListener("abort", end, { once: true });
    void first.ready.then(resolve);
  });
}

interface Following {
  /** Resolves after the first scan. */
  readonly ready: Promise<void>;
  readonly close: () => void;
}

function follow(
  folder: string,
  options: { readonly ignoreInitial: boolean; readonly usePolling?: boolean },
  onSave: (path: string) => void,
): Following {
  const watcher = watch(folder, {
    ...options,
    ignored: (path) => path !== folder && isIgnored(basename(path)),
    followSymlinks: false,
    ignorePermissionErrors: true,
    // A waiting caller joins the steps of a save.
    atomic: false,
    interval: POLL_MS,
    binaryInterval: POLL_MS,
  });
  let close = (): void => void watcher.close();
  const ready = new Promise<void>((resolve) => {
    let isReady = false;
    watcher.on("ready", () => {
      isReady = true;
      resolve();
    });
    // For example, the system cannot watch more files.
    watcher.on("error", () => {
      if (options.usePolling) return;
      close();
      const ignoreInitial = options.ignoreInitial && !isReady;
      const polling = follow(folder, { ignoreInitial, usePolling: true }, onSave);
      close = polling.close;
      void polling.ready.then(resolve);
    });
  });
  watcher.on("all", (event, path) => {
    // Files that come into a new folder before it is watched cause no event of their own.
    if (event !== "unlinkDir") onSave(path);
  });
  return { ready, close: () => close() };
}

function isIgnored(name: string): boolean {
  return NOT_SEARCHED.has(name) || IGNORED_FILES.test(name);
}

/** The files that decide how the others are read. */
export function settingsFiles({ file, extended = [], config }: Project): readonly string[] {
  return [file, ...extended.map((each) => each.file), normalize(config.lockfile).split(sep).join("/")];
}
