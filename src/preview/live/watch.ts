import { type FSWatcher, watch } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { join, normalize, posix, relative, sep } from "node:path";
import { findCalendars } from "../../calendars/find.ts";
import type { Clock } from "../../model/clock.ts";
import type { ListedPost } from "../../model/post.ts";
import type { Project } from "../../settings/config.ts";

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

/**
 * Tells when files below folders are saved. What the system tells of changes is only a hint to look: what counts is the
 * difference of two looks, so that it does not matter how an editor saves, and nothing is told twice.
 */

/** Paths are absolute. */
type OnChange = (changed: readonly string[]) => void;

/** What no project file, calendar, medium or lockfile lies in. */
const IGNORED_FOLDERS = new Set(["node_modules", ".git", ".plancast"]);
/** What editors and spreadsheets lay beside a file that is open or being saved. */
const IGNORED_FILES = /^(\.?#.*|~\$.*|\.~lock.*|.*~|\..*\.sw.|4913|.*\.tmp)$/;

/** Files are written in several steps: a change is told when nothing has happened for so long, ms. */
const QUIET_MS = 150;
/** Where it never gets quiet, a change is told after this all the same, ms. */
const LONGEST_MS = 1_000;
/** Where the system cannot tell of changes, it is looked so often, ms. */
const POLL_MS = 2_000;

/**
 * Calls `onChange` with the files that appeared, changed or went, until the signal aborts. Resolves when the first look
 * is over: what is saved after that is told. A folder that is not there, or goes, is waited for.
 */
export async function watchProject(
  folders: readonly string[],
  onChange: OnChange,
  signal: AbortSignal,
  clock: Clock,
): Promise<void> {
  const watching = new ProjectWatcher(folders, onChange, clock);
  signal.addEventListener("abort", () => watching.close(), { once: true });
  await watching.begin();
  if (signal.aborted) watching.close();
}

/** What is seen of a file: equal unless it was written. */
type Snapshot = Map<string, string>;

class ProjectWatcher {
  readonly #folders: readonly string[];
  readonly #onChange: OnChange;
  readonly #watchers = new Map<string, FSWatcher>();
  #seen: Snapshot = new Map();
  readonly #clock: Clock;
  /** Ends the wait for the next look. */
  #timer = new AbortController();
  /** When the first hint came that nobody has looked after yet, ms. */
  #hintedAt: number | undefined;
  #isLooking = false;
  #isClosed = false;
  /** Whether there is a folder of which the system does not tell. */
  #isBlind = false;

  constructor(folders: readonly string[], onChange: OnChange, clock: Clock) {
    this.#folders = folders;
    this.#onChange = onChange;
    this.#clock = clock;
  }

  async begin(): Promise<void> {
    this.#isLooking = true;
    this.#seen = await this.#look();
    this.#isLooking = false;
    this.#plan();
  }

  close(): void {
    this.#isClosed = true;
    this.#timer.abort();
    this.#drop(() => true);
  }

  #hint(): void {
    this.#hintedAt ??= this.#clock.now();
    this.#plan();
  }

  /** Sets the time of the next look. */
  #plan(): void {
    this.#timer.abort();
    if (this.#isClosed || this.#isLooking) return;
    const waited = this.#hintedAt === undefined ? undefined : this.#clock.now() - this.#hintedAt;
    if (waited === undefined && !this.#isBlind) return;
    const wait = waited === undefined ? POLL_MS : Math.max(0, Math.min(QUIET_MS, LONGEST_MS - waited));
    void this.#tellAfter(wait);
  }

  async #tellAfter(ms: number): Promise<void> {
    const timer = new AbortController();
    this.#timer = timer;
    await this.#clock.sleep(ms, timer.signal);
    if (!timer.signal.aborted) await this.#tell();
  }

  async #tell(): Promise<void> {
    this.#isLooking = true;
    this.#hintedAt = undefined;
    const before = this.#seen;
    this.#seen = await this.#look();
    this.#isLooking = false;
    const changed = changedPaths(before, this.#seen);
    if (changed.length > 0 && !this.#isClosed) this.#onChange(changed);
    this.#plan();
  }

  async #look(): Promise<Snapshot> {
    const seen: Snapshot = new Map();
    const found = new Set<string>();
    this.#isBlind = false;
    await Promise.all(this.#folders.map((folder) => this.#lookInto(folder, seen, found)));
    this.#drop((folder) => !found.has(folder));
    return seen;
  }

  async #lookInto(folder: string, seen: Snapshot, found: Set<string>): Promise<void> {
    // Before it is read: what comes in between is told then.
    this.#watch(folder);
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => undefined);
    if (entries === undefined) {
      this.#isBlind = true;
      return;
    }
    found.add(folder);
    await Promise.all(
      entries.map(async (entry) => {
        const path = join(folder, entry.name);
        if (entry.isDirectory()) {
          if (!IGNORED_FOLDERS.has(entry.name)) await this.#lookInto(path, seen, found);
        } else if (!IGNORED_FILES.test(entry.name)) {
          const look = await fingerprint(path);
          if (look !== undefined) seen.set(path, look);
        }
      }),
    );
  }

  #watch(folder: string): void {
    if (this.#isClosed || this.#watchers.has(folder)) return;
    try {
      const watcher = watch(folder, (event, name) => {
        // A folder that was replaced by another of its name is not watched any more, nor are those below it.
        if (event === "rename")
          this.#drop((each) => each === folder || isWithin(each, join(folder, name ?? "")));
        this.#hint();
      });
      watcher.on("error", () => {
        this.#drop((each) => each === folder);
        this.#hint();
      });
      this.#watchers.set(folder, watcher);
    } catch {
      // It has gone, or the system watches no more folders.
      this.#isBlind = true;
    }
  }

  /** Ends the watching of folders. */
  #drop(isMeant: (folder: string) => boolean): void {
    for (const [folder, watcher] of this.#watchers) {
      if (!isMeant(folder)) continue;
      watcher.close();
      this.#watchers.delete(folder);
    }
  }
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder + sep);
}

/** Undefined for what is no file, or has gone. */
async function fingerprint(path: string): Promise<string | undefined> {
  try {
    const found = await stat(path);
    return found.isFile() ? [found.ino, found.size, found.mtimeMs, found.ctimeMs].join(" ") : undefined;
  } catch {
    return undefined;
  }
}

function changedPaths(before: Snapshot, after: Snapshot): string[] {
  const gone = [...before.keys()].filter((path) => !after.has(path));
  const other = [...after].flatMap(([path, look]) => (before.get(path) === look ? [] : path));
  return [...gone, ...other].sort();
}

/** Which saved files make a difference. Paths are relative to the project root, with `/`. */

/** The files after which nothing that was read before holds. */
export function settingsFiles({ file, config }: Project): readonly string[] {
  return [file, normalize(config.lockfile).split(sep).join("/")];
}

/** What was read last. */
interface LastRead {
  readonly calendars: readonly { readonly file: string }[];
  readonly posts: readonly ListedPost[];
}

/**
 * Whether one of the saved files is a calendar, was one, or may be media of the posts. Media are told by their names
 * alone, because a link may lead to the file; where some are missing, any file may be the one.
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

/** As file systems tell it that compose letters in their own way. */
function normalizedName(path: string): string {
  return posix.basename(path).normalize("NFC");
}
