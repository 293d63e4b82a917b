/** The settings of posts in Postiz. Source: youtube.settings.dto.ts and its neighbours in gitroomhq/postiz-app. */

import type { PostSettings, RequiredSettings } from "../post-settings.ts";
import type { PostizAccount } from "./answers.ts";
import type { PostizTarget } from "./requests.ts";

/** Settings that Postiz requires, and for which nearly everybody wants the same. By Postiz's name of the network. */
const USUAL: ReadonlyMap<string, Readonly<Record<string, string>>> = new Map([
  ["x", { who_can_reply_post: "everyone" }],
  ["instagram", { post_type: "post" }],
  ["instagram-standalone", { post_type: "post" }],
]);

const TIKTOK: RequiredSettings = {
  names: [
    "privacy_level",
    "duet",
    "stitch",
    "comment",
    "autoAddMusic",
    "brand_content_toggle",
    "brand_organic_toggle",
    "content_posting_method",
  ],
  maxTitle: 90,
};

/** Settings that only the team can know. */
const REQUIRED: ReadonlyMap<string, RequiredSettings> = new Map([
  ["youtube", { names: ["title", "type"], maxTitle: 100 }],
  ["pinterest", { names: ["board"], maxTitle: 100 }],
  ["tiktok", TIKTOK],
  ["tiktok-business", TIKTOK],
  ["discord", { names: ["channel"] }],
  ["slack", { names: ["channel"] }],
  ["reddit", { names: ["subreddit"] }],
  ["lemmy", { names: ["subreddit"] }],
  ["wrapcast", { names: ["subreddit"] }],
  ["dribbble", { names: ["title"] }],
  ["medium", { names: ["title", "subtitle"] }],
  ["devto", { names: ["title"] }],
  ["hashnode", { names: ["title", "publication", "tags"] }],
  ["wordpress", { names: ["title", "type"] }],
  ["listmonk", { names: ["subject", "preview", "list"] }],
  ["skool", { names: ["group", "label", "title"] }],
  ["whop", { names: ["company", "experience"] }],
  ["moltbook", { names: ["submolt"] }],
  ["mewe", { names: ["postType"] }],
]);

/** Where a text goes, or why its settings are not enough. */
export function targetOf(
  account: PostizAccount,
  content: string,
  given: PostSettings,
): PostizTarget | { readonly fault: string } {
  const own = given.of(account, content, REQUIRED.get(account.identifier));
  if ("fault" in own) return own;
  return { account, settings: { ...USUAL.get(account.identifier), ...own.settings } };
}
