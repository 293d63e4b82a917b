/** Pictures and videos of a post in the network's shapes, so that nothing moves when they load. */

import type { Mosaic, NetworkLook } from "../../network-looks.ts";
import { ICONS, element, icon } from "../parts/dom.ts";
import { type ShownMedia, mediaTitle } from "../parts/post-parts.ts";

export function mediaOfCard(media: readonly ShownMedia[], look: NetworkLook): HTMLElement | undefined {
  const [only] = media;
  if (only === undefined) return undefined;
  if (media.length === 1) {
    const box = mediaBox(only, look);
    box.style.aspectRatio = String(shapeOf(only, look));
    return element("div", { class: "media media-one" }, box);
  }
  if (look.several === "carousel") {
    // Every slide has the shape of the first one.
    const shape = shapeOf(only, look);
    return carousel(
      media.map((each) => mediaBox(each, look)),
      shape,
    );
  }
  if (look.several === "strip") return strip(media, look);
  return mosaic(media, look);
}

/** Pictures of one height in a row that scrolls. */
function strip(media: readonly ShownMedia[], look: NetworkLook): HTMLElement {
  const boxes = media.map((each) => {
    const box = mediaBox(each, look);
    box.style.aspectRatio = String(shapeOf(each, look));
    return box;
  });
  // A part that scrolls must be reachable by keys.
  return element(
    "div",
    {
      class: "media media-strip",
      tabindex: 0,
      role: "group",
      "aria-label": `${media.length} pictures or videos`,
    },
    ...boxes,
  );
}

function mosaic(media: readonly ShownMedia[], look: NetworkLook): HTMLElement {
  const most = Math.max(1, ...Object.keys(look.mosaics ?? {}).map(Number));
  const shown = media.slice(0, most);
  const arranged: Mosaic = look.mosaics?.[shown.length] ?? { arrangement: "pair", shape: look.shapes[1] };
  const grid = element(
    "div",
    { class: `media mosaic ${arranged.arrangement} of-${shown.length}` },
    ...shown.map((each) => mediaBox(each, look)),
  );
  grid.style.aspectRatio = String(arranged.shape);
  const more = media.length - shown.length;
  if (more > 0) grid.lastElementChild?.append(element("span", { class: "more" }, `+${more}`));
  return grid;
}

/** The first picture as a square of the profile's page shows it, beside two others. */
export function profileTile(media: readonly ShownMedia[], look: NetworkLook): HTMLElement | undefined {
  const [first] = media;
  if (first === undefined || look.profileShape === undefined) return undefined;
  const still = stillOf(first);
  const tile = still === undefined ? drawnTile(first) : picture(first, still, "", "");
  const others = [element("span", { class: "tile" }), element("span", { class: "tile" })];
  const row = element("div", { class: "tiles" }, element("span", { class: "tile" }, tile), ...others);
  row.style.setProperty("--shape", String(look.profileShape));
  return element(
    "div",
    { class: "profile" },
    element("p", { class: "quiet" }, "In the grid of your profile"),
    row,
  );
}

function drawnTile(media: ShownMedia): HTMLElement {
  return element("span", { class: "drawn", "aria-hidden": "true" }, icon(iconOf(media)));
}

/** The picture, or the cover of a video. */
function stillOf({ source, cover, kind }: ShownMedia): string | undefined {
  return kind === "video" ? cover : source;
}

/** A thumbnail of the first picture, for a month; undefined if there is none. */
export function thumbnail(media: readonly ShownMedia[]): HTMLElement | undefined {
  const first = media.find((each) => stillOf(each) !== undefined) ?? media[0];
  if (first === undefined) return undefined;
  const still = stillOf(first);
  const instead = element("span", { class: "thumb", "aria-hidden": "true" }, icon(iconOf(first)));
  if (still === undefined) return instead;
  const image = picture(first, still, "thumb", "");
  image.addEventListener("error", () => image.replaceWith(instead));
  return image;
}

function mediaBox(media: ShownMedia, { bars }: NetworkLook): HTMLElement {
  if (media.source === undefined) return insteadOf(media);
  const shown =
    media.kind === "video"
      ? video(media)
      : picture(media, media.source, "", media.alt || `Picture ${media.name}`.trimEnd());
  const box = element(
    "figure",
    { class: `box${bars ? " has-bars" : ""}` },
    shown,
    ...(media.kind === "video" ? onPaper(media) : []),
    altMark(media),
  );
  // Files beside the page may be missing.
  shown.addEventListener("error", () => {
    const instead = insteadOf(media);
    instead.style.aspectRatio = box.style.aspectRatio;
    instead.append(...box.querySelectorAll(".more"));
    box.replaceWith(instead);
  });
  return box;
}

/** What paper shows of a video: its cover if it has one, and what it is. */
function onPaper(media: ShownMedia): HTMLElement[] {
  const { cover } = media;
  const image = cover === undefined ? [] : [picture(media, cover, "paper-cover", "")];
  return [...image, videoCaption(media, "on-paper")];
}

