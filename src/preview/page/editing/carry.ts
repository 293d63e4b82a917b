/** Moving a post of a month or week to another day with the keyboard: M picks it up, arrows choose, Enter puts it down. */

import type { PreviewPost } from "../../preview-data.ts";

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
