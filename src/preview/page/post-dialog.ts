/** A dialog with one post, or the form that edits it. Left and right show its neighbours. Esc goes back to where it was opened. */

import { formatNumber } from "../../model/text.ts";
import type { PreviewData, PreviewPost } from "../preview-data.ts";
import { type AnswerBook, ANSWERED, answerControls } from "./answers.ts";
import { type NetworkChoice, postOnNetworks } from "./cards/network-card.ts";
import { replyList } from "./cards/replies.ts";
import { EditForm } from "./editing/edit-form.ts";
import type { Edits } from "./editing/edits.ts";
import type { PostEditing } from "./editing/post-editing.ts";
import { ICONS, element, icon } from "./parts/dom.ts";
import { STATUS_LABELS } from "./parts/model.ts";
import {
  NEXT_SLOT,
  altList,
  optionList,
  badge,
  postProblems,
  resultList,
  seriesList,
} from "./parts/post-parts.ts";
import { fullDay, inZone, readersClock } from "./parts/reader.ts";

export class PostDialog {
  readonly #dialog = element("dialog", { class: "dialog", "aria-labelledby": "post-title" });
  readonly #title = element("h2", { id: "post-title", tabindex: -1 });
  readonly #position = element("span", { class: "position", role: "status" });
  readonly #back = this.#step("Previous post", ICONS.left, -1);
  readonly #on = this.#step("Next post", ICONS.right, 1);
  readonly #content = element("div", { class: "sheet-body" });
  readonly #choice: NetworkChoice;
  readonly #answers: AnswerBook | undefined;
  readonly #editing: Pick<PostEditing, "edits" | "save"> | undefined;
  #form: EditForm | undefined;
  #posts: readonly PreviewPost[] = [];
  #at = 0;
  #data: PreviewData | undefined;
  #moved: (post: PreviewPost) => void = () => undefined;

  /** @param answers of a client to the posts */
  constructor(
    choice: NetworkChoice,
    answers: AnswerBook | undefined,
    editing: Pick<PostEditing, "edits" | "save"> | undefined,
  ) {
    this.#choice = choice;
    this.#answers = answers;
    this.#editing = editing;
    const close = squareButton("Close", ICONS.cross, () => this.#leave());
    // The head stays as it is while the posts change, so that its buttons keep their place and the focus.
    this.#dialog.append(
      element("div", { class: "sheet-head" }, this.#title, this.#position, this.#back, this.#on, close),
      this.#content,
    );
    document.body.append(this.#dialog);
    this.#dialog.addEventListener("keydown", (event) => {
      if (this.#form !== undefined) {
        // An Esc that ends an input method's composition is not for the form.
        if (event.key !== "Escape" || event.isComposing) return;
        event.preventDefault();
        if (this.#form.isChanged) this.#form.warn();
        else this.#closeForm();
        return;
      }
      // Arrows move in a video or a comment.
      if (event.target instanceof HTMLVideoElement || event.target instanceof HTMLTextAreaElement) return;
      if (event.key === "ArrowLeft") this.#move(-1);
      else if (event.key === "ArrowRight") this.#move(1);
      else return;
      event.preventDefault();
    });
    this.#dialog.addEventListener("click", ({ target }) => {
      // A click outside the content is on the page behind it.
      if (target === this.#dialog) this.#leave();
    });
    this.#dialog.addEventListener("close", () => (this.#form = undefined));
  }

  /** Takes the same post of newer data; undefined if it is gone. An open form stays as it is. */
  follow(post: PreviewPost | undefined, posts: readonly PreviewPost[], data: PreviewData): void {
    if (this.#form !== undefined) {
      this.#form.follow(post);
      if (post === undefined) return;
      this.#data = data;
      this.#posts = posts.includes(post) ? posts : [post];
      this.#at = this.#posts.indexOf(post);
    } else if (post === undefined) this.#dialog.close();
    else this.open(post, posts, data);
  }

