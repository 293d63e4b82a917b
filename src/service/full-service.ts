/**
 * The whole interface of plancast's own service: scheduling, and what commands other than plan and apply use. Reading and
 * writing are two types here too.
 */
import type {
  AutomationRecord,
  Disconnected,
  ImageRecord,
  ImageRequest,
  Listed,
  MediaRecord,
  PlatformRecord,
  PostRecord,
  TextRecord,
  TextRequest,
  TriggerRecord,
  WebhookRecord,
  WebhookRequest,
  WriteResult,
} from "./records.ts";
import type { ReadService, Service } from "./service.ts";

export interface ReadFullService extends ReadService {
  /** Posts of a status, in the service's word; of every status unless one is given. Throws as listScheduled does. */
  listPosts(status?: string): Promise<Listed<PostRecord>>;
  /** One post of any status; undefined if the service has none with that id. */
  readPost(id: string): Promise<PostRecord | undefined>;
  /**
   * Those of these posts that a list of posts shows, by id; of a status, if one is given. Reads pages as long as they
   * cost less than reading each remaining post. A post that is not found may exist all the same.
   */
  findPosts(ids: ReadonlySet<string>, status?: string): Promise<ReadonlyMap<string, PostRecord>>;
  /** The media library, or the part of a type. Throws as listScheduled does. */
  listMedia(type?: string): Promise<Listed<MediaRecord>>;
  /** The connected accounts. Throws as listScheduled does. */
  listAccounts(): Promise<Listed<PlatformRecord>>;
  listAutomations(): Promise<Listed<AutomationRecord>>;
}

/** None of the requests that may cost something is sent twice, as with a create. */
export interface FullService extends Service, ReadFullService {
  /** Tries again until it is known; an account that is no longer connected counts as done. */
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
