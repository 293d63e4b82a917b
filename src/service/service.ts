/**
 * The interface between plancast and a publishing service. Plan and apply use only a `Service`: four methods that read,
 * three that write, and optional ones. Other commands use the `FullService` of plancast's own service.
 *
 * To connect another service, write a `Service`. It gets the run's stop signal, key and clock. endpoints/posts-only.ts lists
 * the steps, and has what these services share.
 *
 * **A plan only reads.** It gets a `ReadService` and calls its methods several times, and several at once.
 *
 * **A list proves that a post is gone.** `listScheduled` returns every scheduled post of the account, including those
 * that plancast did not create. If it may have missed some, it says so with `wholeness: "cap-like"` and the reason. If
 * it cannot be read to its end, it throws a `Failure` (model/failure.ts). It never returns a partial list as a complete
 * list: plancast would create the missing posts again. A list may be some seconds late, though: plancast reads it twice
 * before it acts on what is missing.
 *
 * **A write returns its result** (`WriteResult`):
 *  - `done`: the service confirmed it. A cancel also says whether the post was cancelled, was already gone, or was
 *    published first.
 *  - `refused`: certainly not done. The service said no, or the request was certainly never sent. `code` is the
 *    service's own word; `not_found` and `validation_error` make plancast look for missing media. With `fatal: true`, no
 *    later request can succeed (a wrong key), and the run stops.
 *  - `unknown`: it may or may not have been done, for example after a timeout. plancast then reads the list to find out,
 *    and never sends the same create again before it knows.
 *  - `not_started`: the run was stopped before anything was sent. A waiting method then returns soon.
 *
 * A write throws only what `beforeSend` threw, and unexpected errors.
 *
 * **A create is sent once.** `createPost` awaits `beforeSend` just before each time it sends the request; that writes the
 * attempt to the journal. It repeats a create only if the first request certainly did not arrive.
 *
 * **A cancel, an update and an upload may repeat.** They try again until they know.
 *
 * **The service waits, the caller does not.** Rate limits, retries and timeouts happen inside the methods.
 *
 * **Canonical form.** Drafts have it, and returned posts must have it too. Text is in Unicode NFC with `\n` line ends and
 * no spaces at its end. Networks are in lower case and sorted. Times are in UTC, `YYYY-MM-DDTHH:MM:SSZ`. Media are in
 * the order in which the post shows them. Parts that the service does not return are absent, which is not the same as
 * empty. Each list is a new array, and nobody changes it.
 */
import type { SupportedExtras } from "../model/extras.ts";
import type { LongestLists } from "../model/lockfile.ts";
import type { Field } from "../model/fields.ts";
import type { MediaFile, PostBody, PostStatus, RemotePost, ResolvedMedia, UtcTime } from "../model/post.ts";
import type {
  Cancelled,
  MediaRecord,
  Wholeness,
  WriteResult,
  AutomationRecord,
  Disconnected,
  ImageRecord,
  ImageRequest,
  Listed,
  PlatformRecord,
  PostRecord,
  TextRecord,
  TextRequest,
  TriggerRecord,
  WebhookRecord,
  WebhookRequest,
} from "./records.ts";

/** Scheduled posts, and whether these are all of them. */
export type RemoteList = Wholeness & {
  /** What messages call the list, such as its endpoint. */
  readonly name: string;
  readonly posts: readonly RemotePost[];
};

/** What the service says about one post. `status`: the service's own word, which plancast does not know; undefined for none. */
export type PostState =
  | { readonly state: Exclude<PostStatus, "unknown"> }
  | { readonly state: "unknown"; readonly status: string | undefined };

/** From `from` to `to`, both included. */
export interface DateRange {
  readonly from: UtcTime;
  readonly to: UtcTime;
}

/** The methods that a plan may call. */
export interface ReadService extends ReadAbilities {
  /** Name of the service in the lockfile, such as the origin of its address. It never changes for an account. */
  readonly origin: string;
  /**
   * Every scheduled post. Throws a Failure if the list cannot be read or proved whole.
   * @param range given only to a service with `listsByDate`: the list then holds only posts that are due in it, and
   *   those whose time the service does not say
   * @param longest the longest lists that this service returned before: a shorter list was not cut at its own length
   */
  listScheduled(range?: DateRange, longest?: LongestLists): Promise<RemoteList>;
  /** The post with this id. Throws a Failure if the service cannot be asked. */
  getPost(id: string): Promise<PostState>;
  /**
   * The connected networks, lower case; undefined if plancast cannot read the answer, which is only a warning.
   * A network with several accounts is listed once for each, as `network/account`; rows and posts then name it
   * in just this way.
   */
  listNetworks(): Promise<ReadonlySet<string> | undefined>;
  /** The given media ids that the service certainly does not have. Empty if it cannot know. */
  findMissingMedia(ids: readonly string[]): Promise<ReadonlySet<string>>;
}

