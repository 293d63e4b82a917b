/**
 * Posts in Buffer's form: what a create or an edit sends, and what a record means. Source: Buffer's public schema, and
 * the files about pitfalls in the npm package @bufferapp/cli.
 */

import { z } from "zod";
import { canonicalContent, canonicalExtras } from "../../model/canonical.ts";
import { withoutUndefined } from "../../model/data.ts";
import { parseUrl } from "../../model/address.ts";
import { EMPTY_EXTRAS, mediaByText } from "../../model/extras.ts";
import type { RemotePost } from "../../model/post.ts";
import { CARRIED_BY_BUFFER, carriedFields, shownOptions } from "../../model/options/carried.ts";
import { networkOf } from "../../model/options/catalogue.ts";
import { answerId, answerTime } from "../answers/typed-answer.ts";
import { addressId, mediaItemOf } from "../endpoints/media-addresses.ts";
import { type Account, everyNetwork, onlyOn, supportedParts } from "../endpoints/posts-only.ts";
import type { PostRecord } from "../records.ts";
import type { PostDraft, PostState } from "../service.ts";

const WITH_THREADS = onlyOn("twitter", "threads", "bluesky", "mastodon");
const WITH_COMMENTS = onlyOn("facebook", "instagram", "linkedin");

/** Source: the input types of Buffer's public schema, 2026-11. */
export const SUPPORTS = supportedParts(
  {
    alt: everyNetwork,
    options: everyNetwork,
    thread: WITH_THREADS,
    thread_media: WITH_THREADS,
    first_comment: WITH_COMMENTS,
  },
  CARRIED_BY_BUFFER,
);

/** What Buffer calls the settings of a network, and what it needs there in any case. */
const METADATA: ReadonlyMap<string, { readonly as: string; readonly needs?: object }> = new Map([
  ["instagram", { as: "instagram", needs: { type: "post", shouldShareToFeed: true } }],
  ["facebook", { as: "facebook", needs: { type: "post" } }],
  ["linkedin", { as: "linkedin" }],
  ["twitter", { as: "twitter" }],
  ["pinterest", { as: "pinterest" }],
  ["googlebusiness", { as: "google", needs: { type: "whats_new" } }],
  ["youtube", { as: "youtube" }],
  ["mastodon", { as: "mastodon" }],
  ["threads", { as: "threads" }],
  ["bluesky", { as: "bluesky" }],
  ["tiktok", { as: "tiktok" }],
]);

/**
 * The input of a create, without its channel, or of an edit, without its id.
 * @param before the post to edit: Buffer keeps the parts that an edit does not name
 */
export function postInput(draft: PostDraft, platform: string, before?: BufferPost): object {
  const { content, scheduledAt, mediaIds, alt = [] } = draft;
  const files = mediaIds.map((id, index) => assetOf(id, alt[index] ?? ""));
  const texts = mediaByText(files, draft);
  const metadata = metadataOf(draft, texts, platform, before);
  return {
    text: content,
    dueAt: scheduledAt,
    schedulingType: "automatic",
    mode: "customScheduled",
    assets: texts[0] ?? [],
    ...(metadata === undefined ? {} : { metadata }),
  };
}

function assetOf(id: string, alt: string): object {
  const { type, url } = mediaItemOf(id);
  if (type === "video") return { video: { url } };
  return { image: { url, ...(alt === "" ? {} : { metadata: { altText: alt } }) } };
}

function metadataOf(
  { content, thread = [], first_comment = "", options }: PostDraft,
  media: readonly (readonly object[])[],
  platform: string,
  before: BufferPost | undefined,
): object | undefined {
  const network = networkOf(platform);
  const { as, needs = {} } = METADATA.get(network) ?? {};
  if (as === undefined) return undefined;
  const parts = [content, ...thread].map((text, index) => ({ text, assets: media[index] ?? [] }));
  const fields = {
    ...(before === undefined ? {} : emptied(before, platform)),
    ...needs,
    ...carriedFields(CARRIED_BY_BUFFER, platform, options),
    ...(thread.length > 0 && WITH_THREADS(network) ? { thread: parts } : {}),
    ...(first_comment !== "" && WITH_COMMENTS(network) ? { firstComment: first_comment } : {}),
  };
  return Object.keys(fields).length === 0 ? undefined : { [as]: fields };
}

/** What an edit sends to remove the parts that a post has. */
function emptied(before: BufferPost, platform: string): object {
  const { thread = [], first_comment = "", options } = bufferRemotePost(before, []);
  const shown = (options ?? []).map((each) => each.replace(/^[^.]+/, platform));
  const fields = Object.keys(carriedFields(CARRIED_BY_BUFFER, platform, shown));
  return {
    ...Object.fromEntries(fields.filter((name) => name !== "type").map((name) => [name, null])),
    ...(thread.length === 0 ? {} : { thread: [] }),
    ...(first_comment === "" ? {} : { firstComment: "" }),
  };
}

