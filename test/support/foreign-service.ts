/**
 * A publishing service with the documented interface, for tests: a real server on loopback. Tests choose the shape of
 * its answers and its faults, and it shows its state. It shares no code with plancast, because it judges plancast.
 */
import { randomBytes } from "node:crypto";
import { Faults } from "./foreign/faults.ts";
import { Listener } from "./foreign/listener.ts";
import type { Paging } from "./foreign/paging.ts";
import { PostBook, type NewPost, type PostEdit, type StoredPost } from "./foreign/post-book.ts";
import { RateLimit, type LimitOptions } from "./foreign/rate-limit.ts";
import type { StoredMedia } from "./foreign/read-upload.ts";
import { serve, type RequestRecord } from "./foreign/serve.ts";
import { DOCUMENTED, type Shape } from "./foreign/shape.ts";
import { checkShape } from "./foreign/check-shape.ts";
import { postId, type Counters, type Run, type Scope, type Webhook, type World } from "./foreign/world.ts";

export interface ForeignOptions {
  /** What differs from `DOCUMENTED`. */
  readonly shape?: Partial<Shape>;
  /** Default: a million requests a minute. */
  readonly limit?: LimitOptions;
  /** Key to scope. Default: one random key that may write. */
  readonly keys?: Readonly<Record<string, Scope>>;
  /** Default `none`. */
  readonly paging?: Paging["paging"];
  /** Default 20. */
  readonly pageSize?: number;
  /** Default 20. */
  readonly cap?: number;
  readonly refuseLimitAbove?: number;
  /** A new post appears in lists only this many ms later. Default 0. */
  readonly listLagMs?: number;
  /** Connected accounts; posts for others are refused. Default: `DEFAULT_PLATFORMS`. */
  readonly platforms?: readonly string[];
  /** Ids of the connected accounts, one for each platform. Default: as the shape has it. */
  readonly accountIds?: readonly string[];
  /** Ids of the automations. Default: none. */
  readonly automations?: readonly string[];
  /** The error for posts that name unknown media. Default: a validation error. Default false. */
  readonly requireMedia?: boolean | "validation_error" | "not_found";
  /** Name that the file field of an upload must have. Default: any. */
  readonly uploadField?: string;
  /** The service's clock, in ms. It dates posts and answers, says what is past, and measures rate windows and list lag. */
  readonly now?: () => number;
  /** Default: any free port. */
  readonly port?: number;
}

export const DEFAULT_PLATFORMS = [
  "twitter",
  "linkedin",
  "instagram",
  "facebook",
  "bluesky",
  "mastodon",
  "threads",
  "tiktok",
] as const;

export interface ForeignService {
  /** Address with `/v1`, and without. */
  readonly url: string;
  readonly origin: string;
  /** The first key that may write. If none may, the first key. */
  readonly key: string;
  /** By id, as they are now; a cancelled post stays. */
  readonly posts: ReadonlyMap<string, StoredPost>;
  readonly media: ReadonlyMap<string, StoredMedia>;
  readonly requests: readonly Readonly<RequestRecord>[];
  /** Automations that were triggered, in their order. */
  readonly runs: readonly Run[];
  /** Registered webhooks, in their order. Events are sent only on request. */
  readonly webhooks: readonly Webhook[];
  readonly counters: Readonly<Counters>;
  readonly faults: Faults;
  /** Posts that will be published, in the order of their creation. */
  scheduled(): readonly StoredPost[];
  /** See `PostBook`. Must be empty. Otherwise, plancast published a post twice. */
  duplicates(): readonly (readonly StoredPost[])[];
  /** A post of somebody else; it is in lists immediately. */
  addForeignPost(post?: Partial<NewPost>): StoredPost;
  /** Publishes what is due at `now` (ms; default: the service's clock). Nothing is published without this. */
  publishDue(now?: number): readonly StoredPost[];
  cancelByHand(id: string): StoredPost;
  edit(id: string, edit: PostEdit): StoredPost;
  /** Throws for an id that does not exist. */
  forgetMedia(id: string): void;
  revokeKey(key: string): void;
  /** Another client of the account uses this much of the window. */
  spendByOthers(requests: number): void;
  /** Whether the service is handling a request. */
  isBusy(): boolean;
  /** Destroys all connections and refuses new ones until `comeBack`, which listens on the same port. */
  goDown(): Promise<void>;
  comeBack(): Promise<void>;
  /**
   * Resolves when no request is being worked on and no connection is open: when the client's process has ended,
   * nothing that it did is still on its way after this.
   */
  whenQuiet(): Promise<void>;
  /** Ends everything, hanging requests too. What waits is never handled. */
  close(): Promise<void>;
}

