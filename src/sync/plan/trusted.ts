/**
 * What counts of a lockfile. Anybody who can open a pull request can write the lockfile, so nothing in it is evidence
 * about the service. An entry counts as far as the base has it, or this machine wrote it, or the service confirms it.
 * Runs before the diff, which sees only the result. Pure.
 *
 * | the checkout's entry            | what counts |
 * | ------------------------------- | ----------- |
 * | as in the base                  | the entry |
 * | the same post, other statements | the base's entry |
 * | a post that the base lacks      | the service has it, at its time; but it is unproved: see `Trusted` |
 * | a post that the service lacks   | the row is past, or a person must decide about it |
 * | a post of another row           | the base's owner |
 * | missing, in the base            | the base's entry: the post is still the project's |
 * | an older post of its row        | after a revert: the base's or this machine's entry, if the service has its post |
 * | a pending create, a cancel      | the base's, or this machine's |
 * | a file's id                     | the base's; an id that the base does not know only compares posts |
 * | the file at a web address       | the base's; another one is downloaded again |
 */

import {
  type CachedMedia,
  type Lockfile,
  type OwnedPost,
  UNKNOWN_FINGERPRINT,
  emptyLockfile,
  getOwn,
  ownersIn,
  retiringEntry,
} from "../../model/lockfile.ts";
import { isSameJson } from "../../model/data.ts";
import type { Problem } from "../../model/problem.ts";
import { type RemotePost, indexById } from "../../model/post.ts";
import type { RefusedStatement } from "../../problems/trust-texts.ts";
import type { Absence } from "./input.ts";
import { isComparable, isOtherThanRecorded } from "./compare.ts";

/** What a lockfile is compared with. */
export interface Base {
  /** The lockfile without the changes of this checkout. */
  readonly lockfile: Lockfile;
  /** What runs on this machine wrote: their entries count, too. */
  readonly own?: Lockfile | undefined;
}

interface HoldsToObey {
  readonly text: string;
  readonly before?: string;
  /** Whether a person makes one of them now, with what the main branch has by now. */
  readonly isNew?: boolean;
}

/** What a checkout is compared with. */
export interface Compared {
  /** Undefined: the whole lockfile counts. `unknown`: the checkout has too few commits to know. */
  readonly base: Base | "unknown" | undefined;
  /** The texts of the schedule in the repository. Undefined: the whole schedule counts. */
  readonly schedule?: { readonly base: string; readonly own: string | undefined } | undefined;
  /** Whether the checkout is a pull request, which people review. */
  readonly isPullRequest: boolean;
  /** The holds that count: the text of their file, and before a pull request. Undefined: those of the checkout. */
  readonly holds?: HoldsToObey | undefined;
  /** What else a merge of the checkout changes. */
  readonly notices?: readonly Problem[];
  /** The lockfile of the branch's newest known commit; undefined if the checkout has that commit. Asked at most once. */
  readonly upstream?: (() => Promise<Lockfile | undefined>) | undefined;
}

/** What else shows whether an entry is true. */
export interface Evidence {
  /** The service's scheduled posts. */
  readonly remote: readonly RemotePost[];
  /** The status of owned posts that the list lacks, by id. */
  readonly absent: ReadonlyMap<string, Absence>;
  /** Whether the calendar says that the row with this key is past. */
  readonly isPast: (key: string) => boolean;
  /** Whether the journal of this machine says that a post is the project's. */
  readonly isJournaled: (postId: string) => boolean;
}

export interface Trusted {
  readonly lockfile: Lockfile;
  /**
   * The posts that neither the base nor this machine gives to their row: keys of the rows, by post id. A person must
   * allow that plancast cancels or replaces them.
   */
  readonly unproved: ReadonlyMap<string, string>;
  /** What does not count. */
  readonly refused: readonly RefusedStatement[];
}

export function trustedLockfile(mine: Lockfile, given: Base, evidence: Evidence): Trusted {
  return new Judge(mine, given, evidence).judge();
}

/** What counts before the service is asked: only what the base or this machine says. */
export function withoutEvidence(mine: Lockfile, { base }: Compared): Lockfile {
  if (base === undefined || base === "unknown") return mine;
  return trustedLockfile(mine, base, NO_EVIDENCE).lockfile;
}

const NO_EVIDENCE: Evidence = {
  remote: [],
  absent: new Map(),
  isPast: () => false,
  isJournaled: () => false,
};

/** What a lockfile says besides its base: what does not count, and the rows whose posts it adds. Asks no service. */
export function statementsBesides(
  mine: Lockfile,
  base: Lockfile,
): Pick<Trusted, "refused"> & { readonly added: readonly string[] } {
  const owners = ownersIn(base);
  const added = [...ownersIn(mine)].flatMap(([id, { key }]) => (owners.has(id) ? [] : [key]));
  return { added, refused: trustedLockfile(mine, { lockfile: base }, NO_EVIDENCE).refused };
}

