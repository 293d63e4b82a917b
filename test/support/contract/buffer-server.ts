/**
 * Buffer's GraphQL API for tests: the public schema, made executable, with the documented errors, unions, limits and headers
 * (developers.buffer.com, read in November 2026). Nobody has compared it with a live account.
 */
import { randomBytes } from "node:crypto";
import { GraphQLError, executeSync } from "graphql";
import { z } from "zod";
import { type Reply, jsonReply } from "../foreign/reply.ts";
import { parsedDocument, BUFFER_SCHEMA } from "./buffer-limits.ts";
import {
  type BufferChannel,
  type BufferPost,
  type PostInput,
  METADATA,
  postInput,
  shownAsset,
  shownChannel,
  shownSettings,
} from "./buffer-records.ts";
import { type ContractRequest, type ContractServer, jsonOf, startContractServer } from "./contract-server.ts";

export interface BufferOptions {
  readonly now?: () => number;
  readonly channels?: readonly BufferChannel[];
  readonly organizations?: readonly { readonly id: string; readonly name: string }[];
  /** The rolling windows of requests. Default: generous ones. */
  readonly windows?: readonly Window[];
  /** The largest page, whatever a request asks for. Default 100. */
  readonly largestPage?: number;
  /** Scheduled posts that a channel may have. Default: any number. */
  readonly mostPerChannel?: number;
  /** Aliases in a document. Default: as documented. */
  readonly mostAliases?: number;
  /** Posts a day on each channel. Default: no limit. */
  readonly dailyLimit?: number;
  /** Fails the change with this text in an unplanned way, after it was made. It takes the other answers with it. */
  readonly failsAt?: string;
}

interface Window {
  readonly quota: number;
  readonly seconds: number;
}

/** The limits of the free plan. */
export const FREE_PLAN: readonly Window[] = [
  { quota: 100, seconds: 900 },
  { quota: 250, seconds: 86_400 },
  { quota: 3_000, seconds: 2_592_000 },
];

export const channel = (
  id: string,
  service: string,
  name: string,
  more: Partial<BufferChannel> = {},
): BufferChannel => ({
  id,
  service,
  name,
  displayName: null,
  isDisconnected: false,
  isLocked: false,
  isQueuePaused: false,
  timezone: "Europe/London",
  ...more,
});

export const BUFFER_CHANNELS: readonly BufferChannel[] = [
  channel("ch-brand", "linkedin", "brand", { displayName: "Garden & Co." }),
  channel("ch-founder", "linkedin", "founder", { displayName: "Ada F." }),
  channel("ch-x", "twitter", "garden", { displayName: "Garden" }),
  channel("ch-bsky", "bluesky", "garden.bsky.social", { displayName: "Garden" }),
  channel("ch-old", "threads", "old", { displayName: "Old", isLocked: true }),
];

export interface BufferServer extends Omit<ContractServer, "origin"> {
  readonly url: string;
  readonly key: string;
  readonly organization: string;
  readonly posts: ReadonlyMap<string, BufferPost>;
  /** Requests that a limit refused. */
  readonly refused: () => number;
  scheduled(): readonly BufferPost[];
  addForeignPost(post?: Partial<BufferPost>): string;
  edit(id: string, edit: Partial<BufferPost>): void;
  remove(id: string): void;
}

const KEY = "b".repeat(64);
const ORGANIZATIONS = [{ id: "6a1b2c3d4e5f6a7b8c9d0e1f", name: "Garden & Co." }];

