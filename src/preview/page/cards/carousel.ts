/** Pictures and videos one at a time, with buttons to page. */

import { element, icon } from "../parts/dom.ts";
import { ICONS } from "../parts/icons.ts";

/** @param shape of each slide, width to height */
export function carousel(slides: readonly HTMLElement[], shape: number): HTMLElement {
  let at = 0;
  const stage = element("div", { class: "slides" }, ...slides);
  stage.style.aspectRatio = String(shape);
  const count = element("span", { class: "slide-count", "aria-hidden": "true" });
  const said = element("span", { class: "unseen", role: "status" });
  const dots = element("span", { class: "slide-dots", "aria-hidden": "true" });
  dots.append(...slides.map(() => element("i")));
  const back = step("Previous picture", ICONS.left, -1);
  const on = step("Next picture", ICONS.right, 1);

  function step(label: string, path: string, by: number): HTMLElement {
    const attributes = {
      class: "slide-step",
      type: "button",
      "aria-label": label,
      onclick: () => show(at + by),
    };
    return element("button", attributes, icon(path));
  }

  function show(next: number): void {
    at = Math.min(slides.length - 1, Math.max(0, next));
    for (const [index, slide] of [...stage.children].entries())
      slide.classList.toggle("is-shown", index === at);
    for (const [index, dot] of [...dots.children].entries()) dot.classList.toggle("is-on", index === at);
    // Not disabled, so that the focus stays.
    back.setAttribute("aria-disabled", String(at === 0));
    on.setAttribute("aria-disabled", String(at === slides.length - 1));
    count.textContent = `${at + 1}/${slides.length}`;
    said.textContent = `${at + 1} of ${slides.length}`;
  }

  const made = element(
    "div",
    { class: "media carousel", role: "group", "aria-label": `${slides.length} pictures or videos` },
    stage,
    count,
    back,
    on,
    dots,
    said,
  );
  made.addEventListener("keydown", (event) => {
    const by = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
    if (by === 0) return;
    event.preventDefault();
    // In a dialog, the arrows outside the pictures go to other posts.
    event.stopPropagation();
    show(at + by);
  });
  show(0);
  return made;
}
