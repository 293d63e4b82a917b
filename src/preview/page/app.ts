/** The page's state, and the reader's actions. */

import type { PreviewData, PreviewPost } from "../preview-data.ts";
import { isMonth, monthOf } from "./days.ts";
import { element, replaceButtons } from "./dom.ts";
import { initialDay, initialMonth, noticeList, pageHead, statusLine, todayOf } from "./header.ts";
import { emptyState, postList, wholeList } from "./list-view.ts";
import { type Filters, Model, NO_FILTERS, groupByDay, isFiltering } from "./model.ts";
import { dayByFreeKey, hasModifier, monthGrid } from "./month-view.ts";
import { PostDialog } from "./post-dialog.ts";
import {
  type View,
  bindSearch,
  monthBar,
  platformChips,
  searchBox,
  searchInput,
  statusChips,
} from "./toolbar.ts";

export class App {
  #model: Model;
  #filters: Filters = NO_FILTERS;
  #view: View;
  #month: string;
  /** The focused day in the month, with which the list begins. */
  #day: string;
  #isGone = false;
  readonly #dialog = new PostDialog();
  readonly #search = searchInput();
  readonly #top = element("div", { class: "top" });
  readonly #filterBar = element("div", { class: "filters" });
  readonly #bar = element("div", { class: "bar-row" });
  readonly #status = element("p", { class: "status", role: "status" });
  readonly #body = element("div", { class: "view" });
  readonly #paper = handlePrinting(this.#body, () => this.#shown(this.#model.matching(this.#filters), true));

  constructor(data: PreviewData) {
    this.#model = new Model(data);
    const asked = new URLSearchParams(location.hash.slice(1));
    const month = asked.get("month") ?? "";
    this.#month = isMonth(month) ? month : initialMonth(this.#model.data);
    const view = asked.get("view");
    const usual = matchMedia("(max-width: 720px)").matches ? "list" : "month";
    this.#view = view === "list" || view === "month" ? view : usual;
    this.#day = initialDay(this.#month, this.#model.data);
    document.body.append(
      element(
        "div",
        { class: "page" },
        element("header", { class: "head" }, this.#top, searchBox(this.#search)),
        element("main", {}, this.#filterBar, this.#bar, this.#status, this.#body),
      ),
    );
    this.#listen();
    this.#render();
  }

  /** Shows other data, and keeps the reader's place. */
  update(data: PreviewData): void {
    const { post } = this.#dialog;
    this.#model = new Model(data);
    this.#render();
    if (post === undefined) return;
    const same = this.#model.sameAs(post);
    if (same === undefined) this.#dialog.close();
    else this.#openPost(same);
  }

  /** @param isGone whether the server that the page follows does not answer */
  setDisconnected(isGone: boolean): void {
    this.#isGone = isGone;
    this.#renderTop();
  }

  #listen(): void {
    bindSearch(this.#search, {
      isFree: () => this.#dialog.post === undefined,
      onText: (text) => {
        if (text !== this.#filters.text) this.#filter({ ...this.#filters, text });
      },
    });
    document.addEventListener("keydown", (event) => this.#moveFreely(event));
    this.#dialog.onClose((post) => {
      if (post === undefined || this.#view !== "month") return;
      this.#goTo(post.day);
    });
  }

  /** Keys that no part of the page handles go to the month. */
  #moveFreely(event: KeyboardEvent): void {
    const isFree = event.target === document.body && this.#dialog.post === undefined;
    if (!isFree || this.#view !== "month" || hasModifier(event)) return;
    const day = dayByFreeKey(event.key, this.#day);
    if (day === undefined) return;
    event.preventDefault();
    this.#goTo(day);
  }

  #clear(): void {
    this.#search.value = "";
    this.#filter(NO_FILTERS);
    this.#search.focus();
  }

  #filter(filters: Filters): void {
    this.#filters = filters;
    this.#render();
  }

