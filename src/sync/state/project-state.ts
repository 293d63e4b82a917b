/** The state on disk besides the calendars: the lockfile, and the journal of an interrupted run. */

import { basename, posix } from "node:path";
import { z } from "zod";
import { type LogContents, AppendLog, readLog } from "../../disk/append-log.ts";
import { readRegular, removeFile, statsAt, syncFolder, textOrNot, writeAtomic } from "../../disk/files.ts";
import { type ConflictingTexts, conflictingTexts } from "../../disk/git.ts";
import type { Place } from "../../disk/place.ts";
import type { StateFolder } from "../../disk/state-folder.ts";
import { oneSidedFiles } from "../../disk/unfinished-merge.ts";
import { Failure, errorCode, reasonOf } from "../../model/failure.ts";
import { type Lockfile, lockfileSchema } from "../../model/lockfile.ts";
import type { UtcTime } from "../../model/post.ts";
import { shellArgument } from "../../model/text.ts";
import type { Project } from "../../settings/config.ts";
import { type JournalEvent, OwnedState, replay } from "./journal.ts";
import { hasAccounts } from "./accounts.ts";
import { hashOf, hashOnDisk, lockfilePlace, lockfileText, readLockfile, unreadable } from "./lockfile.ts";
import { mergeVersions } from "./merge-lockfiles.ts";

export interface ReadState {
  /** The lockfile with the journal's events: what the project owns. */
  readonly lockfile: Lockfile;
  readonly journal: LogContents;
  /** Of the lockfile as it was read. A run does not write over another one. */
  readonly hash: string;
  /** Whether only the journal says that this post is the project's: the lockfile does not name it. */
  readonly isJournalOnly?: (postId: string) => boolean;
  /** Whether the lockfile is missing, although this checkout applied before. */
  readonly isLost?: boolean;
}

interface Places {
  readonly lockfile: Place;
  readonly folder: StateFolder;
  readonly journal: Place;
  /** The accounts of the last apply in this checkout: known even if the lockfile is lost. */
  readonly accounts: Place;
  /** What counts of the lockfile that the last run in this checkout wrote. */
  readonly own: Place;
}

async function placesOf(project: Project): Promise<Places> {
  return {
    lockfile: await lockfilePlace(project),
    folder: project.state,
    journal: stateFile(project, "journal"),
    accounts: stateFile(project, "accounts"),
    own: stateFile(project, "own"),
  };
}

/**
 * Each lockfile has its own files, because a folder may hold several projects. If its path is not a file's name, a hash
 * makes the name unique: with another project's journal, plancast would take over that project's posts.
 */
export function stateFile({ state, config: { lockfile } }: Project, kind: string): Place {
  const name = lockfile.replaceAll(/[^\w.-]/g, "_");
  return state.in(name === lockfile ? `${name}.${kind}` : `${name}~${hashOf(lockfile).slice(0, 16)}.${kind}`);
}

/** Reads lockfile and journal without changing them. */
export async function readState(project: Project, origin: string): Promise<ReadState> {
  const places = await placesOf(project);
  await refuseOneSided(project, places);
  const { lockfile: written, hash } = await readLockfile(places.lockfile, origin);
  const lockfile = hasAccounts(written) ? written : await withRemembered(places, written);
  const journal = await readLog(places.journal);
  if (journal.records.length === 0) {
    return { lockfile, journal, hash, ...((await isLockfileLost(project)) ? { isLost: true } : {}) };
  }
  return {
    lockfile: replay(lockfile, hash, journal.records, places.folder.nameOf(places.journal)),
    journal,
    hash,
    isJournalOnly: notNamedIn(written),
  };
}

/** What counts of the lockfile that the last run in this checkout wrote, as text; undefined if there was none. */
export async function readOwnLockfile(project: Project): Promise<string | undefined> {
  return textOrNot((await placesOf(project)).own);
}

/** Before a job applies: a cache that others can write may have restored what earlier runs wrote. */
export async function forgetOwnLockfile(project: Project): Promise<void> {
  await removeFile((await placesOf(project)).own);
}

