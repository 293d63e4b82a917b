/** Paper cannot be scrolled, and nothing on it opens: while the page is printed, all that it has stands in its place. */

/** What stood on the screen, and what the reader was about. */
interface OnScreen {
  readonly nodes: readonly Node[];
  readonly focused: Element | null;
  /** Px. */
  readonly scrolledTo: number;
}

interface Printing {
  /** What was put aside is not to come back: something newer stands in its place. */
  readonly forget: () => void;
}

/** @param whole what goes on paper in the place of what `body` holds */
export function handlePrinting(body: HTMLElement, whole: () => HTMLElement): Printing {
  let aside: OnScreen | undefined;
  addEventListener("beforeprint", () => {
    aside ??= { nodes: [...body.childNodes], focused: document.activeElement, scrolledTo: scrollY };
    body.replaceChildren(whole());
  });
  addEventListener("afterprint", () => {
    if (aside === undefined) return;
    const { nodes, focused, scrolledTo } = aside;
    aside = undefined;
    body.replaceChildren(...nodes);
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
    scrollTo(0, scrolledTo);
  });
  return { forget: () => (aside = undefined) };
}
