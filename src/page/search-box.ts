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

interface SearchActions {
  /** Whether the key may lead to the search. */
  readonly isFree: () => boolean;
  readonly onText: (text: string) => void;
}

/** `/` leads to the search, Esc empties it and leads out of it. */
export function bindSearch(input: HTMLInputElement, { isFree, onText }: SearchActions): void {
  const tell = (): void => onText(input.value);
  input.addEventListener("input", tell);
  // Browsers with a cross of their own in the box tell of it by this one.
  input.addEventListener("search", tell);
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target instanceof HTMLInputElement;
    if (event.key === "/" && !isTyping && isFree()) {
      event.preventDefault();
      input.focus();
      input.select();
    }
    // An Esc that ends an input method's word is not the page's.
    if (event.key === "Escape" && event.target === input && !event.isComposing) {
      event.preventDefault();
      input.value = "";
      input.blur();
      tell();
    }
  });
}