export async function startBuffer(options: BufferOptions = {}): Promise<BufferServer> {
  const {
    now = Date.now,
    channels = BUFFER_CHANNELS,
    organizations = ORGANIZATIONS,
    largestPage = 100,
  } = options;
  const { windows = [{ quota: 1_000_000, seconds: 900 }] } = options;
  const posts = new Map<string, BufferPost>();
  /** When each counted request came, in ms. */
  const came: number[] = [];
  let refusedRequests = 0;

  const rootValue = {
    account: () => ({
      id: "acc-1",
      email: "ada@example.com",
      avatar: "",
      timezone: "Europe/London",
      name: "Ada",
      organizations: organizations.map((each) => ({
        ...each,
        channelCount: channels.length,
        ownerEmail: "ada@example.com",
      })),
    }),
    channels: ({ input }: { input: { organizationId: string } }) => {
      requireOrganization(input.organizationId);
      return channels.map((each) => shownChannel(each, input.organizationId));
    },
    posts: ({ input, first = 10, after }: PostsArguments) => {
      requireOrganization(input.organizationId);
      const all = [...posts.values()]
        .filter((post) => isIn(post, input.filter ?? {}))
        .sort(byDue(input.sort ?? []));
      const start =
        after === undefined || after === null ? 0 : Number(Buffer.from(after, "base64url").toString()) + 1;
      const size = Math.min(first ?? 10, largestPage);
      const edges = all.slice(start, start + size).map((post, index) => ({
        node: shown(post),
        cursor: Buffer.from(String(start + index)).toString("base64url"),
      }));
      return {
        edges,
        pageInfo: {
          startCursor: edges[0]?.cursor,
          endCursor: edges.at(-1)?.cursor,
          hasPreviousPage: false,
          hasNextPage: start + size < all.length,
        },
      };
    },
    post: ({ input }: { input: { id: string } }) => {
      const post = posts.get(input.id);
      if (post === undefined) throw failure("NOT_FOUND", "Post not found");
      return shown(post);
    },
    dailyPostingLimits: ({ input }: { input: { channelIds: readonly string[] } }) =>
      input.channelIds.map((channelId) => ({
        channelId,
        sent: 0,
        scheduled: 0,
        limit: options.dailyLimit ?? null,
        isAtLimit: false,
      })),
    createPost: ({ input }: { input: unknown }) => create(postInput.parse(input)),
    editPost: ({ input }: { input: unknown }) => edit(postInput.parse(input)),
    deletePost: ({ input: { id } }: { input: { id: string } }) => {
      if (!posts.delete(id)) throw failure("NOT_FOUND", "Post not found");
      return { __typename: "DeletePostSuccess", id };
    },
  };

  function requireOrganization(id: string): void {
    if (!organizations.some((each) => each.id === id)) throw failure("FORBIDDEN", "Not your organization");
  }

  function shown(post: BufferPost): object {
    const own = channels.find(({ id }) => id === post.channelId);
    const service = own?.service ?? "linkedin";
    return {
      ...post,
      schedulingType: "automatic",
      shareMode: "customScheduled",
      isCustomScheduled: true,
      via: post.madeBy === "api" ? "api" : "buffer",
      updatedAt: post.createdAt,
      sharedNow: false,
      tags: [],
      notes: [],
      allowedActions: [],
      channelService: service,
      channel: own && shownChannel(own, organizations[0]?.id ?? ""),
      assets: post.assets.map(shownAsset),
      metadata: shownSettings(service, post),
    };
  }

  function checked(input: PostInput, before: BufferPost | undefined): BufferPost | object {
    const own = channels.find(({ id }) => id === (before?.channelId ?? input.channelId));
    if (own === undefined) return refusal("NotFoundError", "Channel not found");
    if (own.isLocked || own.isDisconnected) return refusal("UnauthorizedError", "The channel cannot be used");
    const given = input.metadata?.[METADATA[own.service]?.input ?? ""] ?? {};
    const post: BufferPost = {
      id: before?.id ?? randomBytes(12).toString("hex"),
      channelId: own.id,
      status: "scheduled",
      text: input.text === undefined ? (before?.text ?? "") : (input.text ?? ""),
      dueAt: new Date(input.dueAt ?? before?.dueAt ?? 0).toISOString(),
      assets: input.assets ?? before?.assets ?? [],
      settings: { ...before?.settings, ...given },
      externalLink: null,
      error: null,
      createdAt: before?.createdAt ?? new Date(now()).toISOString(),
      madeBy: "api",
    };
    const why = whyInvalid(post, own.service, input);
    return why === undefined ? post : refusal("InvalidInputError", why);
  }

  function whyInvalid(
    { text, assets, settings, dueAt }: BufferPost,
    service: string,
    input: PostInput,
  ): string | undefined {
    if (input.mode !== "customScheduled" || input.schedulingType !== "automatic")
      return "plancast schedules at a time";
    if (Date.parse(dueAt ?? "") <= now()) return "dueAt must be in the future";
    if (text === "" && assets.length === 0) return "Text is required";
    const [root] = settings.thread ?? [];
    if (root !== undefined && root.text !== text) return "The first item of the thread must be the text";
    if (root !== undefined && JSON.stringify(root.assets) !== JSON.stringify(assets))
      return "The first item of the thread must have the assets";
    const has = (name: string): boolean => typeof settings[name] === "string" && settings[name] !== "";
    if (service === "instagram" && (assets.length === 0 || !has("type")))
      return "Instagram needs an asset and a type";
    if (service === "facebook" && !has("type")) return "Facebook needs a type";
    if (service === "pinterest" && !has("boardServiceId")) return "Pinterest needs a board";
    if (service === "youtube" && !(has("title") && has("categoryId")))
      return "YouTube needs a title and a category";
    return undefined;
  }

  function create(input: PostInput): object {
    const post = checked(input, undefined);
    if (!isPost(post)) return post;
    const same = [...posts.values()].filter(
      ({ channelId, status }) => channelId === post.channelId && status === "scheduled",
    );
    if (same.length >= (options.mostPerChannel ?? Infinity))
      return refusal("LimitReachedError", "You have reached the limit of scheduled posts");
    posts.set(post.id, post);
    if (options.failsAt === post.text) throw failure("UNEXPECTED", "Something went wrong");
    return { __typename: "PostActionSuccess", post: shown(post) };
  }

  function edit(input: PostInput): object {
    const before = posts.get(input.id ?? "");
    if (before === undefined) return refusal("NotFoundError", "Post not found");
    if (!["scheduled", "draft", "error"].includes(before.status))
      return refusal("InvalidInputError", "This post was sent");
    const post = checked(input, before);
    if (!isPost(post)) return post;
    posts.set(post.id, { ...post, madeBy: before.madeBy });
    return { __typename: "PostActionSuccess", post: shown(post) };
  }

  function add(post: Partial<BufferPost>): string {
    const id = post.id ?? randomBytes(12).toString("hex");
    posts.set(id, {
      channelId: "ch-brand",
      status: "scheduled",
      text: "Not ours",
      dueAt: "2036-03-20T09:00:00.000Z",
      assets: [],
      settings: {},
      externalLink: null,
      error: null,
      createdAt: new Date(now()).toISOString(),
      madeBy: "foreign",
      ...post,
      id,
    });
    return id;
  }

  /** The windows with what is left in each. */
  function counted() {
    return windows.map(({ quota, seconds }) => {
      const inside = came.filter((at) => at > now() - seconds * 1_000);
      const reset = Math.max(1, Math.ceil(((inside[0] ?? now()) + seconds * 1_000 - now()) / 1_000));
      const name = `"${quota}-in-${seconds / 60}min"`;
      return { quota, seconds, name, left: quota - inside.length, reset };
    });
  }

  function rateHeaders(): Record<string, string> {
    const all = counted();
    return {
      ratelimit: all.map(({ name, left, reset }) => `${name};r=${Math.max(0, left)};t=${reset}`).join(", "),
      "ratelimit-policy": all
        .map(({ name, quota, seconds }) => `${name};q=${quota};w=${seconds};pk=:ZjJj:`)
        .join(", "),
    };
  }

  function answer(request: ContractRequest, { isRevoked }: { readonly isRevoked: boolean }): Reply {
    if (request.headers["authorization"] !== `Bearer ${KEY}` || isRevoked)
      return jsonReply(401, {
        errors: [
          {
            message: "An authentication JWT or Access Token is required",
            extensions: { code: "UNAUTHENTICATED" },
          },
        ],
      });
    const full = counted()
      .filter(({ left }) => left <= 0)
      .sort((one, other) => other.reset - one.reset)[0];
    if (full !== undefined) {
      refusedRequests += 1;
      const body = {
        errors: [
          {
            message: "Too many requests from this client. Please try again later.",
            extensions: { code: "RATE_LIMIT_EXCEEDED", window: `${full.seconds}s` },
          },
        ],
      };
      return jsonReply(429, body, { ...rateHeaders(), "retry-after": String(full.reset) });
    }
    came.push(now());
    return jsonReply(200, run(jsonOf(request.body)), rateHeaders());
  }

  function run(body: unknown): object {
    const read = z
      .object({ query: z.string(), variables: z.record(z.string(), z.unknown()).nullish() })
      .safeParse(body);
    if (!read.success) return { errors: [{ message: "A query is required" }] };
    const { query, variables } = read.data;
    const document = parsedDocument(query, options.mostAliases);
    if ("errors" in document) return document;
    const result = executeSync({
      schema: BUFFER_SCHEMA,
      document,
      rootValue,
      variableValues: variables ?? {},
    });
    return JSON.parse(JSON.stringify(result));
  }

  const server = await startContractServer(answer, now);
  return {
    ...server,
    url: server.origin,
    key: KEY,
    organization: organizations[0]?.id ?? "",
    posts,
    refused: () => refusedRequests,
    scheduled: () => [...posts.values()].filter(({ status }) => status === "scheduled"),
    addForeignPost: (post = {}) => add(post),
    edit: (id, changed) => {
      const post = posts.get(id);
      if (post === undefined) throw new Error(`There is no post ${id}.`);
      posts.set(id, { ...post, ...changed });
    },
    remove: (id) => void posts.delete(id),
  };
}

