/** Creates elements from names and text, and groups of controls with one tab stop. Text is never parsed: no code here turns a string into markup. */

type Child = Node | string | undefined;

interface Attributes {
  readonly class?: string;
  readonly onclick?: () => void;
  /** Any other attribute; `true` for an attribute without a value, undefined for no attribute. */
  readonly [name: string]: string | number | boolean | (() => void) | undefined;
}

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") made.addEventListener("click", value);
    else made.setAttribute(key, value === true ? "" : String(value));
  }
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

/** Replaces a toolbar's buttons; the focus stays on the button in the same place. */
export function replaceButtons(bar: HTMLElement, ...children: readonly HTMLElement[]): void {
  const buttons = Array.from(bar.querySelectorAll("button"));
  const focused = buttons.findIndex((button) => button === document.activeElement);
  bar.replaceChildren(...children);
  if (focused !== -1) bar.querySelectorAll("button")[focused]?.focus();
}

const SVG = "http://www.w3.org/2000/svg";

/** A decorative drawing of one path in a square of 16. */
export function icon(path: string): SVGElement {
  const svg = document.createElementNS(SVG, "svg");
  const drawn = document.createElementNS(SVG, "path");
  drawn.setAttribute("d", path);
  for (const [name, value] of Object.entries({ viewBox: "0 0 16 16", class: "icon", "aria-hidden": "true" }))
    svg.setAttribute(name, value);
  svg.append(drawn);
  return svg;
}

// Controls of a group share one tab stop: Tab goes to one of them, arrows move between them.

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
