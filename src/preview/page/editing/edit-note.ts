/** A line at the bottom of the page about the last edit, with a button that undoes it. */

import { element, icon } from "../parts/dom.ts";
import { ICONS } from "../parts/icons.ts";

export class EditNote {
  readonly element: HTMLElement;
  readonly #text = element("p", { role: "status" });
  readonly #undo: HTMLButtonElement;
  readonly #close: HTMLButtonElement;
  readonly #bar: HTMLElement;
  #onUndo: (() => void) | undefined;

  constructor() {
    this.#undo = element("button", { class: "button", type: "button", onclick: () => this.undo() }, "Undo");
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
    this.#bar = element("div", { class: "edit-note-bar" }, this.#text, this.#undo, this.#close);
    this.element = element("section", { class: "edit-note is-empty", "aria-label": "Last edit" }, this.#bar);
    this.clear();
  }

  /** @param onUndo undoes the edit that the text is about */
  show(text: string, onUndo?: () => void): void {
    this.#show(text, false, onUndo);
  }

  /** Shows why an edit was refused. */
  warn(text: string): void {
    this.#show(text, true, undefined);
  }

  clear(): void {
    this.#show("", false, undefined);
  }

  /** Undoes the last edit, if it can be undone. */
  undo(): void {
    const undo = this.#onUndo;
    this.#onUndo = undefined;
    undo?.();
  }

  #show(text: string, isRefusal: boolean, onUndo: (() => void) | undefined): void {
    this.#onUndo = onUndo;
    this.#text.replaceChildren(
      ...(isRefusal ? [element("strong", {}, icon(ICONS.warning), "Not saved. ")] : []),
      text,
    );
    this.element.classList.toggle("is-empty", text === "");
    this.element.classList.toggle("is-alert", isRefusal);
    this.#undo.hidden = onUndo === undefined;
    this.#close.hidden = text === "";
  }
}
