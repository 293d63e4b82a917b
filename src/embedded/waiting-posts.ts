import type { StoredPost } from "./records.ts";

/** The posts whose time is to come: neither cancelled nor published. Asking whether one is due costs nothing. */
export class ScheduledPosts {
  /** By id, in the order in which they were made. */
  readonly #posts = new Map<string, StoredPost>();
  /** Earliest time of a post, ms; undefined when it has to be looked up. */
  #next: number | undefined;

  /** Takes the newest state of a post. */
  take(post: StoredPost): void {
    if (post.cancelled_at === undefined && post.published_at === undefined) {
      this.#posts.set(post.id, post);
      if (this.#next !== undefined) this.#next = Math.min(this.#next, timeOf(post));
    } else if (this.#posts.delete(post.id)) {
      this.#next = undefined;
    }
  }

  /** When the next post comes due, ms; Infinity when none does. */
  next(): number {
    this.#next ??= [...this.#posts.values()].reduce(
      (least, post) => Math.min(least, timeOf(post)),
      Number.POSITIVE_INFINITY,
    );
    return this.#next;
  }

  /** Those due at that time, ms: earliest first, and of one time in the order in which they were made. */
  due(at: number): StoredPost[] {
    if (this.next() > at) return [];
    return [...this.#posts.values()]
      .filter((post) => timeOf(post) <= at)
      .sort((a, b) => timeOf(a) - timeOf(b));
  }
}

function timeOf(post: StoredPost): number {
  return Date.parse(post.scheduled_at);
}
