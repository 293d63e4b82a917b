/**
 * Moving a post of a month or week to another day: by dragging it with a mouse or a pen, or with the keyboard. A touch
 * scrolls. On a touch screen, people use the form instead.
 */

import type { PreviewPost } from "../../preview-data.ts";

interface DragActions {
  /** The post of an element in the grid; undefined if the page has none that can be dragged. */
  readonly postAt: (target: Element) => PreviewPost | undefined;
  /** Why a post cannot be dragged; undefined if it can. */
  readonly whyNot: (post: PreviewPost) => string | undefined;
  /** Is called with the reason when somebody tries to drag a post that cannot be dragged. */
  readonly refuse: (why: string) => void;
  readonly drop: (post: PreviewPost, day: string) => void;
}

/** Px that the pointer moves before a press becomes a drag. */
const THRESHOLD = 6;
/** How long the pointer rests on a button for another month or week before it goes there, in ms. */
const REST_MS = 600;

/** @param body holds the grid, which may be replaced during a drag */
export function enableDragging(body: HTMLElement, actions: DragActions): void {
  let drag: Drag | undefined;
  const end = (isDropped: boolean): void => {
    const ended = drag;
    drag = undefined;
    const day = ended?.target?.dataset["day"];
    ended?.stop();
    if (isDropped && ended !== undefined && day !== undefined && day !== ended.post.day)
      actions.drop(ended.post, day);
  };
  body.addEventListener("pointerdown", (event) => {
    const chip = event.target instanceof Element ? event.target.closest<HTMLElement>(".chip") : null;
    if (chip === null || event.button !== 0 || event.pointerType === "touch") return;
    const post = actions.postAt(chip);
    drag = post === undefined ? undefined : new Drag(post, chip, event);
  });
  const move = (event: PointerEvent): void => {
    const why = drag?.isMoving === false && drag.isFar(event) ? actions.whyNot(drag.post) : undefined;
    if (why === undefined) return drag?.move(event);
    drag = undefined;
    actions.refuse(why);
  };
  // The browser's own dragging of pictures.
  body.addEventListener("dragstart", (event) => event.preventDefault());
  addEventListener("pointermove", move);
  addEventListener("pointerup", () => {
    if (drag?.isMoving === true) suppressClick();
    end(true);
  });
  addEventListener("pointercancel", () => end(false));
  addEventListener("blur", () => end(false));
  document.addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Escape" || drag?.isMoving !== true) return;
      stopEvent(event);
      end(false);
    },
    true,
  );
}

/** The release of the pointer is not a click on the post. */
function suppressClick(): void {
  addEventListener("click", stopEvent, { capture: true, once: true });
  setTimeout(() => removeEventListener("click", stopEvent, { capture: true }), 0);
}

function stopEvent(event: Event): void {
  event.preventDefault();
  event.stopPropagation();
}

class Drag {
  readonly post: PreviewPost;
  target: HTMLElement | undefined;
  isMoving = false;
  readonly #chip: HTMLElement;
  readonly #start: { readonly x: number; readonly y: number };
  #ghost: HTMLElement | undefined;
  #resting: Element | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(post: PreviewPost, chip: HTMLElement, { clientX, clientY }: PointerEvent) {
    this.post = post;
    this.#chip = chip;
    this.#start = { x: clientX, y: clientY };
  }

  isFar({ clientX, clientY }: PointerEvent): boolean {
    return Math.hypot(clientX - this.#start.x, clientY - this.#start.y) >= THRESHOLD;
  }

  move(event: PointerEvent): void {
    const { clientX, clientY } = event;
    const [x, y] = [clientX - this.#start.x, clientY - this.#start.y];
    if (!this.isMoving && !this.isFar(event)) return;
    if (!this.isMoving) this.#begin();
    if (this.#ghost !== undefined) this.#ghost.style.translate = `${x}px ${y}px`;
    const below = document.elementFromPoint(clientX, clientY);
    this.#aim(below?.closest<HTMLElement>("td[data-day]") ?? undefined);
    this.#rest(below?.closest(".steps .square") ?? undefined);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#aim(undefined);
    this.#ghost?.remove();
    this.#chip.classList.remove("is-dragged");
    document.body.classList.remove("is-dragging");
  }

  #begin(): void {
    this.isMoving = true;
    const { left, top, width } = this.#chip.getBoundingClientRect();
    const ghost = this.#chip.cloneNode(true);
    if (ghost instanceof HTMLElement) {
      ghost.classList.add("ghost");
      ghost.setAttribute("aria-hidden", "true");
      for (const [name, px] of Object.entries({ left, top, width })) ghost.style.setProperty(name, `${px}px`);
      document.body.append(ghost);
      this.#ghost = ghost;
    }
    this.#chip.classList.add("is-dragged");
    document.body.classList.add("is-dragging");
  }

  #aim(day: HTMLElement | undefined): void {
    if (day === this.target) return;
    this.target?.classList.remove("is-target");
    day?.classList.add("is-target");
    this.target = day;
  }

  /** Another month or week comes while the pointer rests on its button. */
  #rest(button: Element | undefined): void {
    if (button === this.#resting) return;
    clearTimeout(this.#timer);
    this.#resting = button;
    if (button instanceof HTMLElement)
      this.#timer = setTimeout(() => {
        button.click();
        this.#resting = undefined;
      }, REST_MS);
  }
}

// With the keyboard: M picks it up, arrows choose, Enter puts it down.

interface CarryActions {
  /** The posts of a day that can be moved, as the grid shows them. */
  readonly postsOf: (day: string) => readonly PreviewPost[];
  readonly drop: (post: PreviewPost, day: string) => void;
  /** The post that the reader is moving; undefined after the move. */
  readonly tell: (post: PreviewPost | undefined) => void;
  /** Says that a day has no post that can be moved. */
  readonly refuse: () => void;
}

/** @param body holds the grid, which may be replaced meanwhile */
export function enableCarrying(body: HTMLElement, { postsOf, drop, tell, refuse }: CarryActions): void {
  let carried: PreviewPost | undefined;
  const pickUp = (day: string): void => {
    const posts = postsOf(day);
    // If you press M again, it takes the next post of the day.
    const at = posts.findIndex((post) => post === carried);
    carried = posts[(at + 1) % Math.max(1, posts.length)];
    if (carried === undefined) refuse();
    else tell(carried);
  };
  const putDown = (day: string | undefined): void => {
    const post = carried;
    carried = undefined;
    tell(undefined);
    if (post !== undefined && day !== undefined && day !== post.day) drop(post, day);
  };
  const onKey = (event: KeyboardEvent): void => {
    const day = event.target instanceof HTMLTableCellElement ? event.target.dataset["day"] : undefined;
    if (day === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "m" || event.key === "M") pickUp(day);
    else if (carried === undefined) return;
    else if (event.key === "Enter" || event.key === " ") putDown(day);
    else if (event.key === "Escape") putDown(undefined);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  // Before the grid's own keys.
  body.addEventListener("keydown", onKey, true);
}
