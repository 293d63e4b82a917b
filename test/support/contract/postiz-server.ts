/**
 * Postiz's public API for tests, written from its controllers (gitroomhq/postiz-app, August 2026). It keeps what
 * matters of its behaviour: one group for each account of a create, lists by date without pages, media and threads,
 * deletes of whole groups, `{ "error": true }` after every delete, a 500 for a delete of a missing post, and a limit for
 * creates that, once exceeded, blocks them for another hour. A create with an id changes that post, in several steps
 * without a transaction. Lengths are UTF-16 units.
 */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Reply } from "../foreign/reply.ts";
import { jsonReply } from "../foreign/reply.ts";
import type { StoredMedia } from "../foreign/read-upload.ts";
import { type ContractRequest, type ContractServer, jsonOf, startContractServer } from "./contract-server.ts";

interface PostizIntegration {
  readonly id: string;
  readonly identifier: string;
  readonly name: string;
  readonly profile: string;
  readonly disabled: boolean;
}

/** One row of its database. */
interface PostizPost {
  readonly id: string;
  readonly group: string;
  readonly integration: string;
  /** HTML. */
  readonly content: string;
  /** ISO, with ms. */
  readonly publishDate: string;
  readonly state: "QUEUE" | "PUBLISHED" | "ERROR" | "DRAFT";
  readonly settings: Readonly<Record<string, unknown>>;
  /** The post that this one follows in a thread. */
  readonly parent: string | undefined;
  readonly image: readonly {
    readonly id: string;
    readonly path: string;
    readonly alt?: string | undefined;
  }[];
  readonly isDeleted: boolean;
  readonly madeBy: "api" | "foreign";
  readonly intervalInDays: number | null;
  readonly releaseURL: string | null;
}

export interface PostizOptions {
  readonly now?: () => number;
  readonly integrations?: readonly PostizIntegration[];
  /** Creates in an hour. Default: many. */
  readonly apiLimit?: number;
  /** Whether lists and uploads count, too, as before v2.19. Default: no. */
  readonly limitsAll?: boolean;
  /** Accounts, by id, for which Postiz allows long posts on X. */
  readonly verified?: readonly string[];
  /** Settings that this version does not have yet. */
  readonly lacksSettings?: readonly string[];
  /** Whether answers to creates have headers about the limit, as those of NestJS have. A proxy may remove them. Default: no. */
  readonly limitHeaders?: boolean;
  /** Posts that the user's plan allows at a time. Default: no limit. */
  readonly postLimit?: number;
  /** Removes links from posts on X, as STRIP_LINKS_FROM_X_POSTS does. Default: no. */
  readonly stripsLinks?: boolean;
}

const POSTIZ_INTEGRATIONS: readonly PostizIntegration[] = [
  { id: "int-brand", identifier: "linkedin-page", name: "Garden & Co.", profile: "brand", disabled: false },
  { id: "int-founder", identifier: "linkedin", name: "Ada F.", profile: "founder", disabled: false },
  { id: "int-x", identifier: "x", name: "Garden", profile: "garden", disabled: false },
  { id: "int-bsky", identifier: "bluesky", name: "Garden", profile: "garden.bsky.social", disabled: false },
  { id: "int-old", identifier: "mastodon", name: "Old", profile: "old", disabled: true },
];

export interface PostizServer extends Omit<ContractServer, "origin"> {
  /** For `service.url`. */
  readonly url: string;
  readonly key: string;
  readonly posts: ReadonlyMap<string, PostizPost>;
  readonly media: ReadonlyMap<string, StoredMedia>;
  /** Root posts that will be published. */
  scheduled(): readonly PostizPost[];
  /** A post of somebody else. @returns its id */
  addForeignPost(post?: Partial<PostizPost>): string;
  edit(id: string, edit: Partial<PostizPost>): void;
  /** The next create fails after this many of its texts were stored. */
  failAfter(texts: number): void;
  /** The text that readers see. */
  publishedText(post: PostizPost): string;
  thread(post: PostizPost): readonly PostizPost[];
}

