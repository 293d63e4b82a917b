/** The texts that follow a post, each with its own media. */

import { lookOf } from "../../network-looks.ts";
import type { PreviewData, PreviewPost } from "../../preview-data.ts";
import { element } from "../parts/dom.ts";
import { mediaOfTexts } from "../parts/post-parts.ts";
import { mediaOfCard } from "./pictures.ts";

/** The same for all networks. */
const ANY_LOOK = lookOf("");

const REPLY_KINDS = { reply_to: "Answers", quote: "Quotes", poll: "Poll", comment: "First comment" } as const;

/** The texts that follow the post, and the posts that it refers to. */
export function replyList(post: PreviewPost, data: PreviewData): HTMLElement | undefined {
  const { replies = [] } = post;
  if (replies.length === 0) return undefined;
  const [, ...media] = mediaOfTexts(post, data);
  const items = replies.map(({ kind, text }, index) =>
    element(
      "li",
      {},
      kind === "thread" ? undefined : element("span", { class: "quiet" }, `${REPLY_KINDS[kind]}: `),
      element("bdi", {}, text),
      mediaOfCard(media[index] ?? [], ANY_LOOK),
    ),
  );
  return element(
    "section",
    { class: "replies" },
    element("h3", {}, "After the post"),
    element("ol", {}, ...items),
  );
}
