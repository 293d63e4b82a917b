/**
 * Which files are saved below the project's folder, and which of them make a difference to what was read. Paths that
 * go in and out are relative to that folder, with `/`.
 */

import { realpath, stat } from "node:fs/promises";
import { basename, join, normalize, posix, relative, sep } from "node:path";
import { type FSWatcher, watch } from "chokidar";
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
/** How often to look for a folder that was removed, or for changes if the system does not report them, ms. */
const POLL_MS = 2_000;

interface WatchOptions {
  readonly stop: AbortSignal;
  readonly clock: Clock;
}

/**
 * Watches a folder. Resolves when it is watched: every later save is reported, whichever way an editor saves. If the
 * folder is removed, its files are reported then, and again when it comes back. Rejects if there is no such folder.
 * @param root absolute
 */
export async function watchSaves(root: string, options: WatchOptions): Promise<NextSave> {
  const { stop, clock } = options;
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
  await watchFolder(folder, onSave, options);
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
async function watchFolder(
  folder: string,
  onSave: (path: string) => void,
  { stop, clock }: WatchOptions,
): Promise<void> {
  let watcher: FSWatcher | undefined;
  let isFirstLook = true;
  const open = (usePolling: boolean): Promise<void> =>
    new Promise((resolve) => {
      if (stop.aborted) return resolve();
      watcher = watch(folder, {
        ignored: (path) => path !== folder && isIgnored(basename(path)),
        ignoreInitial: isFirstLook,
        followSymlinks: false,
        ignorePermissionErrors: true,
        // Joining the steps of a save is left to whoever waits for it.
        atomic: false,
        usePolling,
        interval: POLL_MS,
        binaryInterval: POLL_MS,
      });
      watcher.on("ready", resolve);
      watcher.on("all", (event, path) => {
        if (event === "unlinkDir" && path === folder) void openWhenBack(usePolling);
        else if (!event.endsWith("Dir")) onSave(path);
      });
      // The system watches no more files, for example.
      watcher.on("error", () => {
        if (!usePolling)
          void watcher
            ?.close()
            .then(() => open(true))
            .then(resolve);
      });
    });
  const openWhenBack = async (usePolling: boolean): Promise<void> => {
    await watcher?.close();
    const isGone = (): Promise<boolean> =>
      stat(folder).then(
        () => false,
        () => true,
      );
    while (!stop.aborted && (await isGone())) await clock.sleep(POLL_MS, stop);
    await open(usePolling);
  };
  stop.addEventListener("abort", () => void watcher?.close(), { once: true });
  await open(false);
  isFirstLook = false;
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