const KEY = "pz_" + "k".repeat(40);

const createBody = z.object({
  type: z.enum(["draft", "schedule", "now"]),
  shortLink: z.boolean(),
  date: z.iso.datetime(),
  tags: z.array(z.object({ value: z.string(), label: z.string() })),
  posts: z
    .array(
      z.object({
        integration: z.object({ id: z.string() }),
        group: z.string().optional(),
        settings: z.looseObject({}),
        value: z
          .array(
            z.object({
              id: z.string().optional(),
              content: z.string(),
              image: z.array(
                z.object({
                  id: z.string(),
                  path: z.string().regex(/\.(?:png|jpg|jpeg|gif|webp|mp4)(?:\?|$)/),
                  alt: z.string().optional(),
                }),
              ),
            }),
          )
          .min(1),
      }),
    )
    .min(1),
});

/** In UTF-16 units. Source: `maxLength` in integrations/social, August 2026. */
const MAX_LENGTHS: Readonly<Record<string, number>> = {
  bluesky: 300,
  mastodon: 500,
  threads: 500,
  linkedin: 3_000,
  "linkedin-page": 3_000,
  tiktok: 2_000,
  "tiktok-business": 2_200,
  discord: 1_980,
  telegram: 4_096,
  vk: 2_048,
  wrapcast: 800,
  moltbook: 300,
  pinterest: 500,
  youtube: 5_000,
};

/** What its providers require: the DTOs in providers-settings. */
const SETTINGS: Readonly<Partial<Record<string, z.ZodType>>> = {
  x: z.looseObject({
    who_can_reply_post: z.enum(["everyone", "following", "mentionedUsers", "subscribers", "verified"]),
  }),
  instagram: z.looseObject({ post_type: z.enum(["post", "story"]) }),
  youtube: z.looseObject({
    title: z.string().min(2).max(100),
    type: z.enum(["public", "private", "unlisted"]),
  }),
  pinterest: z.looseObject({ board: z.string().min(1), title: z.string().max(100).optional() }),
  tiktok: z.looseObject({
    privacy_level: z.enum([
      "PUBLIC_TO_EVERYONE",
      "MUTUAL_FOLLOW_FRIENDS",
      "FOLLOWER_OF_CREATOR",
      "SELF_ONLY",
    ]),
    duet: z.boolean(),
    stitch: z.boolean(),
    comment: z.boolean(),
    autoAddMusic: z.enum(["yes", "no"]),
    brand_content_toggle: z.boolean(),
    brand_organic_toggle: z.boolean(),
    content_posting_method: z.enum(["DIRECT_POST", "UPLOAD"]),
  }),
};

/** The fields that it has settings for, whether a post needs them or not. */
const FIELDS: Readonly<Record<string, string>> = {
  x: "community who_can_reply_post post_type article_title made_with_ai paid_partnership",
  instagram: "post_type is_trial_reel graduation_strategy collaborators audio",
  facebook: "url post_type text_format_preset_id",
  youtube: "title type selfDeclaredMadeForKids thumbnail tags",
  pinterest: "title link dominant_color board",
  linkedin: "post_as_images_carousel carousel_name",
  tiktok:
    "title privacy_level duet stitch comment autoAddMusic brand_content_toggle video_made_with_ai brand_organic_toggle music location content_posting_method",
  discord: "channel",
  slack: "channel",
  reddit: "subreddit",
  lemmy: "subreddit",
  wrapcast: "subreddit",
  dribbble: "title team",
  medium: "title subtitle canonical publication tags",
  devto: "title main_image canonical organization tags",
  hashnode: "title subtitle main_image canonical publication tags",
  wordpress: "title main_image type categories tags status",
  listmonk: "subject preview list template",
  skool: "group label title",
  whop: "company experience title",
  moltbook: "submolt",
  mewe: "postType group",
};

