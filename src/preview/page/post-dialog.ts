/** A dialog with one post. Left and right go to its neighbours, Esc back to where it was opened. */

import type { PreviewData, PreviewDifference, PreviewPost } from "../preview-data.ts";
import { fullDay } from "./days.ts";
import { ICONS, element, icon } from "./dom.ts";
import { numberText } from "./model.ts";
import { postBody } from "./post-card.ts";
import {
  STATUS_LABELS,
  badge,
  meterList,
  platformMark,
  platformsOf,
  problemList,
  problemsOf,
} from "./post-parts.ts";

export class PostDialog {
  readonly #dialog = element("dialog", { class: "dialog", "aria-labelledby": "post-title" });
  #posts: readonly PreviewPost[] = [];
  #at = 0;
  #data: PreviewData | undefined;

  constructor() {
    document.body.append(this.#dialog);
    this.#dialog.addEventListener("keydown", (event) => {
      if (event.key === "ArrowLeft") this.#move(-1);
      else if (event.key === "ArrowRight") this.#move(1);
      else return;
      event.preventDefault();
    });
    this.#dialog.addEventListener("click", ({ target }) => {
      // A click outside the content is on the page behind it.
      if (target === this.#dialog) this.#dialog.close();
    });
  }

  /** @param posts all posts that left and right can reach */
  open(post: PreviewPost, posts: readonly PreviewPost[], data: PreviewData): void {
    this.#posts = posts;
    this.#at = Math.max(0, posts.indexOf(post));
    this.#data = data;
    this.#show();
    if (!this.#dialog.open) this.#dialog.showModal();
    this.#dialog.querySelector<HTMLElement>("h2")?.focus();
  }

  get post(): PreviewPost | undefined {
    return this.#dialog.open ? this.#posts[this.#at] : undefined;
  }

  close(): void {
    this.#dialog.close();
  }

  onClose(done: (post: PreviewPost | undefined) => void): void {
    this.#dialog.addEventListener("close", () => done(this.#posts[this.#at]));
  }

  #move(by: number): void {
    const next = this.#at + by;
    if (next < 0 || next >= this.#posts.length) return;
    this.#at = next;
    this.#show();
    this.#dialog.querySelector<HTMLElement>("h2")?.focus();
  }

  #show(): void {
    const post = this.#posts[this.#at];
    if (post === undefined || this.#data === undefined) return;
    this.#dialog.replaceChildren(this.#frame(post, this.#data));
    this.#dialog.scrollTop = 0;
  }

  #frame(post: PreviewPost, data: PreviewData): HTMLElement {
    const place = `${this.#at + 1} of ${numberText(this.#posts.length)}`;
    return element(
      "div",
      { class: "sheet" },
      element(
        "header",
        { class: "sheet-head" },
        titleOf(post, data),
        element("span", { class: "position" }, place),
        this.#step("Previous post", ICONS.left, -1),
        this.#step("Next post", ICONS.right, 1),
        squareButton("Close", ICONS.cross, () => this.#dialog.close()),
      ),
      ...details(post, data),
    );
  }

  #step(label: string, path: string, by: number): HTMLElement {
    const button = squareButton(label, path, () => this.#move(by));
    button.disabled = this.#posts[this.#at + by] === undefined;
    return button;
  }
}

function squareButton(label: string, path: string, onclick: () => void): HTMLButtonElement {
  const attributes = { class: "button square", type: "button", "aria-label": label, onclick };
  return element("button", attributes, icon(path));
}

function titleOf({ day, clock, offset }: PreviewPost, { timezone }: PreviewData): HTMLElement {
  const time = element("span", { class: "sheet-clock" }, clock);
  return element(
    "div",
    { class: "sheet-title" },
    element("h2", { id: "post-title", tabindex: -1 }, fullDay(day), time),
    element("p", { class: "quiet" }, `UTC${offset}, ${timezone}`),
  );
}

function details(post: PreviewPost, data: PreviewData): (HTMLElement | undefined)[] {
  const platforms = platformsOf(post, data).map((each) =>
    element("span", { class: "platform" }, platformMark(each), each.title),
  );
  return [
    element("div", { class: "sheet-row" }, badge(post), ...platforms),
    element("div", { class: `card is-${post.status}` }, postBody(post, data)),
    problemList(problemsOf(post, data)),
    meterList(post.meters, data),
    differenceList(post.differences),
    element(
      "p",
      { class: "quiet" },
      STATUS_LABELS[post.status].meaning,
      post.reason === undefined ? undefined : element("bdi", {}, ` ${post.reason}`),
    ),
    element(
      "p",
      { class: "quiet place" },
      element("bdi", {}, post.place),
      ...(post.id === undefined ? [] : [" · id ", element("bdi", {}, post.id)]),
    ),
  ];
}

function differenceList(differences: readonly PreviewDifference[]): HTMLElement | undefined {
  if (differences.length === 0) return undefined;
  const rows = differences.flatMap(({ field, before, after }) => [
    element("dt", {}, field),
    element(
      "dd",
      {},
      before === undefined ? undefined : element("del", { dir: "auto" }, before),
      element("ins", { dir: "auto" }, after),
    ),
  ]);
  return element(
    "div",
    { class: "differences" },
    element("h3", {}, "What changes"),
    element("dl", {}, ...rows),
  );
}