/** After a run that had nothing to do. @param unproved see `Plan` */
export async function keepOwnLockfile(
  project: Project,
  lockfile: Lockfile,
  unproved: ReadonlySet<string>,
): Promise<void> {
  await writeOwn(await placesOf(project), lockfile, unproved);
}

/**
 * What counts of lockfile and journal after the last run, even if that was killed; undefined if no run compared the
 * lockfile. Throws a Failure for an invalid lockfile.
 */
export async function confirmedLockfile(project: Project, origin: string): Promise<Lockfile | undefined> {
  const places = await placesOf(project);
  if ((await statsAt(places.own)) === undefined) return undefined;
  const { lockfile } = await readState(project, origin);
  return withoutPosts(lockfile, await notOwnPosts(places));
}

function withoutPosts(lockfile: Lockfile, ids: ReadonlySet<string>): Lockfile {
  if (ids.size === 0) return lockfile;
  const posts = Object.entries(lockfile.posts).filter(([, { post_id: id }]) => !ids.has(id));
  const retiring = Object.entries(lockfile.retiring).filter(([id]) => !ids.has(id));
  return { ...lockfile, posts: Object.fromEntries(posts), retiring: Object.fromEntries(retiring) };
}

/** Throws a Failure if git has left only one branch's lockfile, for example because its merge driver failed. */
async function refuseOneSided({ root, config: { lockfile } }: Project, places: Places): Promise<void> {
  // As git writes it, without `./`.
  const name = posix.normalize(lockfile);
  if (!(await oneSidedFiles(root, new Set([name]))).has(name)) return;
  if (await isMerged(await conflictingTexts(root, name), places)) return;
  throw new Failure(
    "lockfile/conflict",
    `git could not merge ${lockfile}, so it has only the posts of one branch.`,
    `Run \`plancast lockfile merge\`, then \`git add ${shellArgument(lockfile)}\`. If one branch deleted the file, only run \`git add\` to keep it.`,
  );
}

/** Whether the lockfile is what a merge of both sides gives. If they allow it, that is one of the sides. */
async function isMerged(sides: ConflictingTexts | undefined, { lockfile }: Places): Promise<boolean> {
  try {
    const written = (await readRegular(lockfile)).toString("utf8");
    return sides !== undefined && lockfileText(mergeVersions(sides).lockfile) === written;
  } catch {
    return false;
  }
}

function notNamedIn(lockfile: Lockfile): (postId: string) => boolean {
  const ids = postIds(lockfile);
  return (postId) => !ids.has(postId);
}

function postIds({ posts, retiring }: Lockfile): ReadonlySet<string> {
  return new Set([...Object.values(posts).map(({ post_id: id }) => id), ...Object.keys(retiring)]);
}

const remembered = z.object({ origin: z.string(), accounts: z.array(z.string()) });

/** The accounts that this checkout has stored. An unreadable file gives none. */
async function readRemembered({ accounts }: Places): Promise<z.infer<typeof remembered> | undefined> {
  try {
    return remembered.parse(JSON.parse((await readRegular(accounts)).toString("utf8")));
  } catch {
    return undefined;
  }
}

async function withRemembered(places: Places, lockfile: Lockfile): Promise<Lockfile> {
  const known = await readRemembered(places);
  return known?.origin === lockfile.origin ? { ...lockfile, accounts: known.accounts } : lockfile;
}

/**
 * Stores the lockfile's accounts. If the lockfile has no accounts, a command removed them, because it was read with
 * the stored accounts.
 */
async function remember(places: Places, { origin, accounts }: Lockfile): Promise<void> {
  if (accounts === undefined) return removeFile(places.accounts);
  const text = `${JSON.stringify({ origin, accounts })}\n`;
  if (JSON.stringify(await readRemembered(places)) === text.trimEnd()) return;
  await writeAtomic(places.accounts, text);
}

/** The state on disk about a service, whichever service it is. */
export interface KeptState {
  /** Undefined if the lockfile cannot be read. */
  readonly origin: string | undefined;
  /** Due times of the posts that the lockfile owns. */
  readonly dueAt: readonly UtcTime[];
  /** Whether a run was interrupted, so that the lockfile is not complete. */
  readonly hasJournal: boolean;
}