function failure(code: string, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code } });
}

function isPost(value: BufferPost | object): value is BufferPost {
  return "channelId" in value;
}

function refusal(__typename: string, message: string): object {
  return { __typename, message };
}

interface PostsArguments {
  readonly input: {
    readonly organizationId: string;
    readonly filter?: Filter | null;
    readonly sort?: readonly { readonly field: string; readonly direction: string }[] | null;
  };
  readonly first?: number | null;
  readonly after?: string | null;
}

interface Filter {
  readonly channelIds?: readonly string[] | null;
  readonly status?: readonly string[] | null;
  readonly dueAt?: { readonly start?: string | null; readonly end?: string | null } | null;
}

function isIn(post: BufferPost, { channelIds, status, dueAt }: Filter): boolean {
  const due = Date.parse(post.dueAt ?? "");
  return (
    (channelIds?.includes(post.channelId) ?? true) &&
    (status?.includes(post.status) ?? true) &&
    !(due < Date.parse(dueAt?.start ?? "")) &&
    !(due > Date.parse(dueAt?.end ?? ""))
  );
}

function byDue(
  sort: readonly { readonly direction: string }[],
): (one: BufferPost, other: BufferPost) => number {
  const sign = sort[0]?.direction === "desc" ? -1 : 1;
  return (one, other) =>
    sign * ((one.dueAt ?? "").localeCompare(other.dueAt ?? "") || one.id.localeCompare(other.id));
}
