/**
 * The journal: what is about to be done, and its result. Each line is on disk before the next request depends on it.
 * Replaying it onto the lockfile gives what the project owns after a crash, and which creates are pending.
 */

import { z } from "zod";
import { Failure } from "../../model/failure.ts";
import {
  type Lockfile,
  type OwnedPost,
  createdEntry,
  getOwn,
  lockfileSchema,
  retiringEntry,
  withPreviousIds,
  withoutHold,
} from "../../model/lockfile.ts";

const shape = lockfileSchema.shape;

const journalEventSchema = z.discriminatedUnion("event", [
  /** First line: the lockfile at the start of the run, by the hash of its bytes. */
  z.object({ event: z.literal("started"), at: z.string(), lockfile: z.string(), origin: z.string() }),
  /** A lockfile with everything above is about to replace the old one; by the hash of its bytes. */
  z.object({ event: z.literal("written"), lockfile: z.string() }),
  z.object({ event: z.literal("uploaded"), sha256: z.string(), media: shape.media.valueType }),
  z.object({
    event: z.literal("create-started"),
    key: z.string(),
    attempt: shape.unknown.unwrap().valueType,
  }),
  z.object({
    event: z.literal("created"),
    key: z.string(),
    post_id: z.string(),
    stored: shape.posts.valueType.shape.stored,
    /** Only a list showed the post, without the texts after it. */
    may_lack_texts: z.literal(true).optional(),
  }),
  z.object({ event: z.literal("create-refused"), key: z.string() }),
  z.object({ event: z.literal("cancel-started"), key: z.string(), post_id: z.string() }),
  /** The post is no longer scheduled: cancelled now, or already gone or published. */
  z.object({
    event: z.literal("cancelled"),
    key: z.string(),
    post_id: z.string(),
    at: z.string(),
    hold: z.string().optional(),
  }),
  /** Somebody else had cancelled the old post of a replacement. The row keeps its entry, and the new post retires. */
  z.object({ event: z.literal("old-gone"), key: z.string(), post_id: z.string() }),
]);

export type JournalEvent = z.infer<typeof journalEventSchema>;
type CancelledEvent = Extract<JournalEvent, { event: "cancelled" }>;
type CreatedEvent = Extract<JournalEvent, { event: "created" }>;

/** Working copy of a lockfile, to which events are applied one by one. Entries are added and removed, never changed. */
export class OwnedState {
  #lockfile: Lockfile;
  /** The keys of the posts, by post id: a run asks for each post that it creates. */
  readonly #keys: Map<string, string>;
  /** Posts that this machine has asked the service to cancel: ids. */
  readonly #asked: Set<string>;

