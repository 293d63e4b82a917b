/** One post as it will look. */
import type { PreviewData, PreviewPost } from "../preview/preview-data.ts";
import { element } from "./dom.ts";
import { platformMarks } from "./marks.ts";
import { mediaGrid } from "./media-box.ts";
import { meterList } from "./meters.ts";
import { badge, mediaOf, platformsOf, problemList, problemsOf } from "./post-parts.ts";
import { richText } from "./rich-text.ts";

export function postBody(post: PreviewPost, data: PreviewData): HTMLElement {
  const { content } = post;
  const text =
    content === undefined
      ? element("p", { class: "quiet" }, "The service does not tell the text of this post.")
      : content === ""
        ? undefined
        : richText(content);
  return element("div", { class: "body" }, text, mediaGrid(mediaOf(post, data)));
}

/** A card of the list; a click on its time opens the post. */
export function postCard(post: PreviewPost, data: PreviewData, open: () => void): HTMLElement {
  const platforms = platformsOf(post, data);
  const head = element(
    "header",
    { class: "card-head" },
    element(
      "button",
      { class: "card-time", type: "button", onclick: open },
      post.clock,
      element("span", { class: "unseen" }, " open post"),
    ),
    platformMarks(platforms),
    element("span", { class: "titles" }, platforms.map(({ title }) => title).join(", ")),
    badge(post),
  );
  return element(
    "article",
    { class: `card is-${post.status}` },
    head,
    postBody(post, data),
    meterList(post.meters, data),
    problemList(problemsOf(post, data)),
    element("footer", { class: "card-foot" }, element("bdi", {}, post.place)),
  );
}
