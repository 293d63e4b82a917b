/**
 * Which options each service carries, and what it calls them: one line for each option. A service without a line for an
 * option has no field for it.
 */

import {
  type OptionFacts,
  type PostOption,
  networkOf,
  optionFacts,
  optionText,
  optionsOn,
  readOption,
} from "./catalogue.ts";

/** Fields of a service, by its names for them. */
type Fields = Readonly<Record<string, unknown>>;

interface CarriedOption {
  /** The name of the field. Blank if no value needs one. */
  readonly as: string;
  /** The service's words for values: others cannot be sent. `undefined`: nothing is sent. Default: the values as they are. */
  readonly words?: Readonly<Record<string, unknown>>;
  /** An item of a list is a mapping with these keys. Default: a text. */
  readonly keys?: readonly string[];
  /** The service refuses posts on the network without it. */
  readonly needed?: true;
  /** What is sent for a post without it, because the service needs it and nearly everybody wants the same. */
  readonly usual?: string;
}

/** By name, such as `mastodon.visibility`. */
export type Carried = Readonly<Record<string, CarriedOption>>;

/** The networks on which plancast publishes itself. */
export const CARRIED_ITSELF: Carried = {
  "mastodon.visibility": { as: "visibility" },
  "mastodon.content_warning": { as: "spoiler_text" },
  "mastodon.language": { as: "language" },
  "mastodon.sensitive": { as: "sensitive" },
  "bluesky.language": { as: "langs" },
  "bluesky.labels": { as: "labels" },
  "bluesky.replies": { as: "replies" },
};

/** TikTok's own words. */
const TIKTOK_VISIBILITY = {
  public: "PUBLIC_TO_EVERYONE",
  friends: "MUTUAL_FOLLOW_FRIENDS",
  followers: "FOLLOWER_OF_CREATOR",
  private: "SELF_ONLY",
};

/** YouTube's own ids. */
const YOUTUBE_CATEGORIES = {
  film: "1",
  autos: "2",
  music: "10",
  pets: "15",
  sports: "17",
  travel: "19",
  gaming: "20",
  people: "22",
  comedy: "23",
  entertainment: "24",
  news: "25",
  howto: "26",
  education: "27",
  science: "28",
  nonprofits: "29",
};

/** Zernio refuses posts without it. */
const ONLY_YES = { yes: true };

const YES_NO = { yes: "yes", no: "no" };

/** Source: youtube.settings.dto.ts and its neighbours in gitroomhq/postiz-app, 2026-11. A video on Instagram becomes a reel. */
export const CARRIED_BY_POSTIZ: Carried = {
  "instagram.type": {
    as: "post_type",
    words: { post: "post", reel: "post", carousel: "post", story: "story" },
    usual: "post",
  },
  "instagram.collaborators": { as: "collaborators", keys: ["label"] },
  "youtube.title": { as: "title", needed: true },
  "youtube.visibility": { as: "type", needed: true },
  "youtube.type": { as: "", words: { video: undefined, short: undefined } },
  "youtube.tags": { as: "tags", keys: ["value", "label"] },
  "youtube.made_for_kids": { as: "selfDeclaredMadeForKids", words: YES_NO },
  "youtube.cover": { as: "thumbnail" },
  "pinterest.board": { as: "board", needed: true },
  "pinterest.title": { as: "title" },
  "pinterest.link": { as: "link" },
  "linkedin.type": { as: "post_as_images_carousel", words: { post: undefined, carousel: true } },
  "tiktok.visibility": { as: "privacy_level", words: TIKTOK_VISIBILITY, needed: true },
  "tiktok.title": { as: "title" },
  "tiktok.comments": { as: "comment", needed: true },
  "tiktok.duet": { as: "duet", needed: true },
  "tiktok.stitch": { as: "stitch", needed: true },
  "tiktok.music": { as: "autoAddMusic", words: YES_NO, needed: true },
  "tiktok.ai": { as: "video_made_with_ai" },
  "tiktok.paid_partnership": { as: "brand_content_toggle", needed: true },
  "tiktok.own_brand": { as: "brand_organic_toggle", needed: true },
  "tiktok.method": {
    as: "content_posting_method",
    words: { direct: "DIRECT_POST", inbox: "UPLOAD" },
    needed: true,
  },
  "twitter.replies": {
    as: "who_can_reply_post",
    words: {
      everyone: "everyone",
      following: "following",
      mentioned: "mentionedUsers",
      subscribers: "subscribers",
      verified: "verified",
    },
    usual: "everyone",
  },
  "twitter.community": { as: "community" },
  "discord.channel": { as: "channel", needed: true },
  "slack.channel": { as: "channel", needed: true },
  "reddit.subreddit": { as: "subreddit", needed: true },
  "lemmy.subreddit": { as: "subreddit", needed: true },
  "warpcast.subreddit": { as: "subreddit", needed: true },
  "dribbble.title": { as: "title", needed: true },
  "medium.title": { as: "title", needed: true },
  "medium.subtitle": { as: "subtitle", needed: true },
  "devto.title": { as: "title", needed: true },
  "hashnode.title": { as: "title", needed: true },
  "hashnode.publication": { as: "publication", needed: true },
  "hashnode.tags": { as: "tags", needed: true },
  "wordpress.title": { as: "title", needed: true },
  "wordpress.type": { as: "type", needed: true },
  "listmonk.subject": { as: "subject", needed: true },
  "listmonk.preview": { as: "preview", needed: true },
  "listmonk.list": { as: "list", needed: true },
  "skool.group": { as: "group", needed: true },
  "skool.label": { as: "label", needed: true },
  "skool.title": { as: "title", needed: true },
  "whop.company": { as: "company", needed: true },
  "whop.experience": { as: "experience", needed: true },
  "moltbook.submolt": { as: "submolt", needed: true },
  "mewe.post_type": { as: "postType", needed: true },
};