/**
 * The lockfile with everything that the base owns: a list of the service must show these posts, too, or be asked about
 * them.
 */
export function withBase(mine: Lockfile, { lockfile: base }: Base): Lockfile {
  if (base.origin !== mine.origin) return mine;
  return {
    ...mine,
    posts: { ...base.posts, ...mine.posts },
    retiring: { ...base.retiring, ...mine.retiring },
    unknown: { ...base.unknown, ...mine.unknown },
    cancelled: { ...base.cancelled, ...mine.cancelled },
  };
}

/** The lockfile of a service that keeps exactly what is sent: nothing else may say what it stores. */
export function withoutStored(lockfile: Lockfile): Lockfile {
  const posts = Object.entries(lockfile.posts).map(([key, { stored: _stored, ...entry }]) => [key, entry]);
  return { ...lockfile, posts: Object.fromEntries(posts) };
}

class Judge {
  readonly #mine: Lockfile;
  readonly #base: Lockfile;
  readonly #own: Lockfile;
  /** Whether runs on this machine wrote the checkout's lockfile as it is. */
  readonly #isFromHere: boolean;
  readonly #remote: ReadonlyMap<string, RemotePost>;
  readonly #evidence: Evidence;
  readonly #owners: ReturnType<typeof ownersIn>;
  readonly #posts = new Map<string, OwnedPost>();
  readonly #retiring = new Map<string, Lockfile["retiring"][string]>();
  readonly #unproved = new Map<string, string>();
  readonly #refused: RefusedStatement[] = [];

  constructor(mine: Lockfile, { lockfile, own }: Base, evidence: Evidence) {
    const nothing = emptyLockfile(mine.origin);
    this.#mine = mine;
    // A lockfile of another service says nothing about this one.
    this.#base = lockfile.origin === mine.origin ? lockfile : nothing;
    this.#own = own?.origin === mine.origin ? own : nothing;
    this.#isFromHere = own !== undefined && isSameJson(own, mine);
    this.#remote = indexById(evidence.remote);
    this.#evidence = evidence;
    this.#owners = ownersIn(this.#base);
  }

