/** What the dialog shows of a post: what changes or what happened, how its networks show it, and its times. */

import type { PreviewData, PreviewPost } from "../preview-data.ts";
import { mediaTitle } from "./cards/pictures.ts";
import { type NetworkChoice, postOnNetworks } from "./cards/network-card.ts";
import { type AnswerBook, ANSWERED, answerControls } from "./answers.ts";
import { element, icon } from "./parts/dom.ts";
import { ICONS } from "./parts/icons.ts";
import { NEXT_SLOT, badge, mediaOf, postProblems } from "./parts/post-parts.ts";
import { fullDay, inZone, readersClock } from "./parts/reader.ts";
import { STATUS_LABELS } from "./parts/statuses.ts";

/** @param answers of a client to this and other posts */
export function postDetails(
  post: PreviewPost,
  data: PreviewData,
  choice: NetworkChoice,
  answers: AnswerBook | undefined,
): HTMLElement[] {
  const { status, place, id, campaign } = post;
  let meaning = meaningOf(post);
  const controls = answers === undefined ? undefined : answerControls(post, answers);
  controls?.addEventListener(ANSWERED, () => {
    const newer = meaningOf(post);
    meaning.replaceWith(newer);
    meaning = newer;
  });
  return [
    meaning,
    resultList(post),
    differenceList(post),
    postProblems(post, data),
    element("div", { class: `is-${status}` }, postOnNetworks(post, data, choice, true)),
    replyList(post),
    altList(post, data),
    controls,
    timeList(post, data),
    place === ""
      ? undefined
      : element(
          "p",
          { class: "quiet place" },
          element("bdi", {}, place),
          ...(id === undefined ? [] : [" · id ", element("bdi", {}, id)]),
          ...(campaign === undefined ? [] : [" · campaign ", element("bdi", {}, campaign)]),
        ),
  ].filter((each) => each !== undefined);
}

function meaningOf(post: PreviewPost): HTMLElement {
  const { status, reason } = post;
  return element(
    "p",
    { class: "sheet-row" },
    badge(post),
    element(
      "span",
      { class: "quiet" },
      STATUS_LABELS[status].meaning,
      reason === undefined ? undefined : element("bdi", {}, ` ${reason}`),
    ),
  );
}

function differenceList({ differences }: PreviewPost): HTMLElement | undefined {
  if (differences.length === 0) return undefined;
  const rows = differences.flatMap(({ field, parts }) => [
    element("dt", {}, field),
    element(
      "dd",
      { dir: "auto" },
      ...parts.map(({ kind, text }) =>
        kind === "same" ? text : element(kind === "removed" ? "del" : "ins", {}, text),
      ),
    ),
  ]);
  return element(
    "section",
    { class: "differences" },
    element("h3", {}, "What changes"),
    element("dl", {}, ...rows),
  );
}

/** The texts that follow the post. */
export function replyList({ replies = [] }: PreviewPost): HTMLElement | undefined {
  if (replies.length === 0) return undefined;
  const items = replies.map(({ kind, text }) =>
    element(
      "li",
      {},
      kind === "comment" ? element("span", { class: "quiet" }, "First comment: ") : undefined,
      element("bdi", {}, text),
    ),
  );
  return element(
    "section",
    { class: "replies" },
    element("h3", {}, "After the post"),
    element("ol", {}, ...items),
  );
}

/** The description of each picture and video, if any of them has one. */
export function altList(post: PreviewPost, data: PreviewData): HTMLElement | undefined {
  if (post.alt === undefined) return undefined;
  const rows = mediaOf(post, data).flatMap(({ alt, ...media }) => [
    element("dt", {}, element("bdi", {}, mediaTitle(media))),
    element("dd", alt === "" ? { class: "quiet" } : { dir: "auto" }, alt || "No alt text"),
  ]);
  return element("section", { class: "extras" }, element("h3", {}, "Alt texts"), element("dl", {}, ...rows));
}

/** What happened on each network. */
export function resultList({ results = [] }: PreviewPost): HTMLElement | undefined {
  if (results.length === 0) return undefined;
  const rows = results.map(({ network, state, reason, url }) =>
    element(
      "li",
      { class: `result is-${state}` },
      icon(state === "published" ? ICONS.check : ICONS.warning),
      element(
        "div",
        {},
        element("strong", {}, `${network}: ${state}`),
        reason === undefined ? undefined : element("bdi", { class: "result-text" }, reason),
        url === undefined ? undefined : publishedAt(url),
      ),
    ),
  );
  return element(
    "section",
    { class: "results" },
    element("h3", {}, "What happened"),
    element("ul", {}, ...rows),
  );
}

/** The address of a published post. The service could write anything into it, so it is a link only if it is of the web. */
function publishedAt(url: string): HTMLElement {
  const text = element("bdi", {}, url);
  if (!/^https?:\/\//i.test(url)) return element("span", { class: "result-text quiet" }, text);
  return element(
    "a",
    { class: "result-text", href: url, target: "_blank", rel: "noopener noreferrer" },
    text,
  );
}

const SLOT_TEXTS: Readonly<Record<NonNullable<PreviewPost["slot"]>, string>> = {
  next: `The ${NEXT_SLOT}. It may change until the next apply.`,
  kept: "plancast chose this time.",
};

/** The post's time as the project, its author and the reader say it; each zone once. */
function timeList(post: PreviewPost, { timezone, client }: PreviewData): HTMLElement {
  const { day, clock, offset, at, author } = post;
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const yours = own === timezone || own === author?.zone ? undefined : inZone(new Date(at), own);
  const times = [
    [client === undefined ? "Project" : "Time", { day, clock }, `${timezone}, UTC${offset}`] as const,
    ...(author === undefined ? [] : [["Author", author, author.zone] as const]),
    ...(yours === undefined ? [] : [["You", yours, own] as const]),
  ];
  const rows = times.flatMap(([whose, when, zone]) => [
    element("dt", {}, whose),
    element(
      "dd",
      {},
      `${when.day === day ? "" : `${fullDay(when.day)}, `}${readersClock(when.clock)}`,
      element("span", { class: "quiet" }, ` ${zone}`),
    ),
  ]);
  if (post.slot !== undefined) rows.push(element("dt", {}, "Slot"), element("dd", {}, SLOT_TEXTS[post.slot]));
  if (post.expires !== undefined)
    rows.push(
      element("dt", {}, "Expires"),
      element("dd", {}, post.expires, element("span", { class: "quiet" }, ` ${timezone}`)),
    );
  return element("dl", { class: "times", "aria-label": "Times of this post" }, ...rows);
}
