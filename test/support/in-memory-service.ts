/** A publishing service in memory, written only from what src/service/service.ts says a service must keep to. */
import { createReadStream } from "node:fs";
import type { RemotePost, UtcTime } from "../../src/model/post.ts";
import type { MediaRecord, NotDone, WriteResult } from "../../src/service/records.ts";
import type * as seam from "../../src/service/service.ts";

/** Any status but these four is one that plancast does not know: the post's state is `unclear`. */
export type StoredStatus = "scheduled" | "published" | "cancelled" | "failed" | (string & {});
export type StoredPost = RemotePost & { readonly status: StoredStatus };
export type CreateFault = "refused" | "unknown but done" | "unknown and not done";

export interface InMemoryOptions {
  readonly origin: string;
  /** In ms since 1970. */
  readonly clock: { now(): number };
  /** Lower case; a network with several accounts once for each, as `network/account`. */
  readonly networks: Iterable<string>;
  readonly updatesInPlace?: boolean;
  readonly listsByDate?: boolean;
  readonly findsDuplicates?: boolean;
  /** When it is aborted, the run is stopped: a write that was not sent is `not_started`. */
  readonly signal?: AbortSignal;
}

export class InMemoryService implements seam.Service {
  readonly origin: string;
  /** Calls per method, also of those that failed. */
  readonly calls = new Map<keyof seam.Service, number>();
  readonly media = new Map<string, { readonly name: string; readonly bytes: Buffer }>();
  /** Abilities are declared only, so that one which the service lacks is no property of it at all. */
  declare readonly listsByDate?: true;
  declare readonly findDuplicate?: (draft: seam.PostDraft) => Promise<RemotePost | undefined>;
  declare readonly updatePost?: NonNullable<seam.Service["updatePost"]>;
  readonly #options: InMemoryOptions;
  readonly #networks: ReadonlySet<string>;
  readonly #posts = new Map<string, StoredPost>();
  readonly #faults: CreateFault[] = [];
  #lastId = 0;

  constructor(options: InMemoryOptions) {
    this.#options = options;
    this.origin = options.origin;
    this.#networks = new Set(options.networks);
    if (options.listsByDate === true) this.listsByDate = true;
    if (options.findsDuplicates === true) this.findDuplicate = async (draft) => this.#findDuplicate(draft);
    if (options.updatesInPlace === true) this.updatePost = async (id, draft) => this.#update(id, draft);
  }