/** Undefined if there is neither lockfile nor journal. Changes neither. Throws a Failure for anything but a file. */
export async function readKeptState(project: Project): Promise<KeptState | undefined> {
  const places = await placesOf(project);
  const [text, journal] = await Promise.all([places.lockfile, places.journal].map(readIfThere));
  if (text === undefined && journal === undefined) return undefined;
  const lockfile = unlessThrown(() => lockfileSchema.parse(JSON.parse(text ?? "")));
  const dueAt = Object.values(lockfile?.posts ?? {}).map(({ scheduled_at }) => scheduled_at);
  return { origin: lockfile?.origin, dueAt, hasJournal: (journal ?? "") !== "" };
}

/** Whether there is no lockfile, although earlier runs in this checkout have written one. */
export async function isLockfileLost(project: Project): Promise<boolean> {
  const { lockfile } = await placesOf(project);
  return (await statsAt(lockfile)) === undefined && (await hasTracesOfRuns(project));
}

/** Whether earlier runs in this checkout left files that are written only after the lockfile, and forgotten with it. */
async function hasTracesOfRuns(project: Project): Promise<boolean> {
  const found = await Promise.all(["accounts", "journal"].map((kind) => statsAt(stateFile(project, kind))));
  return found.some((stats) => stats !== undefined);
}

