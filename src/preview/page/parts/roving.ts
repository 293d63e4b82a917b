/** Controls of a group share one tab stop: Tab goes to one of them, arrows move between them. */

import { element } from "./dom.ts";

/** A group of buttons with one tab stop: the one that had the focus last. */
export function toolbar(name: string, label: string, buttons: readonly HTMLElement[]): HTMLElement {
  const bar = element("div", { class: name, role: "toolbar", "aria-label": label }, ...buttons);
  const stop = (button: EventTarget | undefined | null): void => {
    for (const each of buttons) each.tabIndex = each === button ? 0 : -1;
  };
  stop(buttons.find((each) => each.getAttribute("aria-pressed") === "true") ?? buttons[0]);
  bar.addEventListener("focusin", ({ target }) => stop(target));
  bar.addEventListener("keydown", (event) => moveFocus(event, buttons));
  return bar;
}

/** Moves the focus by an arrow, Home or End. @param then what else to do with the control that gets the focus */
export function moveFocus(
  event: KeyboardEvent,
  controls: readonly HTMLElement[],
  then?: (control: HTMLElement) => void,
): void {
  const at = controls.findIndex((each) => each === event.target);
  const next =
    at === -1 || event.ctrlKey || event.altKey || event.metaKey
      ? undefined
      : nextPlace(event.key, at, controls.length);
  const control = next === undefined ? undefined : controls[next];
  if (control === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  then?.(control);
  control.focus();
}

function nextPlace(key: string, at: number, count: number): number | undefined {
  switch (key) {
    case "ArrowLeft":
    case "ArrowUp":
      return (at + count - 1) % count;
    case "ArrowRight":
    case "ArrowDown":
      return (at + 1) % count;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return undefined;
  }
}
