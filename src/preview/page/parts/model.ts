/** The page's data and filters, and the address that contains them. Pure. */

import type { PreviewData, PreviewPost, PreviewStatus } from "../../preview-data.ts";
import { groupBy } from "../../../model/data.ts";
import { isDay } from "./days.ts";
import { isStatusName } from "./statuses.ts";

export interface Filters {
  /** Words that a post must all contain; any post if empty. */
  readonly text: string;
  /** Names of platforms; all if empty. */
  readonly platforms: ReadonlySet<string>;
  readonly statuses: ReadonlySet<PreviewStatus>;
  /** All if empty. */
  readonly campaigns: ReadonlySet<string>;
  /** Only posts with problems. */
  readonly problems: boolean;
}

export const NO_FILTERS: Filters = {
  text: "",
  platforms: new Set(),
  statuses: new Set(),
  campaigns: new Set(),
  problems: false,
};

export function isFiltering({ text, platforms, statuses, campaigns, problems }: Filters): boolean {
  return text.trim() !== "" || platforms.size + statuses.size + campaigns.size > 0 || problems;
}

export class Model {
  readonly data: PreviewData;
  readonly #haystacks = new WeakMap<PreviewPost, string>();

  constructor(data: PreviewData) {
    this.data = data;
  }

  /** The posts that match the filters, earliest first. */
  matching(filters: Filters): PreviewPost[] {
    const words = folded(filters.text)
      .split(/\s+/)
      .filter((word) => word !== "");
    return this.data.posts.filter(
      (post) =>
        (filters.statuses.size === 0 || filters.statuses.has(post.status)) &&
        (filters.platforms.size === 0 ||
          post.platforms.some((place) => filters.platforms.has(this.#name(place)))) &&
        (filters.campaigns.size === 0 || filters.campaigns.has(post.campaign ?? "")) &&
        (!filters.problems || post.problems.length > 0) &&
        words.every((word) => this.#haystack(post).includes(word)),
    );
  }

  /** The same post in other data. */
  sameAs({ place, status, day, clock, content }: PreviewPost): PreviewPost | undefined {
    const alike = this.data.posts.filter(
      (each) => each.place === place && each.status === status && each.day === day,
    );
    // A row may have several posts on one day.
    return alike.find((each) => each.clock === clock && each.content === content) ?? alike[0];
  }

  /** The post of the same row and networks in other data, even if its content changed. */
  sameRow({ row, platforms }: PreviewPost, of: PreviewData): PreviewPost | undefined {
    if (row === undefined) return undefined;
    const names = platforms.map((place) => of.platforms[place]?.name);
    const wanted = rowMark(row, of);
    const alike = this.data.posts.filter(
      (each) => each.row !== undefined && rowMark(each.row, this.data) === wanted,
    );
    const isSame = (each: PreviewPost): boolean =>
      each.platforms.every((place) => names.includes(this.#name(place)));
    return alike.find(isSame) ?? (alike.length === 1 ? alike[0] : undefined);
  }

  /** The post that an address names: by its id, otherwise by its place. */
  named(name: string): PreviewPost | undefined {
    const { posts } = this.data;
    return posts.find(({ id }) => id === name) ?? posts.find(({ place }) => place === name);
  }

  #name(place: number): string {
    return this.data.platforms[place]?.name ?? "";
  }

  /** All searchable text of a post. */
  #haystack(post: PreviewPost): string {
    const known = this.#haystacks.get(post);
    if (known !== undefined) return known;
    const titles = post.platforms.flatMap((place) => {
      const { title = "", account = "" } = this.data.platforms[place] ?? {};
      return [title, account];
    });
    const media = post.media.map((place) => this.data.media[place]?.name ?? "");
    const made = folded(
      [post.content ?? "", post.campaign ?? "", post.id ?? "", post.place, ...titles, ...media].join("\n"),
    );
    this.#haystacks.set(post, made);
    return made;
  }
}

/** Equal for one row in any data. */
function rowMark(
  { file, sheet, line }: NonNullable<PreviewPost["row"]>,
  { editing = [] }: PreviewData,
): string {
  return JSON.stringify([editing[file]?.name, sheet, line]);
}

function folded(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}

export function groupByDay(posts: readonly PreviewPost[]): Map<string, PreviewPost[]> {
  return groupBy(posts, ({ day }) => day);
}

/** `1,200` */
export function numberText(value: number): string {
  return value.toLocaleString("en-GB");
}

/** `1 post`, `1,200 posts` */
export function plural(count: number, noun: string, many = `${noun}s`): string {
  return `${numberText(count)} ${count === 1 ? noun : many}`;
}

// The page's address. It contains the reader's view, so that a link shows the same view to somebody else.

export const VIEWS = ["month", "week", "list"] as const;
export type View = (typeof VIEWS)[number];

/** What the reader sees. */
export interface Place {
  readonly view: View;
  /** The focused day, whose month or week is shown, and with which the list begins. */
  readonly day: string;
  readonly filters: Filters;
  /** The open post, by its id or its place in a calendar. */
  readonly post: string | undefined;
}

/** What an address names; parts that it does not name, or that make no sense, are absent. */
export interface NamedPlace {
  readonly view: View | undefined;
  readonly day: string | undefined;
  /** Of an address that names only a month, `YYYY-MM`. */
  readonly month: string | undefined;
  readonly filters: Filters;
  readonly post: string | undefined;
}

/** @param hash with or without `#` */
export function readAddress(hash: string): NamedPlace {
  const asked = new URLSearchParams(hash.replace(/^#/, ""));
  const day = asked.get("day") ?? "";
  const month = asked.get("month") ?? "";
  return {
    view: VIEWS.find((view) => view === asked.get("view")),
    day: isDay(day) ? day : undefined,
    month: isDay(`${month}-01`) ? month : undefined,
    filters: {
      text: asked.get("search") ?? "",
      platforms: new Set(asked.getAll("network")),
      statuses: new Set(asked.getAll("status").filter((name): name is PreviewStatus => isStatusName(name))),
      campaigns: new Set(asked.getAll("campaign")),
      problems: asked.has("problems"),
    },
    post: asked.get("post") ?? undefined,
  };
}

export function writeAddress({ view, day, filters, post }: Place): string {
  const { text, platforms, statuses, campaigns, problems } = filters;
  const named = new URLSearchParams({ view, day });
  if (text.trim() !== "") named.set("search", text);
  for (const name of platforms) named.append("network", name);
  for (const name of statuses) named.append("status", name);
  for (const name of campaigns) named.append("campaign", name);
  if (problems) named.set("problems", "yes");
  if (post !== undefined) named.set("post", post);
  return `#${named}`;
}