  /** All posts of any status, in the order in which they came. */
  get posts(): readonly StoredPost[] {
    const now = this.#options.clock.now();
    for (const [id, post] of this.#posts) {
      if (post.status !== "scheduled" || post.scheduledAt === undefined) continue;
      if (Date.parse(post.scheduledAt) <= now) this.#posts.set(id, { ...post, status: "published" });
    }
    return [...this.#posts.values()];
  }

  /** Adds a post by hand, or replaces the one with its id, as it is given; returns its id. */
  addPost(post: Partial<RemotePost>, status: StoredStatus = "scheduled"): string {
    const id = post.id ?? this.#nextId("post");
    this.#posts.set(id, { ...post, id, status });
    return id;
  }

  /** Plans what becomes of the next creates that are sent, one fault for each. */
  failNextCreates(...faults: readonly CreateFault[]): void {
    this.#faults.push(...faults);
  }

  callsOf(method: keyof seam.Service): number {
    return this.calls.get(method) ?? 0;
  }

  async listScheduled(range?: seam.DateRange): Promise<seam.RemoteList> {
    this.#count("listScheduled");
    if (range !== undefined && this.listsByDate !== true)
      throw new Error("listScheduled got a range, but this service does not declare listsByDate");
    const isIn = (at: UtcTime | undefined) =>
      range === undefined || at === undefined || (range.from <= at && at <= range.to);
    const posts = this.posts.filter((post) => post.status === "scheduled" && isIn(post.scheduledAt));
    return { posts: posts.map(toRemote), wholeness: "end", isTold: true };
  }

  async getPost(id: string): Promise<seam.PostState> {
    this.#count("getPost");
    const post = this.#find(id);
    if (post === undefined) return { state: "gone", why: "not_found" };
    if (post.status === "scheduled") return { state: "scheduled", post: toRemote(post) };
    if (post.status === "published") return { state: "published" };
    if (post.status === "cancelled" || post.status === "failed") return { state: "gone", why: post.status };
    return { state: "unclear", status: post.status };
  }

  async listNetworks(): Promise<ReadonlySet<string>> {
    this.#count("listNetworks");
    return new Set(this.#networks);
  }

  async findMissingMedia(ids: readonly string[]): Promise<ReadonlySet<string>> {
    this.#count("findMissingMedia");
    return new Set(ids.filter((id) => !this.media.has(id)));
  }

  async createPost(
    draft: seam.PostDraft,
    beforeSend?: () => Promise<void>,
  ): Promise<WriteResult<seam.CreatedPost>> {
    this.#count("createPost");
    if (this.#isStopped && draft.isUrgent !== true) return { result: "not_started" };
    await beforeSend?.();
    const fault = this.#faults.shift();
    if (fault === "refused") return refuse("planned", "The test planned this refusal.");
    if (fault === "unknown and not done") return unknown;
    const problem = this.#check(draft);
    if (problem !== undefined) return problem;
    const post = { id: this.#nextId("post"), ...canonical(draft) };
    this.addPost(post);
    return fault === "unknown but done" ? unknown : { result: "done", value: toRemote(post) };
  }

  async cancelPost(id: string): Promise<seam.CancelResult> {
    this.#count("cancelPost");
    if (this.#isStopped) return { result: "not_started" };
    const post = this.#find(id);
    if (post?.status === "published") return { result: "done", value: "published" };
    if (post === undefined || post.status === "cancelled" || post.status === "failed")
      return { result: "done", value: "already-gone" };
    this.#posts.set(id, { ...post, status: "cancelled" });
    return { result: "done", value: "cancelled" };
  }

  async uploadMedia(file: seam.UploadFile): Promise<WriteResult<MediaRecord>> {
    this.#count("uploadMedia");
    if (this.#isStopped) return { result: "not_started" };
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of createReadStream(file.absolutePath)) chunks.push(Buffer.from(chunk));
    } catch (error) {
      return refuse("unreadable_file", String(error));
    }
    const id = this.#nextId("media");
    this.media.set(id, { name: file.name, bytes: Buffer.concat(chunks) });
    const type = file.mime.replace(/\/.*/, "");
    return { result: "done", value: { id, type, record: { id, type, name: file.name } } };
  }

  #findDuplicate(draft: seam.PostDraft): RemotePost | undefined {
    this.#count("findDuplicate");
    const wanted = fingerprint(canonical(draft));
    const same = this.posts.find((post) => post.status === "scheduled" && fingerprint(post) === wanted);
    return same && toRemote(same);
  }

  #update(id: string, draft: seam.PostDraft): WriteResult<seam.CreatedPost> {
    this.#count("updatePost");
    if (this.#isStopped && draft.isUrgent !== true) return { result: "not_started" };
    if (this.#find(id)?.status !== "scheduled") return refuse("not_scheduled", `No scheduled post ${id}.`);
    const problem = this.#check(draft);
    if (problem !== undefined) return problem;
    const post = { id, ...canonical(draft) };
    this.addPost(post);
    return { result: "done", value: toRemote(post) };
  }

  /** Why the service says no to this draft. */
  #check(draft: seam.PostDraft): NotDone | undefined {
    const { platforms, scheduledAt, mediaIds } = canonical(draft);
    const network = platforms.find((name) => !this.#networks.has(name));
    if (network !== undefined) return refuse("not_connected", `${network} is not connected.`);
    const lacking = mediaIds.find((id) => !this.media.has(id));
    if (lacking !== undefined) return refuse("no_such_media", `There is no media file ${lacking}.`);
    if (Date.parse(scheduledAt) > this.#options.clock.now()) return undefined;
    return refuse("past", `${scheduledAt} is not in the future.`);
  }

  get #isStopped(): boolean {
    return this.#options.signal?.aborted === true;
  }

  #find(id: string): StoredPost | undefined {
    return this.posts.find((post) => post.id === id);
  }

  #nextId(kind: string): string {
    return `${kind}-${++this.#lastId}`;
  }

  #count(method: keyof seam.Service): void {
    this.calls.set(method, this.callsOf(method) + 1);
  }
}

const unknown: NotDone = { result: "unknown", message: "The answer was lost." };

function refuse(code: string, message: string): NotDone {
  return { result: "refused", code, message, fatal: false };
}

function canonical(draft: seam.PostDraft) {
  return {
    content: draft.content.normalize("NFC").replace(/\r\n?/g, "\n"),
    platforms: draft.platforms.map((name) => name.toLowerCase()).sort(),
    scheduledAt: draft.scheduledAt,
    mediaIds: [...draft.mediaIds],
  };
}

function fingerprint({ content, platforms, scheduledAt, mediaIds }: Partial<RemotePost>): string {
  return JSON.stringify([content, platforms, scheduledAt, mediaIds]);
}

function toRemote(post: RemotePost & { readonly status?: StoredStatus }): RemotePost {
  const { status: _, ...remote } = post;
  return remote;
}