  constructor(lockfile: Lockfile) {
    const { media, posts, retiring, unknown, cancelled } = lockfile;
    this.#lockfile = {
      ...lockfile,
      media: { ...media },
      posts: { ...posts },
      retiring: { ...retiring },
      unknown: { ...unknown },
      cancelled: { ...cancelled },
    };
    this.#asked = new Set([
      ...Object.keys(retiring),
      ...Object.values(posts).flatMap(({ post_id: id, cancelling }) => (cancelling === true ? [id] : [])),
    ]);
    this.#keys = new Map(Object.keys(posts).map((key) => [posts[key]?.post_id ?? "", key]));
  }

  get lockfile(): Lockfile {
    return this.#lockfile;
  }

  /** The row that has a post. */
  keyOf(postId: string): string | undefined {
    return this.#keys.get(postId);
  }

  /** Whether this or an earlier run may have cancelled a post. */
  mayHaveCancelled(postId: string): boolean {
    return this.#asked.has(postId);
  }

  /**
   * @param isNewest whether the event is newer than the whole lockfile. After a lost lockfile or a pull, the lockfile
   * may be newer than the journal: then its post belongs to the row, and the journal's is the older one.
   */
  apply(event: JournalEvent, isNewest = true): void {
    const { media, unknown } = this.#lockfile;
    switch (event.event) {
      case "started":
      case "written":
        return;
      case "cancel-started":
        this.#cancelStarted(event);
        return;
      case "uploaded":
        media[event.sha256] = withPreviousIds(media[event.sha256], event.media);
        return;
      case "create-started":
        unknown[event.key] = event.attempt;
        return;
      case "create-refused":
        delete unknown[event.key];
        return;
      case "created":
        this.#created(event, isNewest);
        return;
      case "cancelled":
        this.#cancelled(event);
        return;
      case "old-gone":
        this.#oldGone(event);
    }
  }

  #cancelStarted({ key, post_id: postId }: Extract<JournalEvent, { event: "cancel-started" }>): void {
    const { posts } = this.#lockfile;
    const owned = getOwn(posts, key);
    this.#asked.add(postId);
    if (owned?.post_id === postId) posts[key] = { ...owned, cancelling: true };
  }

  #cancelled({ key, post_id: postId, at, hold }: CancelledEvent): void {
    const { posts, retiring, cancelled } = this.#lockfile;
    const owned = getOwn(posts, key);
    const isOwned = owned?.post_id === postId;
    const former = getOwn(retiring, postId) ?? (isOwned ? retiringEntry(key, owned)[1] : undefined);
    if (former !== undefined) cancelled[postId] = { ...former, at, ...(hold === undefined ? {} : { hold }) };
    delete retiring[postId];
    if (!isOwned) return;
    delete posts[key];
    this.#keys.delete(postId);
  }

  #oldGone({ key, post_id: postId }: Extract<JournalEvent, { event: "old-gone" }>): void {
    const { posts, retiring } = this.#lockfile;
    const owned = getOwn(posts, key);
    if (owned?.post_id === postId) {
      const { cancelling: _others, ...entry } = owned;
      posts[key] = entry;
    }
    const former = getOwn(retiring, postId);
    if (owned === undefined || former?.key !== key) return;
    const { key: _key, ...entry } = former;
    delete retiring[postId];
    this.#retire(key, owned);
    posts[key] = { ...entry, post_id: postId };
    this.#keys.delete(owned.post_id);
    this.#keys.set(postId, key);
  }

  #created({ key, post_id: postId, stored, may_lack_texts: mayLack }: CreatedEvent, isNewest: boolean): void {
    const { posts, unknown } = this.#lockfile;
    const attempt = getOwn(unknown, key);
    if (attempt === undefined) return;
    delete unknown[key];
    this.#lockfile.cancelled = withoutHold(this.#lockfile.cancelled, attempt.forgets);
    const made = createdEntry(attempt, postId, stored, mayLack);
    const old = getOwn(posts, key);
    const isForgotten = old === undefined || old.post_id === postId || old.post_id === attempt.forgets;
    if (!isForgotten && !isNewest) {
      this.#retire(key, made);
      return;
    }
    if (old !== undefined) this.#keys.delete(old.post_id);
    if (!isForgotten) this.#retire(key, old);
    posts[key] = made;
    this.#keys.set(postId, key);
  }

  #retire(key: string, old: OwnedPost): void {
    const [id, entry] = retiringEntry(key, old);
    this.#lockfile.retiring[id] = entry;
  }
}

/**
 * What the project owns, by its lockfile and the journal of an interrupted run. Throws for a journal of another
 * lockfile.
 */
export function replay(
  lockfile: Lockfile,
  lockfileHash: string,
  records: readonly unknown[],
  path: string,
): Lockfile {
  const state = new OwnedState(lockfile);
  const origin = lockfile.origin;
  const events = records.map((record, index) => decodeEvent(record, index + 1, path));
  // Applying old events again would undo newer facts in the lockfile: a changed key, a resolved pending create.
  const known = events.findLastIndex((each) => each.event === "written" && each.lockfile === lockfileHash);
  let isNewest = true;
  for (const event of events.slice(known + 1)) {
    if (event.event === "started" && event.origin !== origin) throw otherService(event.origin, origin, path);
    if (event.event === "started") isNewest = event.lockfile === lockfileHash;
    state.apply(event, isNewest);
  }
  return state.lockfile;
}

function otherService(theirs: string, ours: string, path: string): Failure {
  return new Failure(
    "journal/other-service",
    `${path} belongs to an interrupted run on another service (${theirs}), but this run is for ${ours}.`,
    "First run apply for that service again to finish that run.",
  );
}

function decodeEvent(record: unknown, line: number, path: string): JournalEvent {
  const read = journalEventSchema.safeParse(record);
  if (read.success) return read.data;
  throw new Failure(
    "journal/invalid",
    `${path}, line ${line}: this version of plancast does not know this entry.`,
    "Use the version that wrote it. Or check the posts on the service, then move the file away and run again.",
  );
}
