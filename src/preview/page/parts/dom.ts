/**
 * Creates elements from names and text, the page's icons, and groups of controls with one tab stop. Text is never parsed: no
 * code here turns a string into markup.
 */

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

/** The page's own drawings: stroke paths in a square of 16. */
export const ICONS = {
  plus: "M8 3v10M3 8h10",
  swap: "M3 6h9M9.5 3.5 12 6 9.5 8.5M13 11H4M6.5 8.5 4 11l2.5 2.5",
  cross: "M4 4l8 8M12 4l-8 8",
  link: "M6.5 9.5l3-3M7 5l1.5-1.5a2.5 2.5 0 0 1 4 4L11 9M9 11l-1.5 1.5a2.5 2.5 0 0 1-4-4L5 7",
  check: "M3.5 8.5l3 3 6-7",
  checked: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12M5.500 8.300l1.800 1.800 3.300-3.800",
  week: "M2.500 3.500h11v9h-11zM6.200 3.500v9M9.800 3.500v9",
  pause: "M6 4v8M10 4v8",
  clock: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12M8 5v3l2 1.5",
  past: "M3.5 8a4.5 4.5 0 1 1 1.5 3.3M3 5.5 3.5 8 6 7.5",
  pen: "M3 13l.7-3L10.500 3.200l2.300 2.300L6 12.300z",
  skip: "M4 4l5 4-5 4zM12 4v8",
  warning: "M8 2.500 14.500 13.500h-13zM8 6.500v3.500M8 11.800v.2",
  left: "M10 3.500 5.500 8l4.500 4.500",
  right: "M6 3.500 10.500 8 6 12.500",
  search: "M7 11.500a4.500 4.500 0 1 0 0-9 4.500 4.500 0 0 0 0 9M10.500 10.500l3 3",
  grid: "M3 3h10v10H3zM3 6.500h10M6.500 6.500V13M9.800 6.500V13",
  list: "M3 4h10M3 8h10M3 12h10",
  picture: "M2.500 3.500h11v9h-11zM2.500 11l3.200-3.500 2.500 2.500 2-2 3.300 3.500",
  heart: "M8 13.300 3.400 8.500a2.700 2.700 0 0 1 4-3.700l.6.7.6-.7a2.700 2.700 0 0 1 4 3.700z",
  bubble: "M3 3.500h10v7H7.500L4.500 13v-2.500H3z",
  send: "M13.500 2.500 2.500 7l4.500 2 2 4.500zM7 9l3-3",
  flag: "M4.500 2.500h7v11L8 10.500l-3.500 3z",
  download: "M8 2.500v7.500M4.800 7 8 10.200 11.200 7M3 13h10",
  play: "M5.500 3.500v9l7-4.500z",
} as const;

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
