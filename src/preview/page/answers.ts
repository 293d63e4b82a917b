/**
 * A client's answers to the posts of the page. The browser keeps them, if it can, until the client comes back. They
 * leave the page only as a file that the client downloads.
 */

import type {
  AnswerStatus,
  AnswersFile,
  ClientAnswer,
  ClientPage,
  PreviewData,
  PreviewPost,
  PreviewStatus,
} from "../preview-data.ts";
import { readersClock, shortDay } from "./parts/reader.ts";

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
