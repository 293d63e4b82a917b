/** A line at the bottom of the page about the last edit, with a button that undoes it. */

import { element, icon } from "../parts/dom.ts";
import { ICONS } from "../parts/icons.ts";

export class EditNote {
  readonly element: HTMLElement;
  readonly #text = element("p", { role: "status" });
  readonly #undo: HTMLButtonElement;
  readonly #close: HTMLButtonElement;
  readonly #bar: HTMLElement;

  /** @param undo undoes the last edit */
  constructor(undo: () => void) {
    this.#undo = element("button", { class: "button", type: "button", onclick: undo }, "Undo");
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

  /** @param offersUndo whether there is an edit to undo */
  show(text: string, offersUndo = false): void {
    this.#show(text, undefined, offersUndo);
  }

  /** Shows why something was refused. @param what did not happen */
  warn(text: string, what = "Not saved."): void {
    this.#show(text, what, false);
  }

  clear(): void {
    this.#show("", undefined, false);
  }

  #show(text: string, refused: string | undefined, offersUndo: boolean): void {
    this.#text.replaceChildren(
      ...(refused === undefined ? [] : [element("strong", {}, icon(ICONS.warning), `${refused} `)]),
      text,
    );
    this.element.classList.toggle("is-empty", text === "");
    this.element.classList.toggle("is-alert", refused !== undefined);
    this.#undo.hidden = !offersUndo;
    this.#close.hidden = text === "";
  }
}
