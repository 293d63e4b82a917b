/** Finds posts for rows: owned posts of missing rows, and posts that the lockfile does not own. Each is used once. */

import { type Lockfile, getOwn } from "../../model/lockfile.ts";
import type { Change, Keep } from "../../model/plan.ts";
import {
  type RemotePost,
  type ResolvedPost,
  type UtcTime,
  DERIVED_KEY_PREFIX,
  occurrencesIn,
  rowIdsOf,
} from "../../model/post.ts";
import type { StayingRow } from "../../model/row-filter.ts";
import { differingFromRow, isComparable, isSamePost, matchesMediaId } from "./compare.ts";
import type { DiffContext, OwnedRemote, Ownership } from "./input.ts";

/**
 * Owned and scheduled posts of missing rows. Before they are cancelled, a row may claim one: the same post under
 * another key (an id was added), or, for a row without an id, its older version.
 */
export class Orphans {
  readonly #input: DiffContext;
  readonly #left: Map<string, OwnedRemote>;
  readonly #byWhat = new Map<string, OwnedRemote[]>();
  readonly #staying: readonly StayingRow[];

  /** @param withRow how many of the owned posts have a row */
  constructor(input: DiffContext, withRow: number) {
    this.#input = input;
    // Mostly, every owned post has its row.
    this.#left = withRow === input.owned.size ? new Map() : withoutRow(input);
    this.#staying = input.staying.withoutPost((key) => input.owned.has(key));
    for (const orphan of this.#left.values()) {
      for (const what of marks(orphan)) {
        const group = this.#byWhat.get(what);
        if (group === undefined) this.#byWhat.set(what, [orphan]);
        else group.push(orphan);
      }
    }
  }

  takeSame(post: ResolvedPost): Keep | undefined {
    const { lockfile } = this.#input;
    const orphan = this.#find([timeMark(post.scheduledAt)], (each) => isSamePost(post, each, lockfile));
    if (orphan === undefined) return undefined;
    return { action: "keep", key: post.key, desired: post, remote: orphan.remote };
  }

  /** The older version of a row without an id: one with the same time and places, otherwise one with the same text. */
  takeSimilar(post: ResolvedPost): RemotePost | undefined {
    return this.#findSimilar(post)?.remote;
  }

