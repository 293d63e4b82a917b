/**
 * All methods of plancast's own service: those for scheduling, and those for other commands. Reading and writing are
 * separate types here too.
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
  /** Posts with a status, in the service's word; with any status by default. Throws like listScheduled. */
  listPosts(status?: string): Promise<Listed<PostRecord>>;
  /** One post of any status; undefined if the service has none with that id. */
  readPost(id: string): Promise<PostRecord | undefined>;
  /**
   * Those of these posts that a list of posts shows, by id; with a status, if one is given. Reads pages while that is
   * cheaper than reading each remaining post. A post that is not found may still exist.
   */
  findPosts(ids: ReadonlySet<string>, status?: string): Promise<ReadonlyMap<string, PostRecord>>;
  /** The media library, or only one type. Throws like listScheduled. */
  listMedia(type?: string): Promise<Listed<MediaRecord>>;
  /** The connected accounts. Throws like listScheduled. */
  listAccounts(): Promise<Listed<PlatformRecord>>;
  listAutomations(): Promise<Listed<AutomationRecord>>;
}

/** Requests that may cost something are never sent twice, as with a create. */
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
