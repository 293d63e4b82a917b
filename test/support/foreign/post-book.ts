/** The posts of the foreign service, with their past, so that a stale list can be shown. */
import type { PostStatus } from "./shape.ts";

export interface StoredPost {
  /** As text, even if the service shows it as a number. */
  readonly id: string;
  /** Exactly as sent. */
  readonly content: string;
  readonly platforms: readonly string[];
  readonly scheduled_at: string;
  readonly media_ids: readonly string[];
  readonly status: PostStatus;
  /** The result on each platform, after the post was due: an address, or the reason why it failed. */
  readonly results?: readonly PostResult[];
  /** When it was published, as the service shows it. */
  readonly published_at?: string;
  /** `api`: by a POST of the client; `foreign`: by somebody else. */
  readonly madeBy: "api" | "foreign";
  /** Counts all posts ever made, from 1. */
  readonly number: number;
  /** ms since the epoch, by the service's clock. */
  readonly createdAt: number;
  /** When lists begin to show it, in the same unit. */
  readonly listedFrom: number;
}

interface PostResult {
  readonly platform: string;
  readonly url?: string;
  readonly error?: string;
}

export type NewPost = Pick<StoredPost, "content" | "platforms" | "scheduled_at" | "media_ids">;
export type PostEdit = Partial<NewPost & Pick<StoredPost, "status" | "results" | "published_at">>;

export class PostBook {
  readonly current = new Map<string, StoredPost>();
  readonly #past = new Map<string, { readonly write: number; readonly post: StoredPost }[]>();
  readonly #newId: (number: number) => string;
  #writes = 0;

  /** @param newId the id of the n-th post, as text */
  constructor(newId: (number: number) => string) {
    this.#newId = newId;
  }

  add(post: NewPost & Pick<StoredPost, "madeBy" | "createdAt" | "listedFrom">): StoredPost {
    const number = this.current.size + 1;
    return this.#write({ ...post, id: this.#newId(number), number, status: "scheduled" });
  }

  /** Changes a post. Throws for an id that does not exist. */
  change(id: string, edit: PostEdit): StoredPost {
    const post = this.current.get(id);
    if (post === undefined) throw new Error(`The foreign service has no post ${id}.`);
    return this.#write({ ...post, ...edit });
  }

  /** All posts as they were before the last `writesAgo` writes. */
  asOf(writesAgo: number): readonly StoredPost[] {
    if (writesAgo === 0) return [...this.current.values()];
    const last = this.#writes - writesAgo;
    return [...this.#past.values()].flatMap((versions) => {
      const version = versions.findLast((each) => each.write <= last);
      return version === undefined ? [] : [version.post];
    });
  }

  /** Groups of posts that publish the same text at the same time on the same platform. There must be none. */
  duplicates(): readonly (readonly StoredPost[])[] {
    const groups = new Map<string, StoredPost[]>();
    for (const post of this.current.values()) {
      if (post.status !== "scheduled" && post.status !== "published") continue;
      for (const platform of platformSet(post)) {
        const same = JSON.stringify([message(post), platform]);
        groups.set(same, [...(groups.get(same) ?? []), post]);
      }
    }
    return [...groups.values()].filter((group) => group.length > 1);
  }

  #write(post: StoredPost): StoredPost {
    this.#writes += 1;
    this.current.set(post.id, post);
    this.#past.set(post.id, [...(this.#past.get(post.id) ?? []), { write: this.#writes, post }]);
    return post;
  }
}

/**
 * Equal if a reader sees the same text and time. Media do not count: one text with two different pictures is published
 * twice.
 */
function message({ content, scheduled_at }: NewPost): string {
  const text = content.normalize("NFC").replaceAll("\r\n", "\n").trimEnd();
  return JSON.stringify([text, Date.parse(scheduled_at)]);
}

function platformSet({ platforms }: NewPost): readonly string[] {
  return [...new Set(platforms.map((name) => name.toLowerCase()))].sort();
}