/** Optional abilities. Leave out those that the service does not have. */
interface ReadAbilities {
  /**
   * The extra parts of posts that the service stores, and shows in its records: there, a part without content is empty
   * and not absent. plancast sends only these, and warns about others. Of these, it also warns about a part that a
   * network of the post does not get: the service then leaves it out there. Default: none. A service whose records show no
   * media may leave the parts out of its records, too: plancast then compares the row with what it sent.
   */
  readonly supports?: SupportedExtras;
  /** A create that a list lacks after its process ended never happens. Default: a request may still arrive. */
  readonly isSettled?: true;
  /**
   * Posts in a file of the checkout that do not count, because only this checkout has them. They would be published, so
   * a plan shows those that no row asks for. Networks of `accounts` have their account if it is not the usual one.
   */
  readonly brought?: readonly (RemotePost & {
    readonly files: readonly string[];
    readonly accounts: readonly string[];
  })[];
  /** Posts that a file of the checkout lacks without a reason. The next apply puts them back, so a plan shows them. */
  readonly putBack?: readonly RemotePost[];
  /** Posts whose results a file of the checkout lacks. They count, and a plan shows these posts. */
  readonly forgotten?: readonly RemotePost[];
  /** Lists only posts of a range of dates: `listScheduled` gets the range that the run needs. */
  readonly listsByDate?: true;
  /** A write needs further requests, such as one that reads the new post: a plan then shows the least number. */
  readonly readsBack?: true;
  /**
   * How many creates, or how many other changes, travel in one request. Default: each change needs requests of its own.
   */
  readonly changesPerRequest?: number;
  /**
   * Ids of the connected accounts, which differ from one customer of the service to the next; undefined if plancast
   * cannot read the answer. With it, plancast refuses to write to accounts that are not the project's.
   */
  listAccountIds?(): Promise<ReadonlySet<string> | undefined>;
  /** Like `listNetworks`, but those of accounts that are connected and do not publish now. */
  listInactiveNetworks?(): Promise<ReadonlySet<string>>;
  /** Ids of the accounts that the environment says the key is for. They have priority over those that a checkout names. */
  readonly expectedAccounts?: readonly string[];
  /**
   * Why the service would refuse a post: for example, a network lacks a setting, or a text is too long by the service's own
   * count. Plan then reports an error of the row. Undefined if nothing is known to be wrong.
   */
  whyNot?(post: PlannedPost): Promise<RefusedPost | undefined>;
  /**
   * Why the service cannot replace this post, as a sentence with the next step: for example, because a delete would
   * remove other posts, too. Plan then reports an error of the row. Undefined if it can, or if nothing is known.
   */
  whyNotReplace?(id: string): Promise<string | undefined>;
  /**
   * For a service that takes files only by their addresses on the web (see `publishFile`): why it cannot get a file, as a
   * sentence with the next step. Plan then reports an error of the row. Undefined if the address answers as it should.
   */
  whyNotFile?(file: MediaFile): Promise<string | undefined>;
  /**
   * Why posts may go out late or not at all although the service accepts them, such as a paused account: a sentence with the
   * next step for each account. Plan shows them as warnings.
   * @param kept posts that stay as they are  @param sent those that will be sent
   */
  whyLate?(kept: readonly DuePost[], sent: readonly DuePost[]): Promise<ReadonlyMap<string, string>>;
  /**
   * Finds a scheduled post that equals the draft in all its parts. Used for a create with an unknown
   * result while the list may not show the newest posts yet. Returns undefined if there is none, or if the service cannot know.
   */
  findDuplicate?(draft: PostDraft): Promise<RemotePost | undefined>;
}

/** A post whose media are not uploaded yet. */
export type PlannedPost = Pick<
  PostDraft,
  "platforms" | "options" | "content" | "thread" | "first_comment"
