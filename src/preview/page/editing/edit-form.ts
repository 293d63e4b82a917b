/** The form for one post: its day and time, its status, its networks and its text. A part that cannot be edited says why. */

import type { Meter, OpenedEdit, PageChange, PreviewData, PreviewPost } from "../../preview-data.ts";
import { ICONS, element, icon } from "../parts/dom.ts";
import { meterList, platformMark, platformTitle, platformsOf } from "../parts/post-parts.ts";

interface FormActions {
  /** Resolves to why the change was refused; undefined after it was saved. */
  readonly save: (post: PreviewPost, change: PageChange) => Promise<string | undefined>;
  /** How long the text would be on each of these networks. */
  readonly measure: (
    post: PreviewPost,
    text: string,
    platforms: readonly string[],
  ) => Promise<readonly Meter[]>;
  /** Leaves the form without saving. */
  readonly leave: () => void;
}

const CHANGED =
  "This post has changed in the file since you opened it, so your changes cannot be saved. Copy your text if you need it, then cancel.";
const UNSAVED = "You have changes that are not saved. Save them, or press Cancel to discard them.";

/** How long somebody pauses before the text is counted, in ms. */
const PAUSE_MS = 300;

let lastForm = 0;

export class EditForm {
  readonly element: HTMLFormElement;
  readonly #opened: OpenedEdit;
  readonly #actions: FormActions;
  readonly #error = element("p", { class: "edit-error", role: "alert", tabindex: -1 });
  readonly #save = element("button", { class: "button is-main", type: "submit" }, "Save");
  readonly #day = element("input", { type: "date", required: true, min: "1970-01-01", max: "9999-12-31" });
  readonly #clock = element("input", { type: "time", required: true });
  readonly #status = element("select", { class: "edit-status" });
  readonly #boxes: HTMLInputElement[];
  readonly #text = element("textarea", {
    class: "comment edit-text",
    rows: 6,
    dir: "auto",
    spellcheck: "true",
  });
  /** The post's networks, for a post whose networks cannot be edited. */
  readonly #own: readonly string[];
  readonly #lengths = element("div", { class: "edit-lengths" });
  #counting: ReturnType<typeof setTimeout> | undefined;
  #post: PreviewPost;
  #isOld = false;
  #isSaving = false;

  constructor(post: PreviewPost, data: PreviewData, opened: OpenedEdit, actions: FormActions) {
    this.#post = post;
    this.#opened = opened;
    this.#actions = actions;
    this.#own = platformsOf(post, data).map(({ name }) => name);
    this.#day.value = post.day;
    this.#clock.value = post.clock;
    this.#clock.step = post.clock.length > "09:00".length ? "1" : "60";
    this.#text.value = "value" in opened.text ? opened.text.value : "";
    const chosen = "value" in opened.platforms ? opened.platforms.value : [];
    this.#boxes = opened.choices.map(({ name }) =>
      element("input", { type: "checkbox", value: name, checked: chosen.includes(name) }),
    );
    const cancel = element(
      "button",
      { class: "button", type: "button", onclick: () => actions.leave() },
      "Cancel",
    );
    this.element = element(
      "form",
      { class: "edit-form", "aria-label": "Edit post", novalidate: true },
      this.#whenPart(data),
      this.#statusPart(),
      this.#networksPart(),
      this.#textPart(),
      this.#error,
      element("div", { class: "edit-actions" }, cancel, this.#save),
    );
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#submit();
    });
    this.element.addEventListener("input", () => this.#countLater(PAUSE_MS));
    this.#countLater(0);
    this.element.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.element.requestSubmit();
    });
  }

  get post(): PreviewPost {
    return this.#post;
  }

  /** Whether leaving would lose changes. */
  get isChanged(): boolean {
    return Object.keys(this.#change()).length > 0;
  }

  focus(): void {
    const first = this.element.querySelector<HTMLElement>("input, textarea, button");
    first?.focus();
  }

  /** Says that something was stopped because it would lose changes. */
  warn(): void {
    this.#fail(UNSAVED);
  }

  /** Takes the same post of newer data; undefined if it is gone. A post that is as before can still be saved. */
  follow(post: PreviewPost | undefined): void {
    if (this.#isSaving) return;
    if (post !== undefined && shownOf(post) === shownOf(this.#post)) {
      this.#post = post;
      return;
    }
    this.#isOld = true;
    this.#fail(CHANGED);
    if (document.activeElement === this.#save) this.#error.focus();
    this.#save.disabled = true;
  }

  #whenPart({ timezone }: PreviewData): HTMLElement {
    const { when } = this.#opened;
    if ("why" in when) return fixedPart("Day and time", when.why);
    const { posts } = when.value;
    return element(
      "fieldset",
      { class: "edit-part" },
      element("legend", {}, "Day and time"),
      element(
        "div",
        { class: "edit-when" },
        element("label", {}, element("span", { class: "unseen" }, "Day"), this.#day),
        element("label", {}, element("span", { class: "unseen" }, "Time"), this.#clock),
        element("span", { class: "quiet" }, timezone),
      ),
      posts > 1 ? shareNote(`This row makes ${posts} posts at this time. All of them move.`) : undefined,
    );
  }

  /** The calendar's own words, each with its meaning. */
  #statusPart(): HTMLElement {
    const { status } = this.#opened;
    if ("why" in status) return fixedPart("Status", status.why);
    const { word: own, words, posts } = status.value;
    this.#status.append(
      ...words.map(({ word, label, means }) =>
        element("option", { value: word, selected: word === own }, statusLabel(label, means)),
      ),
    );
    return element(
      "div",
      { class: "edit-part" },
      element("label", {}, element("span", { class: "edit-label" }, "Status"), this.#status),
      posts > 1 ? shareNote(`This row makes ${posts} posts. All of them get the status.`) : undefined,
    );
  }

  #networksPart(): HTMLElement {
    const { platforms, choices } = this.#opened;
    if ("why" in platforms) return fixedPart("Networks", platforms.why);
    const labels = choices.map((choice, index) =>
      element(
        "label",
        { class: "edit-network" },
        this.#boxes[index],
        platformMark(choice),
        platformTitle(choice),
      ),
    );
    return element(
      "fieldset",
      { class: "edit-part" },
      element("legend", {}, "Networks"),
      element("div", { class: "edit-networks" }, ...labels),
    );
  }

  #textPart(): HTMLElement {
    const { text } = this.#opened;
    if ("why" in text) return fixedPart("Text", text.why);
    const name = `edit-text-${(lastForm += 1)}`;
    this.#text.id = name;
    return element(
      "div",
      { class: "edit-part" },
      element("label", { class: "edit-label", for: name }, "Text"),
      this.#text,
      this.#lengths,
    );
  }

  /** Shows how much of each limit the text uses, as the checks count it. */
  #countLater(pauseMs: number): void {
    clearTimeout(this.#counting);
    if ("why" in this.#opened.text) return;
    this.#counting = setTimeout(() => void this.#count(), pauseMs);
  }

  async #count(): Promise<void> {
    const counting = this.#counting;
    const names = "why" in this.#opened.platforms ? this.#own : this.#chosen();
    const platforms = this.#opened.choices.filter(({ name }) => names.includes(name));
    const meters = await this.#actions.measure(
      this.#post,
      this.#text.value,
      platforms.map(({ name }) => name),
    );
    // A newer text is on its way.
    if (counting === this.#counting) this.#lengths.replaceChildren(meterList(meters, { platforms }) ?? "");
  }

  /** Identifiers. */
  #chosen(): readonly string[] {
    return this.#boxes.filter(({ checked }) => checked).map(({ value }) => value);
  }

  #change(): PageChange {
    const { text, platforms, when, status } = this.#opened;
    const chosen = this.#chosen();
    const isMoved = this.#day.value !== this.#post.day || this.#clock.value !== this.#post.clock;
    return {
      ...("value" in when && isMoved ? { day: this.#day.value, clock: this.#clock.value } : {}),
      ...("value" in platforms && !isSameSet(chosen, platforms.value) ? { platforms: chosen } : {}),
      ...("value" in text && this.#text.value !== text.value ? { text: this.#text.value } : {}),
      ...("value" in status && this.#status.value !== status.value.word
        ? { status: this.#status.value }
        : {}),
    };
  }

  async #submit(): Promise<void> {
    if (this.#isSaving) return;
    const change = this.#change();
    if (this.#isOld) return this.#fail(CHANGED);
    if (Object.keys(change).length === 0) return this.#actions.leave();
    if (change.day === "" || change.clock === "") return this.#fail("Fill in the day and the time.");
    this.#error.textContent = "";
    this.#isSaving = true;
    // After the change, the server knows another version of the file.
    clearTimeout(this.#counting);
    this.#save.textContent = "Saving…";
    const refusal = await this.#actions.save(this.#post, change);
    this.#isSaving = false;
    this.#save.textContent = "Save";
    if (refusal !== undefined) this.#fail(refusal);
  }

  #fail(message: string): void {
    this.#error.replaceChildren(icon(ICONS.warning), message);
    this.#error.scrollIntoView({ block: "nearest" });
  }
}

/** `Approved (ready)`; for a word that says its meaning, only the word. */
function statusLabel(label: string, means: string): string {
  if (label === "") return `Blank (${means})`;
  return label.toLowerCase() === means ? label : `${label} (${means})`;
}

/** Says that a change is of several posts. */
function shareNote(text: string): HTMLElement {
  return element("p", { class: "quiet edit-hint" }, text);
}

function fixedPart(label: string, why: string): HTMLElement {
  return element(
    "div",
    { class: "edit-part" },
    element("p", { class: "edit-label" }, label),
    element("p", { class: "quiet" }, why),
  );
}

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((each) => other.includes(each));
}

/** What an edit starts from. */
function shownOf({ status, day, clock, content, platforms, media }: PreviewPost): string {
  return JSON.stringify([status === "draft", day, clock, content, platforms, media]);
}
