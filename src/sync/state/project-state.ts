/** What is on disk beside the calendars: the lockfile, and the journal of a run that was cut short. */

import { createHash } from "node:crypto";
import { type LogContents, AppendLog, readLog } from "../../disk/append-log.ts";
import { removeFile, syncFolder, writeAtomic } from "../../disk/files.ts";
import type { Place } from "../../disk/place.ts";
import type { StateFolder } from "../../disk/state-folder.ts";
import { Failure, reasonOf } from "../../model/failure.ts";
import type { Lockfile } from "../../model/lockfile.ts";
import type { Project } from "../../settings/config.ts";
import { type JournalEvent, OwnedState, replay } from "./journal.ts";
import { lockfilePlace, lockfileText, readLockfile } from "./lockfile.ts";

export interface ReadState {
  /** The lockfile with the journal's events: what the project owns. */
  readonly lockfile: Lockfile;
  readonly journal: LogContents;
}

interface Places {
  readonly lockfile: Place;
  readonly folder: StateFolder;
  readonly journal: Place;
}

async function placesOf(project: Project): Promise<Places> {
  return {
    lockfile: await lockfilePlace(project),
    folder: project.state,
    journal: stateFile(project, "journal"),
  };
}

/** One file of a kind for each lockfile: a folder may hold several project files. */
export function stateFile({ state, config }: Project, kind: string): Place {
  return state.in(`${config.lockfile.replaceAll(/[^\w.-]/g, "_")}.${kind}`);
}

/** Reads lockfile and journal without touching either. */
export async function readState(project: Project, origin: string): Promise<ReadState> {
  const places = await placesOf(project);
  const { lockfile, hash } = await readLockfile(places.lockfile, origin);
  const journal = await readLog(places.journal);
  // Nearly always: then nobody asks which lockfile it goes on from.
  if (journal.records.length === 0) return { lockfile, journal };
  return {
    lockfile: replay(lockfile, hash(), journal.records, places.folder.nameOf(places.journal)),
    journal,
  };
}

/** State that is being changed by a run. Every event is on disk before `record` resolves. */
export class OpenState {
  readonly #places: Places;
  readonly #log: AppendLog;
  readonly #owned: OwnedState;

  private constructor(places: Places, log: AppendLog, owned: OwnedState) {
    this.#places = places;
    this.#log = log;
    this.#owned = owned;
  }

  /**
   * Starts a run: writes the lockfile as planned, which holds all that the old journal told, then begins a new
   * journal. That also shows, before the first request, that the disk can be written.
   * @param journal the old journal, as it was read
   */
  static async open(
    project: Project,
    lockfile: Lockfile,
    journal: LogContents,
    startedAt: string,
  ): Promise<OpenState> {
    const places = await placesOf(project);
    try {
      const old = await AppendLog.open(places.journal, journal);
      const text = lockfileText(lockfile);
      try {
        await writeLockfile(places, text, old);
      } finally {
        await old.close();
      }
      const log = await AppendLog.open(places.journal, { records: [], wholeBytes: 0 });
      await log.append({ event: "started", at: startedAt, lockfile: hashOf(text), origin: lockfile.origin });
      return new OpenState(places, log, new OwnedState(lockfile));
    } catch (error) {
      throw notWritable(error);
    }
  }

  /** Whether the lockfile is not the one that was read, so that it must be written although nothing else is to do. */
  static differs(lockfile: Lockfile, read: ReadState | undefined): boolean {
    return read === undefined || lockfileText(lockfile) !== lockfileText(read.lockfile);
  }

  get lockfile(): Lockfile {
    return this.#owned.lockfile;
  }

  async record(event: JournalEvent): Promise<void> {
    try {
      await this.#log.append(event);
    } catch (error) {
      throw notWritable(error);
    }
    this.#owned.apply(event);
  }

  /** Ends the run: the lockfile says all, so the journal can go. */
  async close(): Promise<void> {
    try {
      try {
        await writeLockfile(this.#places, lockfileText(this.lockfile), this.#log);
      } finally {
        await this.#log.close();
      }
      await removeFile(this.#places.journal);
      await syncFolder(this.#places.folder);
    } catch (error) {
      throw notWritable(error);
    }
  }
}

/** The journal tells of the new lockfile before it is there, so that a crash in between takes neither for news. */
async function writeLockfile({ lockfile, folder }: Places, text: string, journal: AppendLog): Promise<void> {
  await journal.append({ event: "written", lockfile: hashOf(text) });
  await writeAtomic(lockfile, text, { scratch: folder });
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

export function notWritable(error: unknown): Failure {
  return new Failure(
    "disk/not-writable",
    `The project's state cannot be written: ${reasonOf(error)}`,
    "Free some space or mend the permissions, then run again; what was done is kept in the journal or found on the service.",
    { cause: error },
  );
}
