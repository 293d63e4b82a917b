/** Messages about the parts that few posts have: threads, polls and the like. */

import { listSome } from "./plan-texts.ts";

/** Networks that a message names at most. */
const MAX_NETWORKS = 6;

/** The extra parts of posts (model/extras.ts) as messages name them. */
const EXTRA_NAMES = {
  alt: "alt texts",
  thread: "threads",
  thread_media: "pictures and videos in the thread",
  first_comment: "first comments",
  reply_to: "replies to other posts",
  quote: "quoted posts",
  poll: "polls",
  poll_length: "lengths of polls",
  poll_multiple: "polls with several answers",
  expires: "expiry times",
  options: "options of networks",
} as const;

/** @param parts that the row has; empty if it has lost them */
export function notShownText(parts: readonly (keyof typeof EXTRA_NAMES | "mediaIds")[]): string {
  const names = parts.map((part) => (part === "mediaIds" ? "media" : EXTRA_NAMES[part]));
  return `The service does not show ${names.length === 0 ? "all parts of posts" : new Intl.ListFormat("en").format(names)}`;
}

/** @param parts that a post may have, and its row does not */
export function unseenPartsText(parts: readonly (keyof typeof EXTRA_NAMES | "mediaIds")[]): string {
  return `${notShownText(parts)}, and plancast did not send this post. If the post has any, this change removes them. Add them to the row first.`;
}

/**
 * @param posts how many have this part
 * @param networks the only ones without it; empty for all
 * @param isNeeded whether plancast schedules no post without it
 */
export function notStoredText(
  part: keyof typeof EXTRA_NAMES,
  posts: number,
  networks: readonly string[],
  isNeeded: boolean,
): string {
  const name = EXTRA_NAMES[part];
  const who = posts === 1 ? "1 post has" : `${posts} posts have`;
  const it = posts === 1 ? "it" : "them";
  const isEverywhere = networks.length === 0;
  const lacks = isEverywhere
    ? `The service has no field for ${name}, but ${who} one.`
    : `The service publishes no ${name} on ${listSome(networks, MAX_NETWORKS)}, but ${who} one.`;
  const way = isNeeded
    ? `Give ${it} a row of ${posts === 1 ? "its" : "their"} own without the ${name}.`
    : `plancast schedules ${it}${isEverywhere ? "" : " there"} without the ${name}.`;
  return `${lacks} ${way}`;
}
