/**
 * The page's data in parts. A large page gets first what a month shows, so that it opens quickly, and then the rest. A page
 * that follows a server gets only what changed. Pure: this side makes the parts, and the page joins them.
 */

import type { PreviewData, PreviewPost } from "./preview-data.ts";

// The first part and the rest.

/** Parts of a post that a month or a week shows, or that filters need. A long text is cut. */
const FIRST_FIELDS: ReadonlySet<string> = new Set([
  "status",
  "day",
  "clock",
  "slot",
  "id",
  "place",
  "row",
  "platforms",
  "media",
  "problems",
  "campaign",
]);

/** Characters of a text in the first part: more than a week shows. */
const FIRST_LENGTH = 250;

/** What the first part lacks. Lists are in its order. */
export interface RestOfData {
  readonly media: PreviewData["media"];
  readonly problems: PreviewData["problems"];
  readonly posts: readonly Partial<PreviewPost>[];
}

/** PreviewData that lacks pictures, details, and the end of each long text. */
export function firstPart(data: PreviewData): object {
  const ofPosts = new Set(data.posts.flatMap(({ problems }) => problems));
  return {
    ...data,
    media: data.media.map(({ name, kind }) => ({ name, kind })),
    // The other problems are at the top of the page.
    problems: data.problems.map((each, place) =>
      ofPosts.has(place) ? { code: "", severity: each.severity, message: "", place: "" } : each,
    ),
    posts: data.posts.map((post) => ({
      ...fieldsOf(post, true),
      content: post.content?.slice(0, FIRST_LENGTH),
      ...NOT_YET,
    })),
  };
}

/** What every post has. */
const NOT_YET: Pick<PreviewPost, "offset" | "at" | "meters" | "differences"> = {
  offset: "",
  at: "",
  meters: [],
  differences: [],
};

export function restOf({ media, problems, posts }: PreviewData): RestOfData {
  return {
    media,
    problems,
    posts: posts.map((post) => {
      const { content = "", ...rest } = fieldsOf(post, false);
      return content.length > FIRST_LENGTH ? { ...rest, content: content.slice(FIRST_LENGTH) } : rest;
    }),
  };
}

function fieldsOf(post: PreviewPost, areFirst: boolean): Partial<PreviewPost> {
  return Object.fromEntries(Object.entries(post).filter(([name]) => FIRST_FIELDS.has(name) === areFirst));
}

export function joinedData(first: PreviewData, { media, problems, posts }: RestOfData): PreviewData {
  return {
    ...first,
    media,
    problems,
    posts: first.posts.map((post, index) => {
      const rest = posts[index] ?? {};
      const { content } = post;
      return {
        ...post,
        ...rest,
        ...(content === undefined ? {} : { content: content + (rest.content ?? "") }),
      };
    }),
  };
}

// What changed since the data that a page has.

const LISTS = ["posts", "media", "problems"] as const;
type ListName = (typeof LISTS)[number];

/** Places of a post's media and problems in their lists. One new problem moves the places of many others. */
type Places = Pick<PreviewPost, "media" | "problems">;

/** An entry is new, or a number: its place in the list that the page has. */
type ListChange<Entry> = readonly (number | Entry)[];

export interface DataChanges extends Omit<PreviewData, ListName> {
  /** The version of the data that the page has. */
  readonly since: string;
  readonly posts: ListChange<Omit<PreviewPost, keyof Places>>;
  readonly media: ListChange<PreviewData["media"][number]>;
  readonly problems: ListChange<PreviewData["problems"][number]>;
  /** Of each post. */
  readonly places: readonly Places[];
}

/** Data as JSON, by entry of its lists. */
export class DataTexts {
  readonly #rest: string;
  readonly #lists: Readonly<Record<ListName, readonly string[]>>;
  readonly #places: readonly string[];

  constructor({ posts, media, problems, ...rest }: PreviewData) {
    this.#rest = JSON.stringify(rest).slice(1);
    this.#lists = {
      posts: posts.map((post) => JSON.stringify({ ...post, media: undefined, problems: undefined })),
      media: media.map((each) => JSON.stringify(each)),
      problems: problems.map((each) => JSON.stringify(each)),
    };
    this.#places = posts.map((post) => JSON.stringify({ media: post.media, problems: post.problems }));
  }

  /** PreviewData */
  whole(): string {
    const { posts, media, problems } = this.#lists;
    const whole = posts.map((post, index) => `${post.slice(0, -1)},${this.#places[index]?.slice(1)}`);
    return this.#json({ posts: whole, media, problems });
  }

  /** DataChanges. @param version of the old data */
  since(old: DataTexts, version: string): string {
    const changes = (name: ListName): string[] => {
      const places = new Map(old.#lists[name].map((text, place) => [text, place]));
      return this.#lists[name].map((text) => String(places.get(text) ?? text));
    };
    const lists = { posts: changes("posts"), media: changes("media"), problems: changes("problems") };
    return this.#json({ ...lists, places: this.#places }, `"since":${JSON.stringify(version)},`);
  }

  #json(lists: Readonly<Record<string, readonly string[]>>, start = ""): string {
    const texts = Object.entries(lists).map(([name, entries]) => `"${name}":[${entries.join(",")}]`);
    return `{${start}${texts.join(",")},${this.#rest}`;
  }
}

export function changedData(
  old: PreviewData,
  { posts, media, problems, places, ...rest }: DataChanges,
): PreviewData {
  const changed = changedList<Omit<PreviewPost, keyof Places>>(old.posts, posts);
  return {
    ...rest,
    posts: changed.map((post, index) => ({ ...post, ...(places[index] ?? { media: [], problems: [] }) })),
    media: changedList(old.media, media),
    problems: changedList(old.problems, problems),
  };
}

function changedList<Entry extends object>(
  old: readonly Entry[],
  changes: readonly (number | Entry)[],
): Entry[] {
  return changes.flatMap((entry) => (typeof entry === "number" ? (old[entry] ?? []) : [entry]));
}