  judge(): Trusted {
    for (const [key, entry] of Object.entries(this.#mine.posts)) this.#judgePost(key, entry);
    for (const [id, old] of Object.entries(this.#mine.retiring)) this.#judgeRetiring(id, old);
    this.#restore();
    const { urls: _urls, accounts: _accounts, longest_lists: _lists, ...mine } = this.#mine;
    const lockfile: Lockfile = {
      ...mine,
      ...this.#accounts(),
      ...this.#longestLists(),
      ...this.#urls(),
      media: this.#media(),
      posts: Object.fromEntries(this.#posts),
      retiring: Object.fromEntries(this.#retiring),
      unknown: this.#unknown(),
      cancelled: this.#cancelled(),
    };
    return { lockfile, unproved: this.#unproved, refused: this.#refused };
  }

  #judgePost(key: string, entry: OwnedPost): void {
    const { post_id: id } = entry;
    const before = [getOwn(this.#base.posts, key), getOwn(this.#own.posts, key)];
    const known = before.find((each) => each?.post_id === id);
    const owner = this.#owners.get(id);
    const former = getOwn(this.#base.retiring, id);
    const isOwn = this.#evidence.isJournaled(id) || before.some((each) => isSameJson(each, entry));
    const isOthers = owner !== undefined && owner.key !== key;
    const newer =
      isOthers || this.#remote.has(id) ? undefined : before.find((each) => this.#isNewer(key, each));
    if (newer !== undefined) this.#posts.set(key, newer);
    else if (isOwn) this.#posts.set(key, entry);
    else if (known !== undefined) this.#posts.set(key, this.#sameAs(known, entry, key));
    else if (owner?.key === key && former !== undefined) {
      // The row got its former post back.
      const { key: _key, ...rest } = former;
      this.#posts.set(key, { ...rest, post_id: id });
    } else if (owner === undefined) this.#addPost(key, entry);
    else if (Object.hasOwn(this.#mine.posts, owner.key))
      this.#refused.push({ of: "post", key, postId: id, parts: ["post_id"] });
  }

  /** Whether an entry of the row is of a post that the service has, while that of the checkout is gone. */
  #isNewer(key: string, entry: OwnedPost | undefined): boolean {
    return entry !== undefined && this.#isStillOwned(key, entry.post_id);
  }

  /** The entry that the base has for the same post. Says which other statements could hide a change. */
  #sameAs(known: OwnedPost, entry: OwnedPost, key: string): OwnedPost {
    const remote = this.#remote.get(entry.post_id);
    const isShown = remote !== undefined && isToldWhole(remote);
    const parts = [
      // The service shows the whole post, so the fingerprint decides nothing.
      ...(isShown || entry.fingerprint === known.fingerprint ? [] : ["fingerprint"]),
      ...(["stored", "series", "slot"] as const).filter(
        (part) => entry[part] !== undefined && !isSameJson(entry[part], known[part]),
      ),
    ];
    if (parts.length > 0) this.#refused.push({ of: "post", key, postId: entry.post_id, parts });
    return known;
  }

  /** Without the base, the service can only confirm that it has the post, its content and its time. */
  #addPost(key: string, entry: OwnedPost): void {
    const { post_id: id, file, slot, pool_text: text } = entry;
    const remote = this.#remote.get(id);
    const other = getOwn(this.#base.posts, key);
    if (other !== undefined && this.#isStillOwned(key, other.post_id)) return;
    const absence = this.#evidence.absent.get(id);
    // A row whose post is published needs none, so only a base can say that. A row whose post is gone asks a person.
    const isAsked = absence !== undefined && absence !== "published";
    const wasScheduled = slot === undefined && this.#evidence.isPast(key);
    if (remote === undefined) {
      // Of two posts that are gone, the base's counts: a lockfile of an older commit names the earlier one.
      if (isAsked || wasScheduled) this.#posts.set(key, other ?? asShown(entry));
      return;
    }
    const pending = getOwn(this.#base.unknown, key);
    if (pending === undefined || pending.fingerprint !== entry.fingerprint) this.#unproved.set(id, key);
    const isConfirmed = isToldWhole(remote) && !isOtherThanRecorded(remote, asShown(entry), this.#mine.media);
    this.#posts.set(key, {
      post_id: id,
      fingerprint: isConfirmed ? entry.fingerprint : UNKNOWN_FINGERPRINT,
      scheduled_at: remote.scheduledAt ?? entry.scheduled_at,
      file,
      ...(slot !== undefined && remote.scheduledAt === entry.scheduled_at ? { slot } : {}),
      ...(text === undefined ? {} : { pool_text: text }),
    });
  }

  /** Whether the base's post of a row is still scheduled, and the checkout has not replaced it. */
  #isStillOwned(key: string, id: string): boolean {
    return this.#remote.has(id) && getOwn(this.#mine.retiring, id)?.key !== key;
  }

  #judgeRetiring(id: string, old: Lockfile["retiring"][string]): void {
    const former = [this.#base, this.#own].map((each) => getOwn(each.retiring, id));
    const known = former.find((each) => each?.key === old.key);
    const owned = getOwn(this.#base.posts, old.key) ?? getOwn(this.#own.posts, old.key);
    if (known !== undefined) this.#retiring.set(id, known);
    else if (owned?.post_id === id) this.#retiring.set(...retiringEntry(old.key, owned));
    else if (!this.#owners.has(id) && this.#remote.has(id)) {
      this.#unproved.set(id, old.key);
      const { stored: _stored, series: _series, ...rest } = old;
      this.#retiring.set(id, rest);
    }
  }

  /** What the base owns is still the project's. */
  #restore(): void {
    const ids = new Set([
      ...[...this.#posts.values()].map(({ post_id: id }) => id),
      ...this.#retiring.keys(),
    ]);
    for (const [key, known] of Object.entries(this.#base.posts)) {
      const { post_id: id } = known;
      if (ids.has(id) || this.#posts.has(key)) continue;
      if (this.#remote.has(id) || !(this.#isFromHere || this.#isKnownAsCancelled(id)))
        this.#posts.set(key, known);
    }
    for (const [id, old] of Object.entries(this.#base.retiring))
      if (!ids.has(id) && this.#remote.has(id)) this.#retiring.set(id, old);
  }

  /** If only the checkout says so, perhaps somebody removed the post on the service, and wants it to stay away. */
  #isKnownAsCancelled(id: string): boolean {
    return [this.#base, this.#own].some(({ cancelled }) => Object.hasOwn(cancelled, id));
  }

  #unknown(): Lockfile["unknown"] {
    if (this.#isFromHere) return this.#mine.unknown;
    const unknown = { ...this.#base.unknown };
    for (const [key, { fingerprint }] of Object.entries(unknown))
      if (this.#posts.get(key)?.fingerprint === fingerprint) delete unknown[key];
    for (const [key, attempt] of Object.entries(this.#mine.unknown)) {
      if (isSameJson(getOwn(this.#own.unknown, key), attempt)) unknown[key] = attempt;
      else if (getOwn(this.#base.unknown, key)?.fingerprint !== attempt.fingerprint)
        this.#refused.push({ of: "pending-create", key });
    }
    return unknown;
  }

  /**
   * A list may show a post that was cancelled. For a post of others, this would hide it, and for a post that somebody
   * removed, it would answer the question about it.
   */
  #cancelled(): Lockfile["cancelled"] {
    const ours = Object.entries(this.#mine.cancelled).filter(([id]) =>
      Object.hasOwn(this.#own.cancelled, id),
    );
    for (const [id, { key }] of Object.entries(this.#mine.cancelled))
      if (this.#remote.has(id) && !this.#isKnownAsCancelled(id))
        this.#refused.push({ of: "post", key, postId: id, parts: ["cancelled"] });
    return { ...this.#base.cancelled, ...Object.fromEntries(ours) };
  }

  #media(): Lockfile["media"] {
    const sent = [...this.#owners.keys()].flatMap((id) => this.#remote.get(id)?.mediaIds ?? []);
    const known = new Set([...Object.values(this.#base.media).flatMap(idsOf), ...sent]);
    return Object.fromEntries(
      Object.entries(this.#mine.media).flatMap(([sha256, cached]) => {
        const before = getOwn(this.#base.media, sha256);
        const isOwn = isSameJson(getOwn(this.#own.media, sha256), cached);
        if (isOwn || isSameJson(before, cached)) return [[sha256, cached] as const];
        const news = idsOf(cached).filter((id) => before === undefined || !idsOf(before).includes(id));
        const [forged] = news.filter((id) => known.has(id));
        if (forged !== undefined) this.#refused.push({ of: "media", path: cached.path, id: forged });
        const found = withNews(
          before,
          cached,
          news.filter((id) => !known.has(id)),
        );
        return found === undefined ? [] : [[sha256, found] as const];
      }),
    );
  }

  #urls(): Pick<Lockfile, "urls"> {
    const pins = Object.entries(this.#mine.urls ?? {}).flatMap(([key, pin]) => {
      const known = [this.#base, this.#own].map(({ urls = {} }) => getOwn(urls, key));
      const same = known.find((each) => each?.sha256 === pin.sha256);
      return same === undefined ? [] : [[key, same] as const];
    });
    return pins.length === 0 ? {} : { urls: Object.fromEntries(pins) };
  }

  /** One known account is enough to go on, so an added one does not count: it could let posts go to other accounts. */
  #accounts(): Pick<Lockfile, "accounts"> {
    const { accounts: now = [] } = this.#mine;
    const { accounts: before = [] } = this.#base;
    const isOwn = now.length > 0 && isSameJson(this.#own.accounts, now);
    if (before.length === 0 || isOwn) return now.length === 0 ? {} : { accounts: now };
    // A lockfile that is missing or empty says nothing about accounts.
    const isSilent = now.length === 0 && Object.keys(this.#mine.posts).length === 0;
    if (!isSilent && !isSameJson(before, now)) this.#refused.push({ of: "accounts", before, now });
    // Somebody accepted other accounts. Whether the key leads to them is checked before each write.
    const isOther = now.length > 0 && !now.some((id) => before.includes(id));
    return { accounts: isOther ? now : before };
  }

  /** The shorter list for each limit, because a longer one weakens the proof that a list is complete. */
  #longestLists(): Pick<Lockfile, "longest_lists"> {
    const { longest_lists: now = {} } = this.#mine;
    if (isSameJson(now, this.#own.longest_lists))
      return Object.keys(now).length === 0 ? {} : { longest_lists: now };
    const lists = Object.entries(this.#base.longest_lists ?? {}).map(
      ([limit, length]) => [limit, Math.min(length, getOwn(now, limit) ?? length)] as const,
    );
    return lists.length === 0 ? {} : { longest_lists: Object.fromEntries(lists) };
  }
}

/** What the service can confirm: nobody else knows what it stores, or whether plancast asked it to cancel the post. */
function asShown({
  stored: _stored,
  series: _series,
  cancelling: _cancelling,
  ...entry
}: OwnedPost): OwnedPost {
  return entry;
}

/** Whether the service shows everything that a fingerprint covers. */
function isToldWhole(remote: RemotePost): boolean {
  return isComparable(remote) && remote.mediaIds !== undefined;
}

function idsOf({ id, also = [] }: CachedMedia): readonly string[] {
  return [id, ...also];
}

/** A file with ids that only the checkout names: they compare posts, and are never sent. */
function withNews(
  before: CachedMedia | undefined,
  cached: CachedMedia,
  news: readonly string[],
): CachedMedia | undefined {
  if (before !== undefined)
    return news.length === 0 ? before : { ...before, also: [...new Set([...(before.also ?? []), ...news])] };
  const [id, ...also] = news;
  if (id === undefined) return undefined;
  const { also: _also, ...rest } = cached;
  return { ...rest, id, ...(also.length === 0 ? {} : { also }), assumed: true };
}
