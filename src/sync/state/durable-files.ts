/** Files that survive a crash: what was written is on the disk when the write resolves. */

import {
  type FileHandle,
  copyFile,
  mkdir,
  open,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  unlink,
} from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Failure, errorCode } from "../../model/failure.ts";

/**
 * Replaces a file whole: a reader, also after a crash, finds the old text or the new one. The new text is on the
 * disk when this resolves. A crash can leave a part of it in `scratch`, where the next write replaces it.
 * Throws when something else than a file has the name: replacing a device such as /dev/null would break the machine.
 * @param mode permissions. Without it a file that is there keeps its own and, as far as this user may
 *   say so, its owner and group.
 */
export async function writeAtomic(
  path: string,
  contents: string | Uint8Array,
  scratch: string,
  mode?: number,
): Promise<void> {
  await makeFolder(scratch);
  await makeFolder(dirname(path));
  // Where the file is a link, what it leads to is replaced.
  const target = await realpath(path).catch(() => path);
  const isOther = await stat(target).then(
    (there) => !there.isFile(),
    () => false,
  );
  if (isOther) throw new Error(`${target} is not a file`);
  const part = join(scratch, `${basename(path)}.part`);
  const file = await openPart(part, mode);
  try {
    await file.writeFile(contents);
    if (mode === undefined) await copyPermissions(file, target);
    // One that a crash left may be open to more.
    else await file.chmod(mode);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(part, target).catch((error: unknown) => {
    if (errorCode(error) !== "EXDEV") throw error;
    return moveAcross(part, target, mode);
  });
  await syncFolder(dirname(target));
}

/** One that a crash left may be read-only. */
async function openPart(part: string, mode: number | undefined): Promise<FileHandle> {
  try {
    return await open(part, "w", mode);
  } catch (error) {
    if (errorCode(error) !== "EACCES") throw error;
    await rm(part, { force: true });
    return open(part, "w", mode);
  }
}

/** Best effort: not all file systems have permissions, and only the superuser may give a file to somebody else. */
async function copyPermissions(file: FileHandle, target: string): Promise<void> {
  const there = await stat(target).catch(() => undefined);
  if (there === undefined) return;
  const { uid, gid, mode } = there;
  // The owner first: a new one clears bits of the mode.
  await file.chown(uid, gid).catch(() => file.chown(-1, gid).catch(() => undefined));
  await file.chmod(mode & 0o7777).catch(() => undefined);
}

/** For a scratch folder on another file system than the file. */
async function moveAcross(part: string, target: string, mode: number | undefined): Promise<void> {
  const beside = `${target}.part`;
  await copyFile(part, beside);
  const file = await open(beside, "r+");
  try {
    if (mode === undefined) await copyPermissions(file, target);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(beside, target);
  await unlink(part);
}

/** Makes a folder and those above it, each entry on the disk before this resolves. */
export async function makeFolder(path: string): Promise<void> {
  const made = await mkdir(path, { recursive: true });
  if (made !== undefined) await syncFolder(dirname(made));
}

/** Puts a folder's entries (new names, renames) on the disk. Windows cannot sync a folder and need not. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/**
 * What an append-only file of JSON lines holds. A crash can tear only the last line; a torn line was never
 * acknowledged, so reading drops it.
 */
export interface LogContents {
  readonly records: readonly unknown[];
  /** Bytes up to the end of the last whole line. */
  readonly wholeBytes: number;
}

/** Reads a log without touching it. A file that is not there is empty. Throws a Failure on a line that is not JSON. */
export async function readLog(path: string): Promise<LogContents> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return { records: [], wholeBytes: 0 };
    throw new Failure("journal/invalid", `${path} cannot be read: ${String(error)}`);
  }
  const wholeBytes = bytes.lastIndexOf(0x0a) + 1;
  const lines = bytes.subarray(0, wholeBytes).toString("utf8").split("\n").slice(0, -1);
  return { records: lines.map((line, index) => parseLine(line, path, index + 1)), wholeBytes };
}

function parseLine(line: string, path: string, number: number): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new Failure(
      "journal/invalid",
      `${path}, line ${number}: not JSON, so what happened then is not known.`,
      "Restore the file from a backup; or look at the service by hand, then move the file away and run again.",
    );
  }
}

interface Waiting {
  readonly line: string;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A log that is open for appending, each record on the disk before `append` resolves. One process at a time: whoever
 * opens it holds the project's lock.
 */
export class AppendLog {
  readonly #file: FileHandle;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;
  /** Set by the first write that fails: what is on the disk after it is not known, so nothing follows it. */
  #broken: unknown;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Opens or creates the log; a torn last line is cut off. `contents` is what `readLog` just gave. */
  static async open(path: string, contents: LogContents): Promise<AppendLog> {
    await makeFolder(dirname(path));
    const file = await open(path, "a");
    await file.truncate(contents.wholeBytes);
    await syncFolder(dirname(path));
    return new AppendLog(file);
  }

  /** Resolves when the record is on the disk. Records that wait together share one sync. */
  append(record: unknown): Promise<void> {
    const line = `${JSON.stringify(record)}\n`;
    return new Promise((resolve, reject) => {
      if (this.#broken !== undefined) {
        reject(this.#broken);
        return;
      }
      this.#waiting.push({ line, resolve, reject });
      this.#writing ??= this.#drain();
    });
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0);
      try {
        // One after the other: the order of the batches is the order of the file.
        await this.#file.appendFile(batch.map((each) => each.line).join(""));
        await this.#file.datasync();
        for (const each of batch) each.resolve();
      } catch (error) {
        this.#broken = error;
        for (const each of [...batch, ...this.#waiting.splice(0)]) each.reject(error);
      }
    }
    this.#writing = undefined;
  }

  async close(): Promise<void> {
    await this.#writing;
    await this.#file.close();
  }
}
