/** The page's data, its statuses and filters, and the address that contains them. Pure. */

import { groupBy } from "../../../model/data.ts";
import type { PreviewData, PreviewPost, PreviewStatus } from "../../preview-data.ts";
import { isDay } from "./days.ts";

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

// How the page names and draws each status.

interface StatusLabel {
  readonly label: string;
  /** What it means, in a sentence. */
  readonly meaning: string;
  /** Its name in `ICONS`. */
  readonly icon: string;
}

/** Listed in the order of the legend. The colours are in styles/base.css, under `.is-` and the name, and are never the only sign. */
export const STATUS_LABELS = {
  create: { label: "Create", meaning: "Apply would schedule this post.", icon: "plus" },
  replace: {
    label: "Replace",
    meaning: "Apply would replace the scheduled post with this one.",
    icon: "swap",
  },
  cancel: { label: "Cancel", meaning: "Apply would cancel this post.", icon: "cross" },
  adopt: {
    label: "Adopt",
    meaning: "The service has this post; apply would adopt it for the row.",
    icon: "link",
  },
  missing: {
    label: "Missing",
    meaning: "The service no longer has this post. Apply creates it again only if somebody decides so.",
    icon: "warning",
  },
  pending: {
    label: "Pending",
    meaning: "plancast does not know yet whether this post is scheduled.",
    icon: "pause",
  },
  keep: {
    label: "Scheduled",
    meaning: "This post is scheduled as shown here; apply would not change it.",
    icon: "check",
  },
  ready: { label: "Ready", meaning: "The row is ready to be scheduled.", icon: "clock" },
  draft: { label: "Draft", meaning: "The row is a draft, so plancast does not schedule it.", icon: "pen" },
  skip: { label: "Skip", meaning: "The row is skipped, so plancast does not schedule it.", icon: "skip" },
  past: { label: "Past", meaning: "Its time has passed; apply would not change it.", icon: "past" },
  published: { label: "Published", meaning: "The service has published this post.", icon: "checked" },
  failed: {
    label: "Failed",
    meaning: "The service could not publish this post on at least one network.",
    icon: "warning",
  },
  cancelled: {
    label: "Cancelled",
    meaning: "Somebody cancelled this post on the service before it was due.",
    icon: "cross",
  },
  unanswered: { label: "To answer", meaning: "You have not answered yet.", icon: "clock" },
  approved: { label: "Approved", meaning: "You approve this post as it is here.", icon: "check" },
  changes: { label: "Changes", meaning: "You ask for changes.", icon: "pen" },
} as const satisfies Record<PreviewStatus, StatusLabel>;

function isStatusName(name: string): name is PreviewStatus {
  return Object.hasOwn(STATUS_LABELS, name);
}

export const STATUS_NAMES = Object.keys(STATUS_LABELS).filter(isStatusName);

// The page's address. It contains the reader's view, so that a link shows the same view to somebody else.

export const VIEWS = ["month", "week", "list"] as const;
export type View = (typeof VIEWS)[number];

/** What the reader sees. */
export interface PagePlace {
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
export function placeInAddress(hash: string): NamedPlace {
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
      statuses: new Set(asked.getAll("status").filter(isStatusName)),
      campaigns: new Set(asked.getAll("campaign")),
      problems: asked.has("problems"),
    },
    post: asked.get("post") ?? undefined,
  };
}

export function writeAddress({ view, day, filters, post }: PagePlace): string {
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
