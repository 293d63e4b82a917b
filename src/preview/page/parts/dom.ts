/** Creates elements from names and text. Text is never parsed: no code here turns a string into markup. */

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
