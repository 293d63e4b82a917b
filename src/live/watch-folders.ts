/**
 * Tells when files in folders are saved. Folders are watched and not files: editors save by writing beside a file and
 * renaming over it, and who watches the file then watches one that is gone.
 */
import { watch, type FSWatcher } from "node:fs";

/** A save is several events, and saving all is several files; this long nothing more must happen, ms. */
const QUIET_MS = 150;
/** But while events keep coming, something is told at least this often, ms. */
const LONGEST_MS = 2_000;
/** What editors and file systems write beside files, and what plancast keeps for itself. */
const IGNORED =
  /^(?:\.plancast|\.git|node_modules|4913|\.#.*|#.*#|~\$.*|.*~|.*\.sw[a-z]|.*\.tmp|\.DS_Store)$/;

export interface FolderWatch {
  /** Watches these folders (absolute) and no others. Those that do not exist are left out. */
  follow(folders: Iterable<string>): void;
  close(): void;
}

/** @param changed called when some file was made, saved, renamed or removed, and then nothing happened for a moment */
export function watchFolders(changed: () => void): FolderWatch {
  const watchers = new Map<string, FSWatcher>();
  let timer: NodeJS.Timeout | undefined;
  let since: number | undefined;

  const tell = (): void => {
    since = undefined;
    changed();
  };
  const noticed = (name: string | null): void => {
    if (name !== null && IGNORED.test(name)) return;
    const now = performance.now();
    since ??= now;
    clearTimeout(timer);
    timer = setTimeout(tell, Math.max(0, Math.min(QUIET_MS, since + LONGEST_MS - now)));
  };
  const drop = (folder: string): void => {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  };
  const start = (folder: string): void => {
    try {
      const watcher = watch(folder, (_event, name) => noticed(name));
      // The folder is gone, or the system tells of no more folders.
      watcher.on("error", () => {
        drop(folder);
        noticed(null);
      });
      watchers.set(folder, watcher);
    } catch {
      // There is no such folder; the one above it is watched, too.
    }
  };
  return {
    follow(folders) {
      const wanted = new Set(folders);
      for (const folder of watchers.keys()) if (!wanted.has(folder)) drop(folder);
      for (const folder of wanted) if (!watchers.has(folder)) start(folder);
    },
    close() {
      clearTimeout(timer);
      for (const folder of watchers.keys()) drop(folder);
    },
  };
}