/** As networks mark pictures with a description. */
function altMark({ alt }: ShownMedia): HTMLElement | undefined {
  return alt === ""
    ? undefined
    : element("span", { class: "alt-mark", title: alt, "aria-hidden": "true" }, "ALT");
}

/** A video that cannot be played here, by its cover; anything else by its facts. */
function insteadOf(media: ShownMedia): HTMLElement {
  const { cover, alt } = media;
  if (cover === undefined) return placeholder(media);
  const image = picture(media, cover, "", alt || `Cover of the video ${media.name}`.trimEnd());
  const box = element("figure", { class: "box is-cover" }, image, videoCaption(media, ""), altMark(media));
  image.addEventListener("error", () => box.replaceWith(placeholder(media)));
  return box;
}

/** `Video 0:34` */
function videoCaption({ length }: ShownMedia, name: string): HTMLElement {
  return element(
    "figcaption",
    { class: name },
    icon(ICONS.play),
    `Video${length === undefined ? "" : ` ${length}`}`,
  );
}

function factsOf({ length, width, height, size }: ShownMedia): string {
  const facts = [length, width === undefined ? undefined : `${width} × ${height}`, size];
  return facts.filter((fact) => fact !== undefined).join(" · ");
}

function placeholder(media: ShownMedia): HTMLElement {
  const { why, alt } = media;
  return element(
    "figure",
    { class: `box is-placeholder is-${media.kind}` },
    icon(iconOf(media)),
    element(
      "figcaption",
      {},
      element("bdi", { class: "name" }, mediaTitle(media)),
      element("span", { class: "facts" }, factsOf(media)),
      why === undefined ? undefined : element("span", { class: "why" }, why),
      alt === "" ? undefined : element("span", { class: "unseen" }, alt),
    ),
    altMark(media),
  );
}

/** @param source of the picture, or of the cover of a video */
function picture({ width, height }: ShownMedia, source: string, name: string, alt: string): HTMLElement {
  // Embedded pictures appear immediately, even on paper.
  const loading = source.startsWith("data:") ? "eager" : "lazy";
  return element("img", { class: name, src: source, alt, loading, decoding: "async", width, height });
}

function video({ source = "", cover, name, alt }: ShownMedia): HTMLElement {
  return element("video", {
    src: source,
    poster: cover,
    controls: true,
    playsinline: true,
    preload: "metadata",
    "aria-label": alt || `Video ${name}`.trimEnd(),
  });
}

function iconOf({ kind }: ShownMedia): string {
  return kind === "video" ? ICONS.play : ICONS.picture;
}

/** Shape of a box, width to height. */
function shapeOf({ width, height, kind }: ShownMedia, { shapes: [narrowest, widest] }: NetworkLook): number {
  const own = width === undefined || height === undefined ? (kind === "video" ? 16 / 9 : 2) : width / height;
  return Math.min(widest, Math.max(narrowest, own));
}

// A carousel shows pictures and videos one at a time, with buttons to page.

/** @param shape of each slide, width to height */
function carousel(slides: readonly HTMLElement[], shape: number): HTMLElement {
  let at = 0;
  const stage = element("div", { class: "slides" }, ...slides);
  stage.style.aspectRatio = String(shape);
  const count = element("span", { class: "slide-count", "aria-hidden": "true" });
  const said = element("span", { class: "unseen", role: "status" });
  const dots = element("span", { class: "slide-dots", "aria-hidden": "true" });
  dots.append(...slides.map(() => element("i")));
  const back = step("Previous picture", ICONS.left, -1);
  const on = step("Next picture", ICONS.right, 1);

  function step(label: string, path: string, by: number): HTMLElement {
    const attributes = {
      class: "slide-step",
      type: "button",
      "aria-label": label,
      onclick: () => show(at + by),
    };
    return element("button", attributes, icon(path));
  }

  function show(next: number): void {
    at = Math.min(slides.length - 1, Math.max(0, next));
    for (const [index, slide] of [...stage.children].entries())
      slide.classList.toggle("is-shown", index === at);
    for (const [index, dot] of [...dots.children].entries()) dot.classList.toggle("is-on", index === at);
    // Not disabled, so that the focus stays.
    back.setAttribute("aria-disabled", String(at === 0));
    on.setAttribute("aria-disabled", String(at === slides.length - 1));
    count.textContent = `${at + 1}/${slides.length}`;
    said.textContent = `${at + 1} of ${slides.length}`;
  }

  const made = element(
    "div",
    { class: "media carousel", role: "group", "aria-label": `${slides.length} pictures or videos` },
    stage,
    count,
    back,
    on,
    dots,
    said,
  );
  made.addEventListener("keydown", (event) => {
    const by = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
    if (by === 0) return;
    event.preventDefault();
    // In a dialog, the arrows outside the pictures go to other posts.
    event.stopPropagation();
    show(at + by);
  });
  show(0);
  return made;
}
