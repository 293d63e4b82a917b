/** The page's data and filters. */

import type { PreviewData, PreviewPost, PreviewStatus } from "../preview-data.ts";
import { groupBy } from "../../model/group.ts";

export interface Filters {
  /** Words that a post must all contain; any post if empty. */
  readonly text: string;
  /** Names of platforms; all if empty. */
  readonly platforms: ReadonlySet<string>;
  readonly statuses: ReadonlySet<PreviewStatus>;
  /** Only posts with problems. */
  readonly problems: boolean;
}

export const NO_FILTERS: Filters = { text: "", platforms: new Set(), statuses: new Set(), problems: false };

export function isFiltering({ text, platforms, statuses, problems }: Filters): boolean {
  return text.trim() !== "" || platforms.size > 0 || statuses.size > 0 || problems;
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
        (!filters.problems || post.problems.length > 0) &&
        words.every((word) => this.#haystack(post).includes(word)),
    );
  }

  /** The same post in other data. */
  sameAs({ place, status, day }: PreviewPost): PreviewPost | undefined {
    return this.data.posts.find((each) => each.place === place && each.status === status && each.day === day);
  }

  #name(place: number): string {
    return this.data.platforms[place]?.name ?? "";
  }

  /** All searchable text of a post. */
  #haystack(post: PreviewPost): string {
    const known = this.#haystacks.get(post);
    if (known !== undefined) return known;
    const titles = post.platforms.map((place) => this.data.platforms[place]?.title ?? "");
    const media = post.media.map((place) => this.data.media[place]?.name ?? "");
    const made = folded([post.content ?? "", post.id ?? "", post.place, ...titles, ...media].join("\n"));
    this.#haystacks.set(post, made);
    return made;
  }
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
export function plural(count: number, noun: string): string {
  return `${numberText(count)} ${noun}${count === 1 ? "" : "s"}`;
}
