/** A line at the bottom of the page about the last edit, with buttons that undo edits and redo them. */

import { element, icon } from "../parts/dom.ts";
import { ICONS } from "../parts/icons.ts";

/** Whether there is an edit to undo, and one to redo. */
export interface OfferedSteps {
  readonly undo: boolean;
  readonly redo: boolean;
}

const NO_STEPS: OfferedSteps = { undo: false, redo: false };

export class EditNote {
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