  #show(view: View, day: string): void {
    this.#view = view;
    this.#month = monthOf(day);
    this.#day = day;
    this.#render();
  }

  #goTo(day: string): void {
    this.#show("month", day);
    this.#focusDay();
  }

  #focusDay(): void {
    this.#body.querySelector<HTMLElement>(`td[data-day="${this.#day}"]`)?.focus();
  }

  /** Shows a day's posts in the list, and continues reading there. */
  #openDay(day: string): void {
    this.#show("list", day);
    const heading = `section[data-day="${day}"] h3`;
    // During a search, the list begins with the first match.
    (this.#body.querySelector<HTMLElement>(heading) ?? this.#body.querySelector("h3"))?.focus();
  }

  #goToMonth(month: string): void {
    this.#month = month;
    this.#day = this.#view === "month" ? initialDay(this.#month, this.#model.data) : `${month}-01`;
    this.#render();
  }

  #openPost(post: PreviewPost): void {
    this.#dialog.open(post, this.#model.matching(this.#filters), this.#model.data);
  }

  #render(): void {
    const { data } = this.#model;
    document.title = `${data.title}: content calendar`;
    history.replaceState(null, "", `#view=${this.#view}&month=${this.#month}`);
    const posts = this.#model.matching(this.#filters);
    this.#renderTop();
    this.#renderFilters();
    this.#renderBar(posts);
    this.#renderBody(posts);
  }

  #renderTop(): void {
    this.#top.replaceChildren(...pageHead(this.#model.data));
    const old = this.#filterBar.previousElementSibling;
    if (old instanceof HTMLElement && old.classList.contains("notices")) old.remove();
    const notices = noticeList(this.#model.data, this.#isGone);
    if (notices !== undefined) this.#filterBar.before(notices);
  }

  #renderFilters(): void {
    const change = (filters: Filters): void => this.#filter(filters);
    const chips = [
      statusChips(this.#model, this.#filters, change),
      platformChips(this.#model, this.#filters, change),
    ];
    replaceButtons(this.#filterBar, ...chips.filter((each) => each !== undefined));
  }

  #renderBar(posts: readonly PreviewPost[]): void {
    replaceButtons(
      this.#bar,
      ...monthBar(this.#month, this.#view, {
        goToMonth: (month) => this.#goToMonth(month),
        goToToday: () => this.#show(this.#view, todayOf(this.#model.data)),
        show: (view) => this.#show(view, this.#day),
      }),
    );
    const isFiltered = isFiltering(this.#filters);
    this.#status.textContent = statusLine(posts, this.#month, this.#model.data, isFiltered);
  }

  #renderBody(posts: readonly PreviewPost[]): void {
    this.#paper.forget();
    this.#body.replaceChildren(this.#shown(posts, false));
  }

  #shown(posts: readonly PreviewPost[], isOnPaper: boolean): HTMLElement {
    const { data } = this.#model;
    const today = todayOf(data);
    const openPost = (post: PreviewPost): void => this.#openPost(post);
    if (posts.length === 0) return emptyState(data.posts.length === 0, () => this.#clear());
    if (this.#view === "list") {
      // A search covers all posts.
      const from = this.#filters.text.trim() === "" ? this.#day : "";
      const list = { posts, today, data, openPost };
      return isOnPaper ? wholeList(list) : postList({ ...list, from });
    }
    const shown = {
      month: this.#month,
      today,
      day: this.#day,
      posts: groupByDay(posts),
      isWhole: isOnPaper,
      data,
    };
    return monthGrid(shown, {
      openPost,
      openDay: (day: string) => this.#openDay(day),
      goTo: (day: string) => this.#goTo(day),
    });
  }
}

// On paper, nothing can be scrolled or opened. So while the page is printed, it shows everything at once.

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
function handlePrinting(body: HTMLElement, whole: () => HTMLElement): Printing {
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
