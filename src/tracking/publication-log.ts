/**
 * The records of publications on disk, under .plancast: events from the receiver, and answers to plancast's own
 * requests. Each file has one writer at a time; readers read both.
 *
 * plancast asks the service what happened to posts, with few requests. It also asks about posts that events name, and
 * records the answers, because an event does not count until the service confirms it. It asks until it is stopped; the
 * next run, or `status`, does the rest.
 */

import { basename } from "node:path";
import { type LogContents, AppendLog, readLog } from "../disk/append-log.ts";
import { makeFolder } from "../disk/files.ts";
import { LockHeld, acquireProcessLock } from "../disk/process-lock.ts";
import { utcTime } from "../model/canonical.ts";
import type { Clock } from "../model/clock.ts";
import { Failure } from "../model/failure.ts";
import type { UtcTime } from "../model/post.ts";
import { type Publication, isFinal, isFinished } from "../model/publication.ts";
import { publicationOf } from "../service/answers/post.ts";
import type { PostRecord } from "../service/records.ts";
import type { ReadFullService } from "../service/service.ts";
import type { Project } from "../settings/config.ts";
import { notWritable, stateFile } from "../sync/state/project-state.ts";
import {
  type PublicationRecord,
  type RecordFile,
  Publications,
  isWorthRecording,
  publicationRecord,
  publicationRecordSchema,
} from "./publications.ts";

/** The files, and how their names end. The name of the answers is older than this word. */
const FILES: Readonly<Record<RecordFile, string>> = { answers: "outcomes", events: "events" };

/** The records about a service's posts. Throws a Failure for records that plancast did not write. */
export async function readPublications(project: Project, origin: string): Promise<Publications> {
  const publications = new Publications(origin);
  for (const file of ["answers", "events"] as const) {
    for (const record of (await readRecords(project, file)).records) publications.take(record, file);
  }
  return publications;
}

export interface PublicationLog {
  /** Resolves when the record is on the disk. Throws a Failure if it cannot be written. */
  append(record: PublicationRecord): Promise<void>;
  close(): Promise<void>;
}

/** Opens records for writing; cuts off a torn last line. Throws LockHeld while another process writes them. */
export async function openPublicationLog(project: Project, file: RecordFile): Promise<PublicationLog> {
  const place = stateFile(project, FILES[file]);
  try {
    await makeFolder(project.state);
    const lock = await acquireProcessLock(place.beside(`${basename(place.path)}.lock`));
    try {
      const { contents } = await readRecords(project, file);
      const log = await AppendLog.open(place, contents);
      return {
        append: (record) =>
          log.append(record).catch((error: unknown) => {
            throw notWritable(error);
          }),
        close: async () => {
          await log.close();
          await lock.release();
        },
      };
    } catch (error) {
      await lock.release();
      throw error;
    }
  } catch (error) {
    throw error instanceof Failure || error instanceof LockHeld ? error : notWritable(error);
  }
}

interface Records {
  readonly records: readonly PublicationRecord[];
  readonly contents: LogContents;
}

async function readRecords(project: Project, file: RecordFile): Promise<Records> {
  const place = stateFile(project, FILES[file]);
  const name = project.state.nameOf(place);
  const contents = await readLog(place).catch((error: unknown) => {
    throw error instanceof Failure ? invalid(error.message) : error;
  });
  const records = contents.records.map((record, index) => {
    const read = publicationRecordSchema.safeParse(record);
    if (read.success) return read.data;
    throw invalid(`${name}, line ${index + 1}: this version of plancast does not know this record.`);
  });
  return { records, contents };
}

function invalid(message: string): Failure {
  return new Failure(
    "disk/state-invalid",
    message,
    "Use the version that wrote it. Or move the file away: plancast then asks the service about the posts again.",
  );
}

/** What is known about posts: from the records, and from the service for the rest. */
export interface CurrentPublications {
  /** Keyed by post id. */
  readonly publications: ReadonlyMap<string, Publication>;
  /** The service's answers among them. */
  readonly asked: ReadonlyMap<string, Publication>;
  readonly recorded: Publications;
}

/**
 * What happened to posts. Recorded final statuses are not requested again. Throws a Failure if the service cannot be
 * asked. `now`: the service's clock, in ms.
 */
export async function currentPublications(
  project: Project,
  posts: readonly Pick<PostToFetch, "id" | "dueAt">[],
  service: PostReader & Pick<ReadFullService, "origin">,
  now: number,
): Promise<CurrentPublications> {
  const recorded = await readPublications(project, service.origin);
  const publications = new Map<string, Publication>();
  const open = posts.flatMap(({ id, dueAt }) => {
    const known = recorded.publicationOf(id);
    if (known === undefined || !isFinal(known, dueAt, now) || recorded.isUnconfirmed(id))
      return { id, dueAt, hasAddress: recorded.hasAddress(id) };
    publications.set(id, known);
    return [];
  });
  const asked = await fetchPublications(open, utcTime(now), service);
  for (const [id, publication] of asked)
    publications.set(id, surerOf(recorded.publicationOf(id), recorded.completed(id, publication)));
  return { publications, asked, recorded };
}

/** A service that forgets a post, or no longer returns its status, does not undo its earlier answer. */
function surerOf(recorded: Publication | undefined, asked: Publication): Publication {
  const isLost = asked.state === "missing" || asked.state === "unknown";
  return recorded !== undefined && isFinished(recorded) && isLost ? recorded : asked;
}

interface PostToFetch {
  readonly id: string;
  readonly dueAt: UtcTime;
  /** Whether an event gave the address of the published post. */
  readonly hasAddress: boolean;
}

type PostReader = Pick<ReadFullService, "findPosts" | "readPost">;

