/** Editing posts on a page from a server: by dragging or in the dialog's form, with a note that says what was saved. */

import { plural } from "../../../report/text/numbers.ts";
import type { ChangedPost, PageChange, PreviewData, PreviewPost } from "../../preview-data.ts";
import { type Model } from "../parts/model.ts";
import { problemsOf } from "../parts/post-parts.ts";
import { fullDay, readersClock } from "../parts/reader.ts";
import { enableCarrying, enableDragging } from "./moving.ts";
import { Edits } from "./edits.ts";
import { ICONS, element, icon } from "../parts/dom.ts";

/** What editing needs from the page. */
interface EditedPage {
  readonly model: () => Model;
  /** The post of an element in a grid. */
  readonly postOf: (chip: Element) => PreviewPost | undefined;
  /** The posts of a day that the filters let through. */
  readonly postsOf: (day: string) => readonly PreviewPost[];
  /** Goes to a day, and continues reading there. */
  readonly goTo: (day: string) => void;
  /** Whether no post is open. */
  readonly isFree: () => boolean;
}

/** A post, and the data that its indexes belong to. */
interface LocatedPost {
  readonly post: PreviewPost;
  readonly data: PreviewData;
}

interface DoneEdit {
  /** The server's name for it, or for its undo. */
  readonly edit: string;
  /** The post as the page last showed it. */
  readonly edited: LocatedPost;
  /** `the time and the text` */
  readonly what: string;
}

export class PostEditing {
  readonly edits: Edits;
  readonly #note = new EditNote(
    () => this.#stepBack("undo"),
    () => this.#stepBack("redo"),
  );
  /** Edits that can be undone or redone, the last one at the end. */
  readonly #edits: Readonly<Record<Step, DoneEdit[]>> = { undo: [], redo: [] };
  #stepping: Promise<void> = Promise.resolve();
  readonly #page: EditedPage;

  constructor(data: PreviewData, page: EditedPage) {
    this.edits = new Edits(data);
    this.#page = page;
  }

  /** What it says about the last edit. */
  get note(): HTMLElement {
    return this.#note.element;
  }

  /** @param body holds the grid */
  listen(body: HTMLElement): void {
    enableDragging(body, {
      postAt: (chip) => (this.edits.isOffered ? this.#page.postOf(chip) : undefined),
      whyNot: (post) => this.edits.whyNot(post),
      refuse: (why) => this.#note.warn(why),
      drop: (post, day) => void this.#moveTo(post, day),
    });
    enableCarrying(body, {
      postsOf: (day) => this.#page.postsOf(day).filter((post) => this.canEdit(post)),
      drop: (post, day) => void this.#moveTo(post, day),
      tell: (post) => {
        if (post === undefined) this.#note.clear();
        else this.#note.show(carriedText(post));
      },
      refuse: () => {
        if (this.edits.isOffered) this.#note.show("This day has no post that can be moved.");
      },
    });
    document.addEventListener("keydown", (event) => {
      const isField = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
      const step = stepOf(event);
      if (step === undefined || isField || !this.#page.isFree()) return;
      event.preventDefault();
      this.#stepBack(step);
    });
  }

  /** Whether a post can be edited now. */
  canEdit(post: PreviewPost): boolean {
    return this.edits.isOffered && this.edits.whyNot(post) === undefined;
  }

  /** Saves a change, then shows the post in its new place. Returns why it was refused. */
  async save(post: PreviewPost, change: PageChange): Promise<string | undefined> {
    const { data } = this.#page.model();
    const answer = await this.edits.change(post, change);
    if (answer.answer === "refused") return answer.message;
    void this.#announce({ post, data }, change, answer);
    return undefined;
  }

  /** Moves a post that was dropped on a day. It may be older than the newest data. */
  async #moveTo(post: PreviewPost, day: string): Promise<void> {
    await this.edits.caughtUp();
    const same = this.#page.model().sameAs(post);
    const isSame = same?.content === post.content && same?.clock === post.clock;
    const refusal = isSame && same !== undefined ? await this.save(same, { day }) : POST_CHANGED;
    if (refusal !== undefined) this.#note.warn(refusal);
  }

  /** Says what was saved, as soon as the page shows it. @param before the post before the edit */
  async #announce(before: LocatedPost, change: PageChange, { edit, posts }: ChangedPost): Promise<void> {
    this.#note.show("Saved. Updating the page…");
    const isCurrent = await this.edits.caughtUp();
    const now = isCurrent ? this.#find(before) : undefined;
    const edited = now ?? before;
    this.#edits.undo.push({ edit, edited, what: listOf(partsOf(change)) });
    this.#edits.redo.length = 0;
    const text =
      now === undefined
        ? missingText(isCurrent)
        : savedText(now.post, change, posts) + newProblem(before, now);
    this.#note.show(text, this.#offered());
    this.#page.goTo(edited.post.day);
  }

  /** Undoes or redoes one edit after the other, however fast people ask. */
  #stepBack(step: Step): void {
    this.#stepping = this.#stepping.then(() => this.#stepNow(step));
  }

  async #stepNow(step: Step): Promise<void> {
    const [from, to] =
      step === "undo" ? [this.#edits.undo, this.#edits.redo] : [this.#edits.redo, this.#edits.undo];
    const { doing, done, not } = STEP_TEXTS[step];
    const last = from.at(-1);
    if (last === undefined) return this.#note.show(`Nothing to ${step}.`);
    const { edit, edited, what } = last;
    const file = edited.data.editing?.[edited.post.row?.file ?? -1]?.name ?? "";
    this.#note.show(doing);
    const answer = await this.edits.undo(edit, file);
    if (answer.answer === "refused") return this.#note.warn(answer.message, not);
    // An edit that was made meanwhile leaves nothing to redo.
    if (from.at(-1) === last) to.push({ edit: answer.edit, edited, what });
    if (from.includes(last)) from.splice(from.indexOf(last), 1);
    await this.edits.caughtUp();
    this.#note.show(`${done}: ${what}.`, this.#offered());
    this.#page.goTo((this.#find(edited) ?? edited).post.day);
  }

  #offered(): OfferedSteps {
    return { undo: this.#edits.undo.length > 0, redo: this.#edits.redo.length > 0 };
  }

  /** The same post in the newest data. */
  #find({ post, data }: LocatedPost): LocatedPost | undefined {
    const model = this.#page.model();
    const found = model.sameRow(post, data);
    return found && { post: found, data: model.data };
  }
}

