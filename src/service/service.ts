/**
 * The publishing service as the rest of plancast sees it. Reading and writing are two types: whatever plans gets
 * a `ReadService`, so a plan cannot write.
 */
import type { RemotePost, UtcTime } from "../calendar/post.ts";

/** Scheduled posts, shown whole as far as the service lets one know. */
export interface RemoteList {
  readonly posts: readonly RemotePost[];
  /**
   * How the list's end was shown: `end` when it was paged to its end or shorter than asked for, `cap-like` when its
   * length is one that services cap lists at, although more was asked for.
   */
  readonly wholeness: "end" | "cap-like";
}

/** What the service says of one post. `unclear`: it answers, with a status that plancast does not know, or none. */
export type PostState =
  | { readonly state: "scheduled"; readonly post: RemotePost }
  | { readonly state: "published" }
  | { readonly state: "gone"; readonly why: "not_found" | "cancelled" | "failed" }
  | { readonly state: "unclear"; readonly status: string | undefined };

export interface ReadService {
  /** Name of the service in the lockfile: the origin of its address, or `embedded`. */
  readonly origin: string;
  /** Every scheduled post. Throws a Failure when the list cannot be read or shown whole. */
  listScheduled(): Promise<RemoteList>;
  getPost(id: string): Promise<PostState>;
  /** Identifiers of the connected platforms, lower case; undefined when the answer cannot be understood. */
  listPlatforms(): Promise<ReadonlySet<string> | undefined>;
  /** Of these media ids, those that a whole media list does not hold; none where no whole list can be had. */
  findMissingMedia(ids: readonly string[]): Promise<ReadonlySet<string>>;
}

/** A post as it is sent. */
export interface PostDraft {
  readonly content: string;
  readonly platforms: readonly string[];
  readonly scheduledAt: UtcTime;
  readonly mediaIds: readonly string[];
  /** Nothing else stands for its row: it is sent also when the run is stopped, as long as it can go at once. */
  readonly isUrgent?: boolean;
}

/**
 * What became of a write. `refused`: the service said no, nothing was done; with `fatal` no further request can
 * succeed (a bad key, a service that cannot be reached). `unknown`: it may or may not have been done. `not_started`:
 * the run was stopped before it was sent.
 */
export type WriteResult<T> =
  | { readonly result: "done"; readonly value: T }
  | { readonly result: "refused"; readonly code: string; readonly message: string; readonly fatal: boolean }
  | { readonly result: "unknown"; readonly message: string }
  | { readonly result: "not_started" };

/** What became of a cancel. `already-gone`: the service says that there is no such post any more. */
export type CancelResult = WriteResult<"cancelled" | "already-gone" | "published">;

/** A new post: its id, and what else of it the answer tells. */
export type CreatedPost = RemotePost;

export interface UploadedMedia {
  readonly id: string;
  readonly type: string;
}

export interface UploadFile {
  readonly absolutePath: string;
  /** File name for the form, without folders. */
  readonly name: string;
  readonly mime: string;
}

export interface Service extends ReadService {
  /**
   * Never sent twice unless it is certain that the first did not arrive.
   * @param leaving awaited each time just before the request is sent: it may have waited long for its turn
   */
  createPost(draft: PostDraft, leaving?: () => Promise<void>): Promise<WriteResult<CreatedPost>>;
  /** Asked again until it is known; a post that is already gone counts as done. */
  cancelPost(id: string): Promise<CancelResult>;
  /** Sends the file as a stream. Asked again when it fails: an orphaned file harms nobody. */
  uploadMedia(file: UploadFile): Promise<WriteResult<UploadedMedia>>;
}
