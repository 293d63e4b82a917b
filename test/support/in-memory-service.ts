/** A publishing service in memory. It follows only the contract in src/service/service.ts. */
import { readFile } from "node:fs/promises";
import type { RemotePost } from "../../src/model/post.ts";
import type { MediaRecord, NotDone, WriteResult } from "../../src/service/records.ts";
import type * as seam from "../../src/service/service.ts";

/** A status other than scheduled, published, cancelled and failed makes the post's state `unknown`. */
export type StoredPost = RemotePost & { readonly status: string };
type Written = WriteResult<RemotePost>;
export type CreateFault = "refused" | "unknown but done" | "unknown and not done";

export interface InMemoryOptions {
  readonly origin: string;
  readonly clock: { now(): number };
  /** Lower case; a network with several accounts once for each, as `network/account`. */
  readonly networks: ReadonlySet<string>;
  /** Ids of the currently connected accounts. Without it, the service shows none. */
  readonly accountIds?: () => Iterable<string>;
  readonly updatesInPlace?: boolean;
  readonly listsByDate?: boolean;
  readonly findsDuplicates?: boolean;
}

export class InMemoryService implements seam.Service {
  readonly origin: string;
  readonly calls: Record<
    keyof Omit<
      seam.Service,
      | "origin"
      | "supports"
      | "listsByDate"
      | "readsBack"
      | "expectedAccounts"
      | "brought"
      | "putBack"
      | "forgotten"
      | "restore"
      | "writesAtOnce"
      | "updatesKeepNetworks"
      | "isSettled"
      | "whyNot"
      | "whyNotReplace"
      | "whyNotFile"
      | "whyLate"
      | "publishFile"
      | "changesPerRequest"
    >,
    number
  >;
  /** Uploaded files by their ids; a test may add some. */
  readonly media = new Map<string, Uint8Array>();
  /** The results of the next creates. Each create takes the first one. A test may add some. */
  readonly createFaults: CreateFault[] = [];
  // With `declare`, a missing ability is not even a property of the service.
  declare readonly listsByDate?: true;
  declare readonly listAccountIds?: NonNullable<seam.Service["listAccountIds"]>;
  declare readonly findDuplicate?: NonNullable<seam.Service["findDuplicate"]>;
  declare readonly updatePost?: NonNullable<seam.Service["updatePost"]>;
  readonly #options: InMemoryOptions;
  readonly #posts = new Map<string, StoredPost>();
  #lastId = 0;
  readonly #isDue = (at: string) => Date.parse(at) <= this.#options.clock.now();
  readonly #find = (id: string) => this.posts.find((post) => post.id === id);
  readonly #scheduled = (): RemotePost[] =>
    this.posts.flatMap(({ status, ...post }) => (status === "scheduled" ? [post] : []));

  constructor(options: InMemoryOptions) {
    this.origin = options.origin;
    this.#options = options;
    const reads = { listScheduled: 0, getPost: 0, listNetworks: 0, findMissingMedia: 0 };
    const abilities = { findDuplicate: 0, listAccountIds: 0, updatePost: 0 };
    this.calls = {
      ...reads,
      ...abilities,
      listInactiveNetworks: 0,
      createPost: 0,
      cancelPost: 0,
      uploadMedia: 0,
    };
    if (options.listsByDate === true) this.listsByDate = true;
    const { accountIds } = options;
    if (accountIds !== undefined)
      this.listAccountIds = async () => {
        this.calls.listAccountIds++;
        return new Set(accountIds());
      };
    if (options.findsDuplicates === true)
      this.findDuplicate = async (draft) => {
        this.calls.findDuplicate++;
        return this.#scheduled().find((post) => key(post) === key(canonical(draft)));
      };
    if (options.updatesInPlace === true)
      this.updatePost = async (id, draft) => {
        this.calls.updatePost++;
        const isScheduled = this.#find(id)?.status === "scheduled";
        return isScheduled ? this.#save(draft, { id }) : deny("not_scheduled", `${id} is not scheduled.`);
      };
  }

