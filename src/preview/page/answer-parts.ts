/** The controls for a client's answers: the controls of one post, and the bar with the download. */

import { type AnswerStatus, type PreviewPost, MAX_COMMENT } from "../preview-data.ts";
import type { AnswerBook } from "./answers.ts";
import { element, icon } from "./parts/dom.ts";
import { ICONS } from "./parts/icons.ts";
import { numberText, plural } from "./parts/model.ts";
import { fullDay, readersClock } from "./parts/reader.ts";

/** Its target is the answer's controls, and it bubbles. */
export const ANSWERED = "answered";

const CHOICES = [
  { status: "approved", label: "Approve", drawn: ICONS.check },
  { status: "changes", label: "Request changes", drawn: ICONS.pen },
] as const;

let lastField = 0;

/** The answer to one post. Dispatches ANSWERED after each change. */
export function answerControls(post: PreviewPost, book: AnswerBook): HTMLElement {
  const title = `${fullDay(post.day)}, ${readersClock(post.clock)}`;
  const field = `comment-${(lastField += 1)}`;
  const label = element("label", { class: "comment-label", for: field });
  const comment = element("textarea", {
    class: "comment",
    id: field,
    rows: 2,
    maxlength: MAX_COMMENT,
    dir: "auto",
  });
  comment.value = book.commentOf(post);
  const buttons = CHOICES.map(({ status, label: name, drawn }) =>
    element(
      "button",
      { class: `choice is-${status}`, type: "button", onclick: () => choose(status) },
      icon(drawn),
      name,
    ),
  );
  const paper = element("p", { class: "on-paper" });
  const made = element(
    "section",
    { class: "answer", "aria-label": `Your answer for ${title}` },
    element("div", { class: "choices" }, ...buttons),
    label,
    comment,
    paper,
  );

  function choose(status: AnswerStatus): void {
    book.answer(post, status);
    show();
    tell();
  }

  function show(): void {
    for (const [index, button] of buttons.entries())
      button.setAttribute("aria-pressed", String(CHOICES[index]?.status === post.status));
    label.textContent = post.status === "changes" ? "What should change?" : "Comment (optional)";
    paper.textContent = paperText(post, book);
  }

  function tell(): void {
    made.dispatchEvent(new CustomEvent(ANSWERED, { bubbles: true, detail: post }));
  }

  comment.addEventListener("input", () => {
    book.comment(post, comment.value);
    paper.textContent = paperText(post, book);
    tell();
  });
  show();
  return made;
}

/** Boxes to tick, or what is already answered. */
function paperText(post: PreviewPost, book: AnswerBook): string {
  const boxes = CHOICES.map(({ status, label }) => `${post.status === status ? "☒" : "☐"} ${label}`);
  const comment = book.commentOf(post);
  return `${boxes.join("    ")}\nComment: ${comment === "" ? "_".repeat(40) : comment}`;
}

/** `3 approved, 1 needs changes. ` Empty without answers. */
function answersText(approved: number, changes: number): string {
  const parts = [
    approved === 0 ? "" : `${numberText(approved)} approved`,
    changes === 0 ? "" : `${numberText(changes)} ${changes === 1 ? "needs" : "need"} changes`,
  ].filter((part) => part !== "");
  return parts.length === 0 ? "" : `${parts.join(", ")}. `;
}

const SEND = "Now download your answers. ";

export class AnswerBar {
  readonly element: HTMLElement;
  readonly #book: AnswerBook;
  readonly #count = element("strong", { class: "answer-count" });
  readonly #bar = element("span", { class: "bar", "aria-hidden": "true" });
  readonly #said = element("p", { class: "answer-said", role: "status" });
  readonly #next: HTMLButtonElement;
  #downloaded: string | undefined;

  /** @param openNext opens the next post without an answer */
  constructor(book: AnswerBook, openNext: () => void) {
    this.#book = book;
    this.#next = element("button", { class: "button", type: "button", onclick: openNext }, "Next unanswered");
    const download = element(
      "button",
      { class: "button is-main", type: "button", onclick: () => this.#download() },
      icon(ICONS.download),
      "Download answers",
    );
    this.#bar.append(element("span", { class: "fill" }));
    this.element = element(
      "section",
      { class: "answer-bar", "aria-label": "Your answers" },
      element("div", { class: "answer-progress" }, this.#count, this.#bar, this.#said),
      element("div", { class: "answer-actions" }, this.#next, download),
    );
    this.element.hidden = book.counts().posts === 0;
    this.render();
  }

  /** Shows the current answers. */
  render(): void {
    const { posts, approved, changes, unanswered } = this.#book.counts();
    this.#count.textContent = `${numberText(posts - unanswered)} of ${plural(posts, "post")} answered`;
    const fill = this.#bar.firstElementChild;
    if (fill instanceof HTMLElement)
      fill.style.width = `${posts === 0 ? 0 : ((posts - unanswered) / posts) * 100}%`;
    const kept = this.#book.isKept
      ? // A phone has no room for what needs no action.
        element("span", { class: "answer-kept" }, "Your browser keeps your answers.")
      : "Your browser cannot keep your answers: download them before you close this page.";
    this.#said.replaceChildren(
      ...(this.#downloaded === undefined
        ? [answersText(approved, changes), unanswered === 0 ? SEND : "", kept]
        : [this.#downloaded]),
    );
    this.#said.classList.toggle("is-alert", !this.#book.isKept && this.#downloaded === undefined);
    this.#next.setAttribute("aria-disabled", String(unanswered === 0));
  }

  /** After a change, the downloaded file is old. */
  noteChange(): void {
    this.#downloaded = undefined;
    this.render();
  }

  #download(): void {
    const { name, text } = this.#book.file(Date.now());
    const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    const link = document.createElement("a");
    link.href = address;
    link.download = name;
    link.click();
    // The browser needs it until the download has begun.
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
    const { unanswered } = this.#book.counts();
    const rest =
      unanswered === 0
        ? ""
        : ` ${plural(unanswered, "post")} ${unanswered === 1 ? "is" : "are"} still unanswered.`;
    this.#downloaded = `Downloaded ${name}. Send this file back to whoever sent you this page.${rest}`;
    this.render();
  }
}