type Step = "undo" | "redo";

const STEP_TEXTS: Readonly<Record<Step, Readonly<Record<"doing" | "done" | "not", string>>>> = {
  undo: { doing: "Undoing…", done: "Undone", not: "Not undone." },
  redo: { doing: "Redoing…", done: "Redone", not: "Not redone." },
};

/** Ctrl+Z undoes. Ctrl+Shift+Z and Ctrl+Y redo. */
function stepOf({ key, ctrlKey, metaKey, shiftKey }: KeyboardEvent): Step | undefined {
  if (!ctrlKey && !metaKey) return undefined;
  const letter = key.toLowerCase();
  if (letter === "y") return "redo";
  if (letter !== "z") return undefined;
  return shiftKey ? "redo" : "undo";
}

/** What an edit changed: `the time`, `the status`, `the networks`, `the text`. */
function partsOf({ day, clock, status, platforms, text }: PageChange): string[] {
  return [
    ...(day === undefined && clock === undefined ? [] : ["the time"]),
    ...(status === undefined ? [] : ["the status"]),
    ...(platforms === undefined ? [] : ["the networks"]),
    ...(text === undefined ? [] : ["the text"]),
  ];
}

/** `the time, the networks and the text` */
function listOf(parts: readonly string[]): string {
  return parts.join(", ").replace(/, ([^,]*)$/, " and $1");
}

