/** The answers of Zernio's API, and their meaning. Source: zernio-dev/zernio-node, the types of its OpenAPI description. */

import { z } from "zod";
import { networkOf } from "../../checks/networks/network-names.ts";
import { canonicalContent, canonicalExtras, canonicalPlatforms, utcTime } from "../../model/canonical.ts";
import { type ExtraPart, type SupportedExtras, EMPTY_EXTRAS } from "../../model/extras.ts";
import { withoutUndefined } from "../../model/json.ts";
import type { RemotePost, UtcTime } from "../../model/post.ts";
import { type Account, connectedAccounts } from "../endpoints/posts-only.ts";
import { stateOf as usualStateOf } from "../answers/post.ts";
import { answerAddress, answerId, answerTime } from "../answers/typed-answer.ts";
import type { PostRecord } from "../records.ts";
import type { PostState } from "../service.ts";

/** Zernio calls it `_id`. */
function withId<Given extends { readonly _id: string }>(given: Given): Given & { readonly id: string } {
  const { _id } = given;
  return { ...given, id: _id };
}

const mediaItem = z.looseObject({
  type: z.string().nullish(),
  url: z.string().nullish(),
  altText: z.string().nullish(),
});

const target = z.looseObject({
  platform: z.string(),
  /** The account, or only its id. */
  accountId: z.union([answerId, z.looseObject({ _id: answerId }).transform(({ _id }) => _id)]).nullish(),
  customContent: z.string().nullish(),
  customMedia: z.array(mediaItem).nullish(),
  scheduledFor: z.string().nullish(),
  platformSpecificData: z
    .looseObject({
      threadItems: z.array(z.looseObject({ content: z.string().nullish() })).nullish(),
      firstComment: z.string().nullish(),
    })
    .nullish(),
  status: z.string().nullish(),
  platformPostUrl: z.string().nullish(),
});

const post = z
  .looseObject({
    _id: answerId,
    content: z.string().nullish(),
    mediaItems: z.array(mediaItem).nullish(),
    platforms: z.array(target).nullish(),
    scheduledFor: answerTime.nullish(),
    status: z.string(),
  })
  .transform(withId);

export type ZernioPost = z.infer<typeof post>;

export const postAnswer = z.object({ post });

/** A page of posts. Without its numbers, nobody knows whether it is the last. */
export const postsAnswer = z.object({
  posts: z.array(post),
  pagination: z.object({ page: z.int(), pages: z.int(), total: z.int() }),
});

export const accountsAnswer = z.object({
  accounts: z.array(
    z
      .looseObject({
        _id: answerId,
        platform: z.string(),
        username: z.string().nullish(),
        displayName: z.string().nullish(),
        isActive: z.boolean().nullish(),
      })
      .transform(withId),
  ),
});

export const presignAnswer = z.object({ uploadUrl: z.url(), publicUrl: answerAddress });

/** What a refusal of a create says about a post with the same content. */
export const duplicateAnswer = z.object({ details: z.object({ existingPostId: answerId }) });

export function accountsIn({ accounts }: z.infer<typeof accountsAnswer>): readonly Account[] {
  return connectedAccounts(
    accounts.map((record) => {
      const { id, platform, username, displayName, isActive } = record;
      const names = [username ?? "", displayName ?? ""];
      return { id, network: platform.toLowerCase(), names, isActive: isActive !== false, record };
    }),
  );
}

/** The networks on which Zernio publishes a part, if it does not publish the part on all. */
const NETWORKS_WITH: Readonly<Partial<Record<ExtraPart, ReadonlySet<string>>>> = {
  thread: new Set(["twitter", "threads", "bluesky"]),
  first_comment: new Set(["facebook", "instagram", "linkedin", "youtube"]),
  expires: new Set(),
};

export const SUPPORTS: SupportedExtras = {
  has: (part, platform) => {
    const networks = NETWORKS_WITH[part];
    if (networks === undefined) return true;
    return platform === undefined ? networks.size > 0 : networks.has(networkOf(platform));
  },
};

const VIDEO = /\.(?:mp4|m4v|mov|mpe?g|webm|avi)$/i;

/** A media id as the lockfile stores it: the address. A post also needs the type, which the address nearly always shows. */
export function mediaId(url: string, type: string | undefined): string {
  return type === "video" && !VIDEO.test(pathOf(url)) ? `${url}#video` : url;
}

/** A media item of a post. */
export function mediaItemOf(media: string): { readonly type: string; readonly url: string } {
  if (media.endsWith("#video")) return { type: "video", url: media.slice(0, -"#video".length) };
  const path = pathOf(media);
  const type = VIDEO.test(path) ? "video" : /\.pdf$/i.test(path) ? "document" : "image";
  return { type, url: media };
}

