/** One post in the list: when, its status, and how its networks show it. */

import type { PreviewData, PreviewPost } from "../preview-data.ts";
import { type NetworkChoice, postOnNetworks } from "./cards/switcher.ts";
import { ANSWERED, answerControls } from "./answer-parts.ts";
import type { AnswerBook } from "./answers.ts";
import { element } from "./parts/dom.ts";
import { readersClock } from "./parts/reader.ts";
import { altList, replyList } from "./post-details.ts";
import {
  NEXT_SLOT,
  badge,
  platformMarks,
  platformName,
  platformsOf,
  problemList,
  problemsOf,
} from "./parts/post-parts.ts";

/** @param open opens the post; a click on its time calls it @param answers of a client to this and other posts */
export function postCard(
  post: PreviewPost,
  data: PreviewData,
  choice: NetworkChoice,
  open: () => void,
  answers?: AnswerBook,
): HTMLElement {
  const platforms = platformsOf(post, data);
  const head = element(
    "header",
    { class: "card-head" },
    element(
      "button",
      { class: "card-time", type: "button", onclick: open },
      readersClock(post.clock),
      element("span", { class: "unseen" }, " open post"),
    ),
    post.slot === "next" ? element("span", { class: "quiet" }, NEXT_SLOT) : undefined,
    // Several networks have their own tabs.
    ...(platforms.length === 1
      ? [platformMarks(platforms), element("span", { class: "titles" }, ...platforms.map(platformName))]
      : []),
    badge(post),
  );
  const card = element(
    "article",
    { class: `card is-${post.status}`, "data-post": post.id },
    head,
    postOnNetworks(post, data, choice, false),
    problemList(problemsOf(post, data)),
    footer(post),
    // A client approves the whole post, so the card shows all of it.
    ...(answers === undefined ? [] : [replyList(post), altList(post, data), answerControls(post, answers)]),
  );
  card.addEventListener(ANSWERED, () => {
    card.className = `card is-${post.status}`;
    head.lastElementChild?.replaceWith(badge(post));
  });
  return card;
}

/** Where the post is from, and its campaign. A client's page shows neither of them. */
function footer({ place, campaign }: PreviewPost): HTMLElement | undefined {
  if (place === "") return undefined;
  return element(
    "footer",
    { class: "card-foot" },
    element("bdi", {}, place),
    ...(campaign === undefined ? [] : [" · ", element("bdi", {}, campaign)]),
  );
}
