/**
 * The list of posts, day by day. On a screen, only posts near the visible part are created; scrolling creates the rest.
 * For paper, all are created.
 */

import { plural } from "../../report/text/numbers.ts";
import type { PreviewData, PreviewPost } from "../preview-data.ts";
import { type AnswerBook, ANSWERED, answerControls } from "./answers.ts";
import { type NetworkChoice, postOnNetworks } from "./cards/network-card.ts";
import { replyList } from "./cards/replies.ts";
import { fullDay, readersClock } from "./parts/reader.ts";
import { ICONS, element, icon } from "./parts/dom.ts";
import {
  NEXT_SLOT,
  altList,
  badge,
  expiryLine,
  optionList,
  platformMarks,
  platformTitle,
  platformsOf,
  postProblems,
  resultList,
  seriesList,
} from "./parts/post-parts.ts";

/** Posts created at a time. */
const STEP = 20;
/** Distance from the screen at which the next ones are created. */
const AHEAD = "1200px";

const APPROXIMATE =
  "Cards show roughly what people see on a phone. Open a post to see which parts are approximate.";

interface ListShown {
  /** Earliest first. */
  readonly posts: readonly PreviewPost[];
  /** The day to begin with. */
  readonly from: string;
  readonly today: string;
  readonly data: PreviewData;
  readonly choice: NetworkChoice;
  readonly openPost: (post: PreviewPost) => void;
  /** Only on a client's page. */
  readonly answers?: AnswerBook | undefined;
}

export function postList(shown: ListShown): HTMLElement {
  const { posts, from } = shown;
  const found = posts.findIndex(({ day }) => day >= from);
  let start = found === -1 ? Math.max(0, posts.length - STEP) : found;
  let end = start;
  const days = element("div", { class: "days" });
  const earlier = element("button", { class: "button earlier", type: "button", onclick: showEarlier });
  const sentinel = element("div", { class: "sentinel" });
  const list = element(
    "div",
    { class: "list" },
    element("p", { class: "approximate" }, APPROXIMATE),
    earlier,
    days,
    sentinel,
  );
  const watcher = new IntersectionObserver(
    (entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) showMore();
    },
    { rootMargin: AHEAD },
  );

  function showMore(): void {
    const next = Math.min(posts.length, end + STEP);
    append(days, posts.slice(end, next), shown);
    end = next;
    // Observed again, so that it is reported again while it stays near.
    watcher.unobserve(sentinel);
    if (end < posts.length) watcher.observe(sentinel);
  }

  function showEarlier(): void {
    const height = document.documentElement.scrollHeight;
    start = Math.max(0, start - STEP);
    days.replaceChildren();
    append(days, posts.slice(start, end), shown);
    tellEarlier();
    scrollBy(0, document.documentElement.scrollHeight - height);
  }

  function tellEarlier(): void {
    earlier.hidden = start === 0;
    earlier.textContent = `Show earlier (${plural(start, "post")})`;
  }

  tellEarlier();
  showMore();
  return list;
}

/** All posts. A day is a separate block, which may break across pages. */
export function wholeList(shown: Omit<ListShown, "from">): HTMLElement {
  const days = element("div", { class: "days" });
  append(days, shown.posts, shown);
  return element("div", { class: "list" }, days);
}

function append(
  days: HTMLElement,
  posts: readonly PreviewPost[],
  { data, today, choice, openPost, answers }: Omit<ListShown, "from">,
): void {
  for (const post of posts) {
    let section = days.lastElementChild;
    if (!(section instanceof HTMLElement) || section.dataset["day"] !== post.day) {
      section = daySection(post.day, post.day === today);
      days.append(section);
    }
    section.append(postCard(post, data, choice, () => openPost(post), answers));
  }
}

function daySection(day: string, isToday: boolean): HTMLElement {
  return element(
    "section",
    { class: "list-day", "data-day": day },
    element(
      "h3",
      { tabindex: -1 },
      fullDay(day),
      isToday ? element("span", { class: "today-word" }, "Today") : undefined,
    ),
  );
}

/** The text if there are no posts. */
export function emptyState({ posts, client }: PreviewData, clear: () => void): HTMLElement {
  const isEmpty = posts.length === 0;
  const [title, text] = !isEmpty
    ? ["No post matches", "Try other words or fewer filters."]
    : client === undefined
      ? ["No posts yet", "The rows of your calendars appear here."]
      : ["Nothing to approve", "This page has no posts. Ask whoever sent it to you for a new one."];
  return element(
    "div",
    { class: "nothing" },
    icon(ICONS.grid),
    element("h2", {}, title),
    element("p", { class: "quiet" }, text),
    isEmpty
      ? undefined
      : element("button", { class: "button", type: "button", onclick: clear }, "Clear all filters"),
  );
}

// A card is one post in the list: when, its status, and how its networks show it.

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
      ? [platformMarks(platforms), element("span", { class: "titles" }, ...platforms.map(platformTitle))]
      : []),
    badge(post),
  );
  const card = element(
    "article",
    { class: `card is-${post.status}`, "data-post": post.id },
    head,
    post.status === "failed" ? resultList(post) : undefined,
    postOnNetworks(post, data, choice, false),
    postProblems(post, data),
    footer(post),
    // A client approves the whole post, so the card shows all of it. For others, it has all pictures.
    answers !== undefined || post.replies?.some(({ media }) => media !== undefined) === true
      ? replyList(post, data)
      : undefined,
    ...(answers === undefined
      ? []
      : [
          altList(post, data),
          expiryLine(post),
          optionList(post, data),
          seriesList(post),
          answerControls(post, answers),
        ]),
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