  /** All posts of any status, in the order in which they came. */
  get posts(): readonly StoredPost[] {
    for (const [id, post] of this.#posts)
      if (post.status === "scheduled" && post.scheduledAt !== undefined && this.#isDue(post.scheduledAt))
        this.#posts.set(id, { ...post, status: "published" });
    return [...this.#posts.values()];
  }

  /** Adds this post, or replaces the one with its id. Returns its id. */
  addPost(post: Partial<RemotePost>, status = "scheduled"): string {
    const id = post.id ?? `post-${++this.#lastId}`;
    this.#posts.set(id, { ...post, id, status });
    return id;
  }

  async listScheduled(range?: seam.DateRange): Promise<seam.RemoteList> {
    this.calls.listScheduled++;
    if (range !== undefined && this.listsByDate !== true) throw new Error("a range without listsByDate");
    const { from = "", to = "~" } = range ?? {};
    const posts = this.#scheduled().filter(({ scheduledAt: at = from }) => from <= at && at <= to);
    return { name: this.origin, posts, wholeness: "end", isTold: true };
  }

  async getPost(id: string): Promise<seam.PostState> {
    this.calls.getPost++;
    const { status } = this.#find(id) ?? { status: "missing" };
    const state = KNOWN.find((known) => known === status);
    return state === undefined ? { state: "unknown", status } : { state };
  }

  async listNetworks(): Promise<ReadonlySet<string>> {
    this.calls.listNetworks++;
    return new Set(this.#options.networks);
  }

  async findMissingMedia(ids: readonly string[]): Promise<ReadonlySet<string>> {
    this.calls.findMissingMedia++;
    return new Set(ids.filter((id) => !this.media.has(id)));
  }

  async createPost(draft: seam.PostDraft, beforeSend?: () => Promise<void>): Promise<Written> {
    this.calls.createPost++;
    await beforeSend?.();
    const fault = this.createFaults.shift();
    if (fault === "refused") return deny("planned", "The test planned this refusal.");
    if (fault === "unknown and not done") return unknown;
    const made = this.#save(draft);
    return fault === "unknown but done" && made.result === "done" ? unknown : made;
  }

  async cancelPost(id: string): Promise<seam.CancelResult> {
    this.calls.cancelPost++;
    const post = this.#find(id);
    if (post?.status === "published") return { result: "done", value: "published" };
    if (!post || /^(cancelled|failed)$/.test(post.status)) return { result: "done", value: "already-gone" };
    this.addPost(post, "cancelled");
    return { result: "done", value: "cancelled" };
  }

  async uploadMedia(file: seam.UploadFile): Promise<WriteResult<MediaRecord>> {
    this.calls.uploadMedia++;
    const bytes = await readFile(file.absolutePath).catch(() => undefined);
    if (bytes === undefined) return deny("unreadable", `${file.name} cannot be read.`);
    const id = `media-${++this.#lastId}`;
    this.media.set(id, bytes);
    return { result: "done", value: { id, record: { id } } };
  }

  #save(draft: seam.PostDraft, known: { id?: string } = {}): Written {
    const post = canonical(draft);
    const network = post.platforms.find((name) => !this.#options.networks.has(name));
    if (network !== undefined) return deny("not_connected", `${network} is not connected.`);
    if (post.mediaIds.some((id) => !this.media.has(id))) return deny("no_media", "A media file is missing.");
    if (this.#isDue(post.scheduledAt)) return deny("past", `${post.scheduledAt} is not in the future.`);
    return { result: "done", value: { ...post, id: this.addPost({ ...post, ...known }) } };
  }
}

const KNOWN = ["scheduled", "published", "cancelled", "failed", "missing"] as const;
const unknown: NotDone = { result: "unknown", message: "The answer was lost." };
const deny = (code: string, message: string): NotDone => ({ result: "refused", code, message, fatal: false });
const key = (p: Partial<RemotePost>) => JSON.stringify([p.content, p.platforms, p.scheduledAt, p.mediaIds]);

function canonical(draft: seam.PostDraft) {
  const content = draft.content.normalize("NFC").replace(/\r\n?/g, "\n");
  const platforms = draft.platforms.map((name) => name.toLowerCase()).sort();
  return { content, platforms, scheduledAt: draft.scheduledAt, mediaIds: [...draft.mediaIds] };
}
