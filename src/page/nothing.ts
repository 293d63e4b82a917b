import { element, icon } from "./dom.ts";
import { ICONS } from "./icons.ts";

/** What stands in the place of posts where there are none. */
export function emptyState(isEmpty: boolean, clear: () => void): HTMLElement {
  const [title, text] = isEmpty
    ? ["No posts yet", "Rows of your calendars stand here as soon as there are any."]
    : ["No post matches", "Other words, or fewer filters, may find some."];
  return element(
    "div",
    { class: "nothing" },
    icon(ICONS.grid),
    element("h2", {}, title),
    element("p", { class: "quiet" }, text),
    isEmpty
      ? undefined
      : element("button", { class: "button", type: "button", onclick: clear }, "Clear all filters"),
  );
}
