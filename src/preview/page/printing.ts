/** On paper, nothing can be scrolled or opened. So while the page is printed, it shows everything at once. */

/** The screen's content and the reader's place in it. */
interface OnScreen {
  readonly nodes: readonly Node[];
  readonly focused: Element | null;
  /** Px. */
  readonly scrolledTo: number;
}

interface Printing {
  /** The saved content must not come back, because something newer replaces it. */
  readonly forget: () => void;
}

/** @param whole the content for paper, instead of that of `body` */
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
