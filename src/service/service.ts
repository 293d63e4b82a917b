/**
 * The seam between plancast and a publishing service. Plan and apply know a service only by what stands in this file:
 * four methods that read, three that write, and four abilities that a service may declare.
 *
 * To connect another service, write an object with these methods. What it must keep to:
 *
 * **A plan only reads.** It gets a `ReadService`: origin, `listScheduled`, `getPost`, `listNetworks`, `findMissingMedia`.
 * It may call each of them several times, and several at once.
 *
 * **A list proves that a post is gone.** `listScheduled` returns every scheduled post of the account, also those that
 * plancast did not create. If it may have missed some, it says so with `wholeness: "cap-like"` and the reason. If it
 * cannot be read to its end at all, it throws a `Failure`. It never returns half a list as a whole one: posts that the
 * list lacks are created again.
 *
 * **Three answers to a write** (`WriteResult`), and a method returns them instead of throwing:
 *  - `done`: the service confirmed it. The value is what the service confirmed.
 *  - `refused`: certainly not done. The service said no, or the request was certainly never sent. With `fatal: true`,
 *    no later request can succeed either (a wrong key), and the run stops.
 *  - `unknown`: it may or may not have been done, such as after a timeout. plancast then reads the list to find out,
 *    and never sends the same create again before it knows.
 *  - `not_started`: the run was stopped before anything was sent.
 *
 * **A create is sent once.** `createPost` awaits `beforeSend` just before each time it sends the request, which writes
 * the attempt to the journal. It repeats a create only if the first request certainly did not arrive.
 *
 * **A cancel and an upload may repeat.** `cancelPost` and `uploadMedia` try again until they know. A post that is
 * already gone counts as cancelled.
 *
 * **The service waits, the caller does not.** Rate limits, retries and timeouts happen inside the methods. When the run
 * is stopped, a method that has not sent anything returns `not_started` soon.
 *
 * **Canonical form.** Text is Unicode NFC with `\n` line ends. Networks are lower case and sorted. Times are UTC,
 * `YYYY-MM-DDTHH:MM:SSZ`. What the service does not tell about a post is left out, which is not the same as empty.
 */
import type { RemotePost, UtcTime } from "../model/post.ts";
import type { Cancelled, MediaRecord, Wholeness, WriteResult } from "./records.ts";

/** Scheduled posts, and whether these are all of them. */
export type RemoteList = { readonly posts: readonly RemotePost[] } & Wholeness;

/** What the service says about one post. `unclear`: it has the post, with a status that plancast does not know, or none. */
export type PostState =
  | { readonly state: "scheduled"; readonly post: RemotePost }
  | { readonly state: "published" }
  | { readonly state: "gone"; readonly why: "not_found" | "cancelled" | "failed" }
  | { readonly state: "unclear"; readonly status: string | undefined };

/** From `from` to `to`, both included. */
export interface DateRange {
  readonly from: UtcTime;
  readonly to: UtcTime;
}

/** What a plan may ask. */
export interface ReadService extends ReadAbilities {
  /** Name of the service in the lockfile, such as the origin of its address. It never changes for an account. */
  readonly origin: string;
  /**
   * Every scheduled post. Throws a Failure if the list cannot be read or proved whole.
   * @param range given only to a service that declares `listsByDate`: then only posts that are due in it
   */
  listScheduled(range?: DateRange): Promise<RemoteList>;
  /** The post with this id. Throws a Failure if the service cannot be asked. */
  getPost(id: string): Promise<PostState>;
  /**
   * The connected networks, lower case; undefined if the answer cannot be understood, which is a warning and not an
   * error. A network with several accounts is listed once for each, as `network/account`.
   */
  listNetworks(): Promise<ReadonlySet<string> | undefined>;
  /** Those of these media ids that the service certainly does not have; none if it cannot tell. */
  findMissingMedia(ids: readonly string[]): Promise<ReadonlySet<string>>;
}

/** What a service may declare beyond the methods that every service has. Leave out what it cannot do. */
interface ReadAbilities {
  /** Lists only posts of a range of dates: `listScheduled` gets the range that the run needs. */
  readonly listsByDate?: true;
  /**
   * Finds a scheduled post that equals the draft in text, networks, time and media. It settles a create with an unknown
   * result where the list is late. Returns undefined if there is none, or if the service cannot tell.
   */
  readonly findDuplicate?: (draft: PostDraft) => Promise<RemotePost | undefined>;
}

/** A post as it is sent. */
export interface PostDraft {
  readonly content: string;
  /** Networks, or `network/account`. */
  readonly platforms: readonly string[];
  readonly scheduledAt: UtcTime;
  readonly mediaIds: readonly string[];
  /** The row has no other post: send it even if the run is stopped, as long as it can go at once. */
  readonly isUrgent?: boolean;
}

/** What became of a cancel. */
export type CancelResult = WriteResult<Cancelled>;

/** A new post: its id, and what else the answer says about it. */
export type CreatedPost = RemotePost;

export interface UploadFile {
  readonly absolutePath: string;
  /** File name for the form, without folders. */
  readonly name: string;
  readonly mime: string;
}

/** What apply may do. */
export interface Service extends ReadService {
  /** @param beforeSend awaited each time just before the request is sent, which may be long after the call */
  createPost(draft: PostDraft, beforeSend?: () => Promise<void>): Promise<WriteResult<CreatedPost>>;
  cancelPost(id: string): Promise<CancelResult>;
  /** Sends the file as a stream. A file that no post uses harms nobody. */
  uploadMedia(file: UploadFile): Promise<WriteResult<MediaRecord>>;
  /**
   * Ability: replaces text, networks, time and media of a scheduled post, which keeps its id. May repeat until it knows.
   * Without it, plancast replaces a post by a new one.
   */
  readonly updatePost?: (id: string, draft: PostDraft) => Promise<WriteResult<CreatedPost>>;
}