/**
 * Source: rules/platforms.md in zernio-dev/zernio-api, and its OpenAPI description, 2026-11. It has YouTube's covers only
 * in media that all networks of a post share.
 */
export const CARRIED_BY_ZERNIO: Carried = {
  "instagram.type": {
    as: "contentType",
    words: { post: undefined, reel: undefined, carousel: undefined, story: "story" },
  },
  "instagram.collaborators": { as: "collaborators" },
  "instagram.cover": { as: "instagramThumbnail" },
  "facebook.type": { as: "contentType", words: { post: undefined, reel: "reel", story: "story" } },
  "facebook.title": { as: "title" },
  "youtube.title": { as: "title" },
  "youtube.visibility": { as: "visibility" },
  "youtube.type": { as: "", words: { video: undefined, short: undefined } },
  "youtube.made_for_kids": { as: "madeForKids" },
  "youtube.ai": { as: "containsSyntheticMedia" },
  "pinterest.board": { as: "boardId" },
  "pinterest.title": { as: "title" },
  "pinterest.link": { as: "link" },
  "pinterest.cover": { as: "coverImageUrl" },
  "linkedin.type": { as: "", words: { post: undefined, document: undefined } },
  "linkedin.title": { as: "documentTitle" },
  "tiktok.visibility": { as: "privacyLevel", words: TIKTOK_VISIBILITY },
  "tiktok.cover": { as: "videoCoverImageUrl" },
  "tiktok.comments": { as: "allowComment", needed: true },
  "tiktok.duet": { as: "allowDuet" },
  "tiktok.stitch": { as: "allowStitch" },
  "tiktok.music": { as: "autoAddMusic" },
  "tiktok.ai": { as: "videoMadeWithAi" },
  "tiktok.paid_partnership": { as: "brandPartnerPromote" },
  "tiktok.own_brand": { as: "isBrandOrganicPost" },
  "tiktok.method": { as: "draft", words: { direct: false, inbox: true } },
  "tiktok.preview_confirmed": { as: "contentPreviewConfirmed", words: ONLY_YES, needed: true },
  "tiktok.consent": { as: "expressConsentGiven", words: ONLY_YES, needed: true },
  "snapchat.type": { as: "contentType" },
};

/**
 * Source: the input types of Buffer's public schema, 2026-11. Types of posts that Buffer would take anyway are not sent, so that
 * its answers are equal to the row.
 */
export const CARRIED_BY_BUFFER: Carried = {
  "instagram.type": {
    as: "type",
    words: { post: undefined, carousel: undefined, reel: "reel", story: "story" },
  },
  "facebook.type": { as: "type", words: { post: undefined, reel: "reel", story: "story" } },
  "youtube.title": { as: "title", needed: true },
  "youtube.category": { as: "categoryId", words: YOUTUBE_CATEGORIES, needed: true },
  "youtube.visibility": { as: "privacy" },
  "youtube.type": { as: "", words: { video: undefined, short: undefined } },
  "youtube.made_for_kids": { as: "madeForKids" },
  "youtube.ai": { as: "isAiGenerated" },
  "pinterest.board": { as: "boardServiceId", needed: true },
  "pinterest.title": { as: "title" },
  "pinterest.link": { as: "url" },
  "linkedin.type": { as: "", words: { post: undefined } },
  "mastodon.content_warning": { as: "spoilerText" },
  "tiktok.title": { as: "title" },
  "tiktok.ai": { as: "isAiGenerated" },
};

