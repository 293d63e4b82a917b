/** One post as it will look: its text, pictures and videos. */

import type { PreviewData, PreviewMedia, PreviewPost } from "../preview-data.ts";
import { ICONS, element, icon } from "./dom.ts";
import {
  badge,
  mediaOf,
  meterList,
  platformMarks,
  platformsOf,
  problemList,
  problemsOf,
} from "./post-parts.ts";

export function postBody(post: PreviewPost, data: PreviewData): HTMLElement {
  const { content } = post;
  const text =
    content === undefined
      ? element("p", { class: "quiet" }, "The service does not show the text of this post.")
      : content === ""
        ? undefined
        : richText(content);
  return element("div", { class: "body" }, text, mediaGrid(mediaOf(post, data)));
}

/** A card in the list; a click on its time opens the post. */
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

// A text as a network shows it, with highlighted links, tags and mentions. None of them can be opened.

const PARTS =
  /https?:\/\/[^\s<>"]{1,2000}|(?<![\p{L}\p{N}_&/])[#＃][\p{L}\p{N}\p{M}_]{1,140}|(?<![\p{L}\p{N}_.])@[\w.@-]{1,100}/gu;

function richText(text: string): HTMLElement {
  // Each paragraph has its own direction, so that one cannot change the others.
  const made = element("div", { class: "text", dir: "auto" });
  let end = 0;
  for (const match of text.matchAll(PARTS)) {
    made.append(text.slice(end, match.index), element("span", { class: "entity" }, match[0]));
    end = match.index + match[0].length;
  }
  made.append(text.slice(end));
  return made;
}

// Pictures and videos in boxes of the right shape, so that nothing moves when they load.

/** Further ones are counted on the last. */
const SHOWN = 4;
/** Limits for the shape of a box, width to height. */
const NARROWEST = 0.8;
const WIDEST = 2;

function mediaGrid(media: readonly PreviewMedia[]): HTMLElement | undefined {
  if (media.length === 0) return undefined;
  const shown = media.slice(0, SHOWN);
  const grid = element("div", { class: `media media-${shown.length}` }, ...shown.map(mediaBox));
  const more = media.length - shown.length;
  if (more > 0) grid.lastElementChild?.append(element("span", { class: "more" }, `+${more}`));
  const [only] = shown;
  const box = grid.firstElementChild;
  if (shown.length === 1 && only !== undefined && box instanceof HTMLElement)
    box.style.aspectRatio = String(shapeOf(only));
  return grid;
}

/** A thumbnail of the first picture, for a month; undefined if there is none. */
export function thumbnail(media: readonly PreviewMedia[]): HTMLElement | undefined {
  const first = media.find(({ source }) => source !== undefined) ?? media[0];
  if (first === undefined) return undefined;
  const instead = element("span", { class: "thumb", "aria-hidden": "true" }, icon(iconOf(first)));
  if (first.source === undefined) return instead;
  const image = picture(first, "thumb", "");
  image.addEventListener("error", () => image.replaceWith(instead));
  return image;
}

function mediaBox(media: PreviewMedia): HTMLElement {
  if (media.source === undefined) return placeholder(media);
  const image = picture(media, "", `Picture ${media.name}`);
  const box = element("figure", { class: "box" }, image);
  // Files beside the page may be missing.
  image.addEventListener("error", () => {
    const instead = placeholder(media);
    instead.style.aspectRatio = box.style.aspectRatio;
    instead.append(...box.querySelectorAll(".more"));
    box.replaceWith(instead);
  });
  return box;
}

function placeholder(media: PreviewMedia): HTMLElement {
  const { width, height, length, size, why } = media;
  const facts = [length, width === undefined ? undefined : `${width} × ${height}`, size];
  return element(
    "figure",
    { class: `box is-placeholder is-${media.kind}` },
    icon(iconOf(media)),
    element(
      "figcaption",
      {},
      element("bdi", { class: "name" }, media.name),
      element("span", { class: "facts" }, facts.filter((fact) => fact !== undefined).join(" · ")),
      why === undefined ? undefined : element("span", { class: "why" }, why),
    ),
  );
}

function picture({ source = "", width, height }: PreviewMedia, name: string, alt: string): HTMLElement {
  // Embedded pictures appear at once, also on paper.
  const loading = source.startsWith("data:") ? "eager" : "lazy";
  return element("img", { class: name, src: source, alt, loading, decoding: "async", width, height });
}

function iconOf({ kind }: PreviewMedia): string {
  return kind === "video" ? ICONS.play : ICONS.picture;
}

function shapeOf({ width, height, kind }: PreviewMedia): number {
  if (width === undefined || height === undefined) return kind === "video" ? 16 / 9 : WIDEST;
  return Math.min(WIDEST, Math.max(NARROWEST, width / height));
}
