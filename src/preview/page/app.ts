/** The page's state, the reader's actions, and the whole page for printing. */

import type { PreviewData, PreviewPost } from "../preview-data.ts";
import {
  type PagePlace,
  type View,
  type Filters,
  placeInAddress,
  writeAddress,
  Model,
  NO_FILTERS,
  groupByDay,
  isFiltering,
} from "./parts/model.ts";
import { ANSWERED, AnswerBar, AnswerBook } from "./answers.ts";
import type { NetworkChoice } from "./cards/network-card.ts";
import { PostEditing } from "./editing/post-editing.ts";
import { type GridShown, dayByFreeKey, dayGrid, hasModifier, periodLater, postOfChip } from "./grid-view.ts";
import {
  bindSearch,
  campaignChips,
  dayInMonth,
  dayOfWeek,
  initialDay,
  noticeList,
  pageHead,
  periodBar,
  periodOf,
  platformChips,
  searchBox,
  searchInput,
  statusChips,
  statusLine,
  todayOf,
  wayToPosts,
} from "./page-head.ts";
import { emptyState, postList, wholeList, postCard } from "./list-view.ts";
import { monthOf, plusMonths } from "./parts/days.ts";
import { element, replaceButtons } from "./parts/dom.ts";
import { PostDialog } from "./post-dialog.ts";

export class App {
  #model: Model;
  /** The address that the reader opened. */
  #asked = location.hash;
  #place: PagePlace;
  #isGone = false;
  #lastOpened: PreviewPost | undefined;
  readonly #choice: NetworkChoice = { network: "" };
  /** On a client's page. */
  readonly #answers: AnswerBook | undefined;
  /** On a page from a server. */
  readonly #editing: PostEditing | undefined;
  readonly #dialog: PostDialog;
  readonly #search = searchInput();
  readonly #top = element("div", { class: "top" });
  readonly #filterBar = element("div", { class: "filters" });
  readonly #bar = element("div", { class: "bar-row" });
  readonly #status = element("p", { class: "status", role: "status" });
  readonly #body = element("div", { class: "view", tabindex: -1 });
  readonly #paper = handlePrinting(this.#body, () => this.#shown(this.#matching(), true));