> & { readonly media: readonly ResolvedMedia[] };

/** Why a service would refuse a post: a sentence with the next step, and its place in the row. */
export interface RefusedPost {
  readonly code: "platform/settings" | "service/would-refuse";
  readonly field: Field;
  readonly item?: number;
  readonly message: string;
}

/** Where and when a post is due. */
export type DuePost = Pick<PostBody, "platforms" | "scheduledAt">;

/** A post as it is sent. Its platforms are networks, or `network/account`. */
export interface PostDraft extends PostBody {
  /** The row has no other post: send it even if the run is stopped, as long as it can go immediately. */
  readonly isUrgent?: boolean;
}

/** The result of a cancel. */
export type CancelResult = WriteResult<Cancelled>;

export interface UploadFile {
  readonly absolutePath: string;
  /** File name for the form, without folders. */
  readonly name: string;
  readonly mime: string;
}

/** The methods that apply may call. */
export interface Service extends ReadService {
  /**
   * Returns the new post: its id, and what else the answer says about it.
   * @param beforeSend awaited each time just before the request is sent, which may be long after the call
   */
  createPost(draft: PostDraft, beforeSend?: () => Promise<void>): Promise<WriteResult<RemotePost>>;
  cancelPost(id: string): Promise<CancelResult>;
  /**
   * In place of an upload: checks that the file is at its address, byte by byte, and returns the address as its id. The
   * lockfile keeps it, so this happens once for each file.
   */
  publishFile?(file: MediaFile): Promise<WriteResult<MediaRecord>>;
  /** Sends the file as a stream. An unused file does no harm. */
  uploadMedia(file: UploadFile): Promise<WriteResult<MediaRecord>>;
  /**
   * Replaces text, networks, time, media and extra parts of a scheduled post, which keeps its id. Refused for a post that is gone or
   * published. Without this method, plancast replaces a post with a new one.
   */
  updatePost?(id: string, draft: PostDraft): Promise<WriteResult<RemotePost>>;
  /** An update cannot move a post to another network or account: plancast then replaces it. Default: it can. */
  readonly updatesKeepNetworks?: true;
  /** How many writes may be under way at once. Default: enough to keep the queue of a rate limit short, but never empty. */
  readonly writesAtOnce?: number;
  /** Puts back what counts of a file of the checkout: see `brought` and `putBack`. Called before the first change. */
  restore?(): Promise<void>;
}

/** What other commands read from plancast's own service. Here, too, reading and writing are separate types. */
export interface ReadFullService extends ReadService {
  /** Posts with a status, in the service's word; with any status by default. Throws like listScheduled. */
  listPosts(status?: string): Promise<Listed<PostRecord>>;
  /** One post of any status; undefined if the service has none with that id. */
  readPost(id: string): Promise<PostRecord | undefined>;
  /**
   * The given posts that a list of posts shows, by id. Only posts with a status, if one is given. Reads pages while
   * that is cheaper than reading each remaining post. A post that is not found may still exist.
   */
  findPosts(ids: ReadonlySet<string>, status?: string): Promise<ReadonlyMap<string, PostRecord>>;
  /** The media library, or only one type. Throws like listScheduled. */
  listMedia(type?: string): Promise<Listed<MediaRecord>>;
  /** The connected accounts. Throws like listScheduled. */
  listAccounts(): Promise<Listed<PlatformRecord>>;
  listAutomations(): Promise<Listed<AutomationRecord>>;
}

/** All methods of plancast's own service. Requests that may cost something are never sent twice, as with a create. */
export interface FullService extends Service, ReadFullService {
  /** Retries until the result is known. An account that is no longer connected counts as done. */
  disconnectPlatform(id: string): Promise<WriteResult<Disconnected>>;
  /** Never sent twice: it may cost something. */
  generateText(request: TextRequest): Promise<WriteResult<TextRecord>>;
  /** Never sent twice: it may cost something. */
  generateImage(request: ImageRequest): Promise<WriteResult<ImageRecord>>;
  /** Never sent twice. `input`: such as an address. */
  triggerAutomation(id: string, input: string): Promise<WriteResult<TriggerRecord>>;
  /** Never sent twice: two registrations deliver each event twice, and none can be removed. */
  addWebhook(request: WebhookRequest): Promise<WriteResult<WebhookRecord>>;
}