async function readIfThere(place: Place): Promise<string | undefined> {
  try {
    return (await readRegular(place)).toString("utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw unreadable(place, error);
  }
}

function unlessThrown<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** Removes lockfile, journal and what is remembered of accounts. The run lock is held. Throws a Failure where it cannot. */
export async function forgetState(project: Project): Promise<void> {
  const places = await placesOf(project);
  try {
    for (const place of [places.accounts, places.journal, places.own, places.lockfile])
      await removeFile(place);
  } catch (error) {
    throw notWritable(error);
  }
}

/** State that a run changes. Every event is on disk before `record` resolves. */
export class OpenState {
  readonly #places: Places;
  readonly #log: AppendLog;
  readonly #owned: OwnedState;
  /** Of the lockfile that this run wrote at its start. */
  readonly #hash: string;
  readonly #recording = new Set<Promise<void>>();
  /** Posts that do not become the checkout's own by this run: ids. */
  readonly #unproved: ReadonlySet<string>;
  #isSealed = false;

  private constructor(
    places: Places,
    log: AppendLog,
    owned: OwnedState,
    { hash, unproved }: { readonly hash: string; readonly unproved: ReadonlySet<string> },
  ) {
    this.#places = places;
    this.#log = log;
    this.#owned = owned;
    this.#hash = hash;
    this.#unproved = unproved;
  }

  /**
   * Starts a run: writes the planned lockfile, which includes everything in the old journal, then begins a new journal.
   * This also proves before the first request that the disk can be written.
   * @param read the old journal, as it was read; a Failure is thrown if the lockfile is no longer as it was read
   * @param unproved see `Plan`. Default: the posts of the lockfile that no earlier run in this checkout confirmed
   */
  static async open(
    project: Project,
    lockfile: Lockfile,
    read: Pick<ReadState, "journal" | "hash">,
    startedAt: string,
    unproved?: ReadonlySet<string>,
  ): Promise<OpenState> {
    const places = await placesOf(project);
    try {
      await refuseChanged(places, read.hash, false);
      const doubtful = unproved ?? (await notOwnPosts(places));
      const old = await AppendLog.open(places.journal, read.journal);
      const text = lockfileText(lockfile);
      try {
        await writeLockfile(places, text, old);
      } finally {
        await old.close();
      }
      await writeOwn(places, lockfile, doubtful);
      const log = await AppendLog.open(places.journal, { records: [], wholeBytes: 0 });
      await remember(places, lockfile);
      await log.append({ event: "started", at: startedAt, lockfile: hashOf(text), origin: lockfile.origin });
      return new OpenState(places, log, new OwnedState(lockfile), { hash: hashOf(text), unproved: doubtful });
    } catch (error) {
      throw notWritable(error);
    }
  }

  /** Whether the lockfile differs from the one that was read, so that it must be written even without other changes. */
  static differs(lockfile: Lockfile, read: ReadState): boolean {
    return lockfileText(lockfile) !== lockfileText(read.lockfile);
  }

  get lockfile(): Lockfile {
    return this.#owned.lockfile;
  }

  /** The row that has a post. */
  keyOf(postId: string): string | undefined {
    return this.#owned.keyOf(postId);
  }

  /** Whether this or an earlier run may have cancelled a post. */
  mayHaveCancelled(postId: string): boolean {
    return this.#owned.mayHaveCancelled(postId);
  }

  /** Resolves when the event is on the disk. Rejects after `seal`, so what waits for it is not sent. */
  async record(event: JournalEvent): Promise<void> {
    if (this.#isSealed) throw new Error(`The run has ended: "${event.event}" is not recorded.`);
    const recorded = this.#append(event).finally(() => this.#recording.delete(recorded));
    this.#recording.add(recorded);
    return recorded;
  }

  async #append(event: JournalEvent): Promise<void> {
    try {
      await this.#log.append(event);
    } catch (error) {
      throw notWritable(error);
    }
    this.#owned.apply(event);
  }

  /** Finishes the records that are being written, and takes no more. A run that gives up must call this before it reports. */
  async seal(): Promise<void> {
    this.#isSealed = true;
    await Promise.allSettled(this.#recording);
  }

  /** Ends the run: the lockfile is complete, so the journal is removed. */
  async close(): Promise<void> {
    await this.seal();
    try {
      try {
        await refuseChanged(this.#places, this.#hash, true);
        await writeLockfile(this.#places, lockfileText(this.lockfile), this.#log);
        // Until then, the journal says what this run made.
        await writeOwn(this.#places, this.lockfile, this.#unproved);
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

/** Throws a Failure if git or somebody else has changed the lockfile. @param hasBegun whether the run has changed something */
async function refuseChanged({ lockfile }: Places, hash: string, hasBegun: boolean): Promise<void> {
  if ((await hashOnDisk(lockfile)) === hash) return;
  const name = basename(lockfile.path);
  throw new Failure(
    "write/file-changed",
    `${name} was changed while plancast ran, so plancast does not write over it. ${hasBegun ? "The journal has what this run did." : "Nothing was changed."}`,
    "Run again: plancast reads the file as it is now.",
  );
}

/** The journal names the new lockfile before it exists. So after a crash in between, neither is applied twice. */
async function writeLockfile({ lockfile, folder }: Places, text: string, journal: AppendLog): Promise<void> {
  await journal.append({ event: "written", lockfile: hashOf(text) });
  await writeAtomic(lockfile, text, { scratch: folder });
}

function writeOwn({ own }: Places, lockfile: Lockfile, unproved: ReadonlySet<string>): Promise<void> {
  return writeAtomic(own, lockfileText(withoutPosts(lockfile, unproved)));
}

async function notOwnPosts({ lockfile, own }: Places): Promise<ReadonlySet<string>> {
  const [before, counts] = await Promise.all(
    [lockfile, own].map(async (place) => postIdsIn(await textOrNot(place))),
  );
  return new Set([...(before ?? [])].filter((id) => counts?.has(id) !== true));
}

/** Empty for anything but a lockfile. */
function postIdsIn(text: string | undefined): ReadonlySet<string> {
  const read = unlessThrown(() => lockfileSchema.parse(JSON.parse(text ?? "")));
  return read === undefined ? new Set() : postIds(read);
}

export function notWritable(error: unknown): Failure {
  if (error instanceof Failure) return error;
  return new Failure(
    "disk/not-writable",
    `plancast cannot write the project's state: ${reasonOf(error)}`,
    "Free some space or fix the permissions, then run again. plancast finds out what is already done from the journal and the service.",
    { cause: error },
  );
}
