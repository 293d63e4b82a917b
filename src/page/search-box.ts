import { element, icon } from "./dom.ts";
import { ICONS } from "./icons.ts";

export function searchInput(): HTMLInputElement {
  return element("input", {
    type: "search",
    class: "search",
    id: "search",
    placeholder: "Search posts",
    "aria-label": "Search posts",
    "aria-keyshortcuts": "/",
    autocomplete: "off",
    spellcheck: "false",
  });
}

export function searchBox(input: HTMLInputElement): HTMLElement {
  const key = element("kbd", { "aria-hidden": "true" }, "/");
  return element("div", { class: "search-box" }, icon(ICONS.search), input, key);
}

/** `/` leads to the search, Esc out of it. */
export function focusBySlash(input: HTMLInputElement, isFree: () => boolean): void {
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target instanceof HTMLInputElement;
    if (event.key === "/" && !isTyping && isFree()) {
      event.preventDefault();
      input.focus();
      input.select();
    }
    if (event.key === "Escape" && event.target === input) input.blur();
  });
}
