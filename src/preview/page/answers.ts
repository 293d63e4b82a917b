/**
 * A client's answers to the posts of the page, and their controls. The browser keeps them, if it can, until the client comes back. They
 * leave the page only as a file that the client downloads.
 */

import { formatNumber } from "../../model/text.ts";
import { plural } from "../../report/text/numbers.ts";
import {
  type AnswerStatus,
  type AnswersFile,
  type ClientAnswer,
  type ClientPage,
  type PreviewData,
  type PreviewPost,
  type PreviewStatus,
  MAX_COMMENT,
} from "../preview-data.ts";
import { readersClock, shortDay, fullDay } from "./parts/reader.ts";
import { ICONS, element, icon } from "./parts/dom.ts";

/** Characters of a post's text in the file, so that people recognise it. */
const SHOWN_LENGTH = 80;

export interface AnswerCounts {
  readonly posts: number;
  readonly approved: number;
  readonly changes: number;
  readonly unanswered: number;
}

export class AnswerBook {
  readonly #page: ClientPage;
  readonly #posts: readonly PreviewPost[];
  readonly #comments = new Map<PreviewPost, string>();
  /** Whether the browser keeps the answers. */
  #isKept = true;
  /** Answers that are in no downloaded file yet. */
  #isOpen = false;

  constructor({ posts }: PreviewData, page: ClientPage) {
    this.#page = page;
    this.#posts = posts;
    for (const post of posts) this.#restore(post);
    this.#keep("plancast", "");
    // Without this, nothing would warn the reader of the loss.
    addEventListener("beforeunload", (event) => {
      if (this.#isOpen && !this.#isKept) event.preventDefault();
    });
  }

  get isKept(): boolean {
    return this.#isKept;
  }

  commentOf(post: PreviewPost): string {
    return this.#comments.get(post) ?? "";
  }

  /** Takes an answer back if it is given again. */
  answer(post: PreviewPost, status: AnswerStatus): void {
    setStatus(post, post.status === status ? "unanswered" : status);
    this.#save(post);
  }

  comment(post: PreviewPost, text: string): void {
    if (text.trim() === "") this.#comments.delete(post);
    else this.#comments.set(post, text);
    this.#save(post);
  }

  counts(): AnswerCounts {
    const of = (status: AnswerStatus): number => this.#posts.filter((post) => post.status === status).length;
    return {
      posts: this.#posts.length,
      approved: of("approved"),
      changes: of("changes"),
      unanswered: of("unanswered"),
    };
  }

  /** The next post without an answer. At the end, it starts again from the beginning. */
  nextUnanswered(after: PreviewPost | undefined): PreviewPost | undefined {
    const at = after === undefined ? -1 : this.#posts.indexOf(after);
    const rest = [...this.#posts.slice(at + 1), ...this.#posts.slice(0, at + 1)];
    return rest.find(({ status }) => status === "unanswered");
  }

  /** The file's name, and its content as JSON: every post of the page, with or without an answer. @param now ms since the epoch */
  file(now: number): { readonly name: string; readonly text: string } {
    const answers = this.#posts.flatMap((post) => this.#record(post) ?? []);
    const file: AnswersFile = {
      plancast_answers: 1,
      page: this.#page,
      saved: `${new Date(now).toISOString().slice(0, 19)}Z`,
      answers,
    };
    this.#isOpen = false;
    return { name: fileName(this.#page), text: `${JSON.stringify(file, null, 2)}\n` };
  }

  #record(post: PreviewPost): ClientAnswer | undefined {
    const { id, seal, status, content = "", day, clock } = post;
    const comment = this.#comments.get(post);
    const answer = status === "approved" || status === "changes" ? status : undefined;
    if (id === undefined || seal === undefined) return undefined;
    const start = Array.from(content.slice(0, SHOWN_LENGTH * 2))
      .slice(0, SHOWN_LENGTH)
      .join("");
    const shown = `${shortDay(day)} ${day.slice(0, 4)}, ${readersClock(clock)}: ${start}`
      .replaceAll(/\s+/g, " ")
      .trim();
    return {
      post: id,
      seal,
      ...(answer === undefined ? {} : { answer }),
      ...(comment === undefined ? {} : { comment }),
      shown,
    };
  }

  #save(post: PreviewPost): void {
    this.#isOpen = true;
    const comment = this.#comments.get(post);
    const isEmpty = post.status === "unanswered" && comment === undefined;
    this.#keep(keyOf(post), isEmpty ? "" : JSON.stringify([post.status, comment ?? ""]));
  }

  /** @param value empty: removes it */
  #keep(key: string, value: string): void {
    try {
      if (value === "") localStorage.removeItem(key);
      else localStorage.setItem(key, value);
    } catch {
      // Some browsers have no storage for a file, or none in a private window, or it is full.
      this.#isKept = false;
    }
  }

  /** Takes only what `#save` writes: another page of the same browser may have written anything. */
  #restore(post: PreviewPost): void {
    try {
      const kept: unknown = JSON.parse(localStorage.getItem(keyOf(post)) ?? "null");
      if (!Array.isArray(kept)) return;
      const [status, comment]: unknown[] = kept;
      if (status === "approved" || status === "changes") setStatus(post, status);
      if (typeof comment === "string" && comment.trim() !== "") this.#comments.set(post, comment);
    } catch {
      // Without storage, or with something else under the key, the post has no answer yet.
    }
  }
}

/** On a client's page, the status is the client's answer: every view shows it. */
function setStatus(post: { status: PreviewStatus }, status: AnswerStatus): void {
  post.status = status;
}

/** Answers belong to this version of the post. A newer page keeps the answers to posts that did not change. */
function keyOf({ id = "", seal }: PreviewPost): string {
  return `plancast ${id} ${seal === undefined ? "" : Object.values(seal).join("")}`;
}

/** `answers-spring-2036-03.json` */
function fileName({ project = "", from, to }: ClientPage): string {
  const name = project
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, "-")
    .slice(0, 40)
    .replaceAll(/^-|-$/g, "");
  const isMonth = from.endsWith("-01") && from.slice(0, 7) === to.slice(0, 7) && Number(to.slice(8)) >= 28;
  const days = isMonth ? from.slice(0, 7) : from === to ? from : `${from}-to-${to}`;
  return `${["answers", name, days].filter((part) => part !== "").join("-")}.json`;
}

// The controls: those of one post, and the bar with the download.

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
    approved === 0 ? "" : `${formatNumber(approved)} approved`,
    changes === 0 ? "" : `${formatNumber(changes)} ${changes === 1 ? "needs" : "need"} changes`,
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
    this.#count.textContent = `${formatNumber(posts - unanswered)} of ${plural(posts, "post")} answered`;
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