export async function startPostiz(options: PostizOptions = {}): Promise<PostizServer> {
  const { now = Date.now, integrations = POSTIZ_INTEGRATIONS, apiLimit = 1_000_000 } = options;
  const posts = new Map<string, PostizPost>();
  const media = new Map<string, StoredMedia>();
  const creates: number[] = [];
  let blockedUntil = 0;
  let textsLeft = Infinity;
  let origin = "";

  const alive = (): PostizPost[] => [...posts.values()].filter(({ isDeleted }) => !isDeleted);

  function add(post: Partial<PostizPost>): string {
    const id = post.id ?? `cm${randomUUID().slice(0, 12)}`;
    posts.set(id, {
      group: randomUUID(),
      integration: "int-brand",
      content: "<p>Not ours</p>",
      publishDate: "2036-03-20T09:00:00.000Z",
      state: "QUEUE",
      settings: {},
      parent: undefined,
      image: [],
      isDeleted: false,
      madeBy: "foreign",
      intervalInDays: null,
      releaseURL: null,
      ...post,
      id,
    });
    return id;
  }

  function list(query: URLSearchParams): Reply {
    const [from, to] = [query.get("startDate"), query.get("endDate")].map((text) => Date.parse(text ?? ""));
    if (from === undefined || to === undefined || Number.isNaN(from) || Number.isNaN(to))
      return jsonReply(400, { statusCode: 400, message: ["startDate must be a valid ISO 8601 date string"] });
    const found = alive()
      .filter(({ parent }) => parent === undefined)
      // Posts of accounts that somebody disconnected are not in its lists.
      .filter(({ integration }) => integrations.some(({ id }) => id === integration))
      .flatMap((post) => {
        const due = Date.parse(post.publishDate);
        if (post.intervalInDays === null) return due >= from && due <= to ? [listed(post)] : [];
        const dates: object[] = [];
        for (let at = due; at <= to; at += post.intervalInDays * 86_400_000)
          dates.push({
            ...listed(post),
            publishDate: new Date(at).toISOString(),
            actualDate: post.publishDate,
          });
        return dates;
      });
    return jsonReply(200, { posts: found });
  }

  function listed({
    id,
    content,
    publishDate,
    state,
    group,
    intervalInDays,
    releaseURL,
    settings,
    integration,
  }: PostizPost) {
    const { identifier, name } = integrations.find((each) => each.id === integration) ?? {};
    return {
      id,
      content,
      publishDate,
      releaseURL,
      releaseId: null,
      state,
      intervalInDays,
      group,
      creationMethod: "API",
      settings: JSON.stringify(settings),
      tags: [],
      integration: { id: integration, providerIdentifier: identifier, name, picture: "" },
    };
  }

  /** NestJS blocks for another hour when the limit is exceeded. */
  function throttle(): { readonly refused?: Reply; readonly headers: Readonly<Record<string, string>> } {
    const recent = creates.filter((at) => at > now() - 3_600_000);
    const first = recent[0] ?? now();
    if (recent.length >= apiLimit && blockedUntil <= now()) blockedUntil = now() + 3_600_000;
    const inSeconds = (until: number): string => String(Math.ceil((until - now()) / 1_000));
    const isTold = options.limitHeaders === true;
    if (blockedUntil > now()) {
      const body = { statusCode: 429, message: "ThrottlerException: Too Many Requests" };
      const headers = { "retry-after": inSeconds(blockedUntil) };
      return { refused: jsonReply(429, body, isTold ? headers : {}), headers: {} };
    }
    creates.push(now());
    const headers = {
      "x-ratelimit-limit": String(apiLimit),
      "x-ratelimit-remaining": String(apiLimit - recent.length - 1),
      "x-ratelimit-reset": inSeconds(first + 3_600_000),
    };
    return { headers: isTold ? headers : {} };
  }

  function maxLength({ id, identifier }: PostizIntegration): number {
    if (identifier === "x") return options.verified?.includes(id) === true ? 4_000 : 280;
    return MAX_LENGTHS[identifier] ?? 100_000;
  }

  function create(request: ContractRequest): Reply {
    if (alive().filter(({ parent }) => parent === undefined).length >= (options.postLimit ?? Infinity))
      return jsonReply(402, {
        statusCode: 402,
        message:
          "You have reached the maximum number of posts for your subscription. Please upgrade your subscription to add more posts.",
        url: "https://platform.postiz.com/billing",
      });
    const read = createBody.safeParse(jsonOf(request.body));
    if (!read.success) return jsonReply(400, { statusCode: 400, message: [z.prettifyError(read.error)] });
    const { date, type, posts: wanted } = read.data;
    for (const { integration, value, settings } of wanted) {
      const known = integrations.find(({ id }) => id === integration.id);
      if (known === undefined)
        return jsonReply(400, {
          statusCode: 400,
          message: `Integration with id ${integration.id} not found`,
        });
      const refuse = (message: string): Reply =>
        jsonReply(400, { statusCode: 400, provider: known.identifier, name: known.name, message });
      if (value.some(({ content, image }) => plain(content) === "" && image.length === 0))
        return refuse("Your post should have at least one character or one image.");
      const wrong = SETTINGS[known.identifier]?.safeParse(settings).error?.issues[0];
      if (wrong !== undefined) return refuse(`${wrong.path.join(".")}: ${wrong.message}`);
      if (value.some(({ content }) => plain(content).length > maxLength(known)))
        return refuse("post is too long, please fix it");
      const [{ id = "" } = {}] = value;
      if (posts.get(id)?.state === "PUBLISHED")
        return jsonReply(400, { statusCode: 400, message: "This post was already published" });
    }
    let isBroken = false;
    const made = wanted.map(({ integration, value, settings, group: earlier }) => {
      const group = randomUUID();
      const ids: string[] = [];
      for (const { id: known, content, image } of value) {
        if (textsLeft === 0) {
          isBroken = true;
          break;
        }
        textsLeft -= 1;
        const strips =
          options.stripsLinks === true &&
          integrations.find(({ id }) => id === integration.id)?.identifier === "x";
        const id = add({
          ...(known === undefined ? {} : { id: known }),
          group,
          integration: integration.id,
          content: strips ? content.replaceAll(/https?:\/\/[^\s<]+/g, "") : content,
          publishDate: new Date(date).toISOString(),
          state: type === "draft" ? "DRAFT" : "QUEUE",
          settings,
          parent: ids.at(-1),
          image,
          madeBy: "api",
        });
        ids.push(id);
      }
      // A group in a create names the posts to replace, whoever made them.
      for (const each of alive())
        if (each.group === earlier && !isBroken) posts.set(each.id, { ...each, isDeleted: true });
      return { postId: ids[0], integration: integration.id };
    });
    textsLeft = Infinity;
    if (isBroken) return jsonReply(500, { statusCode: 500, message: "Internal server error" });
    return jsonReply(201, made);
  }

  /** What it says about one account. Source: getIntegrationSettings in its public controller. */
  function settingsOf(id: string): Reply {
    const known = integrations.find((each) => each.id === id);
    if (known === undefined) return jsonReply(404, { msg: "Integration not found" });
    const fields = FIELDS[known.identifier];
    const required = SETTINGS[known.identifier];
    const own = required === undefined ? {} : z.toJSONSchema(required).properties;
    const settings =
      fields === undefined
        ? "No additional settings required"
        : {
            properties: {
              ...Object.fromEntries(
                fields
                  .split(" ")
                  .filter((name) => options.lacksSettings?.includes(name) !== true)
                  .map((name) => [name, {}]),
              ),
              ...own,
            },
          };
    return jsonReply(200, { output: { rules: "", maxLength: maxLength(known), settings, tools: [] } });
  }

  function removeGroup(group: string): Reply {
    for (const each of alive()) if (each.group === group) posts.set(each.id, { ...each, isDeleted: true });
    return jsonReply(200, { error: true });
  }

  function remove(id: string): Reply {
    const post = alive().find((each) => each.id === id);
    // It reads the group of a post that is not there.
    if (post === undefined) return jsonReply(500, { statusCode: 500, message: "Internal server error" });
    return removeGroup(post.group);
  }

  function upload({ body }: ContractRequest): Reply {
    const [file] = body.kind === "form" ? body.files : [];
    if (file === undefined || file.fieldName !== "file") return jsonReply(400, { msg: "No file provided" });
    const id = `media${media.size + 1}`;
    media.set(id, file);
    const extension = /\.\w+$/.exec(file.filename)?.[0] ?? ".png";
    const path = `${origin}/uploads/2030/01/${id}${extension}`;
    return jsonReply(201, {
      id,
      name: `${id}${extension}`,
      originalName: null,
      path,
      thumbnail: null,
      alt: null,
    });
  }

  function answer(request: ContractRequest, { isRevoked }: { readonly isRevoked: boolean }): Reply {
    const { method, path, headers } = request;
    if (headers["authorization"] === undefined) return jsonReply(401, { msg: "No API Key found" });
    if (headers["authorization"] !== KEY || isRevoked) return jsonReply(401, { msg: "Invalid API key" });
    const endpoint = `${method} ${path.replace(/^\/api\/public\/v1/, "")}`;
    if (endpoint === "GET /integrations") return jsonReply(200, integrations);
    const counts =
      endpoint === "POST /posts" || (options.limitsAll === true && !endpoint.startsWith("DELETE"));
    const { refused, headers: limits } = counts ? throttle() : { headers: {} };
    if (refused !== undefined) return refused;
    const reply = answerTo(endpoint, request);
    return { ...reply, headers: { ...reply.headers, ...limits } };
  }

  function answerTo(endpoint: string, request: ContractRequest): Reply {
    const { method, path, query } = request;
    if (endpoint === "GET /is-connected") return jsonReply(200, { connected: true });
    if (endpoint === "GET /posts") return list(query);
    if (endpoint === "POST /posts") return create(request);
    if (endpoint === "POST /upload") return upload(request);
    const [, group] = /^DELETE \/posts\/group\/([^/]+)$/.exec(endpoint) ?? [];
    if (group !== undefined) return removeGroup(decodeURIComponent(group));
    const [, account] = /^GET \/integration-settings\/([^/]+)$/.exec(endpoint) ?? [];
    if (account !== undefined) return settingsOf(decodeURIComponent(account));
    const [, id] = /^DELETE \/posts\/([^/]+)$/.exec(endpoint) ?? [];
    if (id !== undefined) return remove(decodeURIComponent(id));
    return jsonReply(404, { statusCode: 404, message: `Cannot ${method} ${path}`, error: "Not Found" });
  }

  const server = await startContractServer(answer, now);
  ({ origin } = server);
  return {
    ...server,
    url: `${origin}/api`,
    key: KEY,
    posts,
    media,
    scheduled: () => alive().filter((post) => post.parent === undefined && post.state === "QUEUE"),
    addForeignPost: add,
    edit: (id, edit) => {
      const post = posts.get(id);
      if (post === undefined) throw new Error(`There is no post ${id}.`);
      posts.set(id, { ...post, ...edit });
    },
    failAfter: (texts) => {
      textsLeft = texts;
    },
    publishedText: ({ content }) => plain(content),
    thread: (post) => {
      const found: PostizPost[] = [];
      for (let at = childOf(post, alive()); at !== undefined; at = childOf(at, alive())) found.push(at);
      return found;
    },
  };
}

function childOf({ id }: PostizPost, all: readonly PostizPost[]): PostizPost | undefined {
  return all.find(({ parent }) => parent === id);
}

/** As Postiz makes plain text of HTML: without a paragraph, the characters stay escaped. */
function plain(html: string): string {
  if (!html.includes("<p>")) return html;
  return html
    .replaceAll("&amp;", "&")
    .replaceAll("&nbsp;", " ")
    .replace(/^<p[^>]*>/i, "")
    .replaceAll(/<p[^>]*>/gi, "\n")
    .replaceAll(/<\/?[a-z][^>]*>/gi, "")
    .replaceAll("&gt;", ">")
    .replaceAll("&lt;", "<");
}
