/**
 * Zernio's API for tests, written from its published description (zernio-dev/zernio-api and zernio-dev/zernio-node,
 * spring 2026): pages with totals, updates, duplicates that name the existing post, presigned uploads to another
 * origin, results for each network, and rate limit headers.
 */
import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import type { Reply } from "../foreign/reply.ts";
import { jsonReply } from "../foreign/reply.ts";
import { type LimitOptions, RateLimit } from "../foreign/rate-limit.ts";
import { type ContractRequest, type ContractServer, jsonOf, startContractServer } from "./contract-server.ts";

interface ZernioAccount {
  readonly _id: string;
  readonly platform: string;
  readonly username: string;
  readonly displayName: string;
  readonly isActive: boolean;
}

const mediaItem = z.object({
  type: z.enum(["image", "video", "gif", "document"]),
  url: z.url(),
  altText: z.string().optional(),
});

const target = z.object({
  platform: z.string(),
  accountId: z.string(),
  customContent: z.string().optional(),
  /** Its own time. */
  scheduledFor: z.iso.datetime().optional(),
  platformSpecificData: z
    .looseObject({
      threadItems: z
        .array(z.object({ content: z.string(), mediaItems: z.array(mediaItem).optional() }))
        .optional(),
      firstComment: z.string().optional(),
    })
    .optional(),
  status: z.string().optional(),
  platformPostUrl: z.string().optional(),
  errorMessage: z.string().optional(),
});

const body = z.object({
  content: z.string().optional(),
  mediaItems: z.array(mediaItem).optional(),
  platforms: z.array(target).min(1),
  scheduledFor: z.iso.datetime(),
  timezone: z.string().optional(),
});

interface ZernioPost extends Omit<z.infer<typeof body>, "scheduledFor"> {
  /** A post may have only the times of its networks. */
  readonly scheduledFor?: string | undefined;
  /** Its `_id`. */
  readonly id: string;
  readonly status: "draft" | "scheduled" | "publishing" | "published" | "failed" | "partial";
  readonly createdAt: string;
  readonly madeBy: "api" | "foreign";
}

export interface ZernioOptions {
  readonly now?: () => number;
  readonly accounts?: readonly ZernioAccount[];
  readonly limit?: LimitOptions;
  /** The largest page, whatever a request asks for. Default 100. */
  readonly largestPage?: number;
  /** Where files go, instead of the test's storage. */
  readonly uploadUrl?: string;
  /** Drops alt texts: its published types do not name a field for them. Default: no. */
  readonly dropsAlt?: boolean;
  /** An update changes only text and time: its published type names no other field. Default: no. */
  readonly updatesOnlyText?: boolean;
  /** Whether posts contain the whole account, as lists of the real service do. Default: no. */
  readonly showsAccounts?: boolean;
}

const account = (_id: string, platform: string, username: string, displayName: string, isActive = true) => ({
  _id,
  platform,
  username,
  displayName,
  isActive,
});

const ZERNIO_ACCOUNTS: readonly ZernioAccount[] = [
  account("acc-brand", "linkedin", "brand", "Garden & Co."),
  account("acc-founder", "linkedin", "founder", "Ada F."),
  account("acc-x", "twitter", "garden", "Garden"),
  account("acc-bsky", "bluesky", "garden.bsky.social", "Garden"),
  account("acc-old", "threads", "old", "Old", false),
];

export interface ZernioServer extends Omit<ContractServer, "origin"> {
  readonly url: string;
  readonly key: string;
  readonly posts: ReadonlyMap<string, ZernioPost>;
  /** Files by their public address: the hash of the bytes. */
  readonly files: Map<string, string>;
  readonly storage: ContractServer;
  scheduled(): readonly ZernioPost[];
  addForeignPost(post?: Partial<ZernioPost>): string;
  edit(id: string, edit: Partial<ZernioPost>): void;
  close(): Promise<void>;
}

const KEY = "sk_" + "z".repeat(60);

