/** The settings of posts in Postiz. Source: youtube.settings.dto.ts and its neighbours in gitroomhq/postiz-app. */

import { type NetworkSettings, PostSettings } from "../post-settings.ts";
import type { Config } from "../../settings/config.ts";
import type { PostizAccount } from "./answers.ts";

const TIKTOK: NetworkSettings = {
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

/** By Postiz's name of the network. Others need no settings. */
const NETWORKS: ReadonlyMap<string, NetworkSettings> = new Map([
  ["x", { usual: { who_can_reply_post: "everyone" } }],
  ["instagram", { usual: { post_type: "post" } }],
  ["instagram-standalone", { usual: { post_type: "post" } }],
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

export function postizSettings(given: Config["service"]["post_settings"]): PostSettings<PostizAccount> {
  return new PostSettings(given, ({ identifier }) => NETWORKS.get(identifier));
}