  constructor(data: PreviewData) {
    this.#model = new Model(data);
    this.#answers = data.client === undefined ? undefined : new AnswerBook(data, data.client);
    const isLive = document.documentElement.dataset["kind"] === "live";
    this.#editing = isLive ? this.#startEditing(data) : undefined;
    this.#dialog = new PostDialog(this.#choice, this.#answers, this.#editing);
    this.#place = this.#placeFrom(this.#asked);
    const bar = this.#answers === undefined ? undefined : this.#answerBar(this.#answers);
    const skip = element(
      "button",
      { class: "button skip", type: "button", onclick: () => this.#focusPosts() },
      "Skip to posts",
    );
    document.body.append(
      element(
        "div",
        { class: "page" },
        skip,
        element("header", { class: "head" }, this.#top, searchBox(this.#search)),
        element("main", {}, this.#filterBar, this.#bar, this.#status, this.#body),
        bar,
        this.#editing?.note,
      ),
    );
    this.#editing?.listen(this.#body);
    this.#listen();
    this.#follow();
  }

  /** Shows other data, and keeps the reader's place. */
  update(data: PreviewData): void {
    const { post } = this.#dialog;
    const before = this.#model.data;
    this.#model = new Model(data);
    this.#editing?.edits.follow(data);
    // Before this point, the page does not contain the place in the address.
    if (before.madeAt === "" && data.madeAt !== "") {
      this.#place = this.#placeFrom(this.#asked);
      return this.#follow();
    }
    const focused = document.activeElement?.closest<HTMLElement>("td[data-day]")?.dataset["day"];
    this.#render();
    if (focused !== undefined) this.#body.querySelector<HTMLElement>(`td[data-day="${focused}"]`)?.focus();
    if (post === undefined) return;
    const same = this.#model.sameRow(post, before);
    // Another post can be in the row when rows were added or removed above it.
    const isSame = same?.content === post.content || (same?.day === post.day && same.clock === post.clock);
    this.#dialog.follow(
      isSame && same !== undefined ? same : this.#model.sameAs(post),
      this.#matching(),
      data,
    );
  }

  /** @param isGone whether the server that the page follows does not answer */
  setDisconnected(isGone: boolean): void {
    this.#isGone = isGone;
    this.#renderTop();
  }

  #startEditing(data: PreviewData): PostEditing {
    return new PostEditing(data, {
      model: () => this.#model,
      postOf: postOfChip,
      postsOf: (day) => this.#matching().filter((post) => post.day === day),
      goTo: (day) => (this.#place.view === "list" ? this.#openDay(day) : this.#goTo(day)),
      isFree: () => this.#dialog.post === undefined,
    });
  }

  #answerBar(answers: AnswerBook): HTMLElement {
    const bar = new AnswerBar(answers, () => {
      const next = answers.nextUnanswered(this.#lastOpened);
      if (next !== undefined) this.#openPost(next);
    });
    document.addEventListener(ANSWERED, (event) => {
      bar.noteChange();
      this.#renderFilters();
      const post = this.#model.data.posts.find(
        (each) => event instanceof CustomEvent && each === event.detail,
      );
      if (post !== undefined && this.#dialog.post === post) this.#renderCard(post);
    });
    return bar.element;
  }

  /** The card behind the dialog. */
  #renderCard(post: PreviewPost): void {
    const { data } = this.#model;
    const open = (): void => this.#openPost(post);
    this.#body
      .querySelector(`.card[data-post="${post.id}"]`)
      ?.replaceWith(postCard(post, data, this.#choice, open, this.#answers));
  }

  /** The parts that an address names, and defaults for the rest. */
  #placeFrom(hash: string): PagePlace {
    const { view, day, month, filters, post } = placeInAddress(hash);
    const { data } = this.#model;
    const usualDay = month === undefined ? initialDay(data) : dayInMonth(month, data);
    const named = post === undefined || month !== undefined ? undefined : this.#model.named(post)?.day;
    return { view: view ?? usualView(data), day: day ?? named ?? usualDay, filters, post };
  }

  /** Shows the place that an address has set. */
  #follow(): void {
    this.#search.value = this.#place.filters.text;
    const { post } = this.#place;
    this.#render();
    const found = post === undefined ? undefined : this.#model.named(post);
    if (found === undefined) this.#dialog.close();
    else this.#openPost(found);
  }

  #listen(): void {
    bindSearch(this.#search, {
      isFree: () => this.#dialog.post === undefined,
      onText: (text) => {
        const { filters } = this.#place;
        if (text !== filters.text) this.#filter({ ...filters, text });
      },
    });
    document.addEventListener("keydown", (event) => this.#moveFreely(event));
    addEventListener("hashchange", () => {
      this.#asked = location.hash;
      this.#place = this.#placeFrom(this.#asked);
      this.#follow();
    });
    this.#dialog.onMove((post) => {
      this.#lastOpened = post;
      this.#keepInAddress({ post: nameOf(post) });
    });
    this.#dialog.onClose((post) => {
      // If the address changes, the dialog closes, and the page opens the new place.
      const isClosedHere = this.#place.post !== undefined;
      this.#keepInAddress({ post: undefined });
      if (isClosedHere && post !== undefined && this.#place.view !== "list") this.#goTo(post.day);
    });
  }

  /** Keys that no part of the page handles go to the month or week. */
  #moveFreely(event: KeyboardEvent): void {
    const { view, day } = this.#place;
    const isFree = event.target === document.body && this.#dialog.post === undefined;
    if (!isFree || view === "list" || hasModifier(event)) return;
    const to = dayByFreeKey(event.key, day, view);
    if (to === undefined) return;
    event.preventDefault();
    this.#goTo(to);
  }

  #clear(): void {
    this.#search.value = "";
    this.#filter(NO_FILTERS);
    this.#search.focus();
  }

  #filter(filters: Filters): void {
    this.#place = { ...this.#place, filters };
    this.#render();
  }

  #show(view: View, day: string): void {
    this.#place = { ...this.#place, view, day };
    this.#render();
  }

  /** Goes to a day of the grid. */
  #goTo(day: string): void {
    this.#show(this.#place.view, day);
    this.#body.querySelector<HTMLElement>(`td[data-day="${day}"]`)?.focus();
  }

  #focusPosts(): void {
    const first = this.#body.querySelector<HTMLElement>('td[tabindex="0"], h3');
    (first ?? this.#body).focus();
  }

  /** Shows a day's posts in the list, and continues reading there. */
  #openDay(day: string): void {
    this.#show("list", day);
    const heading = `section[data-day="${day}"] h3`;
    // During a search, the list begins with the first match.
    (this.#body.querySelector<HTMLElement>(heading) ?? this.#body.querySelector("h3"))?.focus();
  }

  #step(by: number): void {
    const { view, day } = this.#place;
    if (view === "week") return this.#show(view, periodLater(day, view, by));
    const month = plusMonths(monthOf(day), by);
    this.#show(view, view === "month" ? dayInMonth(month, this.#model.data) : `${month}-01`);
  }

  #openPost(post: PreviewPost): void {
    this.#dialog.open(post, this.#matching(), this.#model.data);
  }

  #matching(): PreviewPost[] {
    return this.#model.matching(this.#place.filters);
  }

  #keepInAddress(change: Partial<PagePlace>): void {
    this.#place = { ...this.#place, ...change };
    // In the page of several projects, this is a frame, which has no address of its own.
    if (location.protocol !== "about:") history.replaceState(null, "", writeAddress(this.#place));
  }

  #render(): void {
    const { data } = this.#model;
    document.title = `${data.title}: ${data.client === undefined ? "content calendar" : "posts to approve"}`;
    this.#keepInAddress({});
    const posts = this.#matching();
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
    const { filters } = this.#place;
    const change = (changed: Filters): void => this.#filter(changed);
    const chips = [statusChips, platformChips, campaignChips].map((each) =>
      each(this.#model, filters, change),
    );
    replaceButtons(this.#filterBar, ...chips.filter((each) => each !== undefined));
  }

  #renderBar(posts: readonly PreviewPost[]): void {
    const { view, day, filters } = this.#place;
    const period = periodOf(view, day);
    replaceButtons(
      this.#bar,
      ...periodBar(period.title, view, {
        step: (by) => this.#step(by),
        goToToday: () => this.#show(view, todayOf(this.#model.data)),
        show: (other) =>
          this.#show(other, other === "week" ? dayOfWeek(day, posts, todayOf(this.#model.data)) : day),
      }),
    );
    this.#status.textContent = statusLine(posts, period, this.#model.data, isFiltering(filters));
  }

  #renderBody(posts: readonly PreviewPost[]): void {
    this.#paper.forget();
    this.#body.replaceChildren(this.#shown(posts, false));
  }

  #shown(posts: readonly PreviewPost[], isOnPaper: boolean): HTMLElement {
    const { data } = this.#model;
    const { view, filters } = this.#place;
    if (posts.length === 0) return emptyState(data, () => this.#clear());
    return view === "list"
      ? this.#list(posts, isOnPaper)
      : this.#grid(posts, { kind: view, isWhole: isOnPaper }, isFiltering(filters));
  }

  #list(posts: readonly PreviewPost[], isOnPaper: boolean): HTMLElement {
    const { data } = this.#model;
    const { day, filters } = this.#place;
    const openPost = (post: PreviewPost): void => this.#openPost(post);
    const list = {
      posts,
      today: todayOf(data),
      data,
      openPost,
      choice: this.#choice,
      answers: this.#answers,
    };
    // A search covers all posts.
    return isOnPaper ? wholeList(list) : postList({ ...list, from: filters.text.trim() === "" ? day : "" });
  }

  #grid(
    posts: readonly PreviewPost[],
    how: Pick<GridShown, "kind" | "isWhole">,
    isFiltered: boolean,
  ): HTMLElement {
    const { data } = this.#model;
    const { day, view } = this.#place;
    const period = periodOf(view, day);
    const grid = dayGrid(
      {
        ...how,
        title: period.title,
        weeks: period.weeks,
        isOther: (other) => !period.holds(other),
        today: todayOf(data),
        day,
        posts: groupByDay(posts),
        data,
      },
      {
        openPost: (post) => this.#openPost(post),
        canMove: (post) => this.#editing?.canEdit(post) === true,
        openDay: (other) => this.#openDay(other),
        goTo: (other) => this.#goTo(other),
      },
    );
    const way = wayToPosts(posts, period, { isFiltering: isFiltered, goTo: (other) => this.#goTo(other) });
    return element("div", {}, way, grid);
  }
}

function usualView({ client }: PreviewData): View {
  const isNarrow = matchMedia("(max-width: 720px)").matches;
  // A client reads and answers one post after the other.
  return isNarrow || client !== undefined ? "list" : "month";
}

/** How an address names a post. */
function nameOf({ id, place }: PreviewPost): string {
  return id ?? place;
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
