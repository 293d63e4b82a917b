/**
 * Asks the service what happened to posts, with few requests. Also asks about posts that events name, and records the
 * answers, because an event does not count until the service confirms it. Runs until it is stopped; the next run, or
 * `status`, does the rest.
 */

import type { Clock } from "../model/clock.ts";
import type { UtcTime } from "../model/post.ts";
import type { Publication } from "../model/publication.ts";
import { publicationOf } from "../service/answers/publication.ts";
import type { ReadFullService } from "../service/full-service.ts";
import type { PostRecord } from "../service/records.ts";
import type { PublicationLog } from "./publication-log.ts";
import { type Publications, isWorthRecording, publicationRecord } from "./publications.ts";

interface PostToFetch {
  readonly id: string;
  readonly dueAt: UtcTime;
  /** Whether an event gave the address of the published post. */
  readonly hasAddress: boolean;
}

type PostReader = Pick<ReadFullService, "findPosts" | "readPost">;

/**
 * What happened to each post. Coming posts are looked up in the list of scheduled posts; the others, and those missing
 * from it, in the list of all posts. The rest are read by id. Throws a Failure if the service cannot be asked.
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

/** Events come in bursts: wait this long after one, to ask for posts together, ms. */
const GATHER_MS = 500;
/** Waits before a post is asked for again, ms. The last one repeats. */
const RETRY_WAITS_MS = [5_000, 30_000, 300_000, 3_600_000] as const;

interface ConfirmerOptions {
  readonly origin: string;
  readonly publications: Publications;
  readonly log: PublicationLog;
  /** The service's answers for those of these posts that the project owns. */
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
