/** Logs of JSON lines that survive a crash: each record is on the disk before its writer continues. */

import type { FileHandle } from "node:fs/promises";
import { Failure, errorCode, reasonOf } from "../model/failure.ts";
import { APPEND, makeFolder, openRegular, readRegular, syncFolder, writeAtomic } from "./files.ts";
import { folderOf } from "./open-folder.ts";
import type { Place } from "./place.ts";

/**
 * The content of an append-only file of JSON lines. A crash can tear only the last line; a torn line was never
 * acknowledged, so reading drops it.
 */
export interface LogContents {
  readonly records: readonly unknown[];
  /** Bytes up to the end of the last whole line. */
  readonly wholeBytes: number;
}

/**
 * Reads a log without changing it. A missing file counts as empty. Throws a Failure on a line that is not JSON.
 * @param keep what stays of each record, whose lines count from 1; a long log needs less memory if this is little
 */
export async function readLog(
  place: Place,
  keep: (record: unknown, line: number) => unknown = (record) => record,
): Promise<LogContents> {
  const { path } = place;
  let bytes: Buffer;
  try {
    bytes = await readRegular(place);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return { records: [], wholeBytes: 0 };
    throw new Failure("journal/invalid", `${path} cannot be read: ${reasonOf(error)}`);
  }
  const wholeBytes = bytes.lastIndexOf(0x0a) + 1;
  const records: unknown[] = [];
  for (let start = 0; start < wholeBytes;) {
    const end = bytes.indexOf(0x0a, start);
    const line = records.length + 1;
    records.push(keep(parseLine(bytes.toString("utf8", start, end), path, line), line));
    start = end + 1;
  }
  return { records, wholeBytes };
}

function parseLine(line: string, path: string, number: number): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new Failure(
      "journal/invalid",
      `${path}, line ${number}: not JSON, so plancast cannot know what happened then.`,
      "Restore the file from a backup. Or check the posts on the service, then move the file away and run again.",
    );
  }
}

interface Waiting {
  readonly line: string;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A log that is open for appending. `append` resolves when the record is on the disk. Only one process at a time: the
 * one that holds the project's lock.
 */
export class AppendLog {
  readonly #place: Place;
  #file: FileHandle;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;
  /**
   * The first write that fails sets this. The contents of the disk are then unknown, so no further write may follow.
   */
  #broken: unknown;

  #replacing: Promise<void> | undefined;

  private constructor(place: Place, file: FileHandle) {
    this.#place = place;
    this.#file = file;
  }

  /** Opens or creates the log; a torn last line is cut off. `contents` is what `readLog` just gave. */
  static async open(place: Place, contents: LogContents): Promise<AppendLog> {
    await makeFolder(folderOf(place));
    const file = await openOwn(place);
    try {
      await file.truncate(contents.wholeBytes);
      await syncFolder(folderOf(place));
    } catch (error) {
      await file.close();
      throw error;
    }
    return new AppendLog(place, file);
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
      if (this.#replacing === undefined) this.#writing ??= this.#drain();
    });
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0);
      try {
        if (this.#broken !== undefined) throw this.#broken;
        // One after the other, so that the file has the order of the batches.
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

  /**
   * Replaces the whole log, in one step. Records that are appended meanwhile follow the new content.
   * @param contents called when every record that was appended has resolved
   */
  replace(contents: () => Iterable<unknown>): Promise<void> {
    this.#replacing ??= this.#replace(contents).finally(() => {
      this.#replacing = undefined;
      if (this.#waiting.length > 0) this.#writing ??= this.#drain();
    });
    return this.#replacing;
  }

  async #replace(contents: () => Iterable<unknown>): Promise<void> {
    await this.#writing;
    // Whoever waited for a record can now take it into account.
    await new Promise<void>((resolve) => void setImmediate(resolve));
    if (this.#broken !== undefined) throw this.#broken;
    try {
      const lines = Array.from(contents(), (record) => `${JSON.stringify(record)}\n`);
      await writeAtomic(this.#place, lines.join(""));
      await this.#file.close();
      this.#file = await openOwn(this.#place);
    } catch (error) {
      this.#broken = error;
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#replacing?.catch(() => undefined);
    await this.#writing;
    await this.#file.close();
  }
}

/** Opens a log for appending. If a file has a second name (a hard link), a copy replaces it first. */
async function openOwn(place: Place): Promise<FileHandle> {
  const file = await openRegular(place, APPEND);
  if ((await file.stat()).nlink === 1) return file;
  await file.close();
  await writeAtomic(place, await readRegular(place));
  return openRegular(place, APPEND);
}