function pathOf(url: string): string {
  return url.split(/[?#]/, 1)[0] ?? "";
}

/** The network of an account that Zernio does not list any more is not known by its name in calendars. */
function platformOf({ platform, accountId }: z.infer<typeof target>, accounts: readonly Account[]): string {
  return (
    accounts.find((each) => each.id === accountId)?.platform ?? `${platform.toLowerCase()}/not-connected`
  );
}

export function remotePost(given: ZernioPost, accounts: readonly Account[]): RemotePost {
  const targets = given.platforms ?? [];
  const media = given.mediaItems ?? [];
  const replies = targets.map(({ platform, platformSpecificData: own }) => ({
    platform,
    texts: (own?.threadItems ?? []).slice(1).map((each) => each.content ?? ""),
  }));
  const comments = targets.map(({ platform, platformSpecificData: own }) => ({
    platform,
    texts: [own?.firstComment ?? ""].filter((text) => text !== ""),
  }));
  const extras = canonicalExtras({
    alt: media.map(({ altText }) => altText ?? ""),
    thread: common("thread", replies),
    first_comment: common("first_comment", comments).join("\n"),
  });
  return withoutUndefined({
    id: given.id,
    content: canonicalContent([given.content ?? "", ...ownTexts(given)].join("\n\n")),
    platforms: canonicalPlatforms(targets.map((each) => platformOf(each, accounts))),
    scheduledAt: given.scheduledFor ?? firstTime(targets),
    mediaIds: media.map(({ url, type }) => mediaId(url ?? "", type ?? undefined)),
    alt: extras.alt ?? EMPTY_EXTRAS.alt,
    thread: extras.thread ?? EMPTY_EXTRAS.thread,
    first_comment: extras.first_comment ?? EMPTY_EXTRAS.first_comment,
  });
}

/** The time of a post with a time for each network, and none of its own. It equals no row: see `ownTexts`. */
function firstTime(targets: readonly z.infer<typeof target>[]): UtcTime | undefined {
  const times = targets.map((each) => Date.parse(each.scheduledFor ?? "")).filter((ms) => !Number.isNaN(ms));
  return times.length === 0 ? undefined : utcTime(Math.min(...times));
}

/**
 * What all networks of a post that can have a part have in common. plancast sends the same to all of them; for other
 * posts, everything counts.
 */
function common(
  part: ExtraPart,
  targets: readonly { readonly platform: string; readonly texts: readonly string[] }[],
): readonly string[] {
  const lists = targets
    .filter(({ platform, texts }) => texts.length > 0 || SUPPORTS.has(part, platform.toLowerCase()))
    .map(({ texts }) => texts);
  const [first = []] = lists;
  return lists.every((each) => JSON.stringify(each) === JSON.stringify(first)) ? first : lists.flat();
}

/**
 * The parts for only one network of a post. plancast never sends that, so it belongs to the text: the post then
 * equals no row.
 */
function ownTexts({ content, scheduledFor, platforms }: ZernioPost): readonly string[] {
  return (platforms ?? []).flatMap((each) => {
    const root = each.platformSpecificData?.threadItems?.[0]?.content ?? content;
    const texts = [
      ...(isOther(each.customContent, content) ? [each.customContent] : []),
      ...(isOther(root, content) ? [root] : []),
      ...(each.customMedia ?? []).map(({ url }) => url),
      ...(isOtherTime(each.scheduledFor, scheduledFor) ? [each.scheduledFor] : []),
    ];
    return texts.length === 0 ? [] : [`${each.platform}: ${texts.join(" ")}`];
  });
}

function isOther(own: string | null | undefined, all: string | null | undefined): boolean {
  return (own ?? "") !== "" && own !== all;
}

function isOtherTime(own: string | null | undefined, all: string | null | undefined): boolean {
  return (own ?? "") !== "" && Date.parse(own ?? "") !== Date.parse(all ?? "");
}

/** A post that one network has published cannot be scheduled again, whatever the result on the others. */
export function stateOf({ status, platforms }: ZernioPost): PostState {
  const isOut = platforms?.some((each) => each.status === "published") === true;
  if (isOut || status === "partial") return { state: "published" };
  return usualStateOf(status.toLowerCase());
}

/** The results of the networks have the names that calendars use. */
export function postRecord(given: ZernioPost, accounts: readonly Account[]): PostRecord {
  const platforms = (given.platforms ?? []).map((each) => ({
    ...each,
    platform: platformOf(each, accounts),
    url: each.platformPostUrl,
  }));
  return {
    ...remotePost(given, accounts),
    status: given.status.toLowerCase(),
    record: { ...given, platforms },
  };
}