export async function startForeignService(options: ForeignOptions = {}): Promise<ForeignService> {
  const listener = await Listener.open(options.port ?? 0);
  const world = makeWorld(options, listener.origin);
  const limitOptions = options.limit ?? { perWindow: 1_000_000, windowMs: 60_000, resetUnit: "seconds" };
  const limit = new RateLimit(limitOptions, world.now);
  const faults = new Faults();
  const requests: RequestRecord[] = [];
  const core = {
    world,
    limit,
    faults,
    requests,
    goDown: (forMs: number) => listener.goDownFor(forMs),
    sleep: (ms: number) => listener.sleep(ms),
  };
  listener.answerWith((request, response) => serve(request, response, core));
  const { posts, media, keys, counters, runs, webhooks } = world;
  return {
    url: `${listener.origin}/v1`,
    origin: listener.origin,
    key: usualKey(keys),
    posts: posts.current,
    media,
    requests,
    runs,
    webhooks,
    counters,
    faults,
    ...handsOn(world),
    spendByOthers: (count) => limit.spend(count),
    isBusy: () => listener.isBusy,
    goDown: () => listener.goDown(),
    comeBack: () => listener.comeBack(),
    whenQuiet: () => listener.whenQuiet(),
    close: () => listener.close(),
  };
}

/** What people and other programs do to the posts, and what there is to see of them. */
function handsOn(world: World) {
  const { posts, media, keys } = world;
  const now = world.now;
  const all = (): StoredPost[] => [...posts.current.values()];
  return {
    scheduled: () => all().filter((post) => post.status === "scheduled"),
    duplicates: () => posts.duplicates(),
    addForeignPost: (post: Partial<NewPost> = {}) =>
      posts.add({ ...someonesPost(world), ...post, madeBy: "foreign", createdAt: now(), listedFrom: now() }),
    publishDue: (at: number = now()) =>
      all()
        .filter((post) => post.status === "scheduled" && Date.parse(post.scheduled_at) <= at)
        .map((post) => posts.change(post.id, { status: "published" })),
    cancelByHand: (id: string) => posts.change(id, { status: "cancelled" }),
    edit: (id: string, edit: PostEdit) => posts.change(id, edit),
    forgetMedia: (id: string) => {
      if (!media.delete(id)) throw new Error(`The foreign service has no media item ${id}.`);
    },
    revokeKey: (key: string) => {
      if (!keys.delete(key)) throw new Error("The foreign service has no such key.");
    },
  };
}

function someonesPost({ platforms, now }: World): NewPost {
  const tomorrow = new Date(now() + 86_400_000).toISOString().slice(0, 19);
  return {
    content: "Made by somebody else",
    platforms: platforms.slice(0, 1),
    scheduled_at: `${tomorrow}Z`,
    media_ids: [],
  };
}

function makeWorld(options: ForeignOptions, origin: string): World {
  const shape: Shape = { ...DOCUMENTED, ...options.shape };
  const paging: Paging = {
    paging: options.paging ?? "none",
    pageSize: options.pageSize ?? 20,
    cap: options.cap ?? 20,
    refuseLimitAbove: options.refuseLimitAbove,
  };
  checkShape(shape, paging);
  const { requireMedia = false } = options;
  return {
    shape,
    paging,
    posts: new PostBook((number) => postId(number, shape.idForm)),
    media: new Map(),
    platforms: options.platforms ?? DEFAULT_PLATFORMS,
    accountIds: options.accountIds,
    keys: new Map(Object.entries(options.keys ?? { [`sk_${randomBytes(18).toString("hex")}`]: "write" })),
    automations: options.automations ?? [],
    runs: [],
    webhooks: [],
    unknownMedia: requireMedia === true ? "validation_error" : requireMedia || undefined,
    listLagMs: options.listLagMs ?? 0,
    uploadField: options.uploadField,
    now: options.now ?? Date.now,
    origin,
    counters: { requests: 0, lists: 0, creates: 0, cancels: 0, uploads: 0, rateLimited: 0 },
  };
}

function usualKey(keys: ReadonlyMap<string, Scope>): string {
  const [first] = [...keys].sort(([, a], [, b]) => Number(a === "read") - Number(b === "read"));
  return first?.[0] ?? "";
}