export async function startZernio(options: ZernioOptions = {}): Promise<ZernioServer> {
  const { now = Date.now, accounts = ZERNIO_ACCOUNTS, largestPage = 100 } = options;
  const posts = new Map<string, ZernioPost>();
  const files = new Map<string, string>();
  const limit = new RateLimit(
    options.limit ?? { perWindow: 1_000_000, windowMs: 60_000, resetUnit: "epoch" },
    now,
  );
  const storage = await startContractServer(store, now);

  function store({ method, path, query, headers, body: sent }: ContractRequest): Reply {
    if (headers["authorization"] !== undefined) return xml(400, "InvalidArgument");
    const address = `${storage.origin}${path}`;
    if (method === "HEAD" && query.size === 0)
      return files.has(address) ? { status: 200, headers: {}, body: "" } : xml(404, "NoSuchKey");
    if (method !== "PUT" || query.get("X-Signature") !== "secret") return xml(403, "AccessDenied");
    if (sent.kind === "form") return xml(400, "InvalidRequest");
    const bytes = sent.kind === "bytes" ? sent.bytes : Buffer.from(sent.kind === "text" ? sent.text : "");
    files.set(address, createHash("sha256").update(bytes).digest("hex"));
    return { status: 200, headers: {}, body: "" };
  }

  function shown(post: ZernioPost): object {
    const { madeBy: _madeBy, id, ...all } = post;
    const mediaItems = (all.mediaItems ?? []).map(({ altText, ...item }) =>
      options.dropsAlt === true ? item : { ...item, altText },
    );
    const rest = { _id: id, ...all, mediaItems };
    if (options.showsAccounts !== true) return rest;
    const platforms = post.platforms.map((each) => ({
      ...each,
      accountId: accounts.find(({ _id }) => _id === each.accountId) ?? each.accountId,
    }));
    return { ...rest, platforms };
  }

  function duplicateOf(wanted: z.infer<typeof body>, own?: string): ZernioPost | undefined {
    return [...posts.values()].find(
      (post) =>
        post.id !== own &&
        post.status !== "draft" &&
        post.content === wanted.content &&
        post.platforms.some(({ accountId }) => wanted.platforms.some((each) => each.accountId === accountId)),
    );
  }

  /** The post that a body asks for, or the refusal. */
  function checked(request: ContractRequest, own?: string): z.infer<typeof body> | Reply {
    const read = body.safeParse(jsonOf(request.body));
    if (!read.success) return refuse(400, "BAD_REQUEST", z.prettifyError(read.error));
    const wanted = read.data;
    if ((wanted.content ?? "") === "" && (wanted.mediaItems ?? []).length === 0)
      return refuse(400, "BAD_REQUEST", "Content is required for text-only posts");
    if (Date.parse(wanted.scheduledFor) <= now())
      return refuse(400, "BAD_REQUEST", "scheduledFor must be in the future");
    const unknown = wanted.platforms.find(
      (each) => !accounts.some(({ _id, platform }) => _id === each.accountId && platform === each.platform),
    );
    if (unknown !== undefined) return refuse(403, "FORBIDDEN", `No account ${unknown.accountId}`);
    const tiktok = wanted.platforms.find(({ platform }) => platform === "tiktok")?.platformSpecificData;
    const consents = ["contentPreviewConfirmed", "expressConsentGiven"];
    if (tiktok !== undefined && !consents.every((name) => tiktok[name] === true))
      return refuse(400, "BAD_REQUEST", "TikTok needs the consent of the user");
    const same = duplicateOf(wanted, own);
    if (same === undefined) return wanted;
    return refuse(
      409,
      "DUPLICATE_CONTENT",
      "This content is already scheduled or was posted in the last 24 hours.",
      {
        existingPostId: same.id,
        accountId: same.platforms[0]?.accountId,
        platform: same.platforms[0]?.platform,
      },
    );
  }

  function add(post: Partial<ZernioPost>): string {
    const id = post.id ?? randomBytes(12).toString("hex");
    posts.set(id, {
      content: "Not ours",
      mediaItems: [],
      platforms: [{ platform: "linkedin", accountId: "acc-brand", status: "pending" }],
      scheduledFor: "2036-03-20T09:00:00.000Z",
      timezone: "UTC",
      status: "scheduled",
      createdAt: new Date(now()).toISOString(),
      madeBy: "foreign",
      ...post,
      id,
    });
    return id;
  }

  function onePost(request: ContractRequest, id: string): Reply {
    const post = posts.get(id);
    if (post === undefined) return refuse(404, "NOT_FOUND", "Post not found");
    if (request.method === "GET") return jsonReply(200, { post: shown(post) });
    if (request.method === "DELETE") {
      if (post.status !== "scheduled" && post.status !== "draft")
        return refuse(400, "BAD_REQUEST", "Published posts cannot be deleted");
      posts.delete(id);
      return jsonReply(200, { message: "Post deleted successfully" });
    }
    if (!["draft", "scheduled", "failed", "partial"].includes(post.status))
      return refuse(400, "BAD_REQUEST", "This post cannot be edited");
    const wanted = checked(request, id);
    if ("headers" in wanted) return wanted;
    const { content, scheduledFor, ...rest } = stored(wanted);
    const changed = options.updatesOnlyText === true ? {} : rest;
    posts.set(id, { ...post, content, scheduledFor, ...changed, status: "scheduled", id });
    return jsonReply(200, { message: "Post updated successfully", post: shown(posts.get(id) ?? post) });
  }

  function list(query: URLSearchParams): Reply {
    const asked = Number(query.get("limit") ?? "10");
    const size = Math.min(largestPage, asked);
    const page = Number(query.get("page") ?? "1");
    const status = query.get("status");
    const found = [...posts.values()].filter((post) => status === null || post.status === status);
    const items = found.slice((page - 1) * size, page * size).map(shown);
    const pages = Math.ceil(found.length / size);
    return jsonReply(200, { posts: items, pagination: { page, limit: size, total: found.length, pages } });
  }

  function handle(request: ContractRequest): Reply {
    const { method, path, query } = request;
    const endpoint = `${method} ${path.replace(/^\/api\/v1/, "")}`;
    if (endpoint === "GET /accounts") return jsonReply(200, { accounts, hasAnalyticsAccess: false });
    if (endpoint === "GET /posts") return list(query);
    if (endpoint === "POST /posts") {
      const wanted = checked(request);
      if ("headers" in wanted) return wanted;
      const post = posts.get(add({ ...stored(wanted), madeBy: "api" }));
      return jsonReply(201, { message: "Post scheduled successfully", post: post && shown(post) });
    }
    if (endpoint === "POST /media/presign") {
      const read = z
        .object({ filename: z.string(), contentType: z.string() })
        .safeParse(jsonOf(request.body));
      if (!read.success) return refuse(400, "BAD_REQUEST", "filename and contentType are required");
      const key = `temp/${files.size}-${randomBytes(4).toString("hex")}-${encodeURIComponent(read.data.filename)}`;
      return jsonReply(200, {
        uploadUrl: options.uploadUrl ?? `${storage.origin}/${key}?X-Signature=secret`,
        publicUrl: `${storage.origin}/${key}`,
        key,
        type: read.data.contentType.split("/")[0],
      });
    }
    const [, id] = /^\w+ \/posts\/([^/]+)$/.exec(endpoint) ?? [];
    return id === undefined
      ? refuse(404, "NOT_FOUND", "Not found")
      : onePost(request, decodeURIComponent(id));
  }

  function answer(request: ContractRequest, { isRevoked }: { readonly isRevoked: boolean }): Reply {
    if (request.headers["authorization"] !== `Bearer ${KEY}` || isRevoked)
      return refuse(401, "UNAUTHORIZED", "Invalid API key");
    const reply = limit.take()
      ? handle(request)
      : refuse(429, "RATE_LIMITED", "Too many requests", { retryAfter: limit.retryAfter() });
    return { ...reply, headers: { ...limit.headers(), ...reply.headers } };
  }

  const server = await startContractServer(answer, now);
  return {
    ...server,
    url: `${server.origin}/api`,
    key: KEY,
    posts,
    files,
    storage,
    scheduled: () => [...posts.values()].filter(({ status }) => status === "scheduled"),
    addForeignPost: (post = {}) => add(post),
    edit: (id, edit) => {
      const post = posts.get(id);
      if (post === undefined) throw new Error(`There is no post ${id}.`);
      posts.set(id, { ...post, ...edit });
    },
    isBusy: () => server.isBusy() || storage.isBusy(),
    whenQuiet: async () => void (await Promise.all([server.whenQuiet(), storage.whenQuiet()])),
    close: async () => void (await Promise.all([server.close(), storage.close()])),
  };
}

function xml(status: number, code: string): Reply {
  return {
    status,
    headers: { "content-type": "application/xml" },
    body: `<Error><Code>${code}</Code></Error>`,
  };
}

function stored(wanted: z.infer<typeof body>): Partial<ZernioPost> {
  return {
    ...wanted,
    scheduledFor: new Date(wanted.scheduledFor).toISOString(),
    platforms: wanted.platforms.map((each) => ({ ...each, status: "pending" })),
  };
}

function refuse(status: number, code: string, error: string, details: object = {}): Reply {
  return jsonReply(status, { error, code, details });
}