  /** @param posts all posts that left and right can reach */
  open(post: PreviewPost, posts: readonly PreviewPost[], data: PreviewData): void {
    this.#posts = posts.includes(post) ? posts : [post];
    this.#at = this.#posts.indexOf(post);
    this.#data = data;
    this.#form = undefined;
    const isNew = !this.#dialog.open;
    if (isNew) this.#dialog.showModal();
    this.#show();
    if (isNew) this.#title.focus();
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

  /** @param moved is called with each post that is shown */
  onMove(moved: (post: PreviewPost) => void): void {
    this.#moved = moved;
  }

  #leave(): void {
    if (this.#form?.isChanged === true) this.#form.warn();
    else this.#dialog.close();
  }

  #move(by: number): void {
    if (this.#form?.isChanged === true) return this.#form.warn();
    this.#form = undefined;
    const next = this.#at + by;
    if (next < 0 || next >= this.#posts.length) return;
    this.#at = next;
    this.#show();
  }

  #show(): void {
    const post = this.#posts[this.#at];
    if (post === undefined || this.#data === undefined) return;
    const hadFocus = this.#content.contains(document.activeElement);
    const title = `${fullDay(post.day)}, ${readersClock(post.clock)}`;
    this.#title.textContent = title;
    this.#position.replaceChildren(
      `${formatNumber(this.#at + 1)} of ${formatNumber(this.#posts.length)}`,
      element("span", { class: "unseen" }, `: ${title}`),
    );
    // Not disabled, so that the focus stays.
    this.#back.setAttribute("aria-disabled", String(this.#at === 0));
    this.#on.setAttribute("aria-disabled", String(this.#at === this.#posts.length - 1));
    const details = postDetails(post, this.#data, this.#choice, this.#answers);
    const edit =
      this.#editing?.edits.isOffered === true ? this.#editRow(post, this.#editing.edits) : undefined;
    const [first, ...rest] = details;
    this.#content.replaceChildren(...[first, edit, ...rest].filter((each) => each !== undefined));
    this.#dialog.scrollTop = 0;
    if (hadFocus) this.#title.focus();
    this.#moved(post);
  }

  /** The button that opens the form, or why there is none. */
  #editRow(post: PreviewPost, edits: Edits): HTMLElement {
    const why = edits.whyNot(post);
    if (why !== undefined) return element("p", { class: "quiet edit-row" }, why);
    const open = (): void => void this.#openForm(post, edits);
    const button = element(
      "button",
      { class: "button", type: "button", onclick: open },
      icon(ICONS.pen),
      "Edit post",
    );
    return element("div", { class: "edit-row" }, button);
  }

  async #openForm(post: PreviewPost, edits: Edits): Promise<void> {
    const opened = await edits.open(post);
    if (this.post !== post || this.#data === undefined) return;
    if (opened.answer === "refused") {
      const row = this.#content.querySelector(".edit-row");
      row?.replaceWith(
        element("p", { class: "edit-error edit-row", role: "alert" }, icon(ICONS.warning), opened.message),
      );
      this.#title.focus();
      return;
    }
    this.#form = new EditForm(post, this.#data, opened, {
      save: async (same, change) => {
        const refusal = await this.#editing?.save(same, change);
        if (refusal === undefined) this.#dialog.close();
        return refusal;
      },
      measure: (same, text, platforms) => edits.measure(same, text, platforms),
      leave: () => this.#closeForm(),
    });
    this.#content.replaceChildren(this.#form.element);
    this.#dialog.scrollTop = 0;
    this.#form.focus();
  }

  #closeForm(): void {
    this.#form = undefined;
    this.#show();
    this.#content.querySelector<HTMLElement>(".edit-row button")?.focus();
  }

  #step(label: string, path: string, by: number): HTMLButtonElement {
    return squareButton(label, path, () => this.#move(by));
  }
}

function squareButton(label: string, path: string, onclick: () => void): HTMLButtonElement {
  const attributes = { class: "button square", type: "button", "aria-label": label, onclick };
  return element("button", attributes, icon(path));
}

// What the dialog shows of a post: what changes or what happened, how its networks show it, and its times.

/** @param answers of a client to this and other posts */
function postDetails(
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
    replyList(post, data),
    altList(post, data),
    optionList(post, data),
    seriesList(post),
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