/** An option that a service carries on a network. */
interface NetworkOption extends CarriedOption {
  readonly option: string;
  readonly facts: OptionFacts;
}

function onNetwork(carried: Carried, platform: string): readonly NetworkOption[] {
  const start = `${networkOf(platform)}.`;
  return Object.entries(carried).flatMap(([name, own]) => {
    const option = name.slice(start.length);
    const facts = name.startsWith(start) ? optionFacts(platform, option) : undefined;
    return facts === undefined ? [] : [{ ...own, option, facts }];
  });
}

/** Whether a value of an option can be sent. */
export function carries(carried: Carried, { platform, option, value }: PostOption): boolean {
  return onNetwork(carried, platform).some(
    (own) => own.option === option && (own.words === undefined || Object.hasOwn(own.words, value)),
  );
}

/**
 * The fields of a post's options on one platform, as the service names them. What it does not carry is left out.
 * @param mediumOf the service's form of a medium, by the id in the option. Default: the id
 */
export function carriedFields(
  carried: Carried,
  platform: string,
  options: readonly string[] | undefined,
  mediumOf: (id: string) => unknown = (id) => id,
): Fields {
  const given = optionsOn(platform, options);
  const fields = onNetwork(carried, platform).map((own) => {
    const text = given.get(own.option) ?? own.usual;
    const isMedium = text !== undefined && own.facts.kind === "media";
    const field = isMedium ? mediumOf(text) : text === undefined ? undefined : toField(own, text);
    return [own.as, field] as const;
  });
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

/** Whether a service gets anything for an option of a post, such as `mastodon.visibility: unlisted`. */
export function isSent(carried: Carried, text: string): boolean {
  const { platform = "", option, value = "" } = readOption(text) ?? {};
  return onNetwork(carried, platform).some(
    (own) => own.option === option && toField(own, value) !== undefined,
  );
}

/** The names of the options that the service needs on one platform and that the post does not have. */
export function missingOptions(
  carried: Carried,
  platform: string,
  options: readonly string[] | undefined,
): readonly string[] {
  const given = optionsOn(platform, options);
  return onNetwork(carried, platform)
    .filter(({ option, needed }) => needed === true && (given.get(option) ?? "") === "")
    .map(({ option }) => option);
}

/** The reverse of `carriedFields`: the options that the fields of a service's record show. */
export function shownOptions(carried: Carried, platform: string, fields: Fields): string[] {
  return onNetwork(carried, platform).flatMap((own) => {
    const value = fromField(own, fields[own.as]);
    return value === undefined ? [] : [optionText({ platform, option: own.option, value })];
  });
}

function toField({ facts, words, keys }: NetworkOption, text: string): unknown {
  if (words !== undefined) return Object.hasOwn(words, text) ? words[text] : undefined;
  switch (facts.kind) {
    case "flag":
      return text === "yes";
    case "choices":
    case "list":
    case "handles":
    case "languages":
      return text
        .split(", ")
        .map((each) => (keys === undefined ? each : Object.fromEntries(keys.map((key) => [key, each]))));
    case "data":
      return jsonOf(text);
    case "choice":
    case "text":
    case "language":
    case "address":
    case "media":
      return text;
  }
}

/** Undefined for a text that is not JSON. Only a file that somebody edited by hand can have one. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Undefined for a field that is not there, or in a form that plancast does not send. */
function fromField(own: NetworkOption, field: unknown): string | undefined {
  if (field === undefined || field === null) return undefined;
  const texts = textsOf(own);
  if (texts !== undefined) return texts.find((text) => toField(own, text) === field);
  if (own.facts.kind === "data") return JSON.stringify(field);
  if (!Array.isArray(field)) return typeof field === "string" ? field : undefined;
  const items = field.filter((each) => typeof each === "string");
  return items.length === field.length && items.length > 0 ? items.join(", ") : undefined;
}

/** All values that can be sent, if the option has a closed list of them. */
function textsOf({ facts: { kind, values = {} }, words }: NetworkOption): readonly string[] | undefined {
  if (words !== undefined) return Object.keys(words);
  if (kind === "flag") return ["yes", "no"];
  return kind === "choice" ? Object.keys(values) : undefined;
}