  #findSimilar(post: ResolvedPost): OwnedRemote | undefined {
    if (!post.key.startsWith(DERIVED_KEY_PREFIX)) return undefined;
    const similar = (each: OwnedRemote): boolean => hasNoId(each) && this.#input.inScope(each.file);
    const places = placeMark(post.scheduledAt, post.platforms);
    const texts = post.content === "" ? [] : [textMark(post.content)];
    return this.#find([places, ...texts], similar);
  }

  /** The post of a held row, otherwise one that it would keep or replace. @param own the post under its key */
  takeHeld(post: ResolvedPost, own: OwnedRemote | undefined): OwnedRemote | undefined {
    if (own !== undefined) {
      this.#left.delete(own.key);
      return own;
    }
    const { lockfile } = this.#input;
    const same = this.#find([timeMark(post.scheduledAt)], (each) => isSamePost(post, each, lockfile));
    return same ?? this.#findSimilar(post);
  }

  /**
   * A past row without an id is still the same row after an edit of its text: its post, due at the same time, is not
   * orphaned.
   */
  takePast(post: ResolvedPost): void {
    if (!post.key.startsWith(DERIVED_KEY_PREFIX) || this.#input.owned.has(post.key)) return;
    this.#find([placeMark(post.scheduledAt, post.platforms)], hasNoId);
  }

  /** Posts that may be older versions of rows that the run leaves out. Call it after all other rows. */
  takeStaying(): number {
    let taken = 0;
    for (const { content, places } of this.#staying) {
      const texts = content === "" ? [] : [textMark(content)];
      const marks = places.map(({ scheduledAt, platforms }) => placeMark(scheduledAt, platforms));
      if (this.#find([...marks, ...texts], hasNoId) !== undefined) taken += 1;
    }
    return taken;
  }

  #find(wanted: readonly string[], fits: (orphan: OwnedRemote) => boolean): OwnedRemote | undefined {
    for (const what of wanted) {
      const orphan = this.#byWhat.get(what)?.find((each) => this.#left.has(each.key) && fits(each));
      if (orphan !== undefined) {
        this.#left.delete(orphan.key);
        return orphan;
      }
    }
    return undefined;
  }

  cancels(): Change[] {
    if (this.#left.size === 0) return [];
    const rows = new Set(this.#input.desired.map(({ key }) => rowOf(key)));
    const series = new Set(this.#input.desired.flatMap((post) => post.series?.row ?? []));
    const setAside = this.#input.setAside();
    const held = new Set([...this.#input.held.keys()].flatMap(rowIdsOf));
    const hold = this.#input.holds.forAll(this.#input.now)?.id;
    return [...this.#left.values()].map(({ key, remote, dueAt, file }) => {
      const isSetAside = rowIdsOf(key).some((id) => setAside.has(id));
      const isRepeated = occurrencesIn(key).some(({ row }) => series.has(row));
      const others = isRepeated ? "not-repeated" : isSetAside ? "row-set-aside" : "row-gone";
      const ofRow = rows.has(rowOf(key)) ? "row-regrouped" : others;
      const isHeld = hold !== undefined || rowIdsOf(key).some((id) => held.has(id));
      const reason = isHeld ? "row-held" : ofRow;
      return { action: "cancel", key, remote, dueAt, file, retiring: false, reason, hold };
    });
  }
}

/** The id of the row that a post belongs to: `launch@twitter` is the part of `launch` for one network. */
function rowOf(key: string): string {
  const at = key.lastIndexOf("@");
  return at === -1 ? key : key.slice(0, at);
}

/** The owned posts whose key no row has. */
function withoutRow({ desired, owned, staying }: DiffContext): Map<string, OwnedRemote> {
  const keys = new Set(desired.map(({ key }) => key));
  return new Map([...owned].filter(([key]) => !keys.has(key) && !staying.has(key)));
}

function hasNoId({ key }: OwnedRemote): boolean {
  return key.startsWith(DERIVED_KEY_PREFIX);
}

function marks({ remote, dueAt }: OwnedRemote): string[] {
  const time = [timeMark(dueAt)];
  const place = remote.platforms === undefined ? [] : [placeMark(dueAt, remote.platforms)];
  const text = remote.content === undefined || remote.content === "" ? [] : [textMark(remote.content)];
  return [...time, ...place, ...text];
}

function timeMark(time: UtcTime): string {
  return `time ${time}`;
}

function placeMark(time: UtcTime, platforms: readonly string[]): string {
  return `place ${time} ${platforms.join(" ")}`;
}

function textMark(text: string): string {
  return `text ${text}`;
}

/** Scheduled posts that the lockfile does not own. A row adopts the first that equals it. */
export class UnmanagedPosts {
  readonly #left: Map<string, RemotePost>;
  readonly #byTime = new Map<string, RemotePost[]>();
  readonly #lockfile: Lockfile;
  readonly #knownMedia: ReadonlySet<string>;
  readonly #retiring: Ownership["retiring"];
  readonly #isGone: (key: string) => boolean;

  /** @param isGone whether somebody removed a row's post */
  constructor({ notOwned, retiring, lockfile }: DiffContext, isGone: (key: string) => boolean) {
    this.#lockfile = lockfile;
    this.#isGone = isGone;
    this.#knownMedia = new Set(Object.values(lockfile.media).flatMap(({ id, also = [] }) => [id, ...also]));
    this.#retiring = retiring;
    this.#left = new Map(notOwned.map((post) => [post.id, post]));
    for (const post of notOwned) {
      if (post.scheduledAt === undefined) continue;
      const group = this.#byTime.get(post.scheduledAt);
      if (group === undefined) this.#byTime.set(post.scheduledAt, [post]);
      else group.push(post);
    }
  }

  /** The unowned post that equals the row. Media that are missing in the lockfile match by position. */
  takeSame(post: ResolvedPost): RemotePost | undefined {
    const same = this.#byTime
      .get(post.scheduledAt)
      ?.find((each) => this.#left.has(each.id) && this.#isSame(post, each));
    if (same !== undefined) this.#left.delete(same.id);
    return same ?? this.#takenBack(post);
  }

  /** An edit was undone during its replacement: the row asks for its old post again. */
  #takenBack(post: ResolvedPost): RemotePost | undefined {
    // Then another clone may have a newer version.
    if (this.#isGone(post.key)) return undefined;
    return this.#retiring.get(post.key)?.find((remote) => {
      const sent = getOwn(this.#lockfile.retiring, remote.id);
      return sent !== undefined && isSamePost(post, { ...sent, remote, stored: sent.stored }, this.#lockfile);
    });
  }

  #isSame(post: ResolvedPost, remote: RemotePost): boolean {
    if (!isComparable(remote)) return false;
    const { media } = this.#lockfile;
    const differing = differingFromRow(
      post,
      remote,
      (each, id) => matchesMediaId(each, id, media) || (each.kind !== "id" && !this.#knownMedia.has(id)),
    );
    return differing.length === 0;
  }

  /** The unowned post with an id. */
  take(id: string): RemotePost | undefined {
    const post = this.#left.get(id);
    this.#left.delete(id);
    return post;
  }

  /** Ids of the posts in the same place: at the same time, on one of its platforms. */
  inPlaceOf({ scheduledAt, platforms }: ResolvedPost): string[] {
    const there = this.#byTime.get(scheduledAt) ?? [];
    return there
      .filter((each) => this.#left.has(each.id) && each.platforms?.some((name) => platforms.includes(name)))
      .map((each) => each.id);
  }

  /** Posts that no row adopted, which this project must not touch. */
  left(): readonly RemotePost[] {
    return [...this.#left.values()];
  }
}
