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

/** An entry is new, or a number: its place in the list that the page has. */
type ListChange<Name extends ListName> = readonly (number | PreviewData[Name][number])[];

export type DataChanges = Omit<PreviewData, ListName> & {
  /** The version of the data that the page has. */
  readonly since: string;
} & { readonly [Name in ListName]: ListChange<Name> };

/** Data as JSON, by entry of its lists. */
export class DataTexts {
  readonly #rest: string;
  readonly #lists: Readonly<Record<ListName, readonly string[]>>;

  constructor({ posts, media, problems, ...rest }: PreviewData) {
    const texts = (list: readonly unknown[]): string[] => list.map((each) => JSON.stringify(each));
    this.#rest = JSON.stringify(rest).slice(1);
    this.#lists = { posts: texts(posts), media: texts(media), problems: texts(problems) };
  }

  whole(): string {
    return this.#json("", (name) => this.#lists[name]);
  }

  /** DataChanges as JSON. @param version of the old data */
  since(old: DataTexts, version: string): string {
    return this.#json(`"since":${JSON.stringify(version)},`, (name) => {
      const places = new Map(old.#lists[name].map((text, place) => [text, place]));
      return this.#lists[name].map((text) => String(places.get(text) ?? text));
    });
  }

  #json(start: string, entries: (name: ListName) => readonly string[]): string {
    const lists = LISTS.map((name) => `"${name}":[${entries(name).join(",")}]`).join(",");
    return `{${start}${lists},${this.#rest}`;
  }
}

export function changedData(old: PreviewData, { since: _, ...changes }: DataChanges): PreviewData {
  const joined = <Name extends ListName>(name: Name): PreviewData[Name][number][] =>
    changes[name].flatMap((entry) => (typeof entry === "number" ? (old[name][entry] ?? []) : [entry]));
  return { ...changes, posts: joined("posts"), media: joined("media"), problems: joined("problems") };
}
