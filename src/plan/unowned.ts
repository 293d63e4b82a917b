import type { Lockfile } from "../calendar/lockfile.ts";
import type { RemotePost, ResolvedPost } from "../calendar/post.ts";
import { differingFields, matchesMediaId, isComparable } from "./compare.ts";
import type { Ownership } from "./owned.ts";

/** Scheduled posts that the lockfile does not own. A row that finds itself among them adopts it, once. */
export class UnmanagedPosts {
  readonly #left: Map<string, RemotePost>;
  readonly #byTime = new Map<string, RemotePost[]>();
  readonly #lockfile: Lockfile;
  readonly #knownMedia: ReadonlySet<string>;
  readonly #retiring: Ownership["retiring"];

  constructor({ unmanaged: unowned, retiring }: Ownership, lockfile: Lockfile) {
    this.#lockfile = lockfile;
    this.#knownMedia = new Set(Object.values(lockfile.media).flatMap(({ id, also = [] }) => [id, ...also]));
    this.#retiring = retiring;
    this.#left = new Map(unowned.map((post) => [post.id, post]));
    for (const post of unowned) {
      if (post.scheduledAt === undefined) continue;
      const group = this.#byTime.get(post.scheduledAt);
      if (group === undefined) this.#byTime.set(post.scheduledAt, [post]);
      else group.push(post);
    }
  }

  /** The unowned post that is what the row asks for. Media that the lockfile does not know match by position. */
  takeSame(post: ResolvedPost): RemotePost | undefined {
    const same = this.#byTime
      .get(post.scheduledAt)
      ?.find((each) => this.#left.has(each.id) && this.#isSame(post, each));
    if (same !== undefined) this.#left.delete(same.id);
    return same ?? this.#takenBack(post);
  }

  /** An edit that was taken back while its replacement was half done: the row's old post is what it asks for again. */
  #takenBack(post: ResolvedPost): RemotePost | undefined {
    return this.#retiring.get(post.key)?.find((each) => this.#isSame(post, each));
  }

  #isSame(post: ResolvedPost, remote: RemotePost): boolean {
    if (!isComparable(remote)) return false;
    const { media } = this.#lockfile;
    const differing = differingFields(
      post,
      remote,
      (each, id) => matchesMediaId(each, id, media) || (each.kind !== "id" && !this.#knownMedia.has(id)),
    );
    return differing.length === 0;
  }

  /** Ids of those that stand in a post's place: at its time, on one of its platforms. */
  inPlaceOf({ scheduledAt, platforms }: ResolvedPost): string[] {
    const there = this.#byTime.get(scheduledAt) ?? [];
    return there
      .filter((each) => this.#left.has(each.id) && each.platforms?.some((name) => platforms.includes(name)))
      .map((each) => each.id);
  }

  /** Those that no row took: not this project's to touch. */
  left(): readonly RemotePost[] {
    return [...this.#left.values()];
  }
}