function savedText({ day, clock }: PreviewPost, change: PageChange, posts: number): string {
  const when = `${fullDay(day)}, ${readersClock(clock)}`;
  const others = listOf(partsOf({ ...change, day: undefined, clock: undefined }));
  const isMoved = change.day !== undefined || change.clock !== undefined;
  if (!isMoved) return `Saved ${others} of the post of ${when}.`;
  const moved = `Moved ${posts > 1 ? `${posts} posts of the row` : "the post"} to ${when}`;
  return others === "" ? `${moved}.` : `${moved}, and saved ${others}.`;
}

/** The first problem that the edit caused; empty if there is none. */
function newProblem(before: LocatedPost, now: LocatedPost): string {
  const known = new Set(problemsOf(before.post, before.data).map(({ message }) => message));
  const [first, ...more] = problemsOf(now.post, now.data).filter(({ message }) => !known.has(message));
  if (first === undefined) return "";
  const others = more.length === 0 ? "" : ` And ${plural(more.length, "more problem")}.`;
  return ` ${first.severity === "error" ? "Error" : "Warning"}: ${first.message}${others}`;
}

function carriedText({ clock, content = "" }: PreviewPost): string {
  const start = content.slice(0, CARRIED_LENGTH).replaceAll(/\s+/g, " ");
  const text = content.length > CARRIED_LENGTH ? `${start}…` : start;
  return `Moving the post of ${readersClock(clock)}: “${text}” Choose a day with the arrows, then press Enter. Esc cancels.`;
}

/** Characters of a text that name a post. */
const CARRIED_LENGTH = 40;

function missingText(isCurrent: boolean): string {
  return isCurrent ? NOT_SHOWN : NOT_YET_READ;
}

const NOT_YET_READ = "Saved. The page shows the edit as soon as plancast has read the file again.";

const NOT_SHOWN =
  "Saved. The page does not show this post now: a filter may hide it, or its row may have a problem.";

const POST_CHANGED =
  "The post has changed in the file since you picked it up. Look at the new state, and try again.";

// The note is a line at the bottom of the page, with buttons that undo edits and redo them.

/** Whether there is an edit to undo, and one to redo. */
export interface OfferedSteps {
  readonly undo: boolean;
  readonly redo: boolean;
}

const NO_STEPS: OfferedSteps = { undo: false, redo: false };

class EditNote {
  readonly element: HTMLElement;
  readonly #text = element("p", { role: "status" });
  readonly #undo: HTMLButtonElement;
  readonly #redo: HTMLButtonElement;
  readonly #close: HTMLButtonElement;
  readonly #bar: HTMLElement;

  /** @param undo undoes the last edit @param redo makes the last undone edit again */
  constructor(undo: () => void, redo: () => void) {
    this.#undo = element("button", { class: "button", type: "button", onclick: undo }, "Undo");
    this.#redo = element("button", { class: "button", type: "button", onclick: redo }, "Redo");
    this.#close = element(
      "button",
      {
        class: "button square",
        type: "button",
        "aria-label": "Close this message",
        onclick: () => this.clear(),
      },
      icon(ICONS.cross),
    );
    this.#bar = element("div", { class: "edit-note-bar" }, this.#text, this.#undo, this.#redo, this.#close);
    this.element = element("section", { class: "edit-note is-empty", "aria-label": "Last edit" }, this.#bar);
    this.clear();
  }

  show(text: string, offered = NO_STEPS): void {
    this.#show(text, undefined, offered);
  }

  /** Shows why something was refused. @param what did not happen */
  warn(text: string, what = "Not saved."): void {
    this.#show(text, what, NO_STEPS);
  }

  clear(): void {
    this.#show("", undefined, NO_STEPS);
  }

  #show(text: string, refused: string | undefined, { undo, redo }: OfferedSteps): void {
    this.#text.replaceChildren(
      ...(refused === undefined ? [] : [element("strong", {}, icon(ICONS.warning), `${refused} `)]),
      text,
    );
    this.element.classList.toggle("is-empty", text === "");
    this.element.classList.toggle("is-alert", refused !== undefined);
    this.#undo.hidden = !undo;
    this.#redo.hidden = !redo;
    this.#close.hidden = text === "";
  }
}
