/**
 * The publishing service as the rest of plancast sees it. Reading and writing are two types: whatever plans gets
 * a `ReadService`, so a plan cannot write.
 */

import type { RemotePost, UtcTime } from "../model/post.ts";
import type {
  AutomationRecord,
  Cancelled,
  Disconnected,
  ImageRecord,
  Listed,
  MediaRecord,
  PlatformRecord,
  PostRecord,
  TextRecord,
  TriggerRecord,
  WebhookRecord,
  Wholeness,
  WriteResult,
} from "./records.ts";

/** Scheduled posts, shown whole as far as the service lets one know. */
export type RemoteList = { readonly posts: readonly RemotePost[] } & Wholeness;

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
  /** Posts of a status, in the service's word; of every status unless one is said. Throws as listScheduled does. */
  listPosts(status?: string): Promise<Listed<PostRecord>>;
  /** One post of any status; undefined when the service has none of that id. */
  readPost(id: string): Promise<PostRecord | undefined>;
  /**
   * Of these posts those that a list of posts shows, by id; of a status, if one is said. Pages are asked for as long as
   * they cost less than to read each post that is left. A post that is not found may exist all the same.
   */
  lookForPosts(ids: ReadonlySet<string>, status?: string): Promise<ReadonlyMap<string, PostRecord>>;
  /** The media library, or what of it is of a type. Throws as listScheduled does. */
  listMedia(type?: string): Promise<Listed<MediaRecord>>;
  /** The connected accounts. Throws as listScheduled does. */
  listAccounts(): Promise<Listed<PlatformRecord>>;
  listAutomations(): Promise<Listed<AutomationRecord>>;
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

/** What became of a cancel. */
export type CancelResult = WriteResult<Cancelled>;

/** A new post: its id, and what else of it the answer tells. */
export type CreatedPost = RemotePost;

export interface UploadFile {
  readonly absolutePath: string;
  /** File name for the form, without folders. */
  readonly name: string;
  readonly mime: string;
}

interface TextRequest {
  readonly prompt: string;
  /** Identifier of the platform that the text is for. */
  readonly platform: string;
  readonly tone?: string | undefined;
}

interface ImageRequest {
  readonly prompt: string;
  /** Px, such as `1024x1024`. */
  readonly size?: string | undefined;
}

interface WebhookRequest {
  readonly url: string;
  readonly events: readonly string[];
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
  uploadMedia(file: UploadFile): Promise<WriteResult<MediaRecord>>;
  /** Asked again until it is known; an account that is not connected any more counts as done. */
  disconnectPlatform(id: string): Promise<WriteResult<Disconnected>>;
  /** Never sent twice, as a create: it may cost something. */
  generateText(request: TextRequest): Promise<WriteResult<TextRecord>>;
  /** Likewise. */
  generateImage(request: ImageRequest): Promise<WriteResult<ImageRecord>>;
  /** Likewise. `input`: such as an address. */
  triggerAutomation(id: string, input: string): Promise<WriteResult<TriggerRecord>>;
  /** Likewise: two registrations bring each event twice, and none can be removed. */
  addWebhook(request: WebhookRequest): Promise<WriteResult<WebhookRecord>>;
}