const asset = z.looseObject({
  __typename: z.string(),
  source: z.string(),
  image: z.looseObject({ altText: z.string().nullish() }).nullish(),
});

const metadata = z.looseObject({
  type: z.string().nullish(),
  thread: z.array(z.looseObject({ text: z.string().nullish(), assets: z.array(asset).nullish() })).nullish(),
  firstComment: z.string().nullish(),
  board: z.looseObject({ serviceId: z.string() }).nullish(),
  category: z.looseObject({ categoryId: z.string() }).nullish(),
});

export const bufferPost = z.looseObject({
  id: answerId,
  status: z.string(),
  dueAt: answerTime.nullish(),
  text: z.string(),
  channelId: answerId,
  channelService: z.string(),
  externalLink: z.string().nullish(),
  error: z.looseObject({ message: z.string() }).nullish(),
  assets: z.array(asset),
  metadata: metadata.nullish(),
});

export type BufferPost = z.infer<typeof bufferPost>;

/** Buffer's names of networks are the usual ones, in any case. */
export function networkOfService(service: string): string {
  return service.toLowerCase();
}

export function bufferRemotePost(post: BufferPost, accounts: readonly Account[]): RemotePost {
  const { metadata: own } = post;
  const network = networkOfService(post.channelService);
  // Nobody can compare the posts of a channel that was just connected or removed.
  const platform = accounts.find(({ id }) => id === post.channelId)?.platform ?? `${network}/not-connected`;
  // The first item of a thread is the post itself.
  const replies = (own?.thread ?? []).slice(1);
  const inThread = replies.map(({ assets }) => assets ?? []);
  const files = [...post.assets, ...inThread.flat()];
  const extras = canonicalExtras({
    alt: files.map(({ image }) => image?.altText ?? ""),
    thread: replies.map(({ text }) => text ?? ""),
    thread_media: inThread.map((each) => each.length),
    first_comment: own?.firstComment ?? "",
    options: shownOptions(CARRIED_BY_BUFFER, platform, shownFields(own)),
  });
  return withoutUndefined({
    id: post.id,
    content: canonicalContent(post.text),
    platforms: [platform],
    scheduledAt: post.dueAt ?? undefined,
    mediaIds: files.map(({ __typename: type, source }) =>
      addressId(parseUrl(source)?.href ?? source, type === "VideoAsset" ? "video" : undefined),
    ),
    alt: extras.alt ?? EMPTY_EXTRAS.alt,
    thread: extras.thread ?? EMPTY_EXTRAS.thread,
    thread_media: extras.thread_media ?? EMPTY_EXTRAS.thread_media,
    first_comment: extras.first_comment ?? EMPTY_EXTRAS.first_comment,
    options: extras.options ?? EMPTY_EXTRAS.options,
  });
}

/** The settings in a record, with their names in an input. A value that every post has is none. */
function shownFields(own: BufferPost["metadata"]): Readonly<Record<string, unknown>> {
  const { category, board, privacy, madeForKids, isAiGenerated, title, url, spoilerText, type } = own ?? {};
  return withoutUndefined({
    type,
    title: filled(title),
    url: filled(url),
    spoilerText: filled(spoilerText),
    privacy: privacy === "public" ? undefined : filled(privacy),
    madeForKids: madeForKids === true ? true : undefined,
    isAiGenerated: isAiGenerated === true ? true : undefined,
    categoryId: category?.categoryId,
    boardServiceId: board?.serviceId,
  });
}

function filled(value: unknown): unknown {
  return value === "" || value === null ? undefined : value;
}

/** Buffer's words, and plancast's. A post that is being sent cannot be taken back. */
const STATUSES: ReadonlyMap<string, "scheduled" | "published" | "failed"> = new Map([
  ["scheduled", "scheduled"],
  ["sending", "published"],
  ["sent", "published"],
  ["error", "failed"],
]);

export function bufferState({ status }: Pick<BufferPost, "status">): PostState {
  const known = STATUSES.get(status);
  return known === undefined ? { state: "unknown", status } : { state: known };
}

export function bufferRecord(post: BufferPost, accounts: readonly Account[]): PostRecord {
  const remote = bufferRemotePost(post, accounts);
  const status = STATUSES.get(post.status) ?? post.status;
  const results = (remote.platforms ?? []).map((platform) => ({
    platform,
    status,
    url: post.externalLink,
    error: post.error?.message,
  }));
  return { ...remote, status, record: { ...post, status, results } };
}

/** The statuses of Buffer's filter for a status of plancast; undefined for any. */
export function statusFilter(status: string | undefined): readonly string[] | undefined {
  const own = [...STATUSES].filter(([, meaning]) => meaning === status).map(([name]) => name);
  if (status === "draft") return ["draft", "needs_approval"];
  return own.length === 0 ? undefined : own;
}
