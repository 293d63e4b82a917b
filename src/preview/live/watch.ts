/**
 * Which files are saved below the project's folder, and which of them make a difference to what was read. Paths that
 * go in and out are relative to that folder, with `/`.
 */

import { type Stats, unwatchFile, watchFile } from "node:fs";
import { realpath } from "node:fs/promises";
import { basename, join, normalize, posix, relative, sep } from "node:path";
import { watch } from "chokidar";
import { findCalendars } from "../../calendars/find.ts";
import type { Clock } from "../../model/clock.ts";
import type { ListedPost } from "../../model/post.ts";
import type { Project } from "../../settings/config.ts";

/** Waits for files to be saved, and gives their paths; none when the run is to stop. */
export type NextSave = () => Promise<readonly string[]>;

/** Folders that hold no project file, calendar, medium or lockfile. */
const IGNORED_FOLDERS = new Set(["node_modules", ".git", ".plancast"]);
/** What editors and spreadsheets put beside a file that is open or being saved. */
const IGNORED_FILES = /^(\.?#.*|~\$.*|\.~lock.*|.*~|\..*\.sw.|4913|.*\.tmp)$/;

/** Editors save in several steps: a save is reported when nothing has happened for this long, ms. */
const QUIET_MS = 150;
/** If it never gets quiet, a save is reported after this long, ms. */
const LONGEST_MS = 1_000;
/** How often to look whether the folder was replaced, or for saves if the system does not report them, ms. */
const POLL_MS = 2_000;

/**
 * Watches a folder. Resolves when it is watched: every later save is reported, whichever way an editor saves. If the
 * folder is removed, its files are reported then, and again when it comes back. Rejects if there is no such folder.
 * @param root absolute
 */
export async function watchSaves(
  root: string,
  { stop, clock }: { readonly stop: AbortSignal; readonly clock: Clock },
): Promise<NextSave> {
  const saved = new Set<string>();
  let events = 0;
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
  return async () => {
    if (saved.size === 0 && !stop.aborted) await new Promise<void>((resolve) => (wake = resolve));
    const start = clock.now();
    for (let seen = -1; seen !== events && clock.now() - start < LONGEST_MS && !stop.aborted;) {
      seen = events;
      await clock.sleep(QUIET_MS, stop);
    }
    const files = stop.aborted ? [] : [...saved].sort();
    saved.clear();
    return files;
  };
}

/** Calls `onSave` with the absolute path of each file that appears, changes or goes. Resolves after the first look. */
async function watchFolder(folder: string, onSave: (path: string) => void, stop: AbortSignal): Promise<void> {
  if (stop.aborted) return;
  const first = follow(folder, { ignoreInitial: true }, onSave);
  let close = first.close;
  // chokidar loses a folder that is removed or replaced.
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
  /** Resolves after the first look. */
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
    // Whoever waits for a save joins its steps.
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
    // The system watches no more files, for example.
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
    if (!event.endsWith("Dir")) onSave(path);
  });
  return { ready, close: () => close() };
}

function isIgnored(name: string): boolean {
  return IGNORED_FOLDERS.has(name) || IGNORED_FILES.test(name);
}

/** The files whose save makes everything that was read before out of date. */
export function settingsFiles({ file, config }: Project): readonly string[] {
  return [file, normalize(config.lockfile).split(sep).join("/")];
}

/** What was read last. */
interface LastRead {
  readonly calendars: readonly { readonly file: string }[];
  readonly posts: readonly ListedPost[];
}

/**
 * Whether one of the saved files is a calendar, was one, or may be media of the posts. Media are compared by name only,
 * because a link may lead to the file. If some media are missing, any file may be one of them.
 */
export async function isRelevantChange(
  files: readonly string[],
  { calendars, posts }: LastRead,
  { root, config }: Project,
): Promise<boolean> {
  const named = posts.flatMap(({ media }) => media.filter((each) => each.kind === "file"));
  if (named.some((each) => !("sha256" in each))) return true;
  const names = new Set(named.map(({ path }) => normalizedName(path)));
  const found = await findCalendars(root, config.calendars);
  const known = new Set([...found.files, ...calendars.map(({ file }) => file)]);
  const isNamed = files.some((file) => known.has(file) || names.has(normalizedName(file)));
  return isNamed || (await isLinkTarget(files, known, root));
}

/** Whether a saved file is what one of the known ones links to. */
async function isLinkTarget(
  files: readonly string[],
  known: ReadonlySet<string>,
  root: string,
): Promise<boolean> {
  const real = (file: string): Promise<string> => realpath(join(root, file)).catch(() => file);
  const behind = new Set(await Promise.all([...known].map(real)));
  return (await Promise.all(files.map(real))).some((path) => behind.has(path));
}

/** The name in one Unicode form: file systems compose letters differently. */
function normalizedName(path: string): string {
  return posix.basename(path).normalize("NFC");
}