/**
 * What happened to each post. Upcoming posts are looked up in the list of scheduled posts; the others, and those
 * missing from it, in the list of all posts. The rest are read by id. Throws a Failure if the service cannot be
 * asked.
 * @param now posts that are due later count as coming
 */
export async function fetchPublications(
  posts: readonly PostToFetch[],
  now: UtcTime,
  service: PostReader,
): Promise<ReadonlyMap<string, Publication>> {
  const toCome = posts.filter(({ dueAt }) => dueAt > now);
  const found = new Map(await service.findPosts(idsOf(toCome), "scheduled"));
  const missing = posts.filter(({ id }) => !found.has(id));
  for (const [id, post] of await service.findPosts(idsOf(missing))) found.set(id, post);
  const addressless = missing.filter(({ id, hasAddress }) => !hasAddress && lacksAddress(found.get(id)));
  const left = posts.filter(({ id }) => !found.has(id));
  for (const [id, post] of await readEach(left, service)) found.set(id, post);
  for (const [id, post] of await readAddresses(addressless, service)) found.set(id, post);
  return new Map(posts.map(({ id }) => [id, publicationOf(found.get(id))]));
}

function idsOf(posts: readonly PostToFetch[]): ReadonlySet<string> {
  return new Set(posts.map(({ id }) => id));
}

/** Published, but the list has no address: the post's own record may have it. */
function lacksAddress(post: PostRecord | undefined): boolean {
  if (post === undefined) return false;
  const { state, results } = publicationOf(post);
  return state === "published" && !results.some(({ url }) => url !== undefined);
}

/** Reads one. The others are worth a request each only if that one has an address, which the list left out. */
async function readAddresses(
  posts: readonly PostToFetch[],
  service: PostReader,
): Promise<ReadonlyMap<string, PostRecord>> {
  const first = await readEach(posts.slice(0, 1), service);
  if ([...first.values()].every(lacksAddress)) return first;
  return new Map([...first, ...(await readEach(posts.slice(1), service))]);
}

async function readEach(
  posts: readonly PostToFetch[],
  { readPost }: PostReader,
): Promise<ReadonlyMap<string, PostRecord>> {
  const read = await Promise.all(posts.map(async ({ id }) => [id, await readPost(id)] as const));
  return new Map(read.flatMap(([id, post]) => (post === undefined ? [] : [[id, post] as const])));
}

/** Events come in bursts: wait this long after one, to ask for posts together, in ms. */
const GATHER_MS = 500;
/** Waits before a post is asked for again, in ms. The last one repeats. */
const RETRY_WAITS_MS = [5_000, 30_000, 300_000, 3_600_000] as const;

interface ConfirmerOptions {
  readonly origin: string;
  readonly publications: Publications;
  readonly log: PublicationLog;
  /** The service's answers for the given posts that the project owns. */
  readonly ask: (ids: readonly string[]) => Promise<ReadonlyMap<string, Publication>>;
  /** Called for each post once its publication is recorded. */
  readonly onPublication: (id: string, publication: Publication) => void;
  /** Called with the reason if the service could not be asked. It is asked again later. */
  readonly onTrouble: (error: unknown) => void;
  readonly clock: Clock;
  readonly stop: AbortSignal;
}

export class Confirmer {
  readonly #options: ConfirmerOptions;
  /** Number of failed requests for a post, and when to try again. */
  readonly #tried = new Map<string, { readonly times: number; readonly next: number }>();
  #woken = new AbortController();

  constructor(options: ConfirmerOptions) {
    this.#options = options;
    options.stop.addEventListener("abort", () => this.wake(), { once: true });
  }

  /** Call it when an event has arrived. */
  wake(): void {
    this.#woken.abort();
  }

  /** Resolves when it is stopped. */
  async run(): Promise<void> {
    const { clock, stop } = this.#options;
    while (!stop.aborted) {
      this.#woken = new AbortController();
      // One round after the other: events in between are for the next one.
      await this.#round().catch((error: unknown) => {
        if (!stop.aborted) this.#options.onTrouble(error);
      });
      await clock.sleep(this.#nextMs(), this.#woken.signal);
      if (this.#woken.signal.aborted) await clock.sleep(GATHER_MS, stop);
    }
  }

  async #round(): Promise<void> {
    const { publications, ask, clock } = this.#options;
    const unconfirmed = new Set(publications.unconfirmed());
    for (const id of this.#tried.keys()) if (!unconfirmed.has(id)) this.#tried.delete(id);
    const ids = [...unconfirmed].filter((id) => (this.#tried.get(id)?.next ?? 0) <= clock.now());
    if (ids.length === 0) return;
    // Counted before the request, so that failures are retried later too.
    for (const id of ids) this.#later(id);
    for (const [id, publication] of await ask(ids)) {
      await this.#record(id, publication);
    }
  }

  async #record(id: string, publication: Publication): Promise<void> {
    if (!isWorthRecording(publication)) return;
    const { origin, publications, log, clock, onPublication } = this.#options;
    const record = publicationRecord(id, publication, origin, clock.now());
    await log.append(record);
    publications.take(record, "events");
    this.#tried.delete(id);
    onPublication(id, publications.publicationOf(id) ?? publication);
  }

  #later(id: string): void {
    const times = this.#tried.get(id)?.times ?? 0;
    const wait = RETRY_WAITS_MS[Math.min(times, RETRY_WAITS_MS.length - 1)] ?? 0;
    this.#tried.set(id, { times: times + 1, next: this.#options.clock.now() + wait });
  }

  /** Ms until the next post can be tried. */
  #nextMs(): number {
    const next = [...this.#tried.values()].reduce((least, each) => Math.min(least, each.next), Infinity);
    return Math.max(0, Math.min(next - this.#options.clock.now(), RETRY_WAITS_MS.at(-1) ?? 0));
  }
}
