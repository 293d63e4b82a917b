/** Posts as the stand-in of Buffer stores them, and as its schema shows them. */
import { z } from "zod";

export interface BufferChannel {
  readonly id: string;
  readonly service: string;
  readonly name: string;
  readonly displayName: string | null;
  readonly isDisconnected: boolean;
  readonly isLocked: boolean;
  readonly isQueuePaused: boolean;
  readonly timezone: string;
}

/** All fields of a channel. */
export function shownChannel(channel: BufferChannel, organizationId: string): object {
  return {
    ...channel,
    organizationId,
    type: "profile",
    descriptor: channel.service,
    avatar: "",
    serviceId: channel.name,
    scopes: [],
    products: [],
    postingSchedule: [],
    allowedActions: [],
    isNew: false,
    showTrendingTopicSuggestions: true,
    hasActiveMemberDevice: false,
    linkShortening: { isEnabled: false },
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
  };
}

/** An asset as an input names it. */
const assetInput = z.object({
  image: z.object({ url: z.string(), metadata: z.object({ altText: z.string() }).nullish() }).optional(),
  video: z.object({ url: z.string() }).optional(),
  document: z.object({ url: z.string() }).optional(),
  link: z.object({ url: z.string() }).optional(),
});

type Asset = z.infer<typeof assetInput>;

const settingsInput = z.looseObject({
  type: z.string().nullish(),
  thread: z.array(z.object({ text: z.string().nullish(), assets: z.array(assetInput) })).nullish(),
  firstComment: z.string().nullish(),
});

export const postInput = z.object({
  id: z.string().optional(),
  channelId: z.string().optional(),
  text: z.string().nullish(),
  dueAt: z.string().nullish(),
  mode: z.string().optional(),
  schedulingType: z.string().optional(),
  assets: z.array(assetInput).optional(),
  metadata: z.record(z.string(), settingsInput).nullish(),
});

export type PostInput = z.infer<typeof postInput>;

export interface BufferPost {
  readonly id: string;
  readonly channelId: string;
  readonly status: "draft" | "needs_approval" | "scheduled" | "sending" | "sent" | "error";
  readonly text: string;
  readonly dueAt: string | null;
  readonly assets: readonly Asset[];
  /** The settings of its network. */
  readonly settings: z.infer<typeof settingsInput>;
  readonly externalLink: string | null;
  readonly error: { readonly message: string } | null;
  readonly createdAt: string;
  readonly madeBy: "api" | "foreign";
}

export function shownAsset({ image, video }: Asset): object {
  const common = { id: null, thumbnail: "https://buffer.example/thumbnail" };
  if (video !== undefined)
    return {
      ...common,
      __typename: "VideoAsset",
      type: "video",
      mimeType: "video/mp4",
      source: video.url,
      video: {},
    };
  const meta = { altText: image?.metadata?.altText ?? "", width: 1, height: 1, isAnimated: false };
  return {
    ...common,
    __typename: "ImageAsset",
    type: "image",
    mimeType: "image/png",
    source: image?.url ?? "",
    image: meta,
  };
}

export const METADATA: Readonly<Record<string, { readonly input: string; readonly type: string }>> = {
  instagram: { input: "instagram", type: "InstagramPostMetadata" },
  facebook: { input: "facebook", type: "FacebookPostMetadata" },
  linkedin: { input: "linkedin", type: "LinkedInPostMetadata" },
  twitter: { input: "twitter", type: "TwitterPostMetadata" },
  pinterest: { input: "pinterest", type: "PinterestPostMetadata" },
  googlebusiness: { input: "google", type: "GoogleBusinessPostMetadata" },
  youtube: { input: "youtube", type: "YoutubePostMetadata" },
  mastodon: { input: "mastodon", type: "MastodonPostMetadata" },
  tiktok: { input: "tiktok", type: "TiktokPostMetadata" },
  threads: { input: "threads", type: "ThreadsPostMetadata" },
  bluesky: { input: "bluesky", type: "BlueskyPostMetadata" },
};

export function shownSettings(service: string, { settings }: BufferPost): object | null {
  const { type: __typename } = METADATA[service] ?? {};
  if (__typename === undefined) return null;
  const thread = (settings.thread ?? []).map(({ text, assets }) => ({
    text: text ?? "",
    assets: assets.map(shownAsset),
  }));
  const { categoryId, boardServiceId } = settings;
  return {
    isAiGenerated: false,
    madeForKids: false,
    notifySubscribers: true,
    embeddable: true,
    shouldShareToFeed: true,
    privacy: "public",
    ...settings,
    __typename,
    type: settings.type ?? "post",
    annotations: [],
    thread,
    threadCount: thread.length,
    category: typeof categoryId === "string" ? { categoryId, title: "Category" } : null,
    board:
      typeof boardServiceId === "string"
        ? { id: boardServiceId, serviceId: boardServiceId, name: "Board", url: "https://example.com" }
        : null,
  };
}
